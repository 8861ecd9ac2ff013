// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Check;
import dev.fletch.Checks;
import dev.fletch.flatbuf.internal.VerifierEngine;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.internal.tables.ArrowRules;
import dev.fletch.format.write.TableEncoder;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.Random;

/// When a reader learns a shape, and how much work that is for a peer that sends many shapes.
class BatchPassTest {
    private static final int COST = BatchPass.COST;
    private static final int FIRST_SHAPES = BatchPass.FIRST_SHAPES;

    private static final Checks CHECKS_TEXT = Checks.DEFAULT.with(Check.UTF8, true);

    private Verifier verifier = new Verifier();
    private final Message message = new Message();
    private final Random random = new Random(1);

    // Parts of the last shape, and how many shapes there were.
    private MessageParts shape;
    private int shapes;

    private byte[] batch(int columns) {
        var form = new BatchMessages.Form(columns, 2 * columns, -1, -1, 0, -1, false);
        return BatchMessages.message(form, random);
    }

    private byte[] form(int form) {
        return BatchMessages.message(form, random);
    }

    /// Verifies a message, and returns whether it has the last shape.
    private boolean hasShape(byte[] bytes) {
        assertTrue(verifier.message(MemorySegment.ofArray(bytes), 0, bytes.length, message));
        if (!message.parts().isFixed) {
            return false;
        }
        shapes += shape == message.parts() ? 0 : 1;
        shape = message.parts();
        return true;
    }

    /// Counts messages of a form up to the first that has the last shape.
    private int missed(int columns) {
        int missed = 0;
        while (!hasShape(batch(columns))) {
            assertTrue(++missed < 10_000);
        }
        return missed;
    }

    // ---- when a shape is learned

    /// Two messages in a row are not enough, and the last shape stays.
    @Test
    void fewAlikeMessagesTeachNothing() {
        missed(1);
        for (int i = 0; i < 1_000; i++) {
            assertFalse(hasShape(batch(2 + i % 2)));
            assertFalse(hasShape(batch(2 + i % 2)));
            assertTrue(hasShape(batch(1)));
        }
        assertEquals(1, shapes);
    }

    /// Messages of the last shape in between do not count as other ones.
    @Test
    void messagesOfTheLastShapeDoNotDelayTheNextShape() {
        missed(1);
        for (int i = 0; i <= BatchPass.ALIKE; i++) {
            assertTrue(hasShape(batch(1)));
            assertFalse(hasShape(batch(2)));
        }
        assertTrue(hasShape(batch(2)));
        assertFalse(hasShape(batch(1)), "there is one shape");
    }

    @Test
    void theFirstShapesAreLearnedAtOnceAndLaterOnesAfterManyMessages() {
        assertEquals(BatchPass.SOONEST, missed(1));
        for (int i = 2; i <= FIRST_SHAPES; i++) {
            assertEquals(BatchPass.ALIKE + 1, missed(i), i + " columns");
        }
        // Some credit was earned by the messages before.
        int verified = BatchPass.SOONEST + (FIRST_SHAPES - 1) * (BatchPass.ALIKE + 1);
        int missed = missed(FIRST_SHAPES + 1);
        assertTrue(missed <= COST && missed >= COST - verified, "" + missed);
        assertTrue(Math.abs(missed(FIRST_SHAPES + 2) - COST) <= 1);
        assertEquals(FIRST_SHAPES + 2, shapes);
        // A stream that changes rarely learns its shapes at once again.
        for (int i = 0; i < FIRST_SHAPES * COST; i++) {
            assertFalse(hasShape(batch(1 + i % 2)));
        }
        for (int i = 1; i <= FIRST_SHAPES; i++) {
            assertEquals(BatchPass.ALIKE + 1, missed(i), i + " columns");
        }
    }

    /// Each shape as often as it takes to learn it, and then another.
    @Test
    void aHostileSequenceLearnsAShapePerSoManyMessages() {
        for (int repeated = BatchPass.ALIKE; repeated < BatchPass.ALIKE + 4; repeated++) {
            VerifierEngine engine = new VerifierEngine(ArrowRules.SET, Checks.DEFAULT);
            BatchPass pass = new BatchPass(engine.quick());
            int verified = 0;
            int learned = 0;
            for (int i = 0; verified < 50 * COST; i++) {
                byte[] bytes = batch(1 + i / repeated % 200);
                assertTrue(message.wrapBatch(pass, MemorySegment.ofArray(bytes), 0, bytes.length));
                if (message.parts().isFixed) {
                    continue;
                }
                verified++;
                if (pass.countAndDecide(message.parts(), bytes.length)) {
                    pass.learn(bytes);
                    learned++;
                }
                assertTrue(learned <= FIRST_SHAPES + verified / COST, learned + " of " + verified);
            }
            boolean isEnough = repeated > BatchPass.ALIKE;
            assertEquals(isEnough ? FIRST_SHAPES + 49 : 0, learned, 1);
        }
    }

    // ---- what has a shape

    @Test
    void messagesUpToTheLengthLimitHaveAShape() {
        for (int more = 0; more < 2; more++) {
            byte[] bytes = Arrays.copyOf(batch(1), BatchPass.MOST_BYTES + 8 * more);
            Verifier other = new Verifier();
            for (int i = 0; i < BatchPass.SOONEST + 1; i++) {
                assertTrue(other.message(MemorySegment.ofArray(bytes), 0, bytes.length, message));
            }
            assertEquals(more == 0, message.parts().isFixed);
        }
    }

