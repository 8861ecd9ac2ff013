// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.Limits;
import dev.fletch.flatbuf.write.BufferTarget;
import dev.fletch.flatbuf.write.Dialect;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.flatbuf.write.TargetTooSmallException;
import dev.fletch.format.Buffer;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.FieldNode;
import dev.fletch.format.Message;
import dev.fletch.format.MessageHeader;
import dev.fletch.format.MetadataVersion;
import dev.fletch.format.RecordBatch;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Objects;

/// The message of a record batch or dictionary batch whose shape repeats: encoded once, then
/// written by a copy and a few stores. Variable are the number of rows, the nodes, the buffers, the
/// variadic buffer counts, the body's length and, if wanted, the custom metadata. Everything else
/// stays as encoded: the number of nodes, buffers and counts, compression, version, a dictionary's
/// id.
///
/// ```java
/// RecordBatchTemplate template = RecordBatchTemplate.of(EmissionOrder.ARROW_JAVA, message);
/// …
/// int length = template.write(memory, at, rows, bodyLength, nodes, buffers);
/// ```
///
/// **Bytes.** The same as the encoder's for the same numbers. The encoder omits a number of rows
/// and a body length of 0, unless it forces defaults. The template has a separate form for each
/// such case, and the message is then shorter.
///
/// **Allocation.** None for writing, except a few views when the segment or byte buffer differs
/// from the previous one.
///
/// **Errors.** Counts other than the template's throw an [IllegalArgumentException], a target that
/// is too small throws a [TargetTooSmallException]; nothing is written then. The numbers are not
/// checked.
///
/// **Threads.** A template belongs to one thread at a time.
///
/// Source: `format/Message.fbs`, tables `Message`, `RecordBatch` and `DictionaryBatch`.
public final class RecordBatchTemplate {
    private static final int FORMS = 4;

    /// Bits of a form's number.
    private static final int HAS_ROWS = 1;

    private static final int HAS_BODY = 2;

    /// Encodes a complete message.
    @FunctionalInterface
    public interface Encoder {
        /// Encodes a message and finishes the buffer. Called a few times to create the template;
        /// the results must differ only by the two numbers. The values of nodes, buffers and
        /// variadic buffer counts do not matter.
        ///
        /// @param rows number of rows to encode
        /// @param bodyLength length of the body to encode, in bytes
        void encode(FlatBufferWriter writer, long rows, long bodyLength);
    }

    private final BatchForm[] forms = new BatchForm[FORMS];
    private final BufferTarget target = new BufferTarget();

    // For messages with metadata of their own. Null if only an encoder knows the order.
    private final BatchRewriter rewriter;
    private final Message example = new Message();
    private final RecordBatch exampleBatch;

    private RecordBatchTemplate(FlatBufferWriter writer, Encoder encoder, BatchRewriter rewriter) {
        this.rewriter = rewriter;
        for (int i = 0; i < FORMS; i++) {
            forms[i] = form(writer.reset(), encoder, i & HAS_ROWS, (i & HAS_BODY) * 4L);
            if (!forms[i].isLike(forms[0])) {
                throw new IllegalArgumentException(
                        "encoder writes different counts: expected " + counts(1));
            }
        }
        // The last form's bytes, which nothing overwrites.
        exampleBatch = batch(example.wrap(MemorySegment.ofArray(writer.toByteArray())));
    }

    // ---- creating

    /// Creates a template from an encoder's output, with tables in any order.
    ///
    /// @param dialect the builder to reproduce
    /// @param encoder encodes a record batch or a dictionary batch
    /// @throws IllegalArgumentException if it encodes another kind of message, or numbers other
    ///     than `rows` and `bodyLength`
    /// @throws IllegalStateException if the encoder does not finish the buffer
    public static RecordBatchTemplate of(Dialect dialect, Encoder encoder) {
        return new RecordBatchTemplate(new FlatBufferWriter(dialect), encoder, null);
    }

    /// Creates a template from a message that was read, in a producer's order. Its numbers of rows,
    /// nodes, buffers and body do not matter, only the number of nodes and buffers. If the message
    /// stores a number that is 0, the template always stores it.
    ///
    /// @param example a record batch or a dictionary batch
    /// @throws IllegalArgumentException if the example is another kind of message, or not bound
    /// @throws RewriteException if it exceeds the limits of a [MetadataWriter]
    /// @throws dev.fletch.FlatBufferFormatException if its bytes point out of their range
    /// @throws IllegalStateException if the example is outdated
    public static RecordBatchTemplate of(EmissionOrder order, Message example) {
        RecordBatch batch = batch(example);
        boolean rowsForced = batch.isPresent(RecordBatch.LENGTH_SLOT) && batch.length() == 0;
        boolean bodyForced =
                example.isPresent(Message.BODY_LENGTH_SLOT) && example.bodyLength() == 0;
        return new RecordBatchTemplate(
                new FlatBufferWriter(order.dialect()),
                (writer, rows, bodyLength) -> {
                    MetadataEdit edit = new MetadataEdit();
                    edit.set(
                            TableOrder.RECORD_BATCH,
                            RecordBatch.LENGTH_SLOT,
                            new Change.Number(rows, rowsForced));
                    edit.set(
                            TableOrder.MESSAGE,
                            Message.BODY_LENGTH_SLOT,
                            new Change.Number(bodyLength, bodyForced));
                    new MetadataWriter(order, writer).message(example, edit);
                },
                new BatchRewriter(order));
    }

