// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static dev.fletch.verify.messages.Meant.INT8;
import static dev.fletch.verify.messages.Meant.bytes;
import static dev.fletch.verify.messages.Meant.message;
import static dev.fletch.verify.messages.Meant.pair;
import static dev.fletch.verify.messages.Meant.schema;
import static dev.fletch.verify.messages.Meant.struct;
import static dev.fletch.verify.messages.Meant.table;
import static dev.fletch.verify.messages.Meant.with;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.command.Cli.Run;
import dev.fletch.input.Links;
import dev.fletch.ipc.Frames;
import dev.fletch.testdata.Allocations;
import dev.fletch.testdata.FbsValue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;

/// A long name costs its length for each field, but not for each field of each batch.
@Isolated("counts allocations")
class LongNamesTest {
    private static final int NAME_BYTES = 1 << 20;
    private static final int CHILDREN = 9;
    private static final int BATCHES = 200;
    private static final long MOST_BYTES = 150L * NAME_BYTES;
    private static final long MOST_CHARS = 800L * BATCHES * (1 + CHILDREN) * 3;

    @TempDir Path folder;

    private static byte[] stream(long nullCount, int endianness) {
        FbsValue.Table[] children = new FbsValue.Table[CHILDREN];
        Arrays.fill(children, INT8);
        FbsValue.Table column = with(struct(children), "name", "n€".repeat(NAME_BYTES / 4));
        FbsValue.Table fields = with(schema(column), "endianness", endianness);
        FbsValue.Table batch =
                table(
                        "RecordBatch",
                        "length",
                        0,
                        "nodes",
                        Collections.nCopies(1 + CHILDREN, pair(0, nullCount)),
                        "buffers",
                        Collections.nCopies(1 + 2 * CHILDREN, pair(0, 0)));
        byte[][] parts = new byte[1 + BATCHES][];
        Arrays.fill(parts, Frames.encapsulated(bytes(message(batch, 0))));
        parts[0] = Frames.encapsulated(bytes(message(fields, 0)));
        return Frames.join(parts);
    }

    @ParameterizedTest
    @CsvSource({
        "verify -, 1, 0",
        "verify --json -, 1, 0",
        "count -, 1, 0",
        "columns -, 1, 0",
        "map -, 1, 0",
        "convert --salvage - OUT, 1, 0",
        "verify --values -, 0, 1",
        "map -, 0, 0",
        "map --json -, 0, 0",
    })
    void faultsAndBuffersDoNotRepeatALongName(String call, long nullCount, int endianness) {
        byte[] input = stream(nullCount, endianness);
        String[] words = call.replace("OUT", folder.resolve("out").toString()).split(" ");
        Run[] run = new Run[1];
        long allocated = Allocations.countedBytes(() -> run[0] = Cli.runWithInput(input, words));
        long chars = run[0].out().length() + run[0].err().length();
        assertFalse((run[0].out() + run[0].err()).contains("\uFFFD"));
        assertTrue(allocated < MOST_BYTES, () -> "allocated bytes: " + allocated);
        assertTrue(chars < MOST_CHARS, () -> "characters: " + chars);
    }

    @Test
    @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
    void textOfManyWordsIsSearchedForLinksOnce() {
        String words = "a.".repeat(NAME_BYTES);
        assertEquals(words + " http://h", Links.cleaned(words + " http://h?secret"));
    }
}
