// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.FletchException;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.ids.Type;
import dev.fletch.format.ids.UnionMode;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/// Each accessor of a cursor, found by reflection, with all roles, types and some indices.
class CursorAccessorsTest {
    private static final int UNKNOWN = 99;

    /// A method and its arguments after the field; null is a slice.
    private record Access(Method method, Object[] arguments) {
        /// Returns the result and the bytes of a slice as text, or the exception.
        Object of(BatchCursor cursor, int field) throws IllegalAccessException {
            Object[] all = new Object[arguments.length + 1];
            all[0] = field;
            System.arraycopy(arguments, 0, all, 1, arguments.length);
            ByteSlice slice = new ByteSlice();
            for (int i = 1; i < all.length; i++) {
                all[i] = all[i] == null ? slice : all[i];
            }
            try {
                Object result = method.invoke(cursor, all);
                String bytes = Arrays.toString(slice.toByteArray());
                return (result == slice ? "into" : String.valueOf(result)) + ": " + bytes;
            } catch (InvocationTargetException e) {
                return e.getCause();
            }
        }

        @Override
        public String toString() {
            return method.getName() + Arrays.toString(arguments);
        }
    }

    private static List<Access> accesses() {
        List<Access> accesses = new ArrayList<>();
        for (Method method : BatchCursor.class.getDeclaredMethods()) {
            Class<?>[] types = method.getParameterTypes();
            if (Modifier.isPublic(method.getModifiers())
                    && types.length > 0
                    && types[0] == int.class) {
                add(method, types, new Object[types.length - 1], 1, accesses);
            }
        }
        return accesses;
    }

    private static void add(
            Method method, Class<?>[] types, Object[] arguments, int next, List<Access> into) {
        if (next == types.length) {
            into.add(new Access(method, arguments.clone()));
            return;
        }
        for (Object argument : arguments(types[next])) {
            arguments[next - 1] = argument;
            add(method, types, arguments, next + 1, into);
        }
    }

    /// Null for a new slice.
    private static Object[] arguments(Class<?> type) {
        if (type == int.class) {
            return new Object[] {-1, 0, 1, 2, 3, 1_000};
        }
        if (type == long.class) {
            return new Object[] {0L, 100L, 1_000_000L};
        }
        if (type.isEnum()) {
            return type.getEnumConstants();
        }
        assertEquals(ByteSlice.class, type);
        return new Object[] {null};
    }

    private static void assertEachThrows(
            Class<? extends Exception> expected, BatchCursor cursor, int... fields)
            throws IllegalAccessException {
        for (Access access : accesses()) {
            for (int field : fields) {
                Object outcome = access.of(cursor, field);
                assertTrue(
                        expected.isInstance(outcome),
                        access + " of field " + field + ": " + outcome);
            }
        }
        for (int field : fields) {
            assertThrows(expected, () -> new ColumnValues().bind(cursor, field));
        }
    }

    /// A column of an unknown type has neither a place for itself nor for columns after it.
    private static final BatchLayout PARTLY_UNKNOWN =
            Bound.layout(Tree.of("a", Type.INT), Tree.of("b", UNKNOWN), Tree.of("c", Type.UTF8));

    private static final MemorySegment BODY = MemorySegment.ofArray(new byte[1_000]);

    private static RecordBatch batch(int nodes, int buffers) {
        return Bound.batch(Tree.numberedBatch(nodes, buffers, new long[0]));
    }

    @Test
    void anUnboundCursorRefusesEachAccess() throws IllegalAccessException {
        BatchCursor cursor = new BatchCursor();
        assertEquals(0, cursor.rowCount());
        assertEachThrows(IllegalStateException.class, cursor, -1, 0, 1_000);
        assertThrows(IllegalStateException.class, () -> cursor.body(BODY));
    }

    @Test
    void aFailedBindLeavesNoAccess() throws IllegalAccessException {
        BatchCursor cursor = new BatchCursor();
        cursor.bind(PARTLY_UNKNOWN, batch(3, 5)).body(BODY);
        RecordBatch none = batch(0, 0);
        assertThrows(FletchException.class, () -> cursor.bind(PARTLY_UNKNOWN, none).body(BODY));
        assertEquals(0, cursor.rowCount());
        assertEachThrows(IllegalStateException.class, cursor, -1, 0, 1, 3);
    }

    @Test
    void fieldsOutOfRangeAreRefused() throws IllegalAccessException {
        BatchCursor cursor = new BatchCursor();
        cursor.bind(PARTLY_UNKNOWN, batch(3, 5)).body(BODY);
        assertEachThrows(
                IndexOutOfBoundsException.class,
                cursor,
                -1,
                PARTLY_UNKNOWN.fieldCount(),
                Integer.MIN_VALUE,
                Integer.MAX_VALUE);
    }

    @Test
    void fieldsWithoutAPlaceAreRefused() throws IllegalAccessException {
        BatchCursor cursor = new BatchCursor();
        cursor.bind(PARTLY_UNKNOWN, batch(3, 5)).body(BODY);
        assertEquals(1, cursor.bufferIndex(0, 1));
        assertEachThrows(FletchException.class, cursor, 1, 2);
    }

    @Test
    void chosenFieldsAgreeWithAllFields() throws IllegalAccessException {
        List<Tree> columns = new ArrayList<>();
        for (int type = Type.NULL; type < Type.NAMES.all().size(); type++) {
            columns.add(
                    type == Type.UNION
                            ? Tree.union("dense", UnionMode.DENSE, Tree.of("u", Type.UTF8_VIEW))
                            : Tree.of("c" + type, type));
        }
        BatchLayout layout = Bound.layout(columns);
        long[] variadics = new long[layout.viewCount()];
        variadics[0] = 2;
        RecordBatch batch =
                Bound.batch(
                        Tree.numberedBatch(
                                layout.fieldCount(), layout.bufferCount() + 2, variadics));
        byte[] body = new byte[9_000];
        new Random(5).nextBytes(body);
        int[] backwards = new int[layout.columnCount()];
        for (int i = 0; i < backwards.length; i++) {
            backwards[i] = layout.columnField(backwards.length - 1 - i);
        }
        BatchLayout chosen = layout.choose(backwards);
        BatchCursor all = new BatchCursor();
        BatchCursor some = new BatchCursor();
        all.bind(layout, batch).body(MemorySegment.ofArray(body));
        some.bind(chosen, batch).body(MemorySegment.ofArray(body));
        int results = 0;
        for (Access access : accesses()) {
            for (int field = 0; field < layout.fieldCount(); field++) {
                Object expected = access.of(all, chosen.sourceField(field));
                results += expected instanceof String ? 1 : 0;
                assertEquals(
                        String.valueOf(expected),
                        String.valueOf(access.of(some, field)),
                        access + " of field " + field);
            }
        }
        assertTrue(results > 20 * layout.fieldCount(), "results=" + results);
    }
}
