// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.flatbuf.write.TargetTooSmallException;
import dev.fletch.format.Buffer;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.FieldNode;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.ids.MetadataVersion;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Objects;

/// The message of a record batch or dictionary batch whose shape repeats: encoded once, then
/// written by a copy and a few stores. Variable are the number of rows, the nodes, the buffers, the
/// variadic buffer counts, the body's length and, if wanted, the custom metadata. Everything else
/// stays as in the example: the number of nodes, buffers and counts, compression, version, a
/// dictionary's id.
///
/// ```java
/// RecordBatchTemplate template = RecordBatchTemplate.of(EmissionOrder.ARROW_JAVA, message);
/// …
/// int length = template.write(memory, at, rows, layout);
/// ```
///
/// **Bytes.** Those of a [MetadataWriter] for the same numbers. A number of rows and a body length
/// of 0 are omitted, unless the example stores them. The message is encoded anew where one of them
/// becomes 0 or is no more.
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
    private final BatchRewriter rewriter;
    private final Message example;
    private final RecordBatch batch;
    private final int maxLength;

    private RecordBatchTemplate(EmissionOrder order, Message given) {
        RecordBatch found = batch(given);
        rewriter = new BatchRewriter(order, given, found);
        BodyLayout any =
                layout(found.nodesCount(), found.buffersCount(), found.variadicBufferCountsCount());
        any.endAt(BodyLayout.LEAST_ALIGNMENT);
        byte[] longest = rewriter.encoded(given, any);
        maxLength = longest.length;
        example = new Message().wrap(MemorySegment.ofArray(longest));
        batch = batch(example);
    }

    // ---- creating

    /// Creates a template from a message that was read, in a producer's order. Its numbers of rows,
    /// nodes, buffers and body do not matter, only the number of nodes and buffers. If the message
    /// stores a number that is 0, the template always stores it.
    ///
    /// @param example a record batch or a dictionary batch
    /// @throws IllegalArgumentException if the example is another kind of message, or not bound
    /// @throws FletchException if it exceeds the limits of a [MetadataWriter], or its bytes point out
    ///     of their range
    /// @throws IllegalStateException if the example is outdated
    public static RecordBatchTemplate of(EmissionOrder order, Message example) {
        return new RecordBatchTemplate(order, example);
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
        int header = layout(nodes, buffers, variadicCounts).createHeader(writer, 0, 0);
        writer.finish(
                TableEncoder.createMessage(
                        writer, version, MessageHeader.RECORD_BATCH, header, 0, 0));
        return of(order, new Message().wrap(writer.segment()));
    }

    private static BodyLayout layout(int nodes, int buffers, int variadicCounts) {
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
        return layout;
    }

    private static RecordBatch batch(Message message) {
        return BatchRewriter.bind(message, new DictionaryBatch(), new RecordBatch());
    }

    // ---- shape

    /// {@return number of nodes}
    public int nodeCount() {
        return batch.nodesCount();
    }

    /// {@return number of buffers}
    public int bufferCount() {
        return batch.buffersCount();
    }

    /// {@return number of variadic buffer counts; 0 also if the vector is absent}
    public int variadicCount() {
        return batch.variadicBufferCountsCount();
    }

    /// {@return length in bytes of the longest message without other custom metadata}
    public int maxLength() {
        return maxLength;
    }

    // ---- writing

    /// Writes a message.
    ///
    /// @param memory writable memory of any kind
    /// @param at byte offset for the message
    /// @param rows number of rows
    /// @param layout the nodes, buffers, variadic buffer counts and body length
    /// @return the message's length in bytes
    /// @throws IndexOutOfBoundsException if `at` is not inside `memory`
    /// @throws IllegalArgumentException if the counts are wrong, or `memory` is read-only
    /// @throws TargetTooSmallException if the message does not fit between `at` and the end
    public int write(MemorySegment memory, long at, long rows, BodyLayout layout) {
        checkCounts(layout);
        return rewriter.write(memory, at, example, batch, rows, layout, null);
    }

    /// [#write(MemorySegment, long, long, BodyLayout)] from a buffer's position on, which does not
    /// change.
    public int write(ByteBuffer buffer, long rows, BodyLayout layout) {
        checkCounts(layout);
        return rewriter.write(buffer, example, batch, rows, layout, null);
    }

    /// [#write(MemorySegment, long, long, BodyLayout)] with custom metadata instead of the
    /// example's. If keys and lengths of values are those of the last message, only the values are
    /// written anew; otherwise the message is encoded.
    ///
    /// @param metadata the key/value pairs
    public int write(
            MemorySegment memory, long at, long rows, BodyLayout layout, CustomMetadata metadata) {
        checkCounts(layout);
        Objects.requireNonNull(metadata, "metadata");
        return rewriter.write(memory, at, example, batch, rows, layout, metadata);
    }

    private void checkCounts(BodyLayout layout) {
        if (layout.nodeCount() != nodeCount()
                || layout.bufferCount() != bufferCount()
                || layout.variadicCount() != variadicCount()) {
            throw new IllegalArgumentException(
                    String.format(
                            Locale.ROOT,
                            "wrong counts: nodes=%d, buffers=%d, variadicCounts=%d, expected"
                                    + " nodes=%d, buffers=%d, variadicCounts=%d",
                            layout.nodeCount(),
                            layout.bufferCount(),
                            layout.variadicCount(),
                            nodeCount(),
                            bufferCount(),
                            variadicCount()));
        }
    }
}
