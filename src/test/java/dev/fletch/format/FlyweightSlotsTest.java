// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.fletch.fbs.FbsDocument.FieldDecl;
import dev.fletch.fbs.FbsDocument.TableDecl;
import dev.fletch.fbs.FbsType;
import dev.fletch.flatbuf.Table;
import dev.fletch.testdata.FbsValue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.stream.LongStream;

/// With one field of a table present at a time, exactly that field's accessors see it, and all
/// others read as absent: holds the slot of each accessor, and its default.
class FlyweightSlotsTest {
    @ParameterizedTest
    @MethodSource("dev.fletch.format.TablePath#all")
    void onlyTheFieldThatIsPresentIsSeen(TablePath path) {
        TableDecl table = Flyweights.ARROW.table(path.target());
        for (FieldDecl present : table.fields()) {
            Table flyweight = assertAgrees(path, Map.of(present.name(), value(present)));
            for (FieldDecl field : table.fields()) {
                boolean there = field.equals(present);
                assertEquals(there, flyweight.isPresent(field.slot()), field.name());
            }
            for (int slot = table.slotCount(); slot < 8; slot++) {
                assertEquals(false, flyweight.isPresent(slot), "no such slot: " + slot);
            }
            assertThrows(IndexOutOfBoundsException.class, () -> flyweight.isPresent(8));
            assertThrows(IndexOutOfBoundsException.class, () -> flyweight.isPresent(-1));
        }
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.format.TablePath#all")
    void nothingIsSeenInAnEmptyTable(TablePath path) {
        Table flyweight = assertAgrees(path, Map.of());
        for (FieldDecl field : Flyweights.ARROW.table(path.target()).fields()) {
            assertEquals(false, flyweight.isPresent(field.slot()), field.name());
        }
    }

    /// Returns the table at the end of the path, which has these fields, after all accessors have
    /// shown what the generated classes show: also of the fields that are absent.
    private static Table assertAgrees(TablePath path, Map<String, FbsValue> fields) {
        byte[] bytes = path.bytes(TablePath.table(path.target(), fields), 1);
        AccessorComparer comparer = new AccessorComparer();
        comparer.compare(path.root(), MemorySegment.ofArray(bytes), 0, bytes);
        return path.bind(bytes);
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.format.TablePath#all")
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
        FbsType element = ((FbsType.Vector) field.type()).element();
        if (!Flyweights.hasBulkCopy(table.getClass().getSimpleName(), element)) {
            return;
        }
        int needed = (int) Flyweights.invoke(copyMethod(table, field), table, new long[16], 3);
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

    private static Table bound(TablePath path, Map<String, FbsValue> fields) {
        return path.bind(path.bytes(TablePath.table(path.target(), fields), 1));
    }

    private static FbsValue value(FieldDecl field) {
        return field.type() instanceof FbsType.Union
                ? TablePath.table("Null", Map.of())
                : FullTables.value(field, 0);
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
        return into;
    }

    private static Method copyMethod(Table table, FieldDecl field) {
        String name = Flyweights.named("copy", field.javaName());
        return Flyweights.method(table.getClass(), name, long[].class, int.class);
    }
}
