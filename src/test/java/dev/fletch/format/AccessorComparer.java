// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.fletch.fbs.FbsDocument.FieldDecl;
import dev.fletch.fbs.FbsDocument.StructDecl;
import dev.fletch.fbs.FbsDocument.StructField;
import dev.fletch.fbs.FbsDocument.Value;
import dev.fletch.fbs.FbsType;
import dev.fletch.flatbuf.Table;
import dev.fletch.flatbuf.Utf8Slice;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

/// Compares everything that Fletch's flyweights and flatc's generated classes read from the same
/// bytes, in a table and all that lies below it. Uses its flyweights again and again, as a reader
/// would.
public final class AccessorComparer {
    private static final String GENERATED =
            org.apache.arrow.flatbuf.Message.class.getPackageName() + ".";

    /// Longer vectors are compared at both ends, and as a whole by their bulk copies.
    private static final int ELEMENTS_AT_EACH_END = 2_000;

    /// Finds a field in a generated class's table; 0 if it is absent.
    private static final Method OFFSET = offsetMethod();

    private final Map<String, Object> flyweightByPlace = new HashMap<>();
    private final Utf8Slice slice = new Utf8Slice();
    private long calls;
    private long tables;

    /// How many results of Fletch's accessors were compared.
    long calls() {
        return calls;
    }

    /// How many tables they were read from.
    long tables() {
        return tables;
    }

    /// Compares a buffer that begins with a root table.
    ///
    /// @param memory what Fletch reads, from `offset` on
    /// @param content the same bytes, for the generated classes
    public void compare(String root, MemorySegment memory, long offset, byte[] content) {
        Table flyweight = (Table) flyweight(root, 0);
        Flyweights.wrap(flyweight, memory, offset, content.length);
        table(root, flyweight, generatedRoot(root, content), 0);
    }

    /// Compares what lies between position and limit of a buffer.
    public void compare(String root, ByteBuffer bytes, byte[] content) {
        Table flyweight = (Table) flyweight(root, 0);
        Flyweights.wrap(flyweight, bytes);
        table(root, flyweight, generatedRoot(root, content), 0);
    }

    static Object generatedRoot(String root, byte[] content) {
        var get = Flyweights.method(generatedType(root), "getRootAs" + root, ByteBuffer.class);
        return Flyweights.invoke(get, null, ByteBuffer.wrap(content));
    }

    /// Compares a table that is bound already.
    void table(String name, Table flyweight, Object generated, int depth) {
        tables++;
        for (FieldDecl field : Flyweights.ARROW.table(name).fields()) {
            try {
                presence(flyweight, (com.google.flatbuffers.Table) generated, field);
                field(flyweight, generated, field, depth);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("in " + name + "." + field.name(), e);
            }
        }
    }

    private void presence(
            Table flyweight, com.google.flatbuffers.Table generated, FieldDecl field) {
        int offset = (int) Flyweights.invoke(OFFSET, generated, field.vtableOffset());
        assertEquals(offset != 0, flyweight.isPresent(field.slot()));
        calls++;
    }

    private void field(Table flyweight, Object generated, FieldDecl field, int depth) {
        switch (field.type()) {
            case FbsType.Scalar _, FbsType.Enumeration _ ->
                    same(number(generated, field.javaName()), Flyweights.scalar(flyweight, field));
            case FbsType.UnionTag _ ->
                    same(
                            number(generated, field.javaName()) & 0xFF,
                            Flyweights.scalar(flyweight, field));
            case FbsType.Text _ -> text(flyweight, generated, field);
            case FbsType.Table(String of) ->
                    child(flyweight, field, of, get(generated, field.javaName()), depth);
            case FbsType.Struct(String of, _, _) ->
                    inlineStruct(flyweight, field, of, get(generated, field.javaName()), depth);
            case FbsType.Union(String union) -> union(flyweight, generated, field, union, depth);
            case FbsType.Vector(FbsType element) ->
                    vector(flyweight, generated, field, element, depth);
        }
    }

    private void same(long expected, long actual) {
        assertEquals(expected, actual);
        calls++;
    }

    private void text(Table flyweight, Object generated, FieldDecl field) {
        String name = field.javaName();
        byte[] bytes = bytes((ByteBuffer) get(generated, name + "AsByteBuffer"));
        assertEquals(bytes == null ? 0 : bytes.length, get(flyweight, name + "Length"));
        assertEquals(bytes != null, call(flyweight, name, Utf8Slice.class, slice));
        if (bytes != null) {
            assertArrayEquals(bytes, slice.toByteArray());
        }
        calls += 2;
        // Of bytes that are not UTF-8 the generated classes make no text, and no text equals them.
        if (bytes == null || isUtf8(bytes)) {
            wellFormedText(flyweight, name, (String) get(generated, name));
        }
    }

