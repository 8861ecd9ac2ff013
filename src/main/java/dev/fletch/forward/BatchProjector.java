// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.forward;

import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BatchLayout;
import dev.fletch.batch.UnusedBytes;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.Buffer;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.FieldNode;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.internal.BatchCounts;
import dev.fletch.format.internal.BufferRange;
import dev.fletch.format.write.BodyLayout;
import dev.fletch.format.write.CustomMetadata;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.format.write.MetadataEdit;
import dev.fletch.format.write.MetadataWriter;
import dev.fletch.format.write.RecordBatchTemplate;
import dev.fletch.format.write.SegmentList;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.MessageWriter;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.IntStream;

/// Writes the messages of batches with some of their fields, in any order, and lists the ranges of
/// their bodies to send. No value is read, and the body need not be in memory, unless it is
/// [#clearing].
///
/// ```java
/// BatchProjector projector = BatchProjector.of(layout, "price", "place.city");
/// out.write(projector.schemaMessage(schema, version));
/// …
/// int length = projector.write(message, metadata, 0);
/// out.write(metadata, 0, length, projector.body(input, frame.bodyOffset(), parts));
/// ```
///
/// **Fields.** A nested field keeps its ancestors, which then have only the chosen children. Custom
/// metadata of schema and fields is kept, also where it names other columns, as that of pandas
/// does.
///
/// **What is written.** The chosen nodes and buffers, with new offsets, in the order of the
/// chosen fields. Number of rows, compression, version, custom metadata (unless replaced by
/// [#metadata]) and a dictionary's id are kept; a codec that custom metadata names becomes one of
/// the compression, see [dev.fletch.format.BatchCodec]. A dictionary batch keeps all its fields;
/// one that no chosen field needs is left out. Nodes and buffers after those of the layout are
/// lost.
///
/// **Body.** The ranges of [#rangeOffset], [#rangeLength] and [#rangePadding], one after the other.
/// Buffers that are neighbours in both bodies are one range. Padding is always zeros, and never the
/// source's bytes, which may be those of another column. Buffers are aligned to 64 bytes if all
/// chosen ones are in the source, else to 8.
///
/// **Checks**, before anything is written: those of [BatchCursor#requireSound]. Buffers of other
/// fields are not read. The message must be verified; values are not.
///
/// **Allocation.** None after the first messages, except for longer ones. Custom metadata that is
/// kept is encoded for each message, which takes longer.
///
/// **Threads.** Belongs to one thread at a time; the layout may be shared.
///
/// Source: Columnar format, "RecordBatch message".
public final class BatchProjector {
    private static final int NUMBERS = 3; // per range
    private static final long UNKNOWN = -1;
    private static final int[] DICTIONARY_NUMBERS = {
        DictionaryBatch.ID_SLOT, DictionaryBatch.IS_DELTA_SLOT
    };

    private final BatchLayout chosen;
    private CustomMetadata metadata;
    private final RecordBatchTemplate template;
    private final BatchCursor cursor = new BatchCursor();
    private final DictionaryBatch dictionary = new DictionaryBatch();
    private final RecordBatch batch = new RecordBatch();
    private final SegmentList parts = new SegmentList();

    // Where the nodes and buffers are in batches with a layout, a version, numbers of nodes and
    // buffers, and variadic buffer counts: their indexes.
    private BatchLayout located;
    private int version;
    private int nodesCount;
    private int buffersCount;
    private int variadicCount;
    private long[] variadics = {};
    private int fieldCount;
    private int[] nodes = {};
    private int bufferCount;
    private int[] buffers = {};
    private boolean[] isColumn = {};
    // The same numbers of nodes, buffers and variadic buffers in the new batch.
    private final BodyLayout counts = new BodyLayout();

    private int alignment = BodyLayout.LEAST_ALIGNMENT;
    private boolean isWide;
    private int placedRanges;
    private long placedLength;

    // Null if unused bytes are sent. Else, the written message and its layout.
    private UnusedBytes unused;
    private final Message written = new Message();
    private BatchLayout layout;

