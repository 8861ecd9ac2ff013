// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.range;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.Buffer;
import dev.fletch.format.BufferRole;
import dev.fletch.format.Message;
import dev.fletch.format.MetadataVersion;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.layout.BatchCursor;
import dev.fletch.layout.BatchLayout;
import dev.fletch.layout.LayoutException;
import dev.fletch.testdata.ArrowVectorFiles;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// Wrong and hostile batches; [RangedFileAgreesTest] has the right ones.
class ColumnRangesTest {
    private final byte[] bytes = ArrowVectorFiles.named("dictionaries").file();
    private final EncapsulatedMessage frame = new EncapsulatedMessage();
    private final Message message = new Message();
    private final RecordBatch batch = new RecordBatch();
    private final Buffer buffer = new Buffer();
    private final ByteSlice slice = new ByteSlice();
    private final MemorySegment memory = MemorySegment.ofArray(bytes);
    private CountingSource source;
    private RangedFile file;
    private BatchLayout layout;

    /// The message is bound to the file in memory, so that a test can change its numbers.
    @BeforeEach
    void open() throws IOException {
        source = new CountingSource(bytes);
        file = RangedFile.open(source, ReadOptions.DEFAULT, RangeOptions.DEFAULT.withEndBytes(64));
        Schema schema = new Schema();
        assertTrue(file.footer().schema(schema));
        layout = BatchLayout.compile(schema, MetadataVersion.V5);
        ArrowFile.of(memory).recordBatch(0, frame, message);
        assertTrue(message.header(batch));
        assertTrue(layout.columnCount() >= 2);
    }

    @Test
    void nothingIsReadToFindTheRanges() {
        int before = source.reads.size();
        ColumnRanges part = file.columns(layout, frame, batch, 0, 1);
        assertFalse(part.ranges().isEmpty());
        assertEquals(before, source.reads.size());
    }

    @Test
    void onlyTheRangesOfTheColumnsAreRead() throws IOException {
        source.reads.clear();
        RangedFile apart =
                RangedFile.open(
                        source,
                        ReadOptions.DEFAULT,
                        RangeOptions.DEFAULT.withEndBytes(64).withMergeBytes(0));
        source.reads.clear();
        ColumnRanges part = apart.columns(layout, frame, batch, 1);
        part.read(MemorySegment.ofArray(new byte[(int) part.byteSize()]));
        assertEquals(part.ranges(), ByteRange.union(source.reads));
    }

    @Test
    void noColumnsHaveNoRanges() throws IOException {
        ColumnRanges part = file.columns(layout, frame, batch);
        assertEquals(List.of(), part.ranges());
        assertEquals(0, part.byteSize());
        part.read(MemorySegment.ofArray(new byte[0]));
        BatchCursor cursor =
                new BatchCursor().bind(layout, part.batch(), MemorySegment.ofArray(new byte[0]));
        assertEquals(batch.length(), cursor.rowCount());
        assertThrows(LayoutException.class, () -> cursor.buffer(0, BufferRole.DATA, slice));
    }

    @Test
    void absentBuffersOfOtherColumnsAreNotShownAsAbsent() {
        for (int i = 0; i < batch.buffersCount(); i++) {
            batch.buffers(i, buffer).set(0, 0);
        }
        ColumnRanges part = file.columns(layout, frame, batch, 0);
        BatchCursor cursor =
                new BatchCursor().bind(layout, part.batch(), MemorySegment.ofArray(new byte[8]));
        assertTrue(cursor.isAbsent(0, BufferRole.VALIDITY));
        assertEquals(0, cursor.buffer(0, BufferRole.VALIDITY, slice).length());
        assertFalse(cursor.isAbsent(1, BufferRole.VALIDITY));
        assertThrows(LayoutException.class, () -> cursor.buffer(1, BufferRole.VALIDITY, slice));
        assertThrows(LayoutException.class, () -> cursor.content(1, 0, slice));
    }