    /// Creates a template for record batches of a shape, without compression and metadata.
    ///
    /// @param version version of the format, one of [MetadataVersion]
    /// @param nodes number of nodes: one per field, nested ones included
    /// @param buffers number of buffers
    /// @param variadicCounts number of fields of a view type; if 0, the vector is absent
    /// @throws IllegalArgumentException if the version is unknown, a number is negative, or the
    ///     message would be longer than [Limits#metadataBytes()] of [Limits#DEFAULT]
    public static RecordBatchTemplate of(
            EmissionOrder order, int version, int nodes, int buffers, int variadicCounts) {
        if (!MetadataVersion.NAMES.isKnown(version) || (nodes | buffers | variadicCounts) < 0) {
            throw new IllegalArgumentException(
                    String.format(
                            Locale.ROOT,
                            "invalid record batch: version=%d, nodes=%d, buffers=%d,"
                                    + " variadicCounts=%d",
                            version,
                            nodes,
                            buffers,
                            variadicCounts));
        }
        long bytes =
                (long) FieldNode.BYTES * nodes
                        + (long) Buffer.BYTES * buffers
                        + (long) Long.BYTES * variadicCounts;
        if (bytes > Limits.DEFAULT.metadataBytes()) {
            throw new IllegalArgumentException(
                    String.format(
                            Locale.ROOT,
                            "record batch too large: nodes=%d, buffers=%d, variadicCounts=%d,"
                                    + " bytes=%d, limit=%d",
                            nodes,
                            buffers,
                            variadicCounts,
                            bytes,
                            Limits.DEFAULT.metadataBytes()));
        }
        FlatBufferWriter writer = new FlatBufferWriter(order.dialect());
        BodyLayout layout = new BodyLayout();
        for (int i = 0; i < nodes; i++) {
            layout.addNode(0, 0);
        }
        for (int i = 0; i < buffers; i++) {
            layout.addBuffer(0);
        }
        for (int i = 0; i < variadicCounts; i++) {
            layout.addVariadicCount(0);
        }
        int header = layout.createHeader(writer, 0, 0);
        writer.finish(
                TableEncoder.createMessage(
                        writer, version, MessageHeader.RECORD_BATCH, header, 0, 0));
        return of(order, new Message().wrap(writer.segment()));
    }

    /// Returns the record batch of a message, or of its dictionary batch.
    private static RecordBatch batch(Message message) {
        RecordBatch found = new RecordBatch();
        DictionaryBatch dictionary = new DictionaryBatch();
        if (message.header(found) || message.header(dictionary) && dictionary.data(found)) {
            return found;
        }
        throw noBatch(message);
    }

    static IllegalArgumentException noBatch(Message message) {
        return new IllegalArgumentException(
                "message has no record batch: kind="
                        + MessageHeader.NAMES.name(message.headerType()));
    }

    private static BatchForm form(
            FlatBufferWriter writer, Encoder encoder, long rows, long bodyLength) {
        encoder.encode(writer, rows, bodyLength);
        MemorySegment buffer = writer.segment();
        Message message = new Message().wrap(buffer);
        RecordBatch batch = batch(message);
        if (batch.length() != rows || message.bodyLength() != bodyLength) {
            throw new IllegalArgumentException(
                    String.format(
                            Locale.ROOT,
                            "encoder writes wrong numbers: rows=%d, written=%d, bodyLength=%d,"
                                    + " written=%d",
                            rows,
                            batch.length(),
                            bodyLength,
                            message.bodyLength()));
        }
        return new BatchForm().learn(message, batch, buffer, 0, writer.length());
    }

    // ---- shape

    /// {@return number of nodes}
    public int nodeCount() {
        return forms[0].nodeCount;
    }

    /// {@return number of buffers}
    public int bufferCount() {
        return forms[0].bufferCount;
    }

    /// {@return number of variadic buffer counts; 0 also if the vector is absent}
    public int variadicCount() {
        return forms[0].variadicCount;
    }

    /// {@return length in bytes of the longest message}
    public int maxLength() {
        int longest = 0;
        for (BatchForm form : forms) {
            longest = Math.max(longest, form.length);
        }
        return longest;
    }