    // Offset in the source, length and padding of each range.
    private long[] ranges = {};
    private int rangeNumbers;
    private long bodyLength;

    /// Creates a projector that writes arrow-java's byte layout.
    ///
    /// @param chosen from [BatchLayout#choose], or a layout of all columns
    /// @throws dev.fletch.FletchException if a field or its dictionary has an unknown type
    public BatchProjector(BatchLayout chosen) {
        this(chosen, EmissionOrder.ARROW_JAVA);
    }

    /// Creates a projector.
    ///
    /// @param chosen from [BatchLayout#choose], or a layout of all columns
    /// @param order the producer whose byte layout to write
    /// @throws dev.fletch.FletchException if a field or its dictionary has an unknown type
    public BatchProjector(BatchLayout chosen, EmissionOrder order) {
        this.chosen = chosen.requireKnown(); // else buffers would be lost
        template = new RecordBatchTemplate(order);
    }

    /// Creates a projector of fields by their paths, which writes arrow-java's byte layout.
    ///
    /// @param layout of all columns
    /// @param paths names joined by dots, in the wanted order: see [BatchLayout#field]
    /// @throws dev.fletch.FletchException if there is no such field; or it, its dictionary
    ///     or an earlier field has an unknown type
    /// @throws IllegalArgumentException as for [BatchLayout#choose]
    public static BatchProjector of(BatchLayout layout, String... paths) {
        int[] fields = new int[paths.length];
        for (int i = 0; i < fields.length; i++) {
            fields[i] = layout.field(paths[i]);
        }
        return new BatchProjector(layout.choose(fields));
    }

    // ---- the schema

    /// {@return the layout of the batches with only the chosen fields}
    public BatchLayout layout() {
        return chosen;
    }

    /// {@return a new edit that keeps the chosen fields of a schema message, a footer or a schema}
    public MetadataEdit edit() {
        int[] indexes = indexes(chosen.source());
        int fields = chosen.fieldCount();
        int[] kept = new int[fields]; // without those below a field that has all of them
        int[] numbers = new int[fields + 1];
        int count = 0;
        int next;
        for (int field = 0; field < fields; field = next) {
            next = chosen.hasAllBelow(field) ? chosen.end(field) : field + 1;
            numbers[field] = count;
            kept[count++] = field;
        }
        numbers[fields] = count;
        int[] all = Arrays.copyOf(kept, count);
        return new MetadataEdit()
                .choose(
                        IntStream.of(all).map(each -> indexes[chosen.sourceField(each)]).toArray(),
                        IntStream.of(all).map(each -> numbers[chosen.end(each)]).toArray());
    }

    /// For each field, its index among the columns or its parent's children.
    private static int[] indexes(BatchLayout all) {
        int[] indexes = new int[all.fieldCount()];
        for (int column = 0; column < all.columnCount(); column++) {
            indexes[all.columnField(column)] = all.schemaColumn(column);
        }
        for (int field = 0; field < indexes.length; field++) {
            int index = 0;
            for (int child = field + 1; child < all.end(field); child = all.end(child)) {
                indexes[child] = index++;
            }
        }
        return indexes;
    }

    /// [#schemaMessage(Schema, int, Limits)] within [Limits#DEFAULT].
    public MemorySegment schemaMessage(Schema schema, int version) {
        return schemaMessage(schema, version, Limits.DEFAULT);
    }

    /// {@return the schema message to send, in arrow-java's byte layout}
    ///
    /// @param schema of all columns
    /// @param version of the batches, one of [MetadataVersion]
    /// @param limits of what is written, such as those of the reader of `schema`
    public MemorySegment schemaMessage(Schema schema, int version, Limits limits) {
        FlatBufferWriter buffer = EmissionOrder.ARROW_JAVA.newWriter();
        new MetadataWriter(EmissionOrder.ARROW_JAVA, buffer)
                .limits(limits)
                .schemaMessage(schema, version, edit());
        return buffer.segment();
    }

    // ---- batches

