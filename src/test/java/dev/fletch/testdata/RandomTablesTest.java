// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.fbs.FbsDocument;
import dev.fletch.fbs.FbsDocument.EnumDecl;
import dev.fletch.fbs.FbsDocument.FieldDecl;
import dev.fletch.fbs.FbsDocument.TableDecl;
import dev.fletch.fbs.FbsDocument.UnionDecl;
import dev.fletch.fbs.FbsType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// The generated classes read from random tables what went in; and everything that may go in does,
/// with few seeds already.
class RandomTablesTest {
    private static final FbsDocument ARROW = RandomTables.ARROW;
    private static final int SEEDS = 60;

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.RandomTables#tables")
    void readsBackWithGeneratedClasses(String table) {
        for (long seed = 0; seed < SEEDS; seed++) {
            byte[] bytes = RandomTables.bytes(table, seed);
            assertEquals(
                    RandomTables.value(ARROW, table, seed).withDefaults(ARROW),
                    GeneratedReader.read(ARROW, table, ByteBuffer.wrap(bytes)),
                    "seed=" + seed);
            assertArrayEquals(bytes, RandomTables.bytes(table, seed));
        }
    }

    @Test
    void everyTableIsThere() {
        assertEquals(41, RandomTables.tables().size());
    }

    @Test
    void everythingOccurs() {
        Seen seen = new Seen();
        for (String table : RandomTables.tables()) {
            for (long seed = 0; seed < SEEDS; seed++) {
                seen.addTable(RandomTables.value(ARROW, table, seed));
            }
        }
        for (TableDecl table : ARROW.tables()) {
            for (FieldDecl field : table.fields()) {
                String name = table.name() + "." + field.name();
                assertTrue(seen.present.contains(name), () -> name + " never present");
                assertTrue(
                        seen.absent.contains(name) || mustBeThere(table, field),
                        () -> name + " never absent");
            }
        }
        for (EnumDecl each : ARROW.enums()) {
            Set<Long> values = seen.valuesByType.get(each.name());
            each.values().forEach(known -> assertTrue(values.contains(known.value()), each.name()));
            assertTrue(values.size() > each.values().size(), () -> each.name() + " unknown");
        }
        for (UnionDecl each : ARROW.unions()) {
            Set<Long> tags = seen.valuesByType.get(each.name());
            each.members().stream()
                    .skip(1)
                    .forEach(known -> assertTrue(tags.contains(known.value()), each.name()));
            assertTrue(tags.size() > each.members().size(), () -> each.name() + " unknown");
        }
        assertEquals(Set.of(true, false), seen.emptyTexts);
        assertEquals(Set.of(true, false), seen.emptyVectors);
        System.out.printf("Random tables: %d of %d kinds%n", seen.tables, ARROW.tables().size());
    }

    /// A required union brings its tag.
    private static boolean mustBeThere(TableDecl table, FieldDecl field) {
        return field.required()
                || (field.type() instanceof FbsType.UnionTag
                        && table.fields().get(field.slot() + 1).required());
    }

    /// What occurred in a number of values.
    private static final class Seen {
        private final Set<String> present = new TreeSet<>();
        private final Set<String> absent = new TreeSet<>();
        private final Map<String, Set<Long>> valuesByType = new HashMap<>();
        private final Set<Boolean> emptyTexts = new HashSet<>();
        private final Set<Boolean> emptyVectors = new HashSet<>();
        private int tables;

        void addTable(FbsValue.Table table) {
            tables++;
            for (FieldDecl field : ARROW.table(table.name()).fields()) {
                FbsValue value = table.fields().get(field.name());
                (value == null ? absent : present).add(table.name() + "." + field.name());
                if (value != null) {
                    add(field.type(), value);
                }
            }
        }

        private void add(FbsType type, FbsValue value) {
            switch (value) {
                case FbsValue.Number(long number) -> addNumber(type, number);
                case FbsValue.Text(String text) -> emptyTexts.add(text.isEmpty());
                case FbsValue.Struct _ -> {}
                case FbsValue.Table table -> addTable(table);
                case FbsValue.Vector(List<FbsValue> elements) -> {
                    emptyVectors.add(elements.isEmpty());
                    elements.forEach(each -> add(((FbsType.Vector) type).element(), each));
                }
            }
        }

        private void addNumber(FbsType type, long number) {
            switch (type) {
                case FbsType.Enumeration(String name, _) -> addValue(name, number);
                case FbsType.UnionTag(String union) -> addValue(union, number);
                default -> {}
            }
        }

        private void addValue(String type, long number) {
            valuesByType.computeIfAbsent(type, _ -> new HashSet<>()).add(number);
        }
    }
}
