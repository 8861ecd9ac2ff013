// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.arrow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Checks;
import dev.fletch.FletchException;
import dev.fletch.convert.ConvertOptions;
import dev.fletch.corpus.CaseFile;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.ReadOptions.Level;
import dev.fletch.testdata.ArrowBytes;
import dev.fletch.testdata.ArrowVectorReading;
import dev.fletch.testdata.VectorTexts;
import dev.fletch.verify.CheckReport;

import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// All dictionaries and deltas of a file are known before its first batch, in the order in which
/// the footer names them: to all that checks or reads values.
class LateDictionariesTest {
    private static final String TEXTS =
            """
            let i8 = Int(bitWidth=8 is_signed=1)
            let text = text:Utf8{dictionary=DictionaryEncoding(id=3 indexType=i8)}
            let struct = struct:Struct_<text>{dictionary=DictionaryEncoding(id=5 indexType=i8)}
            """;
    private static final String DICTIONARY = " | dictionary 3 2 [2] [- i32(0 1 2) 'ab']";
    private static final String DELTA = " | delta 3 1 [1] [- i32(0 1) 'c']";

    private static byte[] input(String start, String... messages) {
        return CaseFile.input(TEXTS + start + String.join("", messages).replace('\'', '"'));
    }

    /// Files in which the batch, or the values of a dictionary, have an index, and the dictionary
    /// of three values, a delta among them, is somewhere else.
    private static List<byte[]> files(int index) {
        String batch = " | batch 2 [2] [- i8(0 " + index + ")]";
        String more = " | batch 1 [1] [- i8(1)]";
        String second = " | dictionary 3 1 [1] [- i32(0 1) 'b']";
        String first = " | delta 3 1 [1] [- i32(0 1) 'a']";
        String zeros = " | batch 2 [2] [- i8(0 0)]";
        String outer = " | dictionary 5 1 [1*2] [- - i8(" + index + ")]";
        return List.of(
                input("file <text>", DICTIONARY, batch, DELTA),
                input("file <text>", batch, more, DICTIONARY, DELTA),
                input("file blocks 2 1 3 <text>", DELTA, DICTIONARY, batch),
                input("file blocks 3 4 1 2 <text>", DELTA, batch, second, first),
                input("file <struct>", DICTIONARY, outer, zeros, DELTA),
                input("file blocks 4 3 2 1 <struct>", zeros, outer, DELTA, DICTIONARY),
                input("file blocks 2 4 3 1 <struct>", zeros, outer, DELTA, DICTIONARY));
    }

    private static List<String> findings(byte[] file, ReadOptions options) throws IOException {
        List<String> lines = new ArrayList<>();
        ReadOptions values = options.withLevel(Level.VALUES);
        CheckReport report =
                Arrow.verify(MemorySegment.ofArray(file), values, each -> lines.add(each.line()));
        List<String> piped = new ArrayList<>();
        Arrow.verify(new ByteArrayInputStream(file), values, each -> piped.add(each.line()));
        assertEquals(lines, piped);
        assertEquals(0, report.uncheckedFields(), lines::toString);
        lines.removeIf(line -> line.contains("block-order"));
        return lines;
    }

    private static byte[] converted(byte[] file, ArrowContainer target) throws IOException {
        return ArrowBytes.converted(
                file,
                ConvertOptions.DEFAULT
                        .withTarget(target)
                        .withReading(ReadOptions.DEFAULT.withLevel(Level.VALUES)));
    }

    private static void readVectors(byte[] file) throws IOException {
        try (var allocator = new RootAllocator();
                var vectors = VectorTexts.reader(file, allocator)) {
            assertFalse(VectorTexts.of(vectors).batches().isEmpty());
        }
    }

    @Test
    void dictionariesOfAFileMayBeAnywhere() throws IOException {
        for (byte[] file : files(2)) {
            ReadOptions strict = ReadOptions.VERIFY.withChecks(Checks.STRICT.enabled());
            assertEquals(List.of(), findings(file, strict));
            ArrowVectorReading read = ArrowVectorReading.read(file);
            for (ArrowContainer target : ArrowContainer.values()) {
                byte[] written = converted(file, target);
                assertEquals(read.values(), ArrowVectorReading.read(written).values());
            }
            readVectors(file);
        }
    }

    @Test
    void indexBehindAllDeltasIsAnErrorWithTheirLimit() throws IOException {
        for (byte[] file : files(3)) {
            List<String> found = findings(file, ReadOptions.VERIFY);
            assertEquals(1, found.size(), found::toString);
            String fault = "value=3, limit=2";
            assertTrue(found.getFirst().contains("value-dictionary-index"), found::toString);
            assertTrue(found.getFirst().contains(fault), found::toString);
            var refused =
                    assertThrows(FletchException.class, () -> converted(file, ArrowContainer.FILE));
            assertTrue(refused.getMessage().contains(fault), refused::getMessage);
            var unread = assertThrows(FletchException.class, () -> readVectors(file));
            assertTrue(unread.getMessage().contains(fault), unread::getMessage);
        }
    }
}
