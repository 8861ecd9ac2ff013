// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.arrow;

import dev.fletch.batch.BatchBuilder;
import dev.fletch.batch.BatchLayout;
import dev.fletch.batch.UnusedBytes;
import dev.fletch.batch.ValueType;
import dev.fletch.format.Message;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.internal.SchemaSize;
import dev.fletch.format.write.CustomMetadata;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.format.write.SegmentList;
import dev.fletch.ipc.MessageWriter;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.wire.Utf8;
import dev.fletch.wire.Wire;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Writes the batches of a schema, as a file or stream.
///
/// ```java
/// try (var out = Arrow.writeFile(path, ArrowSchema.of(id, name))) {
///     out.begin(3).values(0, 7, 8, 9).texts(1, "one", null, "three").end();
///     out.finish();
/// }
/// ```
///
/// Each batch begins with [#begin] and is written by [#end]. Buffers that are given are not copied,
/// and must not change before. Values and texts are stored in the byte order of the schema.
///
/// **Errors.** An [IllegalArgumentException] or [IllegalStateException] of [BatchBuilder] if
/// buffers do not fit the schema. [#close] without [#finish] is an [IllegalStateException], so that
/// an exception in between never leaves a file that looks complete.
///
/// **Threads.** Belongs to one thread at a time.
public final class BatchWriter implements AutoCloseable {
    private final MessageWriter out;
    private final BatchLayout layout;
    private final ByteOrder order;
    private final BatchBuilder batch;
    private CustomMetadata metadata;
    private long rows;
    // Whether the batch is being written, or an exception has ended that.
    private boolean isUnwritten;
    // Null if the buffers are written as they are.
    private UnusedBytes unused;
    private final Message message = new Message();
    private final SegmentList body = new SegmentList();

    BatchWriter(MessageWriter out, ArrowSchema schema) throws IOException {
        this.out = out;
        layout = BatchLayout.compile(schema.toTable(), SchemaSize.OF_WRITERS);
        order = schema.endianness();
        batch = new BatchBuilder(layout);
        out.write(schema.toMessage(EmissionOrder.ARROW_CPP));
    }

    /// {@return the number of a field, for the methods that give its buffers}
    ///
    /// @param path its name, or names joined by dots
    /// @throws dev.fletch.FletchException if there is no such field
    public int field(String path) {
        return layout.field(path);
    }

    /// Lets [#end] write a copy of each batch from now on, in which bytes that no value uses are 0:
    /// see [UnusedBytes]. So buffers need no more than their values set. Compressed ones are
    /// refused.
    ///
    /// @param mostBytes maximum number of bytes of memory beside the copy
    /// @return this
    public BatchWriter clearingUnused(long mostBytes) {
        unused = new UnusedBytes(mostBytes);
        return this;
    }

    /// Begins a batch.
    ///
    /// @param rows number of rows
    /// @return this
    /// @throws IllegalStateException if the batch before was not written: see [#end]
    public BatchWriter begin(long rows) {
        requireEnded();
        batch.begin(rows);
        this.rows = rows;
        metadata = null;
        return this;
    }

    /// Adds a pair to the custom metadata of the batch.
    ///
    /// @return this
    /// @throws IllegalArgumentException if a text has an unpaired surrogate
    public BatchWriter metadata(String key, String value) {
        byte[] text = Utf8.encoded(value); // first: if it has no encoding, nothing is added
        metadata = metadata == null ? new CustomMetadata() : metadata;
        metadata.add(key).set(metadata.count() - 1, text);
        batch.metadata(metadata);
        return this;
    }

    /// Gives a buffer: see [BatchBuilder#buffer].
    ///
    /// @return this
    public BatchWriter buffer(int field, BufferRole role, MemorySegment bytes) {
        batch.buffer(field, role, bytes);
        return this;
    }

    /// Gives integers of 64 bits, of which none is null; also times, timestamps and durations.
    ///
    /// @return this
    public BatchWriter values(int field, long... values) {
        return data(
                field,
                layout.valueType(field) == ValueType.UINT64 ? ValueType.UINT64 : ValueType.INT64,
                values.length,
                inOrder(field, MemorySegment.ofArray(values), ValueLayout.JAVA_LONG));
    }

    /// Gives floating-point numbers of 64 bits, of which none is null.
    ///
    /// @return this
    public BatchWriter values(int field, double... values) {
        MemorySegment numbers = MemorySegment.ofArray(values);
        return data(
                field,
                ValueType.FLOAT64,
                values.length,
                inOrder(field, numbers, ValueLayout.JAVA_DOUBLE));
    }

    private BatchWriter data(int field, ValueType type, int count, MemorySegment values) {
        requireRows(field, count);
        if (layout.valueType(field) != type || layout.isDictionaryEncoded(field)) {
            throw other(field, type);
        }
        return buffer(field, BufferRole.DATA, values);
    }

