// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.flatbuffers.FlatBufferBuilder;

import dev.fletch.fbs.FbsDocument.FieldDecl;
import dev.fletch.fbs.FbsDocument.TableDecl;
import dev.fletch.fbs.FbsType;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.Flyweights;
import dev.fletch.format.Footer;
import dev.fletch.format.write.Encoders.Argument;
import dev.fletch.testdata.GeneratedTables;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;

/// What the encoders write is what the classes write that flatc generates.
class EncodersAgreeTest {
    private static final int ROUNDS = 1000;

    private final FlatBufferWriter writer = new FlatBufferWriter().alignEmptyVectors(true);

    private byte[] finished(int root) {
        writer.finish(root);
        return writer.toByteArray();
    }

    /// Something to point at, in both builders at the same places.
    static List<Integer> objects(FlatBufferWriter writer, FlatBufferBuilder official) {
        List<Integer> objects = new ArrayList<>();
        for (String text : List.of("a", "bcd", "", "efghij")) {
            objects.add(writer.createString(text));
            assertEquals(objects.getLast(), official.createString(text));
        }
        return objects;
    }

    private static Optional<Method> generatedCreate(TableDecl table) throws Exception {
        Class<?> generated = Class.forName("org.apache.arrow.flatbuf." + table.name());
        return Arrays.stream(generated.getMethods())
                .filter(each -> each.getName().equals("create" + table.name()))
                .findFirst();
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.format.Flyweights#tables")
    void encodersWriteTheBytesOfTheGeneratedClasses(TableDecl table) throws Exception {
        boolean hasStruct =
                table.fields().stream().anyMatch(each -> each.type() instanceof FbsType.Struct);
        Optional<Method> generated = generatedCreate(table);
        assertEquals(hasStruct, generated.isEmpty(), "flatc makes none for a table with a struct");
        if (generated.isEmpty()) {
            return; // `EncodersAgreeWithCppTest` compares these, too
        }
        Random random = new Random(table.name().hashCode());
        for (int round = 0; round < ROUNDS; round++) {
            boolean forced = random.nextBoolean();
            FlatBufferBuilder official = new FlatBufferBuilder().forceDefaults(forced);
            List<Integer> objects = objects(writer.reset().forceDefaults(forced), official);
            // With forced defaults the generated code writes offsets to nowhere for absent ones.
            List<Argument> arguments = Encoders.arguments(table, objects, random, forced ? 0 : 4);
            official.finish(callGenerated(generated.get(), official, arguments));
            int root = Encoders.invokeCreate(table, writer, arguments);
            assertArrayEquals(
                    official.sizedByteArray(), finished(root), () -> table.name() + arguments);
        }
    }

    private static int callGenerated(
            Method create, FlatBufferBuilder official, List<Argument> arguments) {
        List<Object> values = new ArrayList<>(List.of(official));
        for (Argument argument : arguments) {
            Class<?> type = create.getParameterTypes()[values.size()];
            long number =
                    argument.numbers().isEmpty()
                            ? argument.object()
                            : argument.numbers().getFirst();
            values.add(
                    switch (type.getName()) {
                        case "boolean" -> number != 0;
                        case "byte" -> (byte) number;
                        case "short" -> (short) number;
                        case "int" -> (int) number;
                        default -> number;
                    });
        }
        return (int) Flyweights.invoke(create, null, values.toArray());
    }

    /// As the generated classes refuse it; nothing is written then.
    @ParameterizedTest
    @MethodSource("dev.fletch.format.Flyweights#tables")
    void requiredFieldsCannotBeOmitted(TableDecl table) {
        for (FieldDecl field : table.fields()) {
            if (field.type().isScalar() || field.type() instanceof FbsType.Struct) {
                continue;
            }
            List<Integer> objects = objects(writer.reset(), new FlatBufferBuilder());
            int size = writer.size();
            List<Argument> arguments =
                    new ArrayList<>(Encoders.arguments(table, objects, new Random(1), 0));
            arguments.set(field.slot(), new Argument(field, 0, List.of()));
            if (field.required()) {
                IllegalArgumentException fault =
                        assertThrows(
                                IllegalArgumentException.class,
                                () -> Encoders.invokeCreate(table, writer, arguments));
                assertEquals(
                        "required field is absent: field=" + table.name() + "." + field.name(),
                        fault.getMessage());
                assertEquals(size, writer.size());
            } else {
                assertTrue(Encoders.invokeCreate(table, writer, arguments) > size);
            }
        }
    }

    @Test
    void aTypeWithoutParametersIsAnEmptyTable() {
        FlatBufferBuilder official = new FlatBufferBuilder();
        org.apache.arrow.flatbuf.Utf8.startUtf8(official);
        official.finish(org.apache.arrow.flatbuf.Utf8.endUtf8(official));
        assertArrayEquals(official.sizedByteArray(), finished(TableEncoder.createEmpty(writer)));
    }

    @Test
    void valuesThatDoNotFitTheFieldsOfATableAreRefused() {
        int size = writer.size();
        for (Object[] each :
                new Object[][] {
                    {"table=Decimal, values=2, expected=3", "Decimal", new long[] {38, 2}},
                    {"value is too large: field=Int.bitWidth", "Int", new long[] {1L << 32, 1}},
                    {"value is too large: field=Date.unit", "Date", new long[] {-32_769}},
                    {"unknown table: name=Decimals", "Decimals", new long[] {38, 2, 128}},
                }) {
            IllegalArgumentException refused =
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> TableEncoder.create(writer, (String) each[1], (long[]) each[2]));
            assertTrue(refused.getMessage().contains((String) each[0]), refused.getMessage());
        }
        assertEquals(size, writer.size());
    }

