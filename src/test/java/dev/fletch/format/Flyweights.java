// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.fbs.FbsDocument;
import dev.fletch.fbs.FbsDocument.FieldDecl;
import dev.fletch.fbs.FbsDocument.StructDecl;
import dev.fletch.fbs.FbsDocument.TableDecl;
import dev.fletch.fbs.FbsDocument.Value;
import dev.fletch.fbs.FbsScalar;
import dev.fletch.fbs.FbsType;
import dev.fletch.flatbuf.Table;
import dev.fletch.testdata.Placed;
import dev.fletch.testdata.PlacedBuffer;
import dev.fletch.testdata.PlacedSegment;
import dev.fletch.testdata.RandomTables;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/// The flyweights by their `.fbs` names, and their methods by reflection: what the tests that hold
/// for all of them share.
public final class Flyweights {
    public static final FbsDocument ARROW = RandomTables.ARROW;

    private static final String PACKAGE = Flyweights.class.getPackageName() + ".";

    private record Key(Class<?> owner, String name, List<Class<?>> parameters) {}

    private static final ConcurrentHashMap<Key, Method> METHODS = new ConcurrentHashMap<>();

    private Flyweights() {}

    /// Returns the tables that have fields, and so a flyweight.
    public static List<TableDecl> tables() {
        return ARROW.tables().stream().filter(each -> !each.fields().isEmpty()).toList();
    }

    /// The tables' names, and those of the structs.
    static Stream<String> names() {
        return Stream.concat(
                tables().stream().map(TableDecl::name),
                ARROW.structs().stream().map(StructDecl::name));
    }

    static boolean hasFlyweight(String table) {
        return !ARROW.table(table).fields().isEmpty();
    }

    /// Tells whether a flatbuffer may begin with this table.
    static boolean isRoot(String table) {
        return ARROW.roots().containsValue(table);
    }

    public static Class<?> type(String name) {
        try {
            return Class.forName(PACKAGE + name);
        } catch (ClassNotFoundException e) {
            throw new AssertionError("no flyweight: " + name, e);
        }
    }

    /// Returns a new flyweight of a table or struct, bound to nothing.
    static Object fresh(String name) {
        try {
            return type(name).getConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new AssertionError("not to be created: " + name, e);
        }
    }

    static Table freshTable(String name) {
        return (Table) fresh(name);
    }

    /// Tells whether a vector can be copied as a whole: structs, and numbers of 64 bits, in a
    /// record batch.
    static boolean hasBulkCopy(String table, FbsType element) {
        return table.equals("RecordBatch")
                && (element instanceof FbsType.Struct
                        || (element.isScalar() && javaType(element) == long.class));
    }

    /// Tells whether the numbers of a vector's structs can be read one by one, without a flyweight:
    /// in a record batch.
    static boolean hasMembers(String table, FieldDecl field) {
        return table.equals("RecordBatch")
                && field.type() instanceof FbsType.Vector(FbsType.Struct _);
    }

    /// The struct that the elements of a vector are.
    static StructDecl elementStruct(FieldDecl vector) {
        return ARROW.struct(((FbsType.Vector) vector.type()).element().spelling());
    }

    /// Binds a flyweight of a root table to a range of a segment.
    public static Table wrap(Table root, MemorySegment memory, long offset, long length) {
        Method wrap = method(root.getClass(), "wrap", MemorySegment.class, long.class, long.class);
        return (Table) invoke(wrap, root, memory, offset, length);
    }

    /// Binds a flyweight of a root table to what is between position and limit.
    public static Table wrap(Table root, ByteBuffer bytes) {
        return (Table) invoke(method(root.getClass(), "wrap", ByteBuffer.class), root, bytes);
    }

    public static Table wrap(Table root, Placed placed) {
        return switch (placed) {
            case PlacedSegment in -> wrap(root, in.segment(), in.offset(), in.length());
            case PlacedBuffer in -> wrap(root, in.buffer());
        };
    }

    public static Table wrap(Table root, byte[] bytes) {
        return wrap(root, MemorySegment.ofArray(bytes), 0, bytes.length);
    }

    static Method method(Class<?> owner, String name, Class<?>... parameters) {
        return METHODS.computeIfAbsent(
                new Key(owner, name, Arrays.asList(parameters)), Flyweights::find);
    }

    private static Method find(Key key) {
        List<Class<?>> parameters = key.parameters();
        if (parameters.size() == 1 && TypeTable.class.isAssignableFrom(parameters.getFirst())) {
            boolean ofType = key.name().equals("type"); // takes the flyweight of any type
            parameters = ofType ? List.of(TypeTable.class) : parameters;
        }
        try {
            return key.owner().getMethod(key.name(), parameters.toArray(Class<?>[]::new));
        } catch (NoSuchMethodException e) {
            throw new AssertionError("no such method: " + key, e);
        }
    }

    /// Calls a method; what it throws comes out as it is.
    public static Object invoke(Method method, Object target, Object... arguments) {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            switch (e.getCause()) {
                case RuntimeException cause -> throw cause;
                case Error cause -> throw cause;
                default -> throw new AssertionError(e);
            }
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    /// A number of any kind, 0 or 1 for a boolean.
    static long number(Object value) {
        return value instanceof Boolean flag ? (flag ? 1 : 0) : ((Number) value).longValue();
    }

    /// Reads a scalar field.
    static long scalar(Table table, FieldDecl field) {
        return number(invoke(method(table.getClass(), field.javaName()), table));
    }

    /// The Java type that a number has in a flyweight.
    public static Class<?> javaType(FbsType type) {
        return switch (type) {
            case FbsType.Scalar(FbsScalar kind) -> javaType(kind);
            case FbsType.Enumeration(_, FbsScalar kind) -> javaType(kind);
            case FbsType.UnionTag _ -> int.class;
            default -> throw new IllegalArgumentException("not a number: " + type);
        };
    }

    private static Class<?> javaType(FbsScalar kind) {
        return switch (kind) {
            case BOOL -> boolean.class;
            case LONG -> long.class;
            default -> int.class;
        };
    }

    /// Returns a number as an argument or a result of this Java type.
    public static Object boxed(Class<?> javaType, long number) {
        if (javaType == boolean.class) {
            return number != 0;
        }
        if (javaType == long.class) {
            return number;
        }
        return Math.toIntExact(number);
    }

    /// Returns `set` and the field's name, or another such verb.
    public static String named(String verb, String javaName) {
        return verb + Character.toUpperCase(javaName.charAt(0)) + javaName.substring(1);
    }

    /// Returns the beginning of the names of a field's constants, such as `CUSTOM_METADATA`.
    static String constantName(String fbsName) {
        return new Value(fbsName, 0).constantName();
    }

    /// The numbers of the blocks of record batches, three each.
    public static long[] recordBatches(Footer footer) {
        return blocks(footer.recordBatchesCount(), footer::recordBatches);
    }

    /// [#recordBatches] of dictionary batches.
    public static long[] dictionaries(Footer footer) {
        return blocks(footer.dictionariesCount(), footer::dictionaries);
    }

    private static long[] blocks(int count, BiFunction<Integer, Block, Block> blocks) {
        return IntStream.range(0, count)
                .mapToObj(i -> blocks.apply(i, new Block()))
                .flatMapToLong(
                        each ->
                                LongStream.of(
                                        each.offset(), each.metaDataLength(), each.bodyLength()))
                .toArray();
    }

    /// Returns the members of a union that have a flyweight.
    static List<Value> members(String union) {
        return ARROW.union(union).members().stream()
                .filter(each -> each.value() != 0 && hasFlyweight(each.name()))
                .toList();
    }
}
