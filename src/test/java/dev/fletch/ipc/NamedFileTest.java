// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.fletch.FletchException;
import dev.fletch.StructureRule;
import dev.fletch.format.Message;
import dev.fletch.testdata.ArrowVectorFiles;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// Who opens many files is told which one was the wrong one.
class NamedFileTest {
    private static final byte[] FILE = ArrowVectorFiles.named("dictionaries").file();

    @TempDir Path folder;

    @Test
    void aFileOfAnotherFormatIsNamed() throws IOException {
        Path stream = Files.write(folder.resolve("s"), new byte[100]);
        for (boolean isMapped : new boolean[] {true, false}) {
            try (Arena arena = Arena.ofConfined()) {
                var failure =
                        assertThrows(
                                FletchException.class,
                                () -> {
                                    if (isMapped) {
                                        ArrowFile.map(stream, arena, ReadOptions.DEFAULT);
                                    } else {
                                        ArrowFile.open(stream);
                                    }
                                });
                assertEquals(stream.toString(), failure.file());
                assertEquals(
                        stream + ": offset 0: file does not begin with ARROW1: size=100",
                        failure.getMessage());
                assertEquals("file does not begin with ARROW1: size=100", failure.fault().text());
            }
        }
    }

    /// A message is one line, whatever a file is called.
    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "no name has a line break there")
    void theNameIsShownOnOneLine() throws IOException {
        Path odd = Files.write(folder.resolve("a\nb"), new byte[100]);
        var failure = assertThrows(FletchException.class, () -> ArrowFile.open(odd).close());
        assertEquals(odd.toString(), failure.file());
        assertEquals(1, failure.getMessage().lines().count());
        assertEquals(0, failure.getMessage().indexOf(folder + "/a\\nb: "));
    }

    @Test
    void aFileWithADamagedFooterIsNamed() throws IOException {
        byte[] damaged = FILE.clone();
        int footer = (int) ArrowFile.of(MemorySegment.ofArray(FILE)).footerOffset();
        damaged[footer + 3] = 0x7F; // of the root's offset
        Path path = Files.write(folder.resolve("f"), damaged);
        var failure = assertThrows(FletchException.class, () -> ArrowFile.open(path).close());
        assertEquals(path.toString(), failure.file());
        assertEquals(StructureRule.OFFSET_TARGET_OUT_OF_RANGE, failure.rule());
    }

    @Test
    void aFileWithADamagedMessageIsNamed() throws IOException {
        EncapsulatedMessage frame = new EncapsulatedMessage();
        Message message = new Message();
        byte[] damaged = FILE.clone();
        ArrowFile good = ArrowFile.of(MemorySegment.ofArray(FILE));
        for (int i = 0; i < good.messageCount(); i++) {
            good.message(i, frame, message);
            damaged[(int) frame.metadataOffset() + 3] = 0x7F;
        }
        Path path = Files.write(folder.resolve("f"), damaged);
        try (ArrowFile file = ArrowFile.open(path)) {
            for (int i = 0; i < file.messageCount(); i++) {
                int index = i;
                var failure =
                        assertThrows(
                                FletchException.class, () -> file.message(index, frame, message));
                assertEquals(path.toString(), failure.file());
                String start = path + ": offset " + failure.offset() + ": metadata ";
                assertEquals(0, failure.getMessage().indexOf(start));
            }
        }
    }

    @Test
    void errorsInMemoryNameNoFile() {
        MemorySegment memory = MemorySegment.ofArray(new byte[100]);
        var failure = assertThrows(FletchException.class, () -> ArrowFile.of(memory).close());
        assertNull(failure.file());
        assertEquals("offset 0: file does not begin with ARROW1: size=100", failure.getMessage());
    }

    @Test
    void aFileThatCannotBeMappedIsNamed() {
        var directory =
                assertThrows(FileSystemException.class, () -> ArrowFile.open(folder).close());
        assertEquals(folder + ": is a directory", directory.getMessage());
        Path absent = folder.resolve("absent");
        var missing = assertThrows(NoSuchFileException.class, () -> ArrowFile.open(absent).close());
        assertEquals(absent.toString(), missing.getMessage());
    }
}