    /// Numbers in the byte order of the schema: a copy, if this machine has another one.
    MemorySegment inOrder(int field, MemorySegment numbers, ValueLayout each) {
        if (order == each.order()) {
            return numbers;
        }
        MemorySegment copy =
                MemorySegment.ofArray(new byte[requireLength(field, numbers.byteSize())]);
        long count = numbers.byteSize() / each.byteSize();
        ValueLayout there = each.withOrder(order).withByteAlignment(1);
        MemorySegment.copy(numbers, each, 0, copy, there, 0, count);
        return copy;
    }

    /// A column has a value for each row.
    private void requireRows(int field, int count) {
        if (layout.depth(field) == 0 && count != rows) {
            throw new IllegalArgumentException(
                    "column has another number of values than the batch has rows: column="
                            + layout.shortPath(field)
                            + ", values="
                            + count
                            + ", rows="
                            + rows);
        }
    }

    private IllegalArgumentException other(int field, ValueType given) {
        return new IllegalArgumentException(
                "column has values of another type: column="
                        + layout.shortPath(field)
                        + ", expected="
                        + layout.valueType(field)
                        + ", found="
                        + given);
    }

    /// Gives texts of a `Utf8` or `Binary` field, which are copied.
    ///
    /// @param texts null for nulls
    /// @return this
    /// @throws IllegalArgumentException if a text has an unpaired surrogate, or all together have
    ///     2 GiB or more
    public BatchWriter texts(int field, String... texts) {
        if (layout.valueType(field) != ValueType.BYTES) {
            throw other(field, ValueType.BYTES);
        }
        requireRows(field, texts.length);
        byte[] present = new byte[Math.ceilDiv(texts.length, Byte.SIZE)];
        int[] offsets = new int[texts.length + 1];
        long length = 0;
        for (String each : texts) {
            length += each == null ? 0 : each.length(); // each character has a byte at least
        }
        requireLength(field, length);
        length = 0;
        for (int i = 0; i < texts.length; i++) {
            length += texts[i] == null ? 0 : Utf8.length(texts[i]);
            present[i / Byte.SIZE] |= (byte) (texts[i] == null ? 0 : 1 << i % Byte.SIZE);
            offsets[i + 1] = (int) length;
        }
        byte[] bytes = new byte[requireLength(field, length)];
        for (int i = 0; i < texts.length; i++) {
            byte[] text = texts[i] == null ? new byte[0] : Utf8.encoded(texts[i]);
            System.arraycopy(text, 0, bytes, offsets[i], text.length);
        }
        buffer(field, BufferRole.VALIDITY, MemorySegment.ofArray(present));
        MemorySegment numbers = MemorySegment.ofArray(offsets);
        buffer(field, BufferRole.OFFSETS, inOrder(field, numbers, ValueLayout.JAVA_INT));
        return buffer(field, BufferRole.DATA, MemorySegment.ofArray(bytes));
    }

    private int requireLength(int field, long bytes) {
        if (bytes > Wire.LONGEST_ARRAY) {
            throw new IllegalArgumentException(
                    "values are too long for an array: column="
                            + layout.shortPath(field)
                            + ", bytes="
                            + bytes
                            + ", limit="
                            + Wire.LONGEST_ARRAY);
        }
        return (int) bytes;
    }

    /// {@return the builder of the batch, for what this class has no method for: dictionaries,
    /// lengths of nested fields, compressed buffers}
    public BatchBuilder builder() {
        return batch;
    }

    private void requireEnded() {
        if (batch.isBegun() || isUnwritten) {
            throw new IllegalStateException("batch is not written: call end first");
        }
    }

    /// Writes the batch. After an exception, call it again, with what was missing; or begin another
    /// batch with the [#builder], and end that.
    ///
    /// @throws IllegalStateException if no batch was begun since the last one, or as
    ///     [BatchBuilder#encode]
    /// @throws dev.fletch.FletchException if unused bytes are cleared, and the values are not sound
    ///     or compressed
    public void end() throws IOException {
        if (!batch.isBegun() && !isUnwritten) {
            throw new IllegalStateException("no batch: call begin first");
        }
        isUnwritten = true;
        if (unused == null) {
            out.write(batch);
        } else {
            int length = batch.encode();
            message.wrap(batch.message(), 0, length);
            body.reset().addAll(batch.body());
            out.write(batch.message(), 0, length, unused.clear(layout, message, body));
        }
        isUnwritten = false;
        metadata = null; // of a dictionary that the builder begins next
    }

    /// Writes the end of the stream, or the footer of the file.
    ///
    /// @throws IllegalStateException if a batch was begun and not written: see [#end]
    public void finish() throws IOException {
        requireEnded();
        out.finish();
    }

    /// Closes the output.
    ///
    /// @throws IllegalStateException if [#finish] was not called
    @Override
    public void close() throws IOException {
        out.close();
    }
}
