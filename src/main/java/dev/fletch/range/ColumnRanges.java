// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.range;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.BodyCompression;
import dev.fletch.format.Message;
import dev.fletch.format.MessageHeader;
import dev.fletch.format.MetadataVersion;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.write.BodyLayout;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.format.write.TableEncoder;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.layout.BatchCursor;
import dev.fletch.layout.FieldLayout;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The byte ranges of a batch's body that some columns need, and a batch header for a body of only
/// these bytes. Created by [RangedFile#columns].
///
/// ```java
/// int price = layout.find("price");
/// ColumnRanges part = file.columns(layout, frame, batch, price);
/// MemorySegment memory = arena.allocate(part.byteSize(), 64);
/// part.read(memory);
/// cursor.bind(layout, part.batch(), memory);
/// cursor.buffer(layout.columnField(price), BufferRole.DATA, values);
/// ```
///
/// Buffers keep their offset modulo 64 bytes, so their alignment is that of the body if the segment
/// is aligned. Compressed buffers stay compressed. [#byteSize] never exceeds the body's length,
/// even if buffers overlap.
///
/// **Other columns** keep their nodes in [#batch]. Their buffers have offset and length -1, so
/// reading one throws a [dev.fletch.layout.LayoutException].
///
/// **Lifetime and threads.** Independent of the message; valid as long as the file is open. Belongs
/// to one thread at a time.
public final class ColumnRanges {
    private static final long NOT_THERE = -1;

    private final RangedFile file;
    // Ranges of the file, and the offset of each in the segment.
    private final List<ByteRange> ranges = new ArrayList<>();
    private final long[] places;
    private final long byteSize;
    private final RecordBatch batch;

    ColumnRanges(
            RangedFile file,
            FieldLayout layout,
            EncapsulatedMessage frame,
            RecordBatch header,
            int... fields) {
        this.file = file;
        long bodyLength = frame.nextOffset() - frame.bodyOffset();
        int count = header.buffersCount();
        long[] buffers = new long[2 * count];
        Arrays.fill(buffers, NOT_THERE);
        List<ByteRange> inBody = new ArrayList<>();
        BatchCursor cursor = new BatchCursor().bind(layout, header);
        for (int column : fields) {
            for (int field = column; field < layout.end(column); field++) {
                for (int i = 0; i < cursor.bufferCount(field); i++) {
                    cursor.requireInside(field, i, bodyLength);
                    long length = cursor.bufferLength(field, i);
                    int number = 2 * cursor.bufferIndex(field, i);
                    buffers[number] = length == 0 ? 0 : cursor.bufferOffset(field, i);
                    buffers[number + 1] = length;
                    if (length > 0) {
                        inBody.add(new ByteRange(buffers[number], length));
                    }
                }
            }
        }
        List<ByteRange> spans = ByteRange.union(inBody);
        places = new long[spans.size()];
        long size = 0;
        for (int i = 0; i < places.length; i++) {
            ByteRange span = spans.get(i);
            places[i] = size + (span.offset() - size & BodyLayout.RECOMMENDED_ALIGNMENT - 1);
            size = places[i] + span.length();
            ranges.add(new ByteRange(frame.bodyOffset() + span.offset(), span.length()));
        }
        byteSize = size;
        long[] starts = spans.stream().mapToLong(ByteRange::offset).toArray();
        for (int i = 0; i < buffers.length; i += 2) {
            if (buffers[i + 1] > 0) {
                int found = Arrays.binarySearch(starts, buffers[i]);
                int span = found >= 0 ? found : -found - 2;
                buffers[i] += places[span] - starts[span];
            }
        }
        batch = copy(header, buffers);
    }

    /// Encodes a header with other buffers. Does not change bytes in place, as parts of a hostile
    /// header may overlap.
    private static RecordBatch copy(RecordBatch header, long[] buffers) {
        long[] nodes = new long[2 * header.nodesCount()];
        header.copyNodes(nodes, 0);
        long[] counts = new long[header.variadicBufferCountsCount()];
        header.copyVariadicBufferCounts(counts, 0);
        BodyCompression codec = new BodyCompression();
        FlatBufferWriter writer = new FlatBufferWriter(EmissionOrder.ARROW_JAVA.dialect()).reset();
        int nodeVector = TableEncoder.createFieldNodeVector(writer, nodes, 0, nodes.length / 2);
        int bufferVector = TableEncoder.createBufferVector(writer, buffers, 0, buffers.length / 2);
        int compression =
                header.compression(codec)
                        ? TableEncoder.createBodyCompression(writer, codec.codec(), codec.method())
                        : 0;
        int countVector = counts.length == 0 ? 0 : writer.createVector(counts, 0, counts.length);
        int table =
                TableEncoder.createRecordBatch(
                        writer,
                        header.length(),
                        nodeVector,
                        bufferVector,
                        compression,
                        countVector);
        writer.finish(
                TableEncoder.createMessage(
                        writer, MetadataVersion.V5, MessageHeader.RECORD_BATCH, table, 0, 0));
        RecordBatch copy = new RecordBatch();
        new Message().wrap(writer.segment()).header(copy);
        return copy;
    }

    /// {@return the ranges of the file, sorted and disjoint}
    public List<ByteRange> ranges() {
        return List.copyOf(ranges);
    }

    /// {@return size in bytes of a segment for the ranges}
    public long byteSize() {
        return byteSize;
    }

    /// Cuts a segment into one slice per range, for [RangedFile#read] with ranges of several
    /// batches.
    ///
    /// @param segment of [#byteSize] bytes or more, preferably aligned to 64 bytes
    /// @return the destination of each range
    /// @throws IndexOutOfBoundsException if the segment is too short
    public List<MemorySegment> slices(MemorySegment segment) {
        List<MemorySegment> slices = new ArrayList<>();
        for (int i = 0; i < places.length; i++) {
            slices.add(segment.asSlice(places[i], ranges.get(i).length()));
        }
        return slices;
    }

    /// Reads the ranges into a segment. Bytes between them stay unchanged.
    ///
    /// @param segment of [#byteSize] bytes or more, preferably aligned to 64 bytes
    /// @throws IndexOutOfBoundsException if the segment is too short
    public void read(MemorySegment segment) throws IOException {
        file.read(ranges, slices(segment));
    }

    /// {@return the batch header for the segment as body; always the same flyweight}
    public RecordBatch batch() {
        return batch;
    }
}