    // ---- vectors of structs

    private static long[] numbers(int count) {
        Random random = new Random(count);
        return LongStream.generate(random::nextLong).limit(count).toArray();
    }

    /// The padding is always 0, also behind a negative metadata length.
    @Test
    void blocksHaveNoGarbageInTheirPadding() {
        FlatBufferWriter target = EmissionOrder.FLATC.newWriter();
        for (int count = 1; count < 20; count++) {
            for (boolean negative : new boolean[] {false, true}) {
                long[] numbers = numbers(3 * count + 1);
                for (int i = 0; i < count; i++) {
                    int length = (int) numbers[3 * i + 2];
                    numbers[3 * i + 2] = negative ? length : length & Integer.MAX_VALUE;
                }
                writer.reset();
                Footer footer = new Footer();
                byte[] empty = finished(TableEncoder.create(writer, "Footer", 4, 0, 0, 0, 0));
                Flyweights.wrap(footer, empty);
                MetadataEdit blocks = new MetadataEdit().recordBatches(numbers, 1, count);
                new MetadataWriter(EmissionOrder.FLATC, target.reset()).footer(footer, blocks);
                byte[] bytes = target.toByteArray();
                assertArrayEquals(officialFooter(numbers, count), bytes);
                Flyweights.wrap(footer, bytes);
                long[] expected = Arrays.copyOfRange(numbers, 1, numbers.length);
                assertArrayEquals(expected, Flyweights.recordBatches(footer));
            }
        }
    }

    private static byte[] officialFooter(long[] numbers, int count) {
        FlatBufferBuilder official = new FlatBufferBuilder();
        org.apache.arrow.flatbuf.Footer.startRecordBatchesVector(official, count);
        for (int i = count - 1; i >= 0; i--) {
            org.apache.arrow.flatbuf.Block.createBlock(
                    official, numbers[3 * i + 1], (int) numbers[3 * i + 2], numbers[3 * i + 3]);
        }
        int blocks = official.endVector();
        official.finish(GeneratedTables.footer(official, (short) 4, 0, 0, blocks, 0));
        return official.sizedByteArray();
    }

    @Test
    void aMetadataLengthHas32Bits() {
        long[] numbers = {0, 8, 0, 1, 1L << 31, 2};
        MetadataEdit edit = new MetadataEdit();
        IllegalArgumentException fault =
                assertThrows(
                        IllegalArgumentException.class, () -> edit.recordBatches(numbers, 0, 2));
        assertEquals(
                "metadata length of block exceeds 32 bits: block=1, metaDataLength=2147483648",
                fault.getMessage());
        assertThrows(IndexOutOfBoundsException.class, () -> edit.recordBatches(numbers, 1, 2));
        assertThrows(IndexOutOfBoundsException.class, () -> writer.createVector(numbers, 1, 3, 2));
        assertThrows(IndexOutOfBoundsException.class, () -> writer.createVector(numbers, -1, 1, 2));
        edit.recordBatches(numbers, 0, 1);
    }
}
