// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Limits;
import dev.fletch.corpus.CaseFile;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.Field;
import dev.fletch.format.Schema;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.schema.ArrowType.TimeResolution;
import dev.fletch.testdata.ModelTables;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// What a schema has to keep to, each rule kept and broken.
class RulesTest {
    private static final ArrowType INT32 = new ArrowType.Int(32, true);
    private static final ArrowType STRUCT = ArrowType.Simple.STRUCT;

    private static ArrowField field(String name, ArrowType type, ArrowField... children) {
        return ArrowField.of(name, type, children);
    }

    private static void refused(String message, Executable making) {
        assertEquals(message, assertThrows(InvalidSchemaException.class, making).getMessage());
    }

    @Test
    void wrongUnionIdsAreRejected() {
        assertDoesNotThrow(() -> ArrowType.Union.dense());
        assertDoesNotThrow(() -> ArrowType.Union.dense(127, 0, 5));
        assertEquals(
                IntStream.range(0, 128).boxed().toList(),
                ArrowType.Union.implicit(false, 128).typeIds());
        refused("type id is not 0 to 127: typeIds=[0, 128]", () -> ArrowType.Union.dense(0, 128));
        refused("type id is not 0 to 127: typeIds=[-1]", () -> ArrowType.Union.dense(-1));
        refused(
                "type id belongs to several children: typeIds=[3, 1, 3]",
                () -> ArrowType.Union.dense(3, 1, 3));
        refused(
                "union has more than 128 children: children=129",
                () -> ArrowType.Union.implicit(true, 129));
        refused(
                "implicit type ids must be 0, 1, 2 and so on: typeIds=[1, 0]",
                () -> new ArrowType.Union(true, List.of(1, 0), true));
    }

    @Test
    void malformedTextsAreRejected() {
        refused(
                "text must have no unpaired surrogate:" + " timezone=a\\ud800",
                () -> new ArrowType.Timestamp(TimeResolution.SECOND, "a\ud800"));
        String rule = "text must have no unpaired surrogate: ";
        refused(rule + "name=\\udc00\\ud800", () -> field("\udc00\ud800", INT32));
        refused(rule + "metadata key=\\udc00", () -> Metadata.of("\udc00", ""));
        refused(rule + "metadata value=x\\udc00", () -> Metadata.of("k", "x\udc00"));
        assertDoesNotThrow(() -> field("🙂\0", INT32));
    }

    @Test
    void childrenThatDoNotFitTheTypeAreRejected() {
        ArrowField number = field("b", INT32);
        refused(
                "type that is not nested has children: field=a, children=1",
                () -> field("a", INT32, number));
        refused(
                "number of type ids is not that of the union's children: field=a, typeIds=[5, 7]",
                () -> field("a", ArrowType.Union.sparse(5, 7), number));
        refused(
                "entries of a map are not structs: field=a.b, type=int32",
                () -> field("a", new ArrowType.Map(false), number));
        refused(
                "run-end encoded field does not have two children, run ends and values: field=a,"
                        + " children=1",
                () -> field("a", ArrowType.Simple.RUN_END_ENCODED, number));
        ArrowField encoded = number.withDictionary(DictionaryInfo.implicit(0, false));
        refused(
                "run ends are not int16, int32 or int64: field=a.b, type=int32, dictionary 0"
                        + " (int32)",
                () -> field("a", ArrowType.Simple.RUN_END_ENCODED, encoded, number));
    }

    @Test
    void wrongDictionariesAreRejected() {
        for (int width : new int[] {8, 16, 32, 64}) {
            assertDoesNotThrow(() -> DictionaryInfo.of(-1, new ArrowType.Int(width, false)));
        }
        refused(
                "implicit index type must be int32: indexType=uint32",
                () -> new DictionaryInfo(0, new ArrowType.Int(32, false), false, true));
    }

    @Test
    void onlyEmptyValuesCanBeAbsent() {
        Set<Integer> all = IntStream.range(-1, 20).boxed().collect(Collectors.toSet());
        ArrowField plain = field("a", INT32);
        assertEquals(
                Set.of(Field.NAME_SLOT, Field.CHILDREN_SLOT, Field.CUSTOM_METADATA_SLOT),
                plain.withName("").withAbsent(all).absent());
        assertEquals(
                Set.of(),
                field("s", STRUCT, plain)
                        .withMetadata(Metadata.of("k", "v"))
                        .withAbsent(all)
                        .absent());
        ArrowSchema schema = ArrowSchema.of();
        assertEquals(
                Set.of(Schema.FIELDS_SLOT, Schema.CUSTOM_METADATA_SLOT, Schema.FEATURES_SLOT),
                schema.withAbsent(all).absent());
        ArrowSchema full = schema.withFields(List.of(plain)).withFeatures(List.of(1L));
        assertEquals(Set.of(), full.withMetadata(Metadata.of("k", "v")).withAbsent(all).absent());
    }

    // ---- depth: what can be made can be compared, written and read again

    private static ArrowField nested(int depth) {
        ArrowField field = field("leaf", ArrowType.Simple.UTF8);
        for (int i = 1; i < depth; i++) {
            field = field("s", STRUCT, field("a", STRUCT), field);
        }
        return field;
    }

    @Test
    void deepestSchemaCanBeComparedAndWritten() {
        ArrowSchema schema = ArrowSchema.of(nested(ArrowField.MAX_DEPTH));
        assertTrue(schema.semanticallyEquals(schema));
        assertEquals(List.of(), schema.diff(schema));
        assertEquals(2 * ArrowField.MAX_DEPTH, schema.toString().lines().count());
        Limits limits =
                Limits.DEFAULT
                        .withDepth(ArrowField.MAX_DEPTH)
                        .withFields(1_000_000)
                        .withUnfoldedBytes(64L << 20);
        for (EmissionOrder order : EmissionOrder.values()) {
            FlatBufferWriter to = order.newWriter();
            schema.write(order, to);
            assertEquals(schema, ArrowSchema.of(new Schema().wrap(to.segment()), limits));
        }
    }

