// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

import dev.fletch.format.Buffer;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.MessageHeader;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.format.SchemaTooLargeException;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.layout.BatchCursor;
import dev.fletch.layout.FieldLayout;
import dev.fletch.layout.LayoutException;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Binds the batches of an input to its schema, and checks the numbers that commands show or add up.
public final class BatchBinding {
    private final Input input;
    private final boolean isNamed;
    private final EncapsulatedMessage frame;
    private final Schema schema = new Schema();
    private final RecordBatch batch = new RecordBatch();
    private final DictionaryBatch dictionary = new DictionaryBatch();
    private final BatchCursor cursor = new BatchCursor();
    private final Buffer buffer = new Buffer();
    private MapPlan plan;
    // Of the current batch; null if there is none, or no schema before it.
    private MapPlan.Fields fields;
    // End offset of the metadata read so far, and the bytes of metadata that overlap it.
    private long read;
    private long againBytes;
    // Sum of the rows of all valid record batches.
    private long rows;

    /// @param isNamed whether [#plan] needs the paths and types of fields
    public BatchBinding(Input input, boolean isNamed) {
        this.input = input;
        this.isNamed = isNamed;
        this.frame = input.frame();
    }

    /// Binds the footer's schema.
    ///
    /// @throws InvalidInput if there is none, or it is too large
    public void footer() throws IOException {
        plan(input.schema());
    }

    private void plan(Schema bound) {
        try {
            plan = new MapPlan(bound, input.metadataLength(), isNamed);
        } catch (LayoutException e) {
            throw new InvalidInput(input.metadataOffset(), e.getMessage());
        } catch (SchemaTooLargeException e) {
            throw InvalidInput.of(e, input);
        }
    }

    /// The layout of the schema; null before the schema.
    MapPlan plan() {
        return plan;
    }

    /// Binds the schema of the current message, unless the footer has it. Ignores other messages.
    ///
    /// @throws InvalidInput if the schema message has no schema, or it is too large
    public void schema() {
        if (input.message.headerType() != MessageHeader.SCHEMA || input.hasFooter()) {
            return;
        }
        if (!input.message.header(schema)) {
            throw new InvalidInput(frame.offset(), "schema message has no schema");
        }
        plan(schema);
    }

    /// Binds the batch of the current message, if it has one.
    ///
    /// @param body the body, for the uncompressed lengths of buffers; [MemorySegment#NULL] to read none
    /// @throws InvalidInput if the batch is invalid or does not fit the schema
    public void bind(MemorySegment body) throws IOException {
        fields = null;
        requireRepeatable();
        int kind = input.message.headerType();
        if (kind == MessageHeader.RECORD_BATCH) {
            if (!input.message.header(batch)) {
                throw invalid("record batch has no header");
            }
            fields = plan == null ? null : plan.columns();
        } else if (kind == MessageHeader.DICTIONARY_BATCH) {
            if (!input.message.header(dictionary) || !dictionary.data(batch)) {
                throw invalid("dictionary batch has no data");
            }
            fields = plan == null ? null : plan.dictionary(dictionary.id());
            if (plan != null && fields == null) {
                throw invalid("schema has no field with this dictionary: id=" + dictionary.id());
            }
        } else {
            return;
        }
        if (batch.length() < 0) {
            throw invalid("record batch has a negative length: length=" + batch.length());
        }
        boolean isCounted = kind == MessageHeader.RECORD_BATCH;
        if (isCounted && batch.length() > Long.MAX_VALUE - rows) {
            throw invalid(
                    "sum of rows is above 2^63 - 1: sum=" + rows + ", rows=" + batch.length());
        }
        if (fields != null) {
            try {
                cursor.bind(fields.layout(input.message.version()), batch, body);
            } catch (LayoutException e) {
                throw new InvalidInput(frame.metadataOffset(), e.getMessage());
            }
            requireInside();
            requireColumnLengths();
            requireNullCounts();
        }
        rows += isCounted ? batch.length() : 0;
    }

    private InvalidInput invalid(String text) {
        return new InvalidInput(frame.offset(), text);
    }

    /// Any number of blocks may lead to one message, whose metadata is then read again.
    private void requireRepeatable() throws IOException {
        if (frame.offset() < read) {
            againBytes += frame.metadataLength();
            long limit = input.size() + Input.MOST_REPEATED_BYTES;
            if (againBytes > limit) {
                throw invalid(
                        "blocks refer to the same message too often: bytes="
                                + againBytes
                                + ", limit="
                                + limit);
            }
        }
        read = Math.max(read, frame.bodyOffset());
    }

    /// An empty buffer may have any offset.
    private void requireInside() {
        long body = frame.bodyLength();
        for (int i = 0; i < batch.buffersCount(); i++) {
            batch.buffers(i, buffer);
            long offset = buffer.offset();
            long length = buffer.length();
            boolean fits =
                    length == 0
                            ? offset <= Long.MAX_VALUE - frame.bodyOffset()
                            : offset >= 0
                                    && length > 0
                                    && length <= body
                                    && offset <= body - length;
            if (!fits) {
                String which = "column=" + column(i) + ", buffer=" + i;
                String range = "offset=" + offset + ", length=" + length + ", body=" + body;
                throw new InvalidInput(
                        frame.metadataOffset(), "buffer out of body: " + which + ", " + range);
            }
        }
    }

    /// Each column has as many values as the batch has rows.
    private void requireColumnLengths() {
        int columns = fields.layout().columnCount();
        for (int i = 0; i < columns && fields.layout().columnField(i) < fields.placeable(); i++) {
            if (cursor.column(i).length() != batch.length()) {
                String column = "column=" + path(fields.layout().columnField(i));
                String lengths = "length=" + cursor.length() + ", rows=" + batch.length();
                throw new InvalidInput(
                        frame.metadataOffset(),
                        "column and batch differ in length: " + column + ", " + lengths);
            }
        }
    }

    /// A negative null count is unknown.
    private void requireNullCounts() {
        for (int field = 0; field < fields.placeable(); field++) {
            long length = cursor.field(field).length();
            if (cursor.nullCount() > Math.max(0, length)) {
                String column = "column=" + path(field);
                String counts = "nulls=" + cursor.nullCount() + ", length=" + length;
                throw new InvalidInput(
                        frame.metadataOffset(),
                        "more nulls than values: " + column + ", " + counts);
            }
        }
    }

    /// Path of the field that a buffer belongs to.
    private String column(int index) {
        int buffers = 0;
        for (int field = 0; field < fields.placeable(); field++) {
            cursor.field(field);
            buffers += cursor.bufferCount();
            if (index < buffers) {
                return path(field);
            }
        }
        return "none";
    }

    private String path(int field) {
        FieldLayout layout = fields.layout();
        int parent = layout.parent(field);
        boolean isDictionary = input.message.headerType() == MessageHeader.DICTIONARY_BATCH;
        if (parent < 0) {
            return isDictionary ? MapPlan.title(dictionary.id()) : layout.nameString(field);
        }
        return path(parent) + "." + layout.nameString(field);
    }

    /// The fields of the current batch; null if it has none, or no schema is known.
    MapPlan.Fields fields() {
        return fields;
    }

    /// Bound to the current batch if [#fields] is not null.
    BatchCursor cursor() {
        return cursor;
    }

    /// Bound to the current batch.
    RecordBatch batch() {
        return batch;
    }

    /// Bound to the current dictionary batch.
    DictionaryBatch dictionary() {
        return dictionary;
    }
}
