// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.fletch.fbs.FbsDocument.FieldDecl;
import dev.fletch.fbs.FbsDocument.StructDecl;
import dev.fletch.fbs.FbsDocument.StructField;
import dev.fletch.fbs.FbsDocument.TableDecl;
import dev.fletch.fbs.FbsDocument.Value;
import dev.fletch.fbs.FbsType;
import dev.fletch.flatbuf.Table;
import dev.fletch.flatbuf.Utf8Slice;
import dev.fletch.testdata.FbsValue;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/// With one field of a table present at a time, exactly that field's accessors see it, and all
/// others read as absent: holds the slot of each accessor, and its default.
class FlyweightSlotsTest {
    private static final String ABSENT = "absent";

    private static int slots;
    private static int reads;

    static Stream<TablePath> tables() {
        return TablePath.all();
    }

    @ParameterizedTest
    @MethodSource("tables")
    void onlyTheFieldThatIsPresentIsSeen(TablePath path) {
        TableDecl table = Flyweights.ARROW.table(path.target());
        for (FieldDecl present : table.fields()) {
            FbsValue value = value(present);
            Table flyweight = bound(path, Map.of(present.name(), value));
            for (FieldDecl field : table.fields()) {
                boolean there = field.equals(present);
                String what = path + "." + field.name() + " with " + present.name();
                assertEquals(there, flyweight.isPresent(field.slot()), what);
                assertEquals(
                        there ? seen(field, value) : unseen(field), read(flyweight, field), what);
                reads++;
            }
            for (int slot = table.slotCount(); slot < 8; slot++) {
                assertEquals(false, flyweight.isPresent(slot), "no such slot: " + slot);
            }
            assertThrows(IndexOutOfBoundsException.class, () -> flyweight.isPresent(8));
            assertThrows(IndexOutOfBoundsException.class, () -> flyweight.isPresent(-1));
            slots++;
        }
    }

    @ParameterizedTest
    @MethodSource("tables")
    void nothingIsSeenInAnEmptyTable(TablePath path) {
        Table flyweight = bound(path, Map.of());
        for (FieldDecl field : Flyweights.ARROW.table(path.target()).fields()) {
            assertEquals(false, flyweight.isPresent(field.slot()), field.name());
            assertEquals(unseen(field), read(flyweight, field), field.name());
        }
    }

