// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.apache.arrow.flatbuf.Decimal;
import org.apache.arrow.flatbuf.DictionaryEncoding;
import org.apache.arrow.flatbuf.Field;
import org.apache.arrow.flatbuf.FixedSizeList;
import org.apache.arrow.flatbuf.Int;
import org.apache.arrow.flatbuf.KeyValue;
import org.apache.arrow.flatbuf.Schema;
import org.apache.arrow.flatbuf.Timestamp;
import org.apache.arrow.flatbuf.Type;
import org.apache.arrow.flatbuf.Union;

import java.nio.ByteOrder;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.IntFunction;

/// Compares schemas with what flatc's generated classes read.
final class GeneratedSchemas {
    private GeneratedSchemas() {}

    /// Returns the number of fields that were compared.
    static int assertSame(ArrowSchema ours, Schema theirs) {
        assertEquals(ours.endianness() == ByteOrder.BIG_ENDIAN ? 1 : 0, theirs.endianness());
        assertEquals(ours.features().size(), theirs.featuresLength());
        for (int i = 0; i < ours.features().size(); i++) {
            assertEquals(ours.features().get(i), theirs.features(i));
        }
        metadata(ours.metadata(), theirs.customMetadataLength(), theirs::customMetadata);
        return fields(ours.fields(), theirs.fieldsLength(), theirs::fields);
    }

    private static void metadata(Metadata ours, int count, IntFunction<KeyValue> theirs) {
        assertEquals(ours.size(), count);
        for (int i = 0; i < count; i++) {
            assertEquals(ours.entries().get(i).key(), theirs.apply(i).key());
            assertEquals(ours.entries().get(i).value(), theirs.apply(i).value());
        }
    }

    private static int fields(List<ArrowField> ours, int count, IntFunction<Field> theirs) {
        assertEquals(ours.size(), count);
        int compared = 0;
        for (int i = 0; i < count; i++) {
            compared += field(ours.get(i), theirs.apply(i));
        }
        return compared;
    }

    private static int field(ArrowField ours, Field theirs) {
        Set<AbsentSlot> omitted = ours.absent();
        assertEquals(omitted.contains(AbsentSlot.NAME) ? null : ours.name(), theirs.name());
        assertEquals(omitted.contains(AbsentSlot.CHILDREN), theirs.childrenVector() == null);
        assertEquals(omitted.contains(AbsentSlot.METADATA), theirs.customMetadataVector() == null);
        assertEquals(ours.isNullable(), theirs.nullable());
        String name = ours.type().getClass().getSimpleName();
        String declared = Type.name(theirs.typeType());
        assertEquals(name, declared.equals("Struct_") ? "Struct" : declared);
        type(ours.type(), theirs);
        DictionaryEncoding dictionary = theirs.dictionary();
        assertEquals(ours.isDictionaryEncoded(), dictionary != null);
        if (dictionary != null) {
            dictionary(ours.dictionary(), dictionary);
        }
        metadata(ours.metadata(), theirs.customMetadataLength(), theirs::customMetadata);
        return 1 + fields(ours.children(), theirs.childrenLength(), theirs::children);
    }

    private static void dictionary(DictionaryInfo ours, DictionaryEncoding theirs) {
        assertEquals(ours.id(), theirs.id());
        assertEquals(ours.ordered(), theirs.isOrdered());
        if (ours.implicitIndexType()) {
            assertNull(theirs.indexType());
        } else {
            integer(ours.indexType(), theirs.indexType());
        }
    }

    private static void integer(ArrowType.Int ours, Int theirs) {
        assertEquals(ours.bitWidth(), theirs.bitWidth());
        assertEquals(ours.isSigned(), theirs.isSigned());
    }

    /// A type of each sort: numbers, an enum, a text, a vector. The others are compared by what the
    /// model reads.
    private static void type(ArrowType ours, Field theirs) {
        switch (ours) {
            case ArrowType.Int type -> integer(type, (Int) theirs.type(new Int()));
            case ArrowType.Decimal type -> {
                Decimal decimal = (Decimal) theirs.type(new Decimal());
                assertEquals(type.precision(), decimal.precision());
                assertEquals(type.scale(), decimal.scale());
                assertEquals(type.bitWidth(), decimal.bitWidth());
            }
            case ArrowType.Timestamp type -> {
                Timestamp timestamp = (Timestamp) theirs.type(new Timestamp());
                assertEquals(type.unit().ordinal(), timestamp.unit());
                assertEquals(type.timezone(), timestamp.timezone());
            }
            case ArrowType.FixedSizeList type ->
                    assertEquals(
                            type.listSize(),
                            ((FixedSizeList) theirs.type(new FixedSizeList())).listSize());
            case ArrowType.Union type -> {
                Union union = (Union) theirs.type(new Union());
                assertEquals(
                        type.mode().name(),
                        org.apache.arrow.flatbuf.UnionMode.name(union.mode())
                                .toUpperCase(Locale.ROOT));
                assertEquals(type.implicitTypeIds(), union.typeIdsVector() == null);
                for (int i = 0; i < union.typeIdsLength(); i++) {
                    assertEquals(type.typeIds().get(i), union.typeIds(i));
                }
            }
            default -> {}
        }
    }
}
