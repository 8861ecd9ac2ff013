// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;

import java.lang.foreign.MemorySegment;

/// Flyweights bound to bare messages.
final class Bound {
    private Bound() {}

    static Schema schema(byte[] message) {
        return schema(MemorySegment.ofArray(message));
    }

    static Schema schema(MemorySegment message) {
        Schema schema = new Schema();
        assertTrue(new Message().wrap(message).header(schema));
        return schema;
    }

    /// A record batch, or that of a dictionary batch.
    static RecordBatch batch(byte[] message) {
        Message bound = new Message().wrap(MemorySegment.ofArray(message));
        RecordBatch batch = new RecordBatch();
        DictionaryBatch dictionary = new DictionaryBatch();
        assertTrue(bound.header(batch) || bound.header(dictionary) && dictionary.data(batch));
        return batch;
    }
}