    @ParameterizedTest
    @MethodSource("tables")
    void indexesOutsideAVectorAreRefused(TablePath path) {
        for (FieldDecl field : Flyweights.ARROW.table(path.target()).fields()) {
            if (field.type() instanceof FbsType.Vector(FbsType element)) {
                Table full = bound(path, Map.of(field.name(), value(field)));
                for (int index :
                        new int[] {-1, FullTables.ELEMENTS, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
                    assertRefused(full, field, element, index);
                }
                assertRefused(bound(path, Map.of()), field, element, 0);
                assertRefusesToOverrun(full, field);
            }
        }
    }

    private static void assertRefused(Table table, FieldDecl field, FbsType element, int index) {
        Class<?> type = table.getClass();
        String name = field.javaName();
        assertThrows(
                IndexOutOfBoundsException.class,
                () -> elementAt(table, name, element, index),
                () -> type + "." + name + " " + index);
        if (element.isScalar()) {
            Class<?> number = Flyweights.javaType(element);
            Method set = Flyweights.method(type, Flyweights.named("set", name), int.class, number);
            Object zero = Flyweights.boxed(number, 0);
            assertThrows(
                    IndexOutOfBoundsException.class,
                    () -> Flyweights.invoke(set, table, index, zero));
        }
    }

    private static void assertRefusesToOverrun(Table table, FieldDecl field) {
        if (!Flyweights.hasBulkCopy(((FbsType.Vector) field.type()).element())) {
            return;
        }
        int needed = copy(table, field).size();
        for (int[] sizeAndStart :
                new int[][] {
                    {needed - 1, 0}, {needed, 1}, {needed, -1}, {0, 0}, {needed, 1 << 30}
                }) {
            long[] into = new long[sizeAndStart[0]];
            assertThrows(
                    IndexOutOfBoundsException.class,
                    () ->
                            Flyweights.invoke(
                                    copyMethod(table, field), table, into, sizeAndStart[1]));
            assertEquals(0, LongStream.of(into).filter(each -> each != 0).count());
        }
    }

    @AfterAll
    static void printCounts() {
        System.out.printf("Flyweights slot by slot: %d slots, %d reads%n", slots, reads);
    }

    private static Table bound(TablePath path, Map<String, FbsValue> fields) {
        return path.bind(path.bytes(TablePath.table(path.target(), fields), 1));
    }

    // ---- what is stored

    private static FbsValue value(FieldDecl field) {
        return field.type() instanceof FbsType.Union
                ? TablePath.table("Null", Map.of())
                : FullTables.value(field, 0);
    }

    // ---- what is read, in a form that can be compared

    /// What an accessor reads of a value that is stored. A union without its tag is none.
    private static Object seen(FieldDecl field, FbsValue value) {
        return switch (value) {
            case FbsValue.Number(long number) -> number;
            case FbsValue.Text(String text) -> text;
            case FbsValue.Struct(List<Long> numbers) -> numbers;
            case FbsValue.Table _ -> field.type() instanceof FbsType.Union ? ABSENT : "present";
            case FbsValue.Vector(List<FbsValue> elements) ->
                    elements.stream().map(each -> seen(field, each)).toList();
        };
    }

    private static Object unseen(FieldDecl field) {
        return switch (field.type()) {
            case FbsType.Vector _ -> List.of();
            case FbsType.Scalar _, FbsType.Enumeration _, FbsType.UnionTag _ ->
                    field.defaultValue();
            default -> ABSENT;
        };
    }

    private static Object read(Table table, FieldDecl field) {
        String name = field.javaName();
        return switch (field.type()) {
            case FbsType.Text _ -> text(table, name);
            case FbsType.Table(String of) -> bind(table, name, Flyweights.fresh(of));
            case FbsType.Struct(String of, _, _) -> {
                Object struct = Flyweights.fresh(of);
                Object bound = bind(table, name, struct);
                yield bound.equals(ABSENT) ? ABSENT : numbers(Flyweights.ARROW.struct(of), struct);
            }
            case FbsType.Union(String union) -> union(table, name, union);
            case FbsType.Vector(FbsType element) -> vector(table, field, element);
            default -> Flyweights.scalar(table, field);
        };
    }

    private static Object text(Table table, String name) {
        Class<?> type = table.getClass();
        Utf8Slice slice = new Utf8Slice();
        boolean present = (boolean) call(table, name, Utf8Slice.class, slice);
        Object text = Flyweights.invoke(Flyweights.method(type, name + "String"), table);
        assertEquals(present ? text : "", slice.toString());
        int length = (int) Flyweights.invoke(Flyweights.method(type, name + "Length"), table);
        assertEquals(present ? FullTables.TEXT.length() : 0, length);
        assertEquals(present, call(table, name + "Equals", CharSequence.class, FullTables.TEXT));
        assertEquals(false, call(table, name + "Equals", CharSequence.class, ""));
        return present ? text : ABSENT;
    }

    private static Object call(Table table, String name, Class<?> parameter, Object argument) {
        return Flyweights.invoke(
                Flyweights.method(table.getClass(), name, parameter), table, argument);
    }

    private static Object bind(Table table, String name, Object into) {
        return (boolean) call(table, name, into.getClass(), into) ? "present" : ABSENT;
    }

    private static Object union(Table table, String name, String union) {
        for (Value member : Flyweights.members(union)) {
            assertEquals(ABSENT, bind(table, name, Flyweights.fresh(member.name())), member.name());
        }
        return ABSENT;
    }

    private static List<Object> vector(Table table, FieldDecl field, FbsType element) {
        Method count = Flyweights.method(table.getClass(), field.javaName() + "Count");
        int elements = (int) Flyweights.invoke(count, table);
        List<Object> read = new ArrayList<>();
        List<Long> numbers = new ArrayList<>();
        for (int i = 0; i < elements; i++) {
            Object each = elementAt(table, field.javaName(), element, i);
            read.add(each);
            if (each instanceof List<?> struct) {
                struct.forEach(number -> numbers.add((Long) number));
            } else if (each instanceof Long number) {
                numbers.add(number);
            }
        }
        if (Flyweights.hasBulkCopy(element)) {
            assertEquals(numbers, copy(table, field));
        }
        return read;
    }

    private static Object elementAt(Table table, String name, FbsType element, int index) {
        Class<?> type = table.getClass();
        if (element.isScalar()) {
            Method get = Flyweights.method(type, name, int.class);
            return Flyweights.number(Flyweights.invoke(get, table, index));
        }
        Object into = Flyweights.fresh(element.spelling());
        Method get = Flyweights.method(type, name, int.class, into.getClass());
        assertEquals(into, Flyweights.invoke(get, table, index, into));
        return element instanceof FbsType.Struct(String of, _, _)
                ? numbers(Flyweights.ARROW.struct(of), into)
                : "present";
    }

    private static List<Long> numbers(StructDecl struct, Object flyweight) {
        List<Long> numbers = new ArrayList<>();
        for (StructField each : struct.fields()) {
            Method get = Flyweights.method(flyweight.getClass(), each.javaName());
            numbers.add(Flyweights.number(Flyweights.invoke(get, flyweight)));
        }
        return numbers;
    }

    private static Method copyMethod(Table table, FieldDecl field) {
        String name = Flyweights.named("copy", field.javaName());
        return Flyweights.method(table.getClass(), name, long[].class, int.class);
    }

    private static List<Long> copy(Table table, FieldDecl field) {
        long[] into = new long[16];
        int copied = (int) Flyweights.invoke(copyMethod(table, field), table, into, 3);
        assertEquals(
                0, LongStream.of(into).limit(3).sum() + LongStream.of(into).skip(3 + copied).sum());
        return LongStream.of(into).skip(3).limit(copied).boxed().toList();
    }
}