    private void wellFormedText(Table flyweight, String name, String expected) {
        assertEquals(expected, get(flyweight, name + "String"));
        if (expected != null) {
            assertEquals(expected, slice.toString());
        }
        String equals = name + "Equals";
        String text = Objects.requireNonNullElse(expected, "");
        assertEquals(expected != null, call(flyweight, equals, CharSequence.class, text));
        assertEquals(false, call(flyweight, equals, CharSequence.class, text + "x"));
        calls += 3;
    }

    private static byte[] bytes(ByteBuffer buffer) {
        if (buffer == null) {
            return null;
        }
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }

    private static boolean isUtf8(byte[] bytes) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    private void child(Table flyweight, FieldDecl field, String of, Object expected, int depth) {
        if (!Flyweights.hasFlyweight(of)) {
            throw new AssertionError("an empty table by itself: " + field);
        }
        Table into = (Table) flyweight(of, depth + 1);
        assertEquals(expected != null, call(flyweight, field.javaName(), into.getClass(), into));
        calls++;
        if (expected != null) {
            table(of, into, expected, depth + 1);
        }
    }

    private void inlineStruct(
            Table flyweight, FieldDecl field, String of, Object expected, int depth) {
        Object into = flyweight(of, depth);
        assertEquals(expected != null, call(flyweight, field.javaName(), into.getClass(), into));
        calls++;
        if (expected != null) {
            struct(Flyweights.ARROW.struct(of), into, expected);
        }
    }

    private void struct(StructDecl struct, Object flyweight, Object generated) {
        for (StructField each : struct.fields()) {
            String name = each.javaName();
            same(number(generated, name), Flyweights.number(get(flyweight, name)));
        }
    }

    /// Every overload is asked; only that of the member which the tag names may answer.
    private void union(
            Table flyweight, Object generated, FieldDecl field, String union, int depth) {
        String name = field.javaName();
        long tag = number(generated, name + "Type") & 0xFF;
        for (Value member : Flyweights.members(union)) {
            Object target = create(generatedType(member.name()));
            Object expected =
                    tag == member.value()
                            ? call(generated, name, com.google.flatbuffers.Table.class, target)
                            : null;
            child(flyweight, field, member.name(), expected, depth);
        }
    }

    private void vector(
            Table flyweight, Object generated, FieldDecl field, FbsType element, int depth) {
        String name = field.javaName();
        int count = (int) get(generated, name + "Length");
        assertEquals(count, get(flyweight, name + "Count"));
        calls++;
        for (int i = 0; i < count; i++) {
            if (i == ELEMENTS_AT_EACH_END) {
                i = Math.max(i, count - ELEMENTS_AT_EACH_END);
            }
            element(flyweight, generated, name, element, i, depth);
        }
        if (Flyweights.hasBulkCopy(flyweight.getClass().getSimpleName(), element)) {
            bulkCopy(flyweight, generated, name, element, count);
        }
        if (Flyweights.hasMembers(flyweight.getClass().getSimpleName(), field)) {
            members(flyweight, generated, field, count);
            parts((RecordBatch) flyweight);
        }
    }

    /// The copy of all nodes and buffers, and of all but the first of each.
    private void parts(RecordBatch batch) {
        int nodes = batch.nodesCount();
        int buffers = batch.buffersCount();
        for (int first = 0; first <= Math.min(1, Math.min(nodes, buffers)); first++) {
            long[] copied = new long[4 * nodes + 2 * buffers + 2];
            int at = batch.copyParts(first, nodes - first, first, buffers - first, copied);
            for (int i = first; i < buffers; i++) {
                int buffer = 2 * (nodes - first) + 1 + 2 * (i - first);
                assertEquals(batch.buffersOffset(i), copied[buffer]);
                assertEquals(batch.buffersLength(i), copied[buffer + 1]);
            }
            for (int i = first; i < nodes; i++) {
                assertEquals(batch.nodesLength(i), copied[at + 2 * (i - first)]);
                assertEquals(batch.nodesNullCount(i), copied[at + 2 * (i - first) + 1]);
            }
        }
        assertThrows(
                IndexOutOfBoundsException.class,
                () ->
                        batch.copyParts(
                                0, nodes + 1, 0, buffers, new long[4 * nodes + 2 * buffers + 4]));
        assertThrows(
                IndexOutOfBoundsException.class,
                () -> batch.copyParts(0, nodes, 1, buffers, new long[4 * nodes + 2 * buffers + 2]));
        calls++;
    }

