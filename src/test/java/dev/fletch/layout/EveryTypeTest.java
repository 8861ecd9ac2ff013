// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.fbs.FbsDocument.Value;
import dev.fletch.format.Field;
import dev.fletch.format.MetadataVersion;
import dev.fletch.format.Schema;
import dev.fletch.format.UnionMode;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.TypeVariants;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
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

    private static Field bound(FbsValue.Table field) {
        byte[] bytes = Meant.bytes(Meant.schema(field));
        return new Schema().wrap(MemorySegment.ofArray(bytes)).fields(0, new Field());
    }

    @Test
    void everyTypeHasBuffersOrIsKnownToHaveNone() {
        TypeVariants.types()
                .forEach(
                        type -> {
                            for (int mode : new int[] {UnionMode.SPARSE, UnionMode.DENSE}) {
                                assertNotEquals(
                                        BufferShape.UNKNOWN,
                                        BufferShape.of(
                                                (int) type.value(), mode, MetadataVersion.V5),
                                        type.name());
                            }
                        });
    }

    @Test
    void valuesOfFixedWidthHaveAWidth() {
        TypeTables tables = new TypeTables();
        for (TypeVariants each : TypeVariants.all()) {
            BufferShape shape = BufferShape.of(each.type(), 0, MetadataVersion.V5);
            if (shape == BufferShape.FIXED_WIDTH) {
                assertTrue(tables.measure(bound(each.field())) > 0, each.what());
            }
        }
    }

    @Test
    void everyValueThatDecidesAboutAWidthHasItsOwn() {
        TypeTables tables = new TypeTables();
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
                            TypeVariants.of(type).stream()
                                    .map(each -> tables.measure(bound(each.field())))
                                    .toList(),
                            parameter);
                });
    }

    /// Dictionaries of one number have to have one type: no parameter may be left out of what is
    /// compared, unless it follows from another one.
    @Test
    void typesThatDifferInOneParameterHaveDifferentImages() {
        TypeImage image = new TypeImage();
        image.clear(1_000_000, 1_000_000);
        List<TypeVariants> all =
                TypeVariants.all().stream().filter(each -> !FOLLOWS.contains(each.what())).toList();
        int[] ends = new int[all.size() + 1];
        for (int i = 0; i < all.size(); i++) {
            assertTrue(image.append(bound(all.get(i).field()), 8), all.get(i).what());
            ends[i + 1] = image.length();
            for (int j = 0; j < i; j++) {
                String both = all.get(j).what() + " and " + all.get(i).what();
                assertTrue(!image.equal(ends[j], ends[j + 1], ends[i], ends[i + 1]), both);
            }
        }
        assertTrue(all.size() > TypeVariants.types().count());
    }
}