    @Test
    void fieldBelowTheDeepestLevelIsRefused() {
        ArrowField deepest = nested(ArrowField.MAX_DEPTH);
        for (ArrowField other : List.of(deepest, deepest.nullable(), deepest.withName("x"))) {
            refused(
                    "fields must have at most 512 levels: field=top, depth=513",
                    () -> field("top", STRUCT, field("a", STRUCT), other));
        }
        assertThrows(
                InvalidSchemaException.class,
                () -> field("a", STRUCT).withChildren(List.of(deepest)));
    }

    // ---- in bytes the same, with the whole path

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "top!:Struct_<\"\":List<leaf!:FixedSizeBinary(byteWidth=-3)>>"
                        + " | fixed-size binary has less than 0 bytes:"
                        + " field=top.\"\".leaf, byteWidth=-3",
                "top!:Struct_<\"\":List<leaf!:FixedSizeBinary(byteWidth=3){type_type=42}>>"
                        + " | type is unknown: field=top.\"\".leaf, typeType=42",
                "top!:Struct_<\"\":List{children=none}>"
                        + " | list does not have one child: field=top.\"\", children=0",
                "top!:Struct_<\"\":List<leaf!:FixedSizeBinary(byteWidth=3){type=none}>>"
                        + " | type with parameters has no table:"
                        + " field=top.\"\".leaf, type=15",
                "d:Date(unit=7) | unit of a date is unknown: field=d, unit=7",
                "d:Date(unit=0){dictionary=DictionaryEncoding(id=0 dictionaryKind=1)}"
                        + " | kind of a dictionary is unknown: field=d, dictionaryKind=1"
            })
    void faultOfSchemaBytesHasTheCompletePath(String column, String message) {
        refusedBytes(message, "<" + column + ">");
    }

    private static void refusedBytes(String text, String fields) {
        var e = assertThrows(InvalidSchemaException.class, () -> CaseFile.schema("", fields));
        assertEquals(text, e.fault().text());
        assertEquals(
                text.replaceFirst("([^ =]+=[^ =]+)$", "offset=" + e.offset() + ", $1"),
                e.getMessage());
        assertTrue(e.offset() > 0, e::getMessage);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 2})
    void unknownEndiannessIsRejected(int endianness) {
        refusedBytes(
                "endianness is unknown: endianness=" + endianness,
                "<>{endianness=" + endianness + "}");
    }

    // ---- bytes that are no UTF-8: as values they would be other texts

    /// Stands where a byte is replaced.
    private static final String MARK = "né!";

    private static ArrowSchema schema(String name, String key, String value, String zone) {
        ArrowType time = new ArrowType.Timestamp(TimeResolution.SECOND, zone);
        ArrowField child = ArrowField.of(name, time).withMetadata(Metadata.of(key, value));
        return ArrowSchema.of(ArrowField.of("s", ArrowType.Simple.STRUCT, child));
    }

    private static void refused(String message, ArrowSchema schema) {
        byte[] bytes = ModelTables.bytes(schema, 3);
        String mark =
                new String(MARK.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        int at = new String(bytes, StandardCharsets.ISO_8859_1).indexOf(mark);
        bytes[at + 2] = 'A'; // the continuation byte of é
        String expected = message.replace("OFFSET", "offset=" + (at + 1));
        for (int lead : new int[] {0, 24}) {
            byte[] inside = new byte[bytes.length + lead];
            System.arraycopy(bytes, 0, inside, lead, bytes.length);
            assertRefused(expected, at + 1, MemorySegment.ofArray(inside).asSlice(lead));
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment copy =
                    arena.allocate(bytes.length, 8).copyFrom(MemorySegment.ofArray(bytes));
            assertRefused(expected, at + 1, copy);
        }
    }

    private static void assertRefused(String message, long offset, MemorySegment memory) {
        Schema table = new Schema().wrap(memory);
        var fault = assertThrows(InvalidSchemaException.class, () -> ArrowSchema.of(table));
        assertEquals(message, fault.getMessage());
        assertEquals(offset, fault.offset());
    }

    @Test
    void everyMalformedTextIsRejected() {
        String rule = "text must be UTF-8: ";
        refused(rule + "field=s.n\uFFFDA!, OFFSET, name=n\uFFFDA!", schema(MARK, "k", "v", "UTC"));
        refused(rule + "field=s.a, OFFSET, metadata key=n\uFFFDA!", schema("a", MARK, "v", "UTC"));
        refused(
                rule + "field=s.a, OFFSET, metadata value=n\uFFFDA!",
                schema("a", "k", MARK, "UTC"));
        refused(rule + "field=s.a, OFFSET, timezone=n\uFFFDA!", schema("a", "k", "v", MARK));
        refused(
                rule + "OFFSET, metadata value=n\uFFFDA!",
                schema("a", "k", "v", "UTC").withMetadata(Metadata.of("k", MARK)));
    }

    @Test
    void replacementCharacterIsAccepted() {
        ArrowSchema schema = schema("a\uFFFDb", "\uFFFD", "\uFFFD", "\uFFFD");
        Schema table = new Schema().wrap(MemorySegment.ofArray(ModelTables.bytes(schema, 3)));
        assertEquals(schema.fields(), ArrowSchema.of(table).fields());
    }
}
