// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify.messages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.batch.BatchLayout;
import dev.fletch.fbs.FbsDocument.Value;
import dev.fletch.format.Field;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.ids.Type;
import dev.fletch.format.ids.UnionMode;
import dev.fletch.format.internal.TypeComparison;
import dev.fletch.format.internal.tables.BufferShape;
import dev.fletch.format.internal.tables.TypeFacts;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.TypeVariants;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/// No type that `format/` declares is one of which nothing is known here: its buffers, how wide its
/// values are, and what makes two types of its kind different.
class EveryTypeTest {
    /// The bits of a value for each value of an enum that decides about them, by hand from the
    /// format's declarations.
    private static final Map<String, List<Long>> BITS =
            Map.of(
                    "FloatingPoint.precision",
                    List.of(16L, 32L, 64L),
                    "Date.unit",
                    List.of(32L, 64L),
                    "Interval.unit",
                    List.of(32L, 64L, 128L));

    private static final List<String> FOLLOWS = List.of("Time.bitWidth=" + new FbsValue.Number(64));

    private static boolean areEqual(FbsValue.Table type, FbsValue.Table other) {
        return typeOf(type).equals(typeOf(other));
    }

    private static List<Object> typeOf(FbsValue.Table field) {
        return typeOf(Meant.bytes(Meant.schema(field)));
    }

    private static List<Object> typeOf(byte[] bytes) {
        Schema schema = new Schema().wrap(MemorySegment.ofArray(bytes));
        return new TypeComparison().of(schema.fields(0, new Field()), 8);
    }

    @Test
    void everyDeclaredTypeHasABufferLayout() {
        TypeVariants.types()
                .forEach(
                        type -> {
                            for (int mode : new int[] {UnionMode.SPARSE, UnionMode.DENSE}) {
                                assertNotEquals(
                                        BufferShape.UNKNOWN,
                                        TypeFacts.of((int) type.value())
                                                .shape(mode, MetadataVersion.V5),
                                        type.name());
                            }
                        });
    }

    /// What sizes of buffers follow from: bits of a value, elements of a list, or bytes of an
    /// offset.
    private static long widthOf(TypeVariants type) {
        Schema schema = new Schema();
        schema.wrap(MemorySegment.ofArray(Meant.bytes(Meant.schema(type.field()))));
        BatchLayout layout = BatchLayout.compile(schema, MetadataVersion.V5);
        return layout.valueBits(0)
                + layout.listSize(0)
                + TypeFacts.of(layout.typeType(0)).offsetBytes();
    }

    @Test
    void eachEnumValueThatDeterminesAWidthHasItsWidth() {
        BITS.forEach(
                (parameter, bits) -> {
                    String name = parameter.substring(0, parameter.indexOf('.'));
                    Value type =
                            TypeVariants.types()
                                    .filter(each -> each.name().equals(name))
                                    .findFirst()
                                    .orElseThrow();
                    assertEquals(
                            bits,
                            TypeVariants.of(type).stream().map(EveryTypeTest::widthOf).toList(),
                            parameter);
                });
    }

    /// Dictionaries of one number have to have one type: no parameter may be left out of what is
    /// compared, unless it follows from another one.
    @Test
    void typesThatDifferInOneParameterAreDifferent() {
        List<TypeVariants> all =
                TypeVariants.all().stream().filter(each -> !FOLLOWS.contains(each.what())).toList();
        for (int i = 0; i < all.size(); i++) {
            for (int j = 0; j <= i; j++) {
                String both = all.get(j).what() + " and " + all.get(i).what();
                assertEquals(i == j, areEqual(all.get(j).field(), all.get(i).field()), both);
            }
        }
        assertTrue(all.size() > TypeVariants.types().count());
    }

    private static FbsValue.Table childOf(FbsValue.Table field, Object... encoding) {
        return Meant.with(field, "dictionary", Meant.table("DictionaryEncoding", encoding));
    }

