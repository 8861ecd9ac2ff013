// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify.messages;

import static dev.fletch.verify.messages.Meant.INT8;
import static dev.fletch.verify.messages.Meant.UTF8;
import static dev.fletch.verify.messages.Meant.VIEW;
import static dev.fletch.verify.messages.Meant.batch;
import static dev.fletch.verify.messages.Meant.bytes;
import static dev.fletch.verify.messages.Meant.encoded;
import static dev.fletch.verify.messages.Meant.message;
import static dev.fletch.verify.messages.Meant.pair;
import static dev.fletch.verify.messages.Meant.schema;
import static dev.fletch.verify.messages.Meant.struct;
import static dev.fletch.verify.messages.Meant.table;
import static dev.fletch.verify.messages.Meant.with;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Checks;
import dev.fletch.format.Message;
import dev.fletch.testdata.Allocations;
import dev.fletch.testdata.FbsValue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/// A verification of meaning allocates nothing per sound batch.
@Isolated("counts allocations")
class SemanticsAllocationTest {
    private static final int PART = 4096;

    private static final FbsValue.Table SCHEMA =
            message(schema(struct(INT8), VIEW, encoded(UTF8, 7)), 0);
    private static final FbsValue.Table VALUES =
            batch(List.of(pair(3, 0)), List.of(pair(0, 0), pair(0, 16), pair(16, 8)));
    private static final FbsValue.Table BATCH =
            with(
                    batch(
                            List.of(pair(3, 0), pair(3, 0), pair(3, 0), pair(3, 0)),
                            List.of(
                                    pair(0, 0), // struct
                                    pair(0, 0),
                                    pair(0, 3),
                                    pair(8, 0),
                                    pair(8, 48),
                                    pair(56, 8),
                                    pair(64, 0),
                                    pair(64, 3))),
                    "variadicBufferCounts",
                    List.of(1));

    private final SemanticVerifier meaning = new SemanticVerifier(Checks.STRICT, _ -> {});
    private final Message message = new Message();
    // All in one memory, as a mapped file is.
    private final byte[][] parts = {
        bytes(SCHEMA),
        bytes(message(table("DictionaryBatch", "id", 7, "data", VALUES), 24)),
        bytes(message(BATCH, 72))
    };
    private final MemorySegment memory = MemorySegment.ofArray(new byte[3 * PART]);
    private int good;

    private Message part(int number) {
        return message.wrap(memory, number * (long) PART, parts[number].length);
    }

    private void batches() {
        good += meaning.message(part(1)) ? 1 : 0;
        good += meaning.message(part(2)) ? 1 : 0;
    }

    @Test
    void verifyingABatchAllocatesNothing() {
        for (int i = 0; i < parts.length; i++) {
            MemorySegment.copy(
                    parts[i], 0, memory, ValueLayout.JAVA_BYTE, i * PART, parts[i].length);
        }
        assertTrue(meaning.message(part(0)));
        Allocations.assertNone("batches", this::batches);
        assertTrue(good > 0);
    }
}
