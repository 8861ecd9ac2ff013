// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.flatbuf.Table;
import dev.fletch.format.Setters.Setter;
import dev.fletch.testdata.Memories.Backing;
import dev.fletch.testdata.Placed;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Method;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Each setter changes its own bytes and no others, in every kind of memory that can be written to;
/// what it wrote is seen by everyone who reads afterwards. What is absent or read-only stays as it
/// is.
class InPlaceSettersTest {
    /// A buffer with a table that has everything, and the places of its numbers.
    private record Full(TablePath path, byte[] content, Table table, long start) {
        static Full of(TablePath path) {
            byte[] content = path.bytes(FullTables.table(path.target(), 1), 1);
            Full full = new Full(path, content, path.bind(content), 0);
            // Padding inside structs has to stay, so it must not be zero.
            full.setters().forEach(setter -> setter.paddingAt().forEach(at -> content[at] = 0x5A));
            return full;
        }

        Stream<Setter> setters() {
            int position = Math.toIntExact(table.position() - start);
            return Setters.of(path.target(), content, position).stream();
        }
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Memories#writable")
    void settersChangeOnlyTheirBytesInEveryMemory(Backing backing) {
        for (TablePath path : TablePath.all().toList()) {
            Full full = Full.of(path);
            try (Placed placed = backing.place(full.content)) {
                Supplier<Table> wrap = () -> wrapped(path, placed);
                setAll(full, wrap, placed::content);
                assertTrue(placed.surroundingsIntact());
            }
        }
    }

    private static Table wrapped(TablePath path, Placed placed) {
        return path.follow(Flyweights.wrap(Flyweights.freshTable(path.root()), placed));
    }

    /// Sets every number of a table to every value that is a limit or one among many.
    private static void setAll(Full full, Supplier<Table> wrap, Supplier<byte[]> content) {
        byte[] expected = full.content.clone();
        Table table = wrap.get();
        for (Setter setter : full.setters().toList()) {
            for (long value : setter.values()) {
                String what = setter.name() + " to " + value;
                setter.set(table, value);
                setter.write(expected, value);
                assertArrayEquals(expected, content.get(), what);
                assertEquals(value, setter.get(table), what);
                assertEquals(value, setter.get(wrap.get()), what);
            }
            for (long value : setter.refused()) {
                long before = setter.get(table);
                var e =
                        assertThrows(
                                IllegalArgumentException.class, () -> setter.set(table, value));
                int bits = Byte.SIZE * setter.kind().inlineBytes();
                long limit = value > 0 ? (1L << bits - 1) - 1 : -1L << bits - 1;
                assertEquals(
                        "number has more than %d bits: value=%d, limit=%d"
                                .formatted(bits, value, limit),
                        e.getMessage());
                assertEquals(before, setter.get(table), setter.name());
                assertArrayEquals(expected, content.get(), setter.name());
            }
            new AccessorComparer()
                    .compare(full.path.root(), MemorySegment.ofArray(content.get()), 0, expected);
        }
    }

    /// The setters that are tested are all that there are.
    @Test
    void everySetterIsTested() {
        Set<Method> tried = new HashSet<>();
        TablePath.all()
                .flatMap(path -> Full.of(path).setters())
                .forEach(setter -> tried.add(setter.method()));
        Set<Method> declared = new HashSet<>();
        Flyweights.names()
                .flatMap(name -> Stream.of(Flyweights.type(name).getDeclaredMethods()))
                .filter(each -> each.getName().matches("set([A-Z].*)?"))
                .forEach(declared::add);
        assertEquals(declared, tried);
        System.out.printf("Setters: %d methods%n", declared.size());
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.format.TablePath#all")
    void absentFieldsCannotBeSet(TablePath path) {
        byte[] content = path.bytes(TablePath.table(path.target(), Map.of()), 1);
        byte[] before = content.clone();
        Table table = path.bind(content);
        for (Setter setter : Full.of(path).setters().filter(Setter::isOfTable).toList()) {
            long value = setter.get(table);
            for (long each : setter.values()) {
                IllegalStateException refused =
                        assertThrows(IllegalStateException.class, () -> setter.set(table, each));
                assertTrue(refused.getMessage().contains("absent"), refused.getMessage());
            }
            assertEquals(value, setter.get(table), setter.name());
        }
        assertArrayEquals(before, content);
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Memories#readOnly")
    void readOnlyMemoryIsRefused(Backing backing) {
        for (TablePath path : TablePath.all().toList()) {
            Full full = Full.of(path);
            try (Placed placed = backing.place(full.content)) {
                assertRefused(full, wrapped(path, placed));
                assertArrayEquals(full.content, placed.content());
            }
        }
    }

    private static void assertRefused(Full full, Table table) {
        for (Setter setter : full.setters().toList()) {
            long before = setter.get(table);
            for (long value : setter.values()) {
                assertThrows(
                        IllegalArgumentException.class,
                        () -> setter.set(table, value),
                        setter.name());
                assertEquals(before, setter.get(table), setter.name());
            }
        }
    }
}
