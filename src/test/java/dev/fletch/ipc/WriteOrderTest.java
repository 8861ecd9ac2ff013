// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import static dev.fletch.ipc.WrittenMessages.batch;
import static dev.fletch.ipc.WrittenMessages.body;
import static dev.fletch.ipc.WrittenMessages.dictionary;
import static dev.fletch.ipc.WrittenMessages.dictionaryWithoutData;
import static dev.fletch.ipc.WrittenMessages.schema;
import static dev.fletch.ipc.WrittenMessages.schemaOf;
import static dev.fletch.ipc.WrittenMessages.tensor;
import static dev.fletch.ipc.WrittenMessages.withoutHeader;
import static dev.fletch.testdata.Refused.assertRule;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.FileRule;
import dev.fletch.FletchException;
import dev.fletch.FrameRule;
import dev.fletch.flatbuf.write.TargetTooSmallException;
import dev.fletch.format.Message;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.write.BodyLayout;
import dev.fletch.format.write.SegmentList;
import dev.fletch.testdata.FbsValue;
import dev.fletch.verify.messages.Meant;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/// What may be written when; after a refusal the writer goes on as if nothing had been.
class WriteOrderTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final MessageWriter stream = MessageWriter.of(ArrowContainer.STREAM, out);
    private final MessageWriter file = MessageWriter.of(ArrowContainer.FILE, out);

    private void refused(Class<? extends RuntimeException> type, String text, Executable call) {
        int size = out.size();
        RuntimeException e = assertThrows(type, call);
        assertTrue(e.getMessage().contains(text), e.getMessage());
        assertEquals(size, out.size());
    }

    private void misplaced(String text, Executable call) {
        refused(IllegalStateException.class, text, call);
    }

    private void unfit(String text, Executable call) {
        refused(IllegalArgumentException.class, text, call);
    }

    @Test
    void theSchemaIsWrittenFirstAndOnce() throws IOException {
        for (MessageWriter writer : new MessageWriter[] {stream, file}) {
            misplaced("the first message must be a schema", () -> writer.write(batch(8), body(8)));
            misplaced(
                    "the first message must be a schema",
                    () -> writer.write(dictionary(1, false, 0)));
            misplaced("no message was written", writer::finish);
            writer.write(schema(1));
            misplaced("must be the first message", () -> writer.write(schema(1)));
            writer.write(batch(8), body(8));
            misplaced("must be the first message", () -> writer.write(schema(1)));
            writer.finish();
        }
    }

    @Test
    void dictionariesOutsideTheSchemaAreRefused() throws IOException {
        stream.write(schema(5, -1, 0, 5, 9));
        misplaced(
                "no field is encoded by the dictionary, dictionary=4",
                () -> stream.write(dictionary(4, false, 0)));
        misplaced("dictionary=-1", () -> stream.write(dictionary(-1, false, 0)));
        misplaced("delta precedes its dictionary", () -> stream.write(dictionary(9, true, 0)));
        stream.write(dictionary(9, false, 8), body(8));
        stream.write(dictionary(9, true, 0));
        stream.write(dictionary(0, false, 0));
        stream.write(batch(0));
        stream.write(dictionary(9, false, 0)); // another one instead
        stream.write(dictionary(5, false, 0));
        stream.finish();
        assertEquals(7, Listing.ofStream(out.toByteArray()).messages().size());
    }

    @Test
    void aDictionaryIsWrittenOnceInAFile() throws IOException {
        file.write(schema(5, 6));
        file.write(dictionary(6, false, 0));
        file.write(batch(0));
        misplaced(
                "dictionary is defined twice in a file", () -> file.write(dictionary(6, false, 0)));
        file.write(dictionary(6, true, 0));
        file.write(dictionary(5, false, 0)); // may come later than a batch
        file.finish();
        ArrowFile read = ArrowFile.of(MemorySegment.ofArray(out.toByteArray()));
        assertEquals(3, read.dictionaryCount());
        assertEquals(1, read.recordBatchCount());
        assertEquals(5, Listing.ofFile(read).messages().size());
    }

    @Test
    void tensorsAreWrittenWithoutASchema() throws IOException {
        misplaced("a file cannot contain tensors", () -> file.write(tensor(0)));
        stream.set(it -> it.alignment(64)).write(tensor(24), body(24));
        misplaced("the stream contains tensors", () -> stream.write(batch(0)));
        misplaced("must be the first message", () -> stream.write(schema()));
        stream.write(tensor(0));
        stream.finish();
        MessageWriter other = MessageWriter.of(ArrowContainer.STREAM, out);
        other.write(schema());
        misplaced("cannot follow a schema", () -> other.write(tensor(0)));
        Listing.Line first = Listing.ofStream(out.toByteArray()).messages().getFirst();
        assertEquals("Tensor", first.kind());
        assertEquals(0, first.bodyOffset() % 64);
    }

    @Test
    void theBodyLengthMustMatchTheMessage() throws IOException {
        stream.write(schema());
        unfit("bodyLength=16, body=8", () -> stream.write(batch(16), body(8)));
        unfit("bodyLength=16, body=0", () -> stream.write(batch(16)));
        unfit("bodyLength=0, body=8", () -> stream.write(batch(0), body(8)));
        unfit("not a multiple of 8: bodyLength=12", () -> stream.write(batch(12), body(12)));
        stream.write(batch(16), body(16));
        MessageWriter other = MessageWriter.of(ArrowContainer.STREAM, out);
        unfit(
                "schema message has a body",
                () -> other.write(schemaOf(MetadataVersion.V5, 8), body(8)));
    }

    @Test
    void otherMessagesAreRefused() throws IOException {
        unfit("version=V3", () -> stream.write(schemaOf(MetadataVersion.V3, 0)));
        unfit("version=V6", () -> stream.write(schemaOf(5, 0)));
        unfit("kind=NONE", () -> stream.write(withoutHeader(MessageHeader.NONE)));
        unfit("MessageHeader(77)", () -> stream.write(withoutHeader(77)));
        unfit("no header: kind=Schema", () -> stream.write(withoutHeader(MessageHeader.SCHEMA)));
        stream.write(schemaOf(MetadataVersion.V4, 0));
        unfit(
                "no header: kind=DictionaryBatch",
                () -> stream.write(withoutHeader(MessageHeader.DICTIONARY_BATCH)));
        MemorySegment garbage = MemorySegment.ofArray(new byte[] {-1, -1, -1, 127, 0, 0, 0, 0});
        refused(FletchException.class, "", () -> stream.write(garbage));
        refused(FletchException.class, "", () -> stream.write(MemorySegment.ofArray(new byte[0])));
        refused(
                IndexOutOfBoundsException.class,
                "",
                () -> stream.write(garbage, 4, 8, new SegmentList()));
        unfit("not bound to a message", () -> stream.copy(garbage, new EncapsulatedMessage()));
        stream.finish();
    }

    /// None of them comes without its header either, so each is refused, but for another reason.
    @Test
    void everyHeaderTypeHasARule() {
        for (int kind = 1; MessageHeader.NAMES.isKnown(kind); kind++) {
            int each = kind;
            Exception refused =
                    assertThrows(RuntimeException.class, () -> stream.write(withoutHeader(each)));
            assertFalse(
                    refused.getMessage().contains("unknown message kind"), refused.getMessage());
        }
    }

    @Test
    void messagesWithoutTheirHeaderAreRefused() throws IOException {
        for (int kind : new int[] {MessageHeader.TENSOR, MessageHeader.SPARSE_TENSOR}) {
            unfit(
                    "no header: kind=" + MessageHeader.NAMES.name(kind),
                    () -> stream.write(withoutHeader(kind)));
        }
        for (MessageWriter writer : new MessageWriter[] {stream, file}) {
            writer.write(schema(7));
            unfit(
                    "no header: kind=RecordBatch",
                    () -> writer.write(withoutHeader(MessageHeader.RECORD_BATCH)));
            unfit("no data: dictionaryId=7", () -> writer.write(dictionaryWithoutData(7)));
            misplaced("delta precedes its dictionary", () -> writer.write(dictionary(7, true, 0)));
            writer.write(dictionary(7, false, 0));
            writer.write(batch(0));
            writer.finish();
        }
        MemorySegment all = MemorySegment.ofArray(out.toByteArray());
        ArrowFile read = ArrowFile.of(all.asSlice(stream.position()));
        assertEquals(1, read.recordBatchCount());
    }

    /// An invalid schema has any number of dictionaries inside each other.
    @Test
    void aLimitedNumberOfDictionariesInsideEachOtherIsFollowed() throws IOException {
        int count = 50_000;
        List<FbsValue.Table> columns = new ArrayList<>();
        for (long id = count; id > 0; id--) {
            columns.add(Meant.encoded(Meant.struct(Meant.encoded(Meant.UTF8, id)), id - 1));
        }
        stream.write(message(Meant.schema(columns.toArray(FbsValue.Table[]::new))));
        FbsValue.Table values = Meant.batch(Collections.nCopies(2, Meant.pair(1, 0)), List.of());
        for (long id = 0; id < count; id++) {
            stream.write(message(Meant.table("DictionaryBatch", "id", id, "data", values)));
        }
        List<long[]> nodes = new ArrayList<>(Collections.nCopies(count, Meant.pair(1, 1)));
        nodes.set(count - 1, Meant.pair(1, 0));
        stream.write(message(Meant.batch(nodes, List.of())));
        nodes.set(99, Meant.pair(1, 0));
        misplaced(
                "node=99, dictionary=50000, neededBy=49900",
                () -> stream.write(message(Meant.batch(nodes, List.of()))));
    }

    private static MemorySegment message(FbsValue.Table header) {
        return MemorySegment.ofArray(Meant.bytes(Meant.message(header, 0)));
    }

    // ---- states

    @Test
    void settingsAfterTheFirstMessageAreRefused() throws IOException {
        stream.write(schema());
        misplaced("follows the first message", () -> stream.set(it -> it.alignment(64)));
        misplaced(
                "follows the first message", () -> stream.set(it -> it.missingDictionaries(true)));
        for (int wrong : new int[] {-8, 0, 4, 7, 12, 8192, Integer.MIN_VALUE}) {
            unfit("alignment=" + wrong, () -> file.set(it -> it.alignment(wrong)));
            unfit("alignment=" + wrong, () -> new BodyLayout(wrong));
        }
    }

    @Test
    void writingAfterTheEndIsRefused() throws IOException {
        stream.write(schema());
        stream.finish();
        stream.finish();
        misplaced("state=FINISHED", () -> stream.write(batch(0)));
        stream.close();
        stream.close();
        misplaced("state=CLOSED", () -> stream.write(batch(0)));
        misplaced("state=CLOSED", stream::finish);
        assertEquals(stream.position(), out.size());
    }

    /// What was closed on the way looks unfinished, and the writer says so.
    @Test
    void closingDoesNotFinish() throws IOException {
        file.write(schema());
        IllegalStateException unfinished = assertThrows(IllegalStateException.class, file::close);
        assertEquals(
                "finish was not called before close: position=" + file.position(),
                unfinished.getMessage());
        file.close();
        byte[] bytes = out.toByteArray();
        assertRule(FileRule.NO_TRAILING_MAGIC, () -> ArrowFile.of(MemorySegment.ofArray(bytes)));
    }

    @Test
    void closingWithoutMessagesOrAfterTheEndSaysNothing() throws IOException {
        file.close();
        stream.write(schema());
        stream.finish();
        stream.close();
    }

    /// At each byte of a stream the channel fails; then the writer only closes.
    @Test
    void writingAfterAFailureIsRefused() throws IOException {
        WrittenSinks.Plain whole = new WrittenSinks.Plain(Integer.MAX_VALUE);
        List<Long> boundaries = new ArrayList<>();
        writeAll(MessageWriter.of(ArrowContainer.FILE, whole), boundaries);
        int length = whole.content().length;
        for (int bytes = 0; bytes < length; bytes++) {
            for (int kind = 0; kind < 2; kind++) {
                WrittenSinks.Plain full =
                        kind == 0 ? new WrittenSinks.Plain(100) : new WrittenSinks.Gathering(100);
                full.failsAfter = bytes;
                MessageWriter writer = MessageWriter.of(ArrowContainer.FILE, full);
                IOException e =
                        assertThrows(IOException.class, () -> writeAll(writer, new ArrayList<>()));
                assertEquals("disk is full", e.getMessage());
                assertArrayEquals(Arrays.copyOf(whole.content(), bytes), full.content());
                int at = bytes;
                long start = boundaries.stream().filter(each -> each <= at).reduce(0L, Math::max);
                assertEquals(start, writer.position());
                full.failsAfter = Integer.MAX_VALUE;
                misplaced("state=FAILED", () -> writer.write(batch(0)));
                misplaced("state=FAILED", writer::finish);
                writer.close();
                assertTrue(full.closed);
                assertEquals(bytes, full.content().length);
            }
        }
    }

    private static void writeAll(MessageWriter writer, List<Long> boundaries) throws IOException {
        for (int step = 0; step < 4; step++) {
            write(writer, step);
            boundaries.add(writer.position());
        }
    }

    private static void write(MessageWriter writer, int step) throws IOException {
        switch (step) {
            case 0 -> writer.write(schema(1));
            case 1 -> writer.write(dictionary(1, false, 24), body(24));
            case 2 -> writer.write(batch(16), body(16));
            default -> writer.finish();
        }
    }

    /// Memory of every size up to the one that is enough: what does not fit is not begun.
    @Test
    void tooSmallMemoryHoldsWholeMessages() throws IOException {
        WrittenSinks.Plain whole = new WrittenSinks.Plain(Integer.MAX_VALUE);
        List<Long> boundaries = new ArrayList<>();
        writeAll(MessageWriter.of(ArrowContainer.FILE, whole), boundaries);
        byte[] content = whole.content();
        boundaries.addFirst(0L);
        for (int room = 0; room < content.length; room++) {
            byte[] memory = new byte[room + 20];
            MemorySegment part = MemorySegment.ofArray(memory).asSlice(0, room + 10);
            MessageWriter writer = MessageWriter.of(ArrowContainer.FILE, part, 10);
            TargetTooSmallException e =
                    assertThrows(
                            TargetTooSmallException.class,
                            () -> writeAll(writer, new ArrayList<>()));
            int at = room;
            long fits = boundaries.stream().filter(each -> each <= at).reduce(0L, Math::max);
            int step = boundaries.indexOf(fits);
            assertEquals(boundaries.get(step + 1) - room, e.missingBytes());
            assertEquals(fits, writer.position());
            byte[] expected = new byte[room + 20];
            System.arraycopy(content, 0, expected, 10, (int) fits);
            assertArrayEquals(expected, memory);
            assertThrows(TargetTooSmallException.class, () -> write(writer, step));
        }
    }

    @Test
    void readOnlyMemoryIsRefused() {
        MemorySegment memory = MemorySegment.ofArray(new byte[100]).asReadOnly();
        assertThrows(
                IllegalArgumentException.class,
                () -> MessageWriter.of(ArrowContainer.STREAM, memory, 0));
        MemorySegment small = MemorySegment.ofArray(new byte[8]);
        for (int at : new int[] {9, -1}) {
            assertThrows(
                    IndexOutOfBoundsException.class,
                    () -> MessageWriter.of(ArrowContainer.FILE, small, at));
        }
    }

    @Test
    void messagesReadWithoutBodyCannotBeCopied() throws IOException {
        stream.write(schema());
        stream.write(batch(64), body(64));
        byte[] whole = out.toByteArray();
        MemorySegment cut = MemorySegment.ofArray(Arrays.copyOf(whole, whole.length - 1));
        MessageWriter other = MessageWriter.of(ArrowContainer.STREAM, out);
        EncapsulatedMessage frame = new EncapsulatedMessage();
        frame.wrap(cut, 0, new Message());
        other.copy(cut, frame);
        frame.wrap(cut, frame.nextOffset(), new Message());
        assertRule(FrameRule.BODY_OUT_OF_INPUT, () -> other.copy(cut, frame));
        other.finish();
    }
}