    /// Replaces the custom metadata of the messages from now on.
    ///
    /// @param pairs read for each message; without pairs, messages have none. Null to keep those of
    ///     the source, which is the default
    /// @return this
    public BatchProjector metadata(CustomMetadata pairs) {
        metadata = pairs;
        return this;
    }

    /// Lets [#body] give a copy of each body from now on, in which bytes that no value uses are 0.
    /// The values must be sound, as verified: they are read, and so is the written message once
    /// more. Compressed bodies are refused: `dev.fletch.arrow.Forwarder` clears them.
    ///
    /// @param in finds these bytes, and has the copy until the next one; null to send the bytes of
    ///     the source, which is the default
    /// @return this
    public BatchProjector clearing(UnusedBytes in) {
        unused = in;
        layout = chosen.alone();
        return this;
    }

    /// Writes the message of a batch.
    ///
    /// @param message bound to a record batch or dictionary batch
    /// @param memory writable memory of any kind, which does not overlap the message
    /// @param position byte offset for the message
    /// @return the message's length in bytes; 0 if it is a dictionary batch that is not needed
    /// @throws dev.fletch.FletchException if the message has no batch, or the batch does not
    ///     fit the layout; it names the column
    /// @throws dev.fletch.flatbuf.write.TargetTooSmallException if the message does not fit between
    ///     `position` and the end
    /// @throws IndexOutOfBoundsException if `position` is not inside `memory`
    public int write(Message message, MemorySegment memory, long position) {
        return start(message)
                ? ended(memory, position, template.end(memory, position, placedLength))
                : 0;
    }

    /// [#write(Message, MemorySegment, long)] to [#written()], which grows as needed.
    public int write(Message message) {
        if (!start(message)) {
            return 0;
        }
        int length = template.end(placedLength);
        return ended(template.message(), 0, length);
    }

    private int ended(MemorySegment memory, long position, int length) {
        bodyLength = placedLength;
        rangeNumbers = placedRanges;
        if (unused != null) {
            written.wrap(memory, position, length);
        }
        return length;
    }

    /// Checks the numbers of a batch, and gives those of the new one to the template.
    ///
    /// @return false for a dictionary batch that is not needed
    private boolean start(Message message) {
        rangeNumbers = 0;
        bodyLength = 0;
        BatchLayout of = chosen;
        boolean isDictionary = message.header(dictionary);
        if (isDictionary) {
            of = of.dictionaryLayout(dictionary.id());
            if (of == null) {
                return false;
            }
        }
        boolean hasBatch = isDictionary ? dictionary.data(batch) : message.header(batch);
        // Custom metadata of V4 may name a codec, which a cursor checks.
        boolean mayNameCodec =
                message.version() == MetadataVersion.V4 && message.customMetadataCount() != 0;
        if (!hasBatch || mayNameCodec || !isLocated(of, message.version())) {
            locate(of, message);
        }
        // Less than 2^63 - 1, so that padding cannot exceed it: buffers behind that are refused.
        long limit = Long.MAX_VALUE - (long) BodyLayout.RECOMMENDED_ALIGNMENT * bufferCount;
        long size = Math.min(message.bodyLength(), limit);
        boolean isFinal = false;
        while (!isFinal) {
            template.start(message, batch, batch.length(), counts, metadata);
            boolean isSound = giveNodes();
            isSound &= giveBuffers(size); // also if the nodes are not sound
            if (!isSound) {
                // Null counts may be unknown, buffers may be in another order.
                cursor.bind(of, message).requireSound(size);
            }
            int needed = isWide ? BodyLayout.RECOMMENDED_ALIGNMENT : BodyLayout.LEAST_ALIGNMENT;
            isFinal = alignment == needed && (placedLength == 0) == (counts.bodyLength() == 0);
            alignment = needed;
            counts.endAt(placedLength);
        }
        return true;
    }

    private boolean isLocated(BatchLayout layout, int ofVersion) {
        return layout == located
                && ofVersion == version
                && batch.nodesCount() == nodesCount
                && batch.buffersCount() == buffersCount
                && hasVariadics();
    }

