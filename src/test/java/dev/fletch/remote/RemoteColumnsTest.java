// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.batch.BatchLayout;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.forward.BatchProjector;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.remote.errors.RangeException;
import dev.fletch.remote.internal.ByteRange;
import dev.fletch.remote.internal.RangeOptions;
import dev.fletch.remote.internal.RangedFile;
import dev.fletch.testdata.ArrowVectorFiles;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// Which ranges are read of a projected body, and wrong ones; [RangedFileAgreesTest] has the bytes.
class RemoteColumnsTest {
    private final byte[] bytes = ArrowVectorFiles.named("dictionaries").file();
    private final EncapsulatedMessage frame = new EncapsulatedMessage();
    private final Message message = new Message();
    private final RecordBatch batch = new RecordBatch();
    private final MemorySegment memory = MemorySegment.ofArray(bytes);
    private CountingSource source;
    private RangedFile file;
    private BatchLayout layout;

    /// The message is bound to the file in memory, so that a test can change its numbers.
    @BeforeEach
    void open() throws IOException {
        source = new CountingSource(bytes);
        file = RangedFile.open(source, ReadOptions.DEFAULT, SmallRanges.OF.endBytes(64).options());
        Schema schema = new Schema();
        assertTrue(file.footer().schema(schema));
        layout = BatchLayout.compile(schema, MetadataVersion.V5);
        ArrowFile.of(memory).recordBatch(0, frame, message);
        assertTrue(message.header(batch));
        assertTrue(layout.columnCount() >= 2);
    }

    private BatchProjector projector(int... columns) {
        int[] fields = IntStream.of(columns).map(layout::columnField).toArray();
        BatchProjector projector = new BatchProjector(layout.choose(fields));
        projector.write(message);
        return projector;
    }

    private static MemorySegment room(BatchProjector projector) {
        return MemorySegment.ofArray(new byte[(int) projector.bodyLength()]);
    }

    @Test
    void onlyTheRangesOfTheColumnsAreRead() throws IOException {
        RangeOptions apart = SmallRanges.OF.endBytes(64).mergeBytes(0).options();
        RangedFile opened = RangedFile.open(source, ReadOptions.DEFAULT, apart);
        BatchProjector projector = projector(1);
        List<ByteRange> expected = new ArrayList<>();
        for (int i = 0; i < projector.rangeCount(); i++) {
            long at = frame.bodyOffset() + projector.rangeOffset(i);
            expected.add(new ByteRange(at, projector.rangeLength(i)));
        }
        source.reads.clear();
        opened.read(frame, projector, room(projector));
        assertEquals(ByteRange.union(expected), ByteRange.union(source.reads));
    }

    @Test
    void noColumnsHaveNoRanges() throws IOException {
        BatchProjector projector = projector();
        assertEquals(0, projector.bodyLength());
        int before = source.reads.size();
        file.read(frame, projector, room(projector));
        assertEquals(before, source.reads.size());
    }

    @Test
    void shortSegmentsAreRefused() {
        BatchProjector projector = projector(0, 1);
        int last = projector.rangeCount() - 1;
        int needed = (int) projector.bodyLength() - projector.rangePadding(last);
        MemorySegment tooShort = MemorySegment.ofArray(new byte[needed - 1]);
        assertThrows(IndexOutOfBoundsException.class, () -> file.read(frame, projector, tooShort));
    }

    @Test
    void bodiesOutsideTheFileAreRefused() {
        BatchProjector projector = projector(0, 1);
        EncapsulatedMessage late = new EncapsulatedMessage();
        MemorySegment longer = MemorySegment.ofArray(new byte[2 * bytes.length]);
        MemorySegment.copy(
                memory, frame.offset(), longer, bytes.length, memory.byteSize() - frame.offset());
        late.wrap(longer, bytes.length, new Message());
        assertThrows(RangeException.class, () -> file.read(late, projector, room(projector)));
    }
}
