// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify.messages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.batch.BatchLayout;
import dev.fletch.corpus.CaseFile;
import dev.fletch.fbs.FbsDocument.Value;
import dev.fletch.format.Field;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.ids.UnionMode;
import dev.fletch.format.internal.TypeComparison;
import dev.fletch.format.internal.tables.BufferShape;
import dev.fletch.format.internal.tables.TypeFacts;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.TypeVariants;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    private static final String TYPES =
            """
            let i8 = Int(bitWidth=8 is_signed=1)
            let i16 = Int(bitWidth=16 is_signed=1)
            let u16 = Int(bitWidth=16)
            let i32 = Int(bitWidth=32 is_signed=1)
            """;

    private static List<Object> typeOf(String field) {
        return typeOf(CaseFile.input(TYPES + "flatbuffer <" + field + ">"));
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
        for (Value type : TypeVariants.types().toList()) {
            TypeFacts facts = TypeFacts.of((int) type.value());
            for (int mode : new int[] {UnionMode.SPARSE, UnionMode.DENSE}) {
                BufferShape shape = facts.shape(mode, MetadataVersion.V5);
                assertNotEquals(BufferShape.UNKNOWN, shape, type.name());
            }
        }
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
        List<List<Object>> types = all.stream().map(each -> typeOf(each.field())).toList();
        for (int i = 0; i < all.size(); i++) {
            for (int j = 0; j <= i; j++) {
                String both = all.get(j).what() + " and " + all.get(i).what();
                assertEquals(i == j, types.get(j).equals(types.get(i)), both);
            }
        }
        assertTrue(all.size() > TypeVariants.types().count());
    }

    /// Nor may anything be left out of what tells a struct's children apart, nor where each of them
    /// stands.
    @Test
    void childrenThatDifferInOneThingAreDifferent() {
        List<String> all =
                """
                s:Struct_
                s:Struct_<a:i8>
                s:Struct_<b:i8>
                s:Struct_<"":i8>
                s:Struct_<a!:i8>
                s:Struct_<a:i32>
                s:Struct_<a:i8 b:i8>
                s:Struct_<b:i8 a:i8>
                s:Struct_<a:i8 a:i8{name=none}>
                s:Struct_<a:Struct_<a:i8> b:i8 c:i8>
                s:Struct_<a:Struct_<a:i8 b:i8> c:i8>
                s:Struct_<a:i8{dictionary=DictionaryEncoding()}>
                s:Struct_<a:i8{dictionary=DictionaryEncoding(id=1)}>
                s:Struct_<a:i8{dictionary=DictionaryEncoding(id=257)}>
                s:Struct_<a:i8{dictionary=DictionaryEncoding(id=1099511627776)}>
                s:Struct_<a:i8{dictionary=DictionaryEncoding(isOrdered=1)}>
                s:Struct_<a:i8{dictionary=DictionaryEncoding(indexType=u16)}>
                s:Struct_<a:i8{dictionary=DictionaryEncoding(indexType=i16)}>
                s:Struct_<a:i8{dictionary=DictionaryEncoding(indexType=i8)}>
                """
                        .lines()
                        .toList();
        for (String one : all) {
            for (String other : all) {
                String both = one + " and " + other;
                assertEquals(one.equals(other), typeOf(one).equals(typeOf(other)), both);
            }
        }
    }

    /// Without a check for UTF-8, names may be any bytes.
    @Test
    void namesThatAreNotUtf8AreComparedByTheirBytes() {
        byte[] bytes = CaseFile.input(TYPES + "flatbuffer <s:Struct_<\"name?\":i8>>");
        int last = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("name?") + 4;
        bytes[last] = (byte) 0xFE;
        List<Object> type = typeOf(bytes);
        assertEquals(type, typeOf(bytes));
        bytes[last] = (byte) 0xFF;
        assertNotEquals(type, typeOf(bytes));
    }

    /// What is absent equals its default; names of fields and items are not part of a type.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "s:Struct_<a:i8{dictionary=DictionaryEncoding()}>|s:Struct_<a:i8{dictionary=DictionaryEncoding(id=0"
                    + " isOrdered=0 indexType=i32)}>",
                "s:Struct_<a:i8{name=none}> | s:Struct_<\"\":i8>",
                "u:Union<a:i8 b:Utf8> | u:Union(typeIds=[0 1])<a:i8 b:Utf8>",
                "s:Struct_<a:i8 b:Utf8> | other!:Struct_<a:i8 b:Utf8>",
                "l:List<int8:i8> | l:List<element:i8>"
            })
    void fieldsOfOneTypeAreEqual(String field, String other) {
        assertEquals(typeOf(field), typeOf(other));
    }

    /// Absent type ids are the numbers of the children; stored ones may be too few, and are then
    /// those of another type.
    @ParameterizedTest
    @CsvSource({"'',1,3", "(typeIds=[]),-1,-1", "(typeIds=[0]),1,-1", "(typeIds=[5 0]),3,-1"})
    void layoutsFindChildrenByTheStoredTypeIds(String typeIds, int ofZero, int ofOne) {
        String field = "u:Union" + typeIds + "<s:Struct_<a:Utf8> b:Utf8>";
        byte[] bytes = CaseFile.input(TYPES + "flatbuffer <" + field + ">");
        Schema schema = new Schema().wrap(MemorySegment.ofArray(bytes));
        BatchLayout layout = BatchLayout.compile(schema, MetadataVersion.V5);
        assertEquals(ofZero, layout.childOf(0, 0));
        assertEquals(ofOne, layout.childOf(0, 1));
        String other = "u:Union<s:Struct_<a:Utf8> b:Utf8>";
        assertEquals(typeIds.isEmpty(), typeOf(field).equals(typeOf(other)));
    }
}