    private boolean hasVariadics() {
        if (batch.variadicBufferCountsCount() != variadicCount) {
            return false;
        }
        for (int i = 0; i < variadicCount; i++) {
            if (batch.variadicBufferCounts(i) != variadics[i]) {
                return false;
            }
        }
        return true;
    }

    /// Finds the nodes and buffers, and checks that the batch has those of the layout.
    private void locate(BatchLayout layout, Message message) {
        located = null;
        cursor.bind(layout, message);
        fieldCount = layout.fieldCount();
        counts.reset();
        for (int field = 0; field < fieldCount; field++) {
            counts.addNode(0, 0);
            for (int i = 0; i < cursor.bufferCount(field); i++) {
                counts.addBuffer(0);
            }
            if (layout.has(field, BufferRole.VIEWS)) {
                counts.addVariadicCount(cursor.variadicCount(field));
            }
        }
        bufferCount = counts.bufferCount();
        if (nodes.length < fieldCount) {
            nodes = new int[fieldCount];
            isColumn = new boolean[fieldCount];
        }
        if (buffers.length < bufferCount) {
            buffers = new int[bufferCount];
            ranges = new long[NUMBERS * bufferCount];
        }
        int position = 0;
        for (int field = 0; field < fieldCount; field++) {
            nodes[field] = layout.nodeIndex(field);
            isColumn[field] = layout.parent(field) < 0;
            for (int i = 0; i < cursor.bufferCount(field); i++) {
                buffers[position++] = cursor.bufferIndex(field, i);
            }
        }
        counts.endAt(BodyLayout.LEAST_ALIGNMENT);
        variadicCount = batch.variadicBufferCountsCount();
        if (variadics.length < variadicCount) {
            variadics = new long[variadicCount];
        }
        batch.copyVariadicBufferCounts(variadics, 0);
        located = layout;
        version = message.version();
        nodesCount = batch.nodesCount();
        buffersCount = batch.buffersCount();
    }

    /// Writes a batch with its body.
    ///
    /// @param input the memory that `frame` is bound to, or that of its [dev.fletch.ipc.ArrowFile]
    /// @param frame bound to the message in `input`
    /// @param message bound to the same message
    /// @param out after the schema message, see [#schemaMessage]
    /// @return whether it was written; false if it is a dictionary batch that is not needed
    /// @throws dev.fletch.FletchException as for [#write], or if the body does not fit the input
    /// @throws IOException if the target fails
    public boolean forward(
            MemorySegment input, EncapsulatedMessage frame, Message message, MessageWriter out)
            throws IOException {
        long end = frame.nextOffset(); // first: checks that the body is there
        int length = write(message);
        if (length != 0) {
            out.write(template.message(), 0, length, body(input, end - frame.bodyLength(), parts));
        }
        return length != 0;
    }

    /// {@return memory of this projector, with the message that [#write(Message)] wrote last at its
    /// start}
    public MemorySegment written() {
        return template.message();
    }

    /// Gives all nodes.
    ///
    /// @return whether their numbers are sound
    private boolean giveNodes() {
        long rows = batch.length();
        boolean isSound = true;
        for (int i = 0; i < fieldCount; i++) {
            long length = batch.nodesLength(nodes[i]);
            long nulls = batch.nodesNullCount(nodes[i]);
            template.node(i, length, nulls);
            isSound &= length >= 0 && BatchCounts.isInRange(nulls, length, false);
            isSound &= length == rows || !isColumn[i];
        }
        return isSound;
    }

