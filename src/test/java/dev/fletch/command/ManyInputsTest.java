// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.command.Cli.Run;
import dev.fletch.ipc.Frames;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Very many and very large inputs in one call. All are sparse files, of which a machine could not
/// read the bodies in the time that a test has: five terabytes of them.
@Timeout(120)
class ManyInputsTest {
    private static final int FILES = 1_000;
    private static final long BODY_BYTES = 5L << 30;

    @TempDir Path folder;

    private String sparse(String name, long rows) throws IOException {
        Path path = folder.resolve(name);
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.write(Frames.emptySchema());
            file.write(Frames.recordBatch(rows, BODY_BYTES));
            file.seek(file.length() + BODY_BYTES);
            file.write(Frames.join(Frames.recordBatch(1, 0), Frames.END));
        }
        return path.toString();
    }

    @Test
    void rowsOfAThousandLargeFilesAreCounted() throws IOException {
        List<String> call = new ArrayList<>(List.of("count"));
        long bytes = 0;
        for (int i = 0; i < FILES; i++) {
            call.add(sparse("%04d".formatted(i), i));
            bytes += Files.size(Path.of(call.getLast()));
        }
        assertTrue(bytes > FILES * BODY_BYTES);
        Run run = Cli.run(call.toArray(String[]::new));
        assertEquals(0, run.status(), run.err());
        assertEquals(FILES + 2, run.lines().size());
        assertTrue(run.lines().get(1 + 7).strip().startsWith("8        2  "), run.lines().get(8));
        long rows = (long) FILES * (FILES - 1) / 2 + FILES;
        assertEquals(rows + "     2000  total", run.lines().getLast().strip());
    }

    @ParameterizedTest
    @FieldSource("dev.fletch.command.Cli#INPUT_COMMANDS")
    void commandsDoNotReadBodies(String command) throws IOException {
        Run run = Cli.run(command, sparse("great", 10));
        assertEquals(0, run.status(), run.err() + run.out());
        assertEquals("", run.err());
        assertTrue(!run.out().isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"diff", "diff --bytes"})
    void diffDoesNotReadBodies(String command) throws IOException {
        String call = command + " " + sparse("a", 10) + " " + sparse("b", 10);
        assertEquals(new Run(0, "", ""), Cli.run(call.split(" ")));
    }
}
