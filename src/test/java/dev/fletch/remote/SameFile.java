// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.remote;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BatchLayout;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.forward.BatchProjector;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.remote.internal.RangeOptions;
import dev.fletch.remote.internal.RangedFile;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.stream.IntStream;

/// Compares a [RangedFile] with an [ArrowFile] of the same bytes: footer, messages, and the columns
/// of each batch, alone and in pairs.
public final class SameFile {
    private final ArrowFile expected;
    private final RangedFile found;
    private final EncapsulatedMessage expectedFrame = new EncapsulatedMessage();
    private final EncapsulatedMessage foundFrame = new EncapsulatedMessage();
    private final Message expectedMessage = new Message();
    private final Message foundMessage = new Message();
    private final DictionaryBatch dictionary = new DictionaryBatch();
    private final RecordBatch expectedBatch = new RecordBatch();
    private final RecordBatch foundBatch = new RecordBatch();
    private final ByteSlice expectedBytes = new ByteSlice();
    private final ByteSlice foundBytes = new ByteSlice();
    private final BatchLayout layout;
    private int buffers;

    private SameFile(ArrowFile expected, RangedFile found) {
        this.expected = expected;
        this.found = found;
        Schema schema = new Schema();
        assertTrue(expected.footer().schema(schema));
        assertTrue(found.footer().schema(new Schema()));
        int version = Math.max(expected.footer().version(), MetadataVersion.V4);
        layout = BatchLayout.compile(schema, version);
    }

    /// Compares all of two files.
    ///
    /// @return number of buffers that were compared
    public static int check(byte[] file, RangeSource source, RangeOptions options)
            throws IOException {
        try (RangedFile ranged = RangedFile.open(source, ReadOptions.DEFAULT, options)) {
            SameFile same = new SameFile(ArrowFile.of(MemorySegment.ofArray(file)), ranged);
            same.check();
            return same.buffers;
        }
    }

    private void check() throws IOException {
        int count = found.index().count(MessageHeader.RECORD_BATCH);
        assertEquals(expected.recordBatchCount(), count);
        assertEquals(
                expected.dictionaryCount(), found.index().count(MessageHeader.DICTIONARY_BATCH));
        assertEquals(expected.footerOffset(), found.index().footerOffset());
        assertEquals(expected.footerLength(), found.index().footerLength());
        for (int i = 0; i < expected.dictionaryCount(); i++) {
            expected.dictionary(i, expectedFrame, expectedMessage);
            found.message(MessageHeader.DICTIONARY_BATCH, i, foundFrame, foundMessage);
            assertTrue(expectedMessage.header(dictionary) && dictionary.data(expectedBatch));
            assertTrue(foundMessage.header(dictionary) && dictionary.data(foundBatch));
            checkFrame();
            BatchProjector all = new BatchProjector(layout);
            checkColumns(
                    layout.dictionaryLayout(dictionary.id()),
                    all,
                    all.layout().dictionaryLayout(dictionary.id()));
        }
        for (int i = 0; i < count; i++) {
            expected.recordBatch(i, expectedFrame, expectedMessage);
            found.message(MessageHeader.RECORD_BATCH, i, foundFrame, foundMessage);
            assertTrue(expectedMessage.header(expectedBatch));
            assertTrue(foundMessage.header(foundBatch));
            checkBatch(layout);
        }
    }

    private void checkBatch(BatchLayout plan) throws IOException {
        checkFrame();
        int columns = plan.columnCount();
        for (int column = 0; column < columns; column++) {
            if (columns <= 10 || column % (columns / 10) == 0) {
                checkColumns(plan, column);
            }
        }
        if (columns > 1) {
            checkColumns(plan, columns - 1, columns / 3);
        }
        checkColumns(plan, IntStream.range(0, columns).toArray());
    }

    private void checkColumns(BatchLayout plan, int... columns) throws IOException {
        int[] fields = IntStream.of(columns).map(plan::columnField).toArray();
        BatchProjector projection = new BatchProjector(plan.choose(fields));
        checkColumns(plan, projection, projection.layout());
    }

    private void checkFrame() {
        assertEquals(expectedFrame.offset(), foundFrame.offset());
        assertEquals(expectedFrame.prefixLength(), foundFrame.prefixLength());
        assertEquals(expectedFrame.metadataLength(), foundFrame.metadataLength());
        assertEquals(expectedFrame.bodyOffset(), foundFrame.bodyOffset());
        assertEquals(expectedFrame.nextOffset(), foundFrame.nextOffset());
        assertEquals(expectedMessage.version(), foundMessage.version());
        assertEquals(
                expectedFrame.inputOffset(expectedMessage.position()),
                foundFrame.inputOffset(foundMessage.position()));
        assertThrows(IllegalStateException.class, foundFrame::bodySlice);
    }

    /// @param plan of the batch in the file
    /// @param chosen of the batch that the projection writes
    private void checkColumns(BatchLayout plan, BatchProjector projection, BatchLayout chosen)
            throws IOException {
        BatchProjector projector = new BatchProjector(projection.layout());
        int length = projector.write(foundMessage);
        checkRanges(projector);
        Message written = new Message().wrap(projector.written(), 0, length);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(projector.bodyLength(), 64);
            found.read(foundFrame, projector, memory);
            BatchCursor cursor = new BatchCursor().bind(chosen.alone(), written).body(memory);
            BatchCursor whole =
                    new BatchCursor().bind(plan, expectedBatch).body(expectedFrame.bodySlice());
            assertEquals(whole.rowCount(), cursor.rowCount());
            assertEquals(whole.isCompressed(), cursor.isCompressed());
            assertEquals(whole.codec(), cursor.codec());
            for (int field = 0; field < chosen.fieldCount(); field++) {
                int source = chosen.sourceField(field);
                assertEquals(whole.length(source), cursor.length(field));
                assertEquals(whole.nullCount(source), cursor.nullCount(field));
                assertEquals(whole.bufferCount(source), cursor.bufferCount(field));
                for (int i = 0; i < whole.bufferCount(source); i++) {
                    buffers++;
                    whole.buffer(source, i, expectedBytes);
                    cursor.buffer(field, i, foundBytes);
                    assertArrayEquals(expectedBytes.toByteArray(), foundBytes.toByteArray());
                }
            }
        }
    }

    private void checkRanges(BatchProjector projector) {
        for (int i = 0; i < projector.rangeCount(); i++) {
            long end = projector.rangeOffset(i) + projector.rangeLength(i);
            assertTrue(projector.rangeOffset(i) >= 0 && end <= foundFrame.bodyLength());
        }
    }
}