    /// Gives all buffers, one after the other, and lists their ranges. One that begins at the end
    /// of the range before it, which needs no padding, extends that.
    ///
    /// One loop: a second one for 3 columns takes 10 ns.
    ///
    /// @param size length of the body in the source
    /// @return whether the buffers are inside the body, each behind the one before
    private boolean giveBuffers(long size) {
        long[] all = ranges;
        boolean isSound = true;
        long offsets = 0;
        long end = 0;
        long place = 0;
        int last = -NUMBERS;
        long next = UNKNOWN; // offset at which the last range may be extended
        for (int i = 0; i < bufferCount; i++) {
            long offset = batch.buffersOffset(buffers[i]);
            long length = batch.buffersLength(buffers[i]);
            template.buffer(i, place, length);
            if (length == 0) {
                continue;
            }
            isSound &= BufferRange.isInside(offset, length, size) && offset >= end;
            end = offset + length;
            offsets |= offset;
            int padding = (int) -length & alignment - 1;
            if (offset == next && last >= 0) {
                all[last + 1] += length;
            } else {
                last += NUMBERS;
                all[last] = offset;
                all[last + 1] = length;
            }
            all[last + 2] = padding;
            next = padding == 0 ? end : UNKNOWN;
            place += length + padding;
        }
        isWide = (offsets & BodyLayout.RECOMMENDED_ALIGNMENT - 1) == 0;
        placedRanges = last + NUMBERS;
        placedLength = place;
        return isSound;
    }

    /// {@return the position in the source, as long as that is bound, of what the message that was
    /// written last has at a position: a number of a node, of a buffer or of the dictionary; none
    /// for the rest, which is new}
    ///
    /// @param message bound to the written message
    public long sourcePosition(Message message, long position) {
        DictionaryBatch toDictionary = new DictionaryBatch();
        RecordBatch to = new RecordBatch();
        if (message.header(toDictionary)) {
            for (int slot : DICTIONARY_NUMBERS) {
                if (position == toDictionary.position(slot)) {
                    return dictionary.position(slot);
                }
            }
            toDictionary.data(to);
        } else {
            message.header(to);
        }
        FieldNode node = new FieldNode();
        for (int i = 0; i < fieldCount; i++) {
            long inNode = position - to.nodes(i, node).position();
            if (inNode >= 0 && inNode < FieldNode.BYTES) {
                return batch.nodes(nodes[i], node).position() + inNode;
            }
        }
        Buffer buffer = new Buffer();
        for (int i = 0; i < bufferCount; i++) {
            long inBuffer = position - to.buffers(i, buffer).position();
            if (inBuffer >= 0 && inBuffer < Buffer.BYTES) {
                return batch.buffers(buffers[i], buffer).position() + inBuffer;
            }
        }
        return FletchException.NO_OFFSET;
    }

    // ---- the body of the last message

    /// {@return length of the body in bytes; 0 if nothing was written}
    public long bodyLength() {
        return bodyLength;
    }

    /// {@return number of ranges}
    public int rangeCount() {
        return rangeNumbers / NUMBERS;
    }

    /// {@return byte offset of a range in the body of the source}
    public long rangeOffset(int range) {
        return ranges[NUMBERS * Objects.checkIndex(range, rangeCount())];
    }

    /// {@return length of a range in bytes}
    public long rangeLength(int range) {
        return ranges[NUMBERS * Objects.checkIndex(range, rangeCount()) + 1];
    }

    /// {@return number of zeros to send after a range, from 0 to 63}
    public int rangePadding(int range) {
        return (int) ranges[NUMBERS * Objects.checkIndex(range, rangeCount()) + 2];
    }

    /// Collects the body, without copying it unless it is [#clearing].
    ///
    /// @param memory has the body of the source
    /// @param bodyOffset byte offset of that body in `memory`
    /// @param into reset, and filled with the ranges and their padding
    /// @return `into`
    /// @throws IndexOutOfBoundsException if a range is not inside `memory`
    /// @throws dev.fletch.FletchException if it is [#clearing], as for
    ///     [UnusedBytes#clear(BatchLayout, Message, SegmentList)]
    public SegmentList body(MemorySegment memory, long bodyOffset, SegmentList into) {
        Objects.checkIndex(bodyOffset, Long.MAX_VALUE);
        into.reset();
        for (int range = 0; range < rangeNumbers; range += NUMBERS) {
            into.add(memory, bodyOffset + ranges[range], ranges[range + 1]);
            if (ranges[range + 2] != 0) {
                into.addPadding((int) ranges[range + 2]);
            }
        }
        return unused == null || rangeNumbers == 0 ? into : unused.clear(layout, written, into);
    }
}