    private void element(
            Table flyweight, Object generated, String name, FbsType element, int i, int depth) {
        var get = Flyweights.method(generated.getClass(), name, int.class);
        Object expected = Flyweights.invoke(get, generated, i);
        if (element.isScalar()) {
            var read = Flyweights.method(flyweight.getClass(), name, int.class);
            same(
                    Flyweights.number(expected),
                    Flyweights.number(Flyweights.invoke(read, flyweight, i)));
            return;
        }
        String of = element.spelling();
        Object into = flyweight(of, depth + 1);
        var bind = Flyweights.method(flyweight.getClass(), name, int.class, into.getClass());
        assertEquals(into, Flyweights.invoke(bind, flyweight, i, into));
        calls++;
        if (into instanceof Table table) {
            table(of, table, expected, depth + 1);
        } else {
            struct(Flyweights.ARROW.struct(of), into, expected);
        }
    }

    private void members(Table flyweight, Object generated, FieldDecl vector, int count) {
        String name = vector.javaName();
        for (StructField number : Flyweights.elementStruct(vector).fields()) {
            String member = Flyweights.named(name, number.javaName());
            var read = Flyweights.method(flyweight.getClass(), member, int.class);
            var get = Flyweights.method(generated.getClass(), name, int.class);
            for (int i = 0; i < count; i++) {
                Object each = Flyweights.invoke(get, generated, i);
                long expected = number(each, number.javaName());
                assertEquals(expected, Flyweights.invoke(read, flyweight, i));
            }
            assertThrows(
                    IndexOutOfBoundsException.class,
                    () -> Flyweights.invoke(read, flyweight, count));
            calls++;
        }
        chosenElements(flyweight, name, count);
    }

    /// The copy of chosen elements, backwards, and of an element that does not exist.
    private void chosenElements(Table flyweight, String name, int count) {
        Class<?> type = flyweight.getClass();
        String copy = Flyweights.named("copy", name);
        var all = Flyweights.method(type, copy, long[].class, int.class);
        var some =
                Flyweights.method(
                        type, copy, int[].class, int.class, int.class, long[].class, int.class);
        long[] numbers = new long[2 * count];
        Flyweights.invoke(all, flyweight, numbers, 0);
        int[] backwards = IntStream.rangeClosed(0, count).map(i -> count - i).toArray();
        long[] copied = new long[2 * count + 1];
        assertEquals(2 * count, Flyweights.invoke(some, flyweight, backwards, 1, count, copied, 1));
        for (int i = 0; i < count; i++) {
            assertEquals(numbers[2 * i], copied[2 * (count - i) - 1]);
            assertEquals(numbers[2 * i + 1], copied[2 * (count - i)]);
        }
        assertThrows(
                IndexOutOfBoundsException.class,
                () -> Flyweights.invoke(some, flyweight, backwards, 0, 1, new long[2], 0));
        assertThrows(
                IndexOutOfBoundsException.class,
                () -> Flyweights.invoke(some, flyweight, new int[] {-1}, 0, 1, new long[2], 0));
        calls++;
    }

    private void bulkCopy(
            Table flyweight, Object generated, String name, FbsType element, int count) {
        int perElement =
                element instanceof FbsType.Struct(String of, _, _)
                        ? Flyweights.ARROW.struct(of).fields().size()
                        : 1;
        long[] expected = new long[count * perElement + 2];
        Arrays.fill(expected, -77);
        long[] copied = expected.clone();
        int at = 1;
        for (int i = 0; i < count; i++) {
            var get = Flyweights.method(generated.getClass(), name, int.class);
            Object each = Flyweights.invoke(get, generated, i);
            if (element instanceof FbsType.Struct(String of, _, _)) {
                for (StructField number : Flyweights.ARROW.struct(of).fields()) {
                    expected[at++] = number(each, number.javaName());
                }
            } else {
                expected[at++] = Flyweights.number(each);
            }
        }
        String copy = Flyweights.named("copy", name);
        var method = Flyweights.method(flyweight.getClass(), copy, long[].class, int.class);
        assertEquals(count * perElement, Flyweights.invoke(method, flyweight, copied, 1));
        assertArrayEquals(expected, copied);
        calls++;
    }

    /// The one flyweight of this kind for this level.
    private Object flyweight(String name, int depth) {
        return flyweightByPlace.computeIfAbsent(name + depth, _ -> Flyweights.fresh(name));
    }

    private static Method offsetMethod() {
        try {
            Class<?> table = com.google.flatbuffers.Table.class;
            Method offset = table.getDeclaredMethod("__offset", int.class);
            offset.setAccessible(true);
            return offset;
        } catch (NoSuchMethodException e) {
            throw new AssertionError(e);
        }
    }

    private static Object create(Class<?> type) {
        try {
            return type.getConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static Class<?> generatedType(String name) {
        try {
            return Class.forName(GENERATED + name);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    private static Object get(Object target, String name) {
        return Flyweights.invoke(Flyweights.method(target.getClass(), name), target);
    }

    private static long number(Object target, String name) {
        return Flyweights.number(get(target, name));
    }

    private static Object call(Object target, String name, Class<?> parameter, Object argument) {
        return Flyweights.invoke(
                Flyweights.method(target.getClass(), name, parameter), target, argument);
    }
}
