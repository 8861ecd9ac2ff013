// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.testdata.FileBatches;

import java.lang.foreign.MemorySegment;
import java.util.List;

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

    static BatchLayout layout(ArrowFile file) {
        return FileBatches.of(file).layout();
    }

    static BatchLayout layout(ArrowField... columns) {
        return BatchLayout.compile(ArrowSchema.of(columns).toTable(), MetadataVersion.V5);
    }

    static BatchLayout layout(Tree... columns) {
        return layout(List.of(columns));
    }

    static BatchLayout layout(List<Tree> columns) {
        return BatchLayout.compile(schema(Tree.message(columns)), MetadataVersion.V5);
    }

    /// Binds to a batch of a file, by any layout.
    static BatchCursor batch(BatchCursor cursor, BatchLayout layout, ArrowFile file, int index) {
        EncapsulatedMessage frame = new EncapsulatedMessage();
        Message message = new Message();
        file.recordBatch(index, frame, message);
        return cursor.bind(layout, message).body(frame.bodySlice());
    }

    /// The rule that a buffer outside its body breaks.
    static Rule ruleOf(long[] buffer) {
        if (buffer[1] < 0) {
            return MeaningRule.NEGATIVE_BUFFER_LENGTH;
        }
        if (buffer[0] < 0) {
            return MeaningRule.NEGATIVE_BUFFER_OFFSET;
        }
        return buffer[0] > Long.MAX_VALUE - buffer[1]
                ? MeaningRule.BUFFER_OVERFLOW
                : MeaningRule.BUFFER_OUT_OF_BODY;
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