    @Test
    void messagesWithCheckedTextDoNotDelayLearning() {
        verifier = new Verifier(CHECKS_TEXT);
        for (int i = 0; i < 2_000; i++) {
            assertFalse(hasShape(form(6)));
            if (i % 10 == 9) {
                for (int j = 0; j < 5; j++) {
                    assertEquals(i > 9 || j > BatchPass.ALIKE, hasShape(form(1)));
                }
            }
        }
        assertEquals(1, shapes);
    }

    /// Schemas, and messages without a header, are no batches and do not count.
    @Test
    void otherMessagesDoNotDelayAShape() {
        for (int type : new int[] {MessageHeader.SCHEMA, MessageHeader.RECORD_BATCH}) {
            Verifier other = new Verifier();
            RawBuffer raw = new RawBuffer(24).offset(0, 16).vtable(4, 0, 4).table(16, 4);
            MemorySegment noHeader = MemorySegment.ofArray(raw.u8(20, type).bytes());
            for (int i = 0; i < BatchPass.SOONEST + 2; i++) {
                byte[] bytes = batch(1);
                assertTrue(other.message(MemorySegment.ofArray(bytes), 0, bytes.length, message));
                assertEquals(i >= BatchPass.SOONEST, message.parts().isFixed);
                assertTrue(other.message(noHeader, 0, noHeader.byteSize(), message));
                assertNull(message.parts());
                assertFalse(message.header(new RecordBatch()));
            }
        }
    }

    /// A stream with dictionaries between its batches keeps the shape of one of them.
    @Test
    void dictionariesAndBatchesByTurnsAreBoundInOneStep() {
        for (int i = 0; i < 1_000; i++) {
            assertFalse(hasShape(form(4)));
            assertEquals(MessageHeader.DICTIONARY_BATCH, message.headerType());
            assertNotNull(message.parts());
            assertFalse(hasShape(form(1)));
            assertEquals(MessageHeader.RECORD_BATCH, message.headerType());
            assertNotNull(message.parts());
        }
        assertEquals(0, shapes);
    }

    @Test
    void aDictionaryWithoutABatchIsBoundInTheGeneralWay() {
        FlatBufferWriter writer = new FlatBufferWriter();
        for (int data = 0; data < 2; data++) {
            writer.reset();
            int batch = data == 0 ? 0 : TableEncoder.createRecordBatch(writer, 1, 0, 0, 0, 0);
            writer.startTable();
            writer.addNumber(DictionaryBatch.ID_SLOT, Long.BYTES, 7, 0);
            writer.addOffset(DictionaryBatch.DATA_SLOT, batch);
            int header = writer.endTable();
            int type = MessageHeader.DICTIONARY_BATCH;
            writer.finish(
                    TableEncoder.createMessage(writer, MetadataVersion.V5, type, header, 0, 0));
            byte[] bytes = writer.toByteArray();
            for (int i = 0; i < 5; i++) {
                MemorySegment memory = MemorySegment.ofArray(bytes);
                assertTrue(verifier.message(memory, 0, bytes.length, message));
                assertEquals(data != 0, message.parts() != null);
                DictionaryBatch dictionary = new DictionaryBatch();
                assertTrue(message.header(dictionary));
                assertEquals(7, dictionary.id());
                assertEquals(data != 0, dictionary.data(new RecordBatch()));
            }
        }
    }

    // ---- memory

    /// What a verifier keeps of messages are words and positions.
    @Test
    void aShapeDoesNotKeepTheMessage() throws InterruptedException {
        for (int form : new int[] {1, 4}) {
            Verifier keeping = new Verifier();
            byte[] bytes = form(form);
            Message bound = new Message();
            for (int i = 0; i <= BatchPass.SOONEST; i++) {
                keeping.message(MemorySegment.ofArray(bytes), 0, bytes.length, bound);
            }
            assertTrue(bound.parts().isFixed);
            WeakReference<byte[]> learned = new WeakReference<>(bytes);
            bytes = null;
            // The flyweight keeps what it is bound to.
            MemorySegment other = MemorySegment.ofArray(form(2));
            assertTrue(keeping.message(other, 0, other.byteSize(), bound));
            assertNotKept(learned);
            assertTrue(keeping.message(other, 0, other.byteSize(), bound));
        }
    }

    private static void assertNotKept(WeakReference<byte[]> bytes) throws InterruptedException {
        for (int i = 0; i < 100 && bytes.get() != null; i++) {
            System.gc();
            Thread.sleep(i);
        }
        assertNull(bytes.get());
    }

    @Test
    void learningDoesNotKeepTheCopy() throws InterruptedException {
        BatchPass pass = new BatchPass(new VerifierEngine(ArrowRules.SET, Checks.DEFAULT).quick());
        byte[] copy = form(1);
        pass.learn(copy);
        WeakReference<byte[]> learned = new WeakReference<>(copy);
        copy = null;
        assertNotKept(learned);
        byte[] next = form(1);
        assertTrue(message.wrapBatch(pass, MemorySegment.ofArray(next), 0, next.length));
        assertTrue(message.parts().isFixed);
    }
}