    @Test
    void overlappingBuffersNeedNoMoreThanTheBody() throws IOException {
        long body = frame.bodyLength();
        for (int i = 0; i < batch.buffersCount(); i++) {
            batch.buffers(i, buffer).set(i % 3, body - 3);
        }
        int[] all = new int[layout.columnCount()];
        for (int i = 0; i < all.length; i++) {
            all[i] = i;
        }
        ColumnRanges part = file.columns(layout, frame, batch, all);
        assertEquals(1, part.ranges().size());
        assertTrue(part.byteSize() <= body);
        MemorySegment into = MemorySegment.ofArray(new byte[(int) part.byteSize()]);
        part.read(into);
        BatchCursor cursor = new BatchCursor().bind(layout, part.batch(), into);
        BatchCursor whole = new BatchCursor().bind(layout, batch, frame.bodySlice());
        ByteSlice expected = new ByteSlice();
        for (int field = 0; field < layout.fieldCount(); field++) {
            for (int i = 0; i < cursor.bufferCount(field); i++) {
                assertArrayEquals(
                        whole.buffer(field, i, expected).toByteArray(),
                        cursor.buffer(field, i, slice).toByteArray());
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "-8, 16, negative-buffer-offset",
        "0, -1, negative-buffer-length",
        "8, 9223372036854775807, buffer-overflow",
        "9223372036854775807, 1, buffer-overflow",
        "0, 1000000, buffer-out-of-body",
        "-9223372036854775808, -9223372036854775808, negative-buffer-length"
    })
    void buffersOutOfTheBodyAreRefused(long offset, long length, String rule) {
        batch.buffers(layout.bufferIndex(layout.columnField(1)), buffer).set(offset, length);
        var failure =
                assertThrows(LayoutException.class, () -> file.columns(layout, frame, batch, 0, 1));
        assertEquals(rule, failure.rule().id());
        assertTrue(
                failure.getMessage()
                        .contains("offset=" + offset + ", length=" + length + ", body="),
                failure.getMessage());
        file.columns(layout, frame, batch, 0);
    }

    @Test
    void wrongCountsAreRefused() {
        Schema schema = new Schema();
        ArrowFile wide =
                ArrowFile.of(MemorySegment.ofArray(ArrowVectorFiles.named("nested").file()));
        assertTrue(wide.footer().schema(schema));
        BatchLayout other = BatchLayout.compile(schema, MetadataVersion.V5);
        assertThrows(LayoutException.class, () -> file.columns(other, frame, batch, 0));
        assertThrows(
                IndexOutOfBoundsException.class,
                () -> file.columns(layout, frame, batch, layout.columnCount()));
        assertThrows(IndexOutOfBoundsException.class, () -> file.columns(layout, frame, batch, -1));
    }

    @Test
    void shortSegmentsAreRefused() {
        ColumnRanges part = file.columns(layout, frame, batch, 0, 1);
        MemorySegment tooShort = MemorySegment.ofArray(new byte[(int) part.byteSize() - 1]);
        assertThrows(IndexOutOfBoundsException.class, () -> part.read(tooShort));
    }

    @Test
    void severalBatchesAreReadTogether() throws IOException {
        ArrowFile expected = ArrowFile.of(memory);
        List<ByteRange> ranges = new ArrayList<>();
        List<MemorySegment> slices = new ArrayList<>();
        List<ColumnRanges> parts = new ArrayList<>();
        List<MemorySegment> segments = new ArrayList<>();
        try (Arena arena = Arena.ofConfined()) {
            for (int i = 0; i < expected.recordBatchCount(); i++) {
                expected.recordBatch(i, frame, message);
                assertTrue(message.header(batch));
                ColumnRanges part = file.columns(layout, frame, batch, 1);
                MemorySegment segment = arena.allocate(part.byteSize(), 64);
                ranges.addAll(part.ranges());
                slices.addAll(part.slices(segment));
                parts.add(part);
                segments.add(segment);
            }
            assertTrue(parts.size() >= 2);
            long before = file.requests();
            file.read(ranges, slices);
            assertEquals(before + 1, file.requests());
            for (int i = 0; i < parts.size(); i++) {
                expected.recordBatch(i, frame, message);
                assertTrue(message.header(batch));
                BatchCursor cursor =
                        new BatchCursor().bind(layout, parts.get(i).batch(), segments.get(i));
                BatchCursor whole = new BatchCursor().bind(layout, batch, frame.bodySlice());
                ByteSlice there = new ByteSlice();
                assertArrayEquals(
                        whole.buffer(1, BufferRole.DATA, there).toByteArray(),
                        cursor.buffer(1, BufferRole.DATA, slice).toByteArray());
            }
        }
    }
}
