// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import static dev.fletch.verify.messages.Meant.table;
import static dev.fletch.verify.messages.Meant.with;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.fbs.FbsDocument.FieldDecl;
import dev.fletch.flatbuf.Table;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.BodyCompression;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.write.TemplateShape.Numbers;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.RandomTables;
import dev.fletch.verify.messages.Meant;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/// What a template writes is what the encoders write for the same numbers, in full: any shape, any
/// numbers, any order.
class RecordBatchTemplateTest {
    private static final int SHAPES = CaseCount.of(600, 2_500);
    private static final int MESSAGES = 40;
    private static final int MAX_BYTES = 1 << 14;
    private static final int EXAMPLES = 1_000;

    private final byte[] target = new byte[MAX_BYTES];

    private byte[] written(RecordBatchTemplate template, Numbers numbers) {
        MemorySegment memory = MemorySegment.ofArray(target);
        int length = template.write(memory, 8, numbers.rows(), numbers.layout(), null);
        assertTrue(length <= template.maxLength());
        return Arrays.copyOfRange(target, 8, 8 + length);
    }

    @ParameterizedTest
    @EnumSource
    void bytesAreThoseOfEveryOrder(EmissionOrder order) {
        Random random = new Random(order.ordinal());
        RewriteRig rig = new RewriteRig(order);
        int compared = 0;
        int[] forms = new int[4];
        for (int i = 0; i < SHAPES; i++) {
            TemplateShape shape = TemplateShape.random(random);
            // Present zeros would be kept, so the example has none.
            byte[] example = shape.encoded(shape.numbers(random));
            RecordBatchTemplate template =
                    RecordBatchTemplate.of(
                            order, new Message().wrap(MemorySegment.ofArray(example)));
            for (int n = 0; n < MESSAGES; n++) {
                Numbers numbers = shape.numbers(random);
                assertArrayEquals(
                        rig.message(shape.encoded(numbers)),
                        written(template, numbers),
                        () -> order + " " + shape + " " + numbers);
                compared++;
                forms[(numbers.rows() == 0 ? 0 : 1) + (numbers.bodyLength() == 0 ? 0 : 2)]++;
            }
        }
        for (int form : forms) {
            assertTrue(form > 1000, "all forms are used: " + Arrays.toString(forms));
        }
        assertEquals(SHAPES * MESSAGES, compared);
        System.out.printf(
                "Templates, %s: %d messages of %d shapes equal those of the encoders%n",
                order, compared, SHAPES);
    }

    /// An example that stores zeros has a template that stores them.
    @Test
    void storedZerosStay() {
        Random random = new Random(7);
        FlatBufferWriter writer =
                new FlatBufferWriter().alignEmptyVectors(true).forceDefaults(true);
        for (int i = 0; i < 300; i++) {
            TemplateShape shape = TemplateShape.random(random);
            Numbers zeros =
                    new Numbers(
                            0,
                            0,
                            new long[2 * shape.nodes()],
                            new long[2 * shape.buffers()],
                            new long[Math.max(0, shape.variadicCounts())]);
            shape.encode(writer.reset(), zeros);
            Message example = new Message().wrap(writer.segment());
            RecordBatchTemplate like = RecordBatchTemplate.of(EmissionOrder.ARROW_JAVA, example);
            assertEquals(like.maxLength(), written(like, zeros).length);
            assertEquals(like.maxLength(), written(like, shape.numbers(random)).length);
        }
    }

    /// The method has one value, its default: an example that spells it out is like one that does
    /// not, but for the byte.
    @Test
    void anExplicitCompressionMethodIsWritten() {
        TemplateShape shape = new TemplateShape(MetadataVersion.V5, 1, 2, -1, 1, -1, -1, false);
        Numbers numbers = new Numbers(3, 64, new long[2], new long[4], new long[0]);
        for (boolean spelled : new boolean[] {false, true}) {
            FlatBufferWriter writer =
                    new FlatBufferWriter().alignEmptyVectors(true).forceDefaults(spelled);
            shape.encode(writer, numbers);
            Message example = new Message().wrap(writer.segment());
            byte[] bytes =
                    written(RecordBatchTemplate.of(EmissionOrder.ARROW_JAVA, example), numbers);
            RecordBatch batch = new RecordBatch();
            BodyCompression compression = new BodyCompression();
            assertTrue(new Message().wrap(MemorySegment.ofArray(bytes)).header(batch));
            assertTrue(batch.compression(compression));
            assertEquals(spelled, compression.isPresent(BodyCompression.METHOD_SLOT));
        }
    }

    /// Of an example with any fields, the template's bytes for the example's own numbers are those
    /// of the example written again.
    @ParameterizedTest
    @EnumSource
    void allFieldsOfTheExampleAreKept(EmissionOrder order) {
        RewriteRig rig = new RewriteRig(order);
        RecordBatch batch = new RecordBatch();
        DictionaryBatch dictionary = new DictionaryBatch();
        int kept = 0;
        for (int seed = 0; seed < EXAMPLES; seed++) {
            byte[] bytes = RandomTables.bytes(RandomTables.ARROW, "Message", seed);
            Message example = new Message().wrap(MemorySegment.ofArray(bytes));
            if (example.header(batch) || example.header(dictionary) && dictionary.data(batch)) {
                Numbers numbers = numbers(example, batch);
                RecordBatchTemplate template = RecordBatchTemplate.of(order, example);
                assertArrayEquals(rig.message(bytes), written(template, numbers), "seed " + seed);
                kept++;
            }
        }
        assertTrue(kept > EXAMPLES / 10, kept + " examples");
    }