    /// Nor may anything be left out of what tells a struct's children apart, nor where each of them
    /// stands.
    @Test
    void childrenThatDifferInOneThingAreDifferent() {
        FbsValue.Table a = Meant.with(Meant.INT8, "name", "a");
        FbsValue.Table b = Meant.with(a, "name", "b");
        FbsValue.Table c = Meant.with(a, "name", "c");
        FbsValue.Table unsigned = Meant.table("Int", "bitWidth", 16);
        FbsValue.Table signed = Meant.with(unsigned, "is_signed", 1);
        List<FbsValue.Table> all =
                List.of(
                        Meant.struct(),
                        Meant.struct(a),
                        Meant.struct(b),
                        Meant.struct(Meant.with(a, "name", "")),
                        Meant.struct(Meant.required(a)),
                        Meant.struct(Meant.with(Meant.INT32, "name", "a")),
                        Meant.struct(a, b),
                        Meant.struct(b, a),
                        Meant.struct(a, Meant.with(a, "name", null)),
                        Meant.struct(Meant.with(Meant.struct(a), "name", "a"), b, c),
                        Meant.struct(Meant.with(Meant.struct(a, b), "name", "a"), c),
                        Meant.struct(childOf(a)),
                        Meant.struct(childOf(a, "id", 1)),
                        Meant.struct(childOf(a, "id", 257)),
                        Meant.struct(childOf(a, "id", 1L << 40)),
                        Meant.struct(childOf(a, "isOrdered", 1)),
                        Meant.struct(childOf(a, "indexType", unsigned)),
                        Meant.struct(childOf(a, "indexType", signed)),
                        Meant.struct(childOf(a, "indexType", Meant.with(signed, "bitWidth", 8))));
        for (int i = 0; i < all.size(); i++) {
            for (int j = 0; j <= i; j++) {
                String both = all.get(j) + " and " + all.get(i);
                assertEquals(i == j, areEqual(all.get(j), all.get(i)), both);
            }
        }
    }

    /// Without a check for UTF-8, names may be any bytes.
    @Test
    void namesThatAreNotUtf8AreComparedByTheirBytes() {
        FbsValue.Table child = Meant.with(Meant.INT8, "name", "name?");
        byte[] bytes = Meant.bytes(Meant.schema(Meant.struct(child)));
        int last = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("name?") + 4;
        bytes[last] = (byte) 0xFE;
        List<Object> type = typeOf(bytes);
        assertEquals(type, typeOf(bytes));
        bytes[last] = (byte) 0xFF;
        assertNotEquals(type, typeOf(bytes));
    }

    /// What is left out says the same as what stands there by default.
    @Test
    void absentPropertiesEqualTheirDefaults() {
        FbsValue.Table index = Meant.table("Int", "bitWidth", 32, "is_signed", 1);
        FbsValue.Table[][] pairs = {
            {
                Meant.struct(childOf(Meant.INT8)),
                Meant.struct(childOf(Meant.INT8, "id", 0, "isOrdered", 0, "indexType", index))
            },
            {
                Meant.struct(Meant.with(Meant.INT8, "name", null)),
                Meant.struct(Meant.with(Meant.INT8, "name", ""))
            },
            {
                Meant.field("u", 14, Meant.table("Union"), Meant.INT8, Meant.UTF8),
                Meant.field(
                        "u",
                        14,
                        Meant.table("Union", "typeIds", List.of(0, 1)),
                        Meant.INT8,
                        Meant.UTF8)
            },
        };
        for (FbsValue.Table[] pair : pairs) {
            assertTrue(areEqual(pair[0], pair[1]), pair[1]::toString);
        }
    }

    @Test
    void namesOfFieldsAndItemsAreNotPartOfAType() {
        FbsValue.Table values = Meant.struct(Meant.INT8, Meant.UTF8);
        FbsValue.Table other = Meant.required(Meant.with(values, "name", "other"));
        assertTrue(areEqual(values, other));
        FbsValue.Table element = Meant.integer("element", 8);
        assertTrue(
                areEqual(
                        Meant.field("l", Type.LIST, Meant.table("List"), Meant.INT8),
                        Meant.field("l", Type.LIST, Meant.table("List"), element)));
    }
}
