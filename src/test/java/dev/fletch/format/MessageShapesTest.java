// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.flatbuf.write.Dialect;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.write.TableEncoder;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.util.Random;
import java.util.stream.IntStream;

/// Which shapes a reader keeps: the first eight; later ones replace the least recently found one,
/// after so many unrecognized messages as documented.
class MessageShapesTest {
    private static final int MOST = MessageShapes.MOST;
    private static final int PATIENCE = MessageShapes.PATIENCE;

    private final Message message = new Message();
    private final Random random = new Random(1);

    /// Wraps a batch message of a shape, and returns whether it was recognized.
    private boolean wrap(int shape) {
        var form = new BatchMessages.Form(1 + shape, 2 + 2 * shape, -1, -1, 0, -1, false);
        message.wrap(MemorySegment.ofArray(BatchMessages.message(form, random)));
        return message.isRecognized();
    }

    /// Returns how many messages of a shape go unrecognized.
    private int missed(int shape) {
        int missed = 0;
        while (!wrap(shape)) {
            assertTrue(++missed < 100_000);
        }
        return missed;
    }

    private void learnFirst() {
        for (int shape = 0; shape < MOST; shape++) {
            assertEquals(2, missed(shape), "shape " + shape);
        }
    }

    /// Wraps known messages, once each.
    private void find(int... shapes) {
        for (int shape : shapes) {
            assertTrue(wrap(shape), "shape " + shape);
        }
    }

    /// Each message that goes unrecognized here is far from being learned.
    private void assertKnown(int... known) {
        for (int shape = 0; shape < 16; shape++) {
            int each = shape;
            boolean isKnown = IntStream.of(known).anyMatch(one -> one == each);
            assertEquals(isKnown, wrap(shape), "shape " + shape);
        }
    }

    @Test
    void patienceDoublesForShapesThatDoNotRecur() {
        learnFirst();
        assertEquals(PATIENCE, missed(8));
        assertEquals(2 * PATIENCE, missed(9));
        assertEquals(4 * PATIENCE, missed(10));
        assertKnown(3, 4, 5, 6, 7, 8, 9, 10);
    }

    @Test
    void recentlyFoundShapesStay() {
        learnFirst();
        find(0, 1, 2, 3, 4, 5, 6, 7);
        for (int i = 1; i < PATIENCE; i++) {
            assertFalse(wrap(8));
        }
        assertEquals(PATIENCE + 1, missed(8), "all were found since the last one was learned");
        assertEquals(PATIENCE, missed(9), "the replaced one had recurred");
        assertKnown(2, 3, 4, 5, 6, 7, 8, 9);
    }

    @Test
    void theLeastRecentlyFoundShapeIsReplaced() {
        learnFirst();
        find(5, 3, 0, 7, 1, 6, 2, 4);
        assertEquals(2 * PATIENCE, missed(8));
        find(3, 1);
        assertEquals(PATIENCE, missed(9));
        assertEquals(PATIENCE, missed(10));
        assertKnown(1, 2, 3, 4, 6, 8, 9, 10);
    }

    /// A shape that is in use is not replaced, however long ago it was looked for.
    @Test
    void theShapeInUseStays() {
        learnFirst();
        find(1, 2, 3, 4, 5, 6, 7, 0);
        for (int unknown = 8; unknown < 11; unknown++) {
            for (int i = 0; i < 2 * PATIENCE; i++) {
                wrap(unknown);
                assertTrue(wrap(0));
            }
            assertTrue(wrap(unknown));
            assertTrue(wrap(0));
        }
    }

    /// What a shape needs of a message are its words and positions.
    @Test
    void aShapeDoesNotKeepTheMessage() throws InterruptedException {
        for (int dictionary = 0; dictionary < 2; dictionary++) {
            var form = new BatchMessages.Form(2, 4, -1, -1, dictionary, -1, false);
            byte[] bytes = BatchMessages.message(form, random);
            WeakReference<byte[]> learned = new WeakReference<>(bytes);
            MessageShape shape = MessageShape.of(bytes);
            bytes = null;
            for (int i = 0; i < 100 && learned.get() != null; i++) {
                System.gc();
                Thread.sleep(i);
            }
            assertNull(learned.get());
            assertNotNull(shape);
        }
    }

    @Test
    void aDictionaryWithoutABatchHasNoShape() {
        FlatBufferWriter writer = new FlatBufferWriter(Dialect.CPP);
        for (int data = 0; data < 2; data++) {
            writer.reset();
            int batch = data == 0 ? 0 : TableEncoder.createRecordBatch(writer, 1, 0, 0, 0, 0);
            writer.startTable();
            writer.addInt64(DictionaryBatch.ID_SLOT, 1, 0);
            writer.addOffset(DictionaryBatch.DATA_SLOT, batch);
            int header = writer.endTable();
            int type = MessageHeader.DICTIONARY_BATCH;
            writer.finish(
                    TableEncoder.createMessage(writer, MetadataVersion.V5, type, header, 0, 0));
            assertEquals(data != 0, MessageShape.of(writer.toByteArray()) != null);
        }
    }

    @Test
    void unlearnableMessagesAreTriedLessAndLessOften() {
        MessageShapes shapes = new MessageShapes();
        int tries = 0;
        for (int i = 0; i < 1 << 20; i++) {
            if (shapes.isWanted()) {
                shapes.add(null);
                tries++;
            }
        }
        // Sixteen tries while the limit doubles to 65,536 messages, and then one per 65,535.
        assertEquals(30, tries);
    }
}