    private BatchForm form(long rows, long bodyLength) {
        return forms[(rows != 0 ? HAS_ROWS : 0) | (bodyLength != 0 ? HAS_BODY : 0)];
    }

    // ---- writing

    /// Writes a message.
    ///
    /// @param memory writable memory of any kind
    /// @param at byte offset for the message
    /// @param rows number of rows
    /// @param bodyLength length of the body in bytes
    /// @param nodes exactly two numbers per node: length and null count, as by
    ///     [RecordBatch#copyNodes]
    /// @param buffers exactly two numbers per buffer: offset and length, as by
    ///     [RecordBatch#copyBuffers]
    /// @param variadicCounts exactly one count per field of a view type
    /// @return the message's length in bytes
    /// @throws IndexOutOfBoundsException if `at` is not inside `memory`
    /// @throws IllegalArgumentException if the counts are wrong, or `memory` is read-only
    /// @throws TargetTooSmallException if the message does not fit between `at` and the end
    public int write(
            MemorySegment memory,
            long at,
            long rows,
            long bodyLength,
            long[] nodes,
            long[] buffers,
            long[] variadicCounts) {
        BatchForm form = form(rows, bodyLength);
        checkCounts(2, nodes.length, buffers.length, variadicCounts.length);
        target.wrap(memory, at, form.length);
        return form.put(target, rows, bodyLength, nodes, buffers, variadicCounts, null);
    }

    /// [#write(MemorySegment, long, long, long, long[], long[], long[])] from a buffer's position
    /// on, which does not change.
    public int write(
            ByteBuffer buffer,
            long rows,
            long bodyLength,
            long[] nodes,
            long[] buffers,
            long[] variadicCounts) {
        BatchForm form = form(rows, bodyLength);
        checkCounts(2, nodes.length, buffers.length, variadicCounts.length);
        target.wrap(buffer, form.length);
        return form.put(target, rows, bodyLength, nodes, buffers, variadicCounts, null);
    }

    /// [#write(MemorySegment, long, long, long, long[], long[], long[])] with the nodes, buffers,
    /// counts and body length of a layout.
    public int write(MemorySegment memory, long at, long rows, BodyLayout layout) {
        checkCounts(1, layout.nodeCount(), layout.bufferCount(), layout.variadicCount());
        BatchForm form = form(rows, layout.bodyLength());
        target.wrap(memory, at, form.length);
        return put(form, rows, layout);
    }

    /// [#write(MemorySegment, long, long, BodyLayout)] with custom metadata instead of the
    /// example's. A number of rows and a body length of 0 are always omitted. If keys and lengths of values are those of the last message, only the values are
    /// written anew; otherwise the message is encoded.
    ///
    /// @param metadata the key/value pairs
    /// @throws IllegalStateException if an [Encoder] made the template, which then has no order for
    ///     metadata
    public int write(
            MemorySegment memory, long at, long rows, BodyLayout layout, CustomMetadata metadata) {
        if (rewriter == null) {
            throw new IllegalStateException("template of an encoder takes no custom metadata");
        }
        checkCounts(1, layout.nodeCount(), layout.bufferCount(), layout.variadicCount());
        Objects.requireNonNull(metadata, "metadata");
        return rewriter.write(memory, at, example, exampleBatch, rows, layout, metadata);
    }

    /// [#write(MemorySegment, long, long, BodyLayout)] from a buffer's position on, which does not
    /// change.
    public int write(ByteBuffer buffer, long rows, BodyLayout layout) {
        checkCounts(1, layout.nodeCount(), layout.bufferCount(), layout.variadicCount());
        BatchForm form = form(rows, layout.bodyLength());
        target.wrap(buffer, form.length);
        return put(form, rows, layout);
    }

    private int put(BatchForm form, long rows, BodyLayout layout) {
        return form.put(
                target,
                rows,
                layout.bodyLength(),
                layout.nodes(),
                layout.buffers(),
                layout.variadicCounts(),
                null);
    }

    /// @param each numbers per node and buffer: 1 for counts, 2 for array lengths
    private void checkCounts(int each, long nodes, long buffers, long counts) {
        if (nodes != (long) each * nodeCount()
                || buffers != (long) each * bufferCount()
                || counts != variadicCount()) {
            throw new IllegalArgumentException(
                    String.format(
                            Locale.ROOT,
                            "wrong %s: nodes=%d, buffers=%d, variadicCounts=%d, expected %s",
                            each == 1 ? "counts" : "array lengths",
                            nodes,
                            buffers,
                            counts,
                            counts(each)));
        }
    }

    /// The expected numbers.
    private String counts(int each) {
        return String.format(
                Locale.ROOT,
                "nodes=%d, buffers=%d, variadicCounts=%d",
                each * nodeCount(),
                each * bufferCount(),
                variadicCount());
    }
}
