// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.fbs.FbsDocument.FieldDecl;
import dev.fletch.fbs.FbsType;
import dev.fletch.flatbuf.Table;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.FbsValueWriter;
import dev.fletch.testdata.Memories.SegmentBacking;
import dev.fletch.testdata.PlacedSegment;
import dev.fletch.wire.Wire;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Every field that `format/Message.fbs` declares for messages and batches is right in all ways to
/// bind a message. A new field is checked without a change here.
class BatchFieldsTest {
    private static final int MESSAGES = BatchPass.SOONEST + 4;
    private static final int FIRST_WITH_SHAPE = BatchPass.SOONEST;
    private static final int PREFIX = EncapsulatedMessage.PREFIX_BYTES;

    // ---- messages

    /// A message with all fields, also of its header and its batch.
    private static byte[] full(String header) {
        return message(header, FullTables.table("Message", 1), FullTables.table(header, 2));
    }

    /// A message with a batch, and without any other field.
    private static byte[] bare(String header) {
        FbsValue.Table empty = TablePath.table("RecordBatch", Map.of());
        boolean isBatch = header.equals("RecordBatch");
        return message(
                header,
                TablePath.table("Message", Map.of()),
                isBatch ? empty : TablePath.table(header, Map.of("data", empty)));
    }

    private static byte[] message(String header, FbsValue.Table around, FbsValue.Table value) {
        Map<String, FbsValue> fields = new LinkedHashMap<>(around.fields());
        if (fields.containsKey("version")) {
            fields.put("version", new FbsValue.Number(MetadataVersion.V5));
        }
        fields.put("header_type", TablePath.tag("MessageHeader", header));
        fields.put("header", value);
        return FbsValueWriter.write(Flyweights.ARROW, TablePath.table("Message", fields), 1);
    }

    private static List<Table> tables(Message message) {
        DictionaryBatch dictionary = new DictionaryBatch();
        RecordBatch batch = new RecordBatch();
        if (message.header(dictionary)) {
            assertTrue(dictionary.data(batch));
            return List.of(message, dictionary, batch);
        }
        assertTrue(message.header(batch));
        return List.of(message, batch);
    }

    // ---- numbers, in which messages of a shape differ

    /// The numbers of 32 and 64 bits.
    private static List<FieldDecl> numbers(Table table) {
        return Flyweights.ARROW.table(table.getClass().getSimpleName()).fields().stream()
                .filter(each -> each.type().isScalar() && each.type().inlineBytes() >= 4)
                .toList();
    }

    private static int number(int message, FieldDecl field) {
        return 100 * (field.slot() + 1) + message;
    }

    private static void putNumbers(MemorySegment memory, long at, int length, int message) {
        Message decoded = new Message();
        decoded.wrap(memory, at, length);
        for (Table table : tables(decoded)) {
            for (FieldDecl field : numbers(table)) {
                long place = table.position(field.slot());
                if (field.type().inlineBytes() == Long.BYTES) {
                    memory.set(Wire.LONG, place, number(message, field));
                } else {
                    memory.set(Wire.INT, place, number(message, field));
                }
            }
        }
    }

