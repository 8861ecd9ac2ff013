// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.convert.internal;

import dev.fletch.FletchException;
import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BatchLayout;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.write.BodyLayout;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.format.write.RecordBatchTemplate;

import java.lang.foreign.MemorySegment;

/// Rewrites metadata of version V4 as V5, in which unions and run-end encoded fields have no
/// validity buffer. The body stays.
final class LaterVersion {
    private final OutputSchema schema;
    private final BatchLayout layout;
    private final RecordBatchTemplate template = new RecordBatchTemplate(EmissionOrder.ARROW_CPP);
    private final BatchCursor cursor = new BatchCursor();
    private final Message message = new Message();
    private final DictionaryBatch dictionary = new DictionaryBatch();
    private final RecordBatch batch = new RecordBatch();
    private final BodyLayout numbers = new BodyLayout();

    /// @param layout of the batches
    LaterVersion(OutputSchema schema, BatchLayout layout) {
        this.schema = schema;
        this.layout = layout;
    }

    /// Returns new metadata.
    ///
    /// @param metadata of a record batch or dictionary batch, without a codec in custom metadata
    /// @param offset of the metadata in the input
    /// @throws FletchException if the batch does not fit the layout, or V5 cannot express it
    MemorySegment of(MemorySegment metadata, long offset) {
        message.wrap(metadata);
        boolean isDictionary = message.header(dictionary) && dictionary.data(batch);
        BatchLayout of = isDictionary ? layout.dictionaryLayout(dictionary.id()) : layout;
        boolean isSame = isDictionary ? of == null : !message.header(batch);
        if (!isSame && leavesOut(of)) {
            int length = template.write(message, batch, batch.length(), numbers, null);
            message.wrap(template.message().asSlice(0, length));
        }
        return schema.withVersion(message, MetadataVersion.V5, offset);
    }

    /// Collects the numbers of the batch for V5.
    ///
    /// @return whether a buffer is left out
    private boolean leavesOut(BatchLayout layout) {
        BatchLayout old = cursor.bind(layout, message).layout();
        BatchLayout now = layout.forVersion(MetadataVersion.V5);
        numbers.reset();
        int left = 0;
        for (int field = 0; field < old.fieldCount(); field++) {
            boolean leavesOut =
                    old.has(field, BufferRole.VALIDITY) && !now.has(field, BufferRole.VALIDITY);
            if (leavesOut && cursor.nullCount(field) > 0) {
                throw FletchException.of(
                        Damage.notConvertible(
                                0,
                                "field has nulls, which it cannot have in V5: column="
                                        + old.shortPath(field)
                                        + ", nullCount="
                                        + cursor.nullCount(field)));
            }
            left += leavesOut ? 1 : 0;
            numbers.addNode(cursor.length(field), cursor.nullCount(field));
            for (int i = leavesOut ? 1 : 0; i < cursor.bufferCount(field); i++) {
                numbers.addPlaced(cursor.bufferOffset(field, i), cursor.bufferLength(field, i));
            }
            if (old.has(field, BufferRole.VIEWS)) {
                numbers.addVariadicCount(cursor.variadicCount(field));
            }
        }
        numbers.endAt(message.bodyLength());
        return left > 0;
    }
}