    private static Numbers numbers(Message message, RecordBatch batch) {
        Numbers numbers =
                new Numbers(
                        batch.length(),
                        message.bodyLength(),
                        new long[2 * batch.nodesCount()],
                        new long[2 * batch.buffersCount()],
                        new long[batch.variadicBufferCountsCount()]);
        batch.copyNodes(numbers.nodes(), 0);
        batch.copyBuffers(numbers.buffers(), 0);
        batch.copyVariadicBufferCounts(numbers.counts(), 0);
        return numbers;
    }

    @Test
    void invalidShapesAreRefused() {
        int[][] wrong = {{4, -1, 2, 0}, {4, 1, -2, 0}, {4, 1, 2, -1}, {99, 1, 2, 0}, {-1, 1, 2, 0}};
        for (int[] each : wrong) {
            IllegalArgumentException e =
                    assertThrows(
                            IllegalArgumentException.class,
                            () ->
                                    RecordBatchTemplate.of(
                                            EmissionOrder.ARROW_JAVA,
                                            each[0],
                                            each[1],
                                            each[2],
                                            each[3]));
            assertEquals(
                    "invalid record batch: version=%d, nodes=%d, buffers=%d, variadicCounts=%d"
                            .formatted(each[0], each[1], each[2], each[3]),
                    e.getMessage());
        }
    }

    /// A shape alone is enough where there is nothing special.
    @ParameterizedTest
    @EnumSource
    void aShapeAloneIsEnough(EmissionOrder order) {
        Random random = new Random(3);
        for (int nodes = 0; nodes < 20; nodes++) {
            for (int counts = 0; counts < 3; counts++) {
                TemplateShape shape =
                        new TemplateShape(
                                MetadataVersion.V5,
                                nodes,
                                2 * nodes,
                                counts == 0 ? -1 : counts,
                                -1,
                                -1,
                                -1,
                                false);
                RecordBatchTemplate template =
                        RecordBatchTemplate.of(order, MetadataVersion.V5, nodes, 2 * nodes, counts);
                Numbers numbers = shape.numbers(random);
                byte[] expected = new RewriteRig(order).message(shape.encoded(numbers));
                assertArrayEquals(expected, written(template, numbers));
            }
        }
    }

    /// Each number that the format declares is compared with that of the last message, or stored.
    @Test
    void noNumberIsThatOfTheMessageBefore() {
        FbsValue.Table compression = with(ones("BodyCompression"), "method", null);
        FbsValue.Table data = with(ones("RecordBatch"), "compression", compression);
        FbsValue.Table header = with(ones("DictionaryBatch"), "data", data);
        byte[] bytes = Meant.bytes(with(ones("Message"), "header_type", 2, "header", header));
        Message message = new Message().wrap(MemorySegment.ofArray(bytes));
        DictionaryBatch dictionary = new DictionaryBatch();
        RecordBatch batch = new RecordBatch();
        BodyCompression codec = new BodyCompression();
        assertTrue(message.header(dictionary) && dictionary.data(batch));
        assertTrue(batch.compression(codec));
        for (Table table : List.of(message, dictionary, batch, codec)) {
            for (FieldDecl field : scalars(table.getClass().getSimpleName())) {
                if (table.isPresent(field.slot())) {
                    byte[] other = bytes.clone();
                    other[(int) table.position(field.slot())] ^= 1;
                    RecordBatchTemplate template = new RecordBatchTemplate(EmissionOrder.FLATC);
                    byte[] last = like(template, bytes);
                    byte[] expected = like(new RecordBatchTemplate(EmissionOrder.FLATC), other);
                    assertFalse(Arrays.equals(last, expected), field.name());
                    assertArrayEquals(expected, like(template, other), field.name());
                }
            }
        }
    }

    private static List<FieldDecl> scalars(String table) {
        return RandomTables.ARROW.table(table).fields().stream()
                .filter(each -> each.type().isScalar() && !each.name().equals("header_type"))
                .toList();
    }

    private static FbsValue.Table ones(String table) {
        return scalars(table).stream()
                .reduce(table(table), (to, each) -> with(to, each.name(), 1), (_, last) -> last);
    }

    private static byte[] like(RecordBatchTemplate template, byte[] bytes) {
        Message message = new Message().wrap(MemorySegment.ofArray(bytes));
        DictionaryBatch dictionary = new DictionaryBatch();
        RecordBatch batch = new RecordBatch();
        assertTrue(message.header(dictionary) && dictionary.data(batch));
        BodyLayout numbers = numbers(message, batch).layout();
        int length = template.write(message, batch, batch.length(), numbers, null);
        return Arrays.copyOf(template.message().toArray(ValueLayout.JAVA_BYTE), length);
    }

    @Test
    void aTemplateWithoutAnExampleNeedsOneForEachMessage() {
        RecordBatchTemplate template = new RecordBatchTemplate(EmissionOrder.ARROW_JAVA);
        MemorySegment memory = MemorySegment.ofArray(new byte[1_000]);
        assertEquals(0, template.maxLength());
        assertThrows(
                IllegalStateException.class,
                () -> template.write(memory, 0, 0, new BodyLayout(), null));
    }
}