    private static void checkNumbers(Message bound, int message) {
        for (Table table : tables(bound)) {
            for (FieldDecl field : numbers(table)) {
                Object shown =
                        Flyweights.invoke(
                                Flyweights.method(table.getClass(), field.javaName()), table);
                assertEquals(
                        number(message, field),
                        ((Number) shown).longValue(),
                        table.getClass().getSimpleName()
                                + "."
                                + field.name()
                                + " of message "
                                + message);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Memories#segments")
    void numbersAreRightInEveryMessageOfAStream(SegmentBacking backing) {
        for (String header : List.of("RecordBatch", "DictionaryBatch")) {
            byte[] metadata = full(header);
            int step = PREFIX + metadata.length;
            MemorySegment stream = MemorySegment.ofArray(new byte[MESSAGES * step]);
            for (int i = 0; i < MESSAGES; i++) {
                long at = (long) i * step;
                BatchMessages.put(stream, at, metadata);
                putNumbers(stream, at + PREFIX, metadata.length, i);
            }
            try (PlacedSegment placed = backing.place(stream.toArray(ValueLayout.JAVA_BYTE))) {
                checkStream(placed.segment(), placed.offset(), metadata.length);
            }
        }
    }

    /// By decoding, in one step, by the last shape with and without the prefix, and by a frame.
    private static void checkStream(MemorySegment memory, long start, int length) {
        Verifier verifier = new Verifier();
        Verifier streaming = new Verifier();
        Message decoded = new Message();
        Message verified = new Message();
        Message streamed = new Message();
        Message framed = new Message();
        EncapsulatedMessage frame = new EncapsulatedMessage();
        for (int i = 0; i < MESSAGES; i++) {
            long at = start + (long) i * (PREFIX + length);
            Message inOneStep = new Message();
            decoded.wrap(memory, at + PREFIX, length);
            assertTrue(new Verifier().message(memory, at + PREFIX, length, inOneStep));
            assertTrue(verifier.message(memory, at + PREFIX, length, verified));
            assertEquals(length, streaming.batch(memory, at, memory.byteSize(), streamed));
            frame.wrap(memory, at, framed);
            assertNull(decoded.parts());
            assertFalse(inOneStep.parts().isFixed);
            for (Message message : List.of(verified, streamed, framed)) {
                assertEquals(i >= FIRST_WITH_SHAPE, message.parts().isFixed);
            }
            for (Message message : List.of(decoded, inOneStep, verified, streamed, framed)) {
                checkNumbers(message, i);
            }
        }
    }

    // ---- other fields, which are the same in all messages of a shape

    /// One flyweight shows messages with all fields and without, bound in all ways by turns.
    @ParameterizedTest
    @ValueSource(strings = {"RecordBatch", "DictionaryBatch"})
    void fieldsOfAlternatingMessagesAreNotMixedUp(String header) {
        List<byte[]> kinds = List.of(full(header), bare(header));
        FullWalk readings = FullWalk.bounded(); // with flyweights below the message
        List<Long> expected = new ArrayList<>();
        for (byte[] each : kinds) {
            Message decoded = new Message().wrap(MemorySegment.ofArray(each));
            expected.add(readings.bound(decoded));
        }
        Verifier verifier = new Verifier();
        Message message = new Message();
        int fixed = 0;
        int inOneStep = 0;
        for (int i = 0; i < 40 * MESSAGES; i++) {
            // Four of each kind in a row, then one of each.
            int kind = i < 20 * MESSAGES ? i / 4 % kinds.size() : i % kinds.size();
            MemorySegment bytes = MemorySegment.ofArray(kinds.get(kind));
            if (i % 7 == 0) {
                message.wrap(bytes);
            } else {
                assertTrue(verifier.message(bytes, 0, bytes.byteSize(), message));
                fixed += message.parts().isFixed ? 1 : 0;
                inOneStep += message.parts().isFixed ? 0 : 1;
            }
            assertEquals(expected.get(kind), readings.bound(message), "message " + i);
        }
        assertTrue(fixed > 4 * MESSAGES && inOneStep > 4 * MESSAGES, fixed + ", " + inOneStep);
    }

    /// With all fields, all kinds of them are in the tests above.
    @ParameterizedTest
    @ValueSource(strings = {"RecordBatch", "DictionaryBatch"})
    void aFullMessageHasAllFields(String header) {
        for (Table table : tables(new Message().wrap(MemorySegment.ofArray(full(header))))) {
            for (FieldDecl field : fields(table)) {
                assertTrue(table.isPresent(field.slot()) || isTag(field), field.name());
            }
        }
    }

    private static boolean isTag(FieldDecl field) {
        return field.type() instanceof FbsType.UnionTag;
    }

    private static List<FieldDecl> fields(Table table) {
        return Flyweights.ARROW.table(table.getClass().getSimpleName()).fields();
    }
}
