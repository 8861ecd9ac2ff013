// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.flatbuf.Flyweight;
import dev.fletch.flatbuf.Table;
import dev.fletch.flatbuf.Utf8Slice;
import dev.fletch.flatbuf.internal.FieldDeclaration;
import dev.fletch.flatbuf.internal.InlineType;
import dev.fletch.flatbuf.internal.InlineType.Member;
import dev.fletch.flatbuf.internal.TableDeclaration;
import dev.fletch.format.internal.tables.ArrowRules;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;

/// Reads one kind of table or struct by every accessor that allocates nothing. [ArrowRules] lists
/// the fields; their names give the accessors, which are looked up once. A new field needs no
/// change here.
///
/// Handles of accessors have a few exact types, in which each number is a `long` and each flyweight
/// a [Flyweight]. [FullWalk] therefore calls them without boxing.
final class TableReader {
    /// The indexes of all elements.
    private static final int[] ALL = IntStream.range(0, 100_000).toArray();

    /// Reads a field by some of its accessors.
    @FunctionalInterface
    private interface Step {
        void read(FullWalk walk, Flyweight from) throws Throwable;
    }

    private final int index;
    private final String name;
    private final Class<?> type;
    private final Function<Method, MethodHandle> handles;
    private final List<Step> steps = new ArrayList<>();
    private final MethodHandle wrap;
    private boolean isRecursive;

    private TableReader(int index, String name, Function<Method, MethodHandle> handles) {
        this.index = index;
        this.name = name;
        this.type = Flyweights.type(name);
        this.handles = handles;
        Class<?>[] range = {MemorySegment.class, long.class, long.class};
        this.wrap =
                Flyweights.isRoot(name)
                        ? exact(handle(Flyweights.method(type, "wrap", range)), void.class, range)
                        : null;
    }

    /// Returns the readers of all tables with fields and of their structs, by name.
    ///
    /// @param handles returns the handle of an accessor, such as [#handle]
    static Map<String, TableReader> all(Function<Method, MethodHandle> handles) {
        Map<String, TableReader> all = new LinkedHashMap<>();
        Map<String, InlineType> structs = new LinkedHashMap<>();
        List<TableDeclaration> tables =
                ArrowRules.ALL.stream().filter(each -> !each.fields().isEmpty()).toList();
        for (TableDeclaration table : tables) {
            all.put(table.name(), new TableReader(all.size(), table.name(), handles));
            table.fields().stream()
                    .map(FieldDeclaration::type)
                    .filter(each -> each != null && each.isStruct())
                    .forEach(each -> structs.put(each.name(), each));
        }
        for (InlineType struct : structs.values()) {
            TableReader reader = new TableReader(all.size(), struct.name(), handles);
            reader.addMembers(struct.members());
            all.put(struct.name(), reader);
        }
        for (TableDeclaration table : tables) {
            all.get(table.name()).addFields(table.fields(), all);
        }
        return all;
    }

    /// Returns the plain handle of an accessor.
    static MethodHandle handle(Method accessor) {
        try {
            return MethodHandles.lookup().unreflect(accessor);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    /// Returns the index among all readers.
    int index() {
        return index;
    }

    /// Returns a flyweight for each depth: the same for all, unless such tables may contain each
    /// other.
    Flyweight[] flyweights(int depths) {
        Flyweight[] flyweights = new Flyweight[depths];
        Arrays.fill(flyweights, Flyweights.fresh(name));
        if (isRecursive) {
            Arrays.setAll(flyweights, _ -> (Flyweight) Flyweights.fresh(name));
        }
        return flyweights;
    }

    /// Returns the handle that binds a root to a range of a segment; null for other tables.
    MethodHandle wrap() {
        return wrap;
    }

    /// Reads all of a bound flyweight.
    void read(FullWalk walk, Flyweight from) throws Throwable {
        for (int i = 0; i < steps.size(); i++) { // an iterator would be an allocation
            steps.get(i).read(walk, from);
        }
    }

    // ---- fields

    private void addMembers(List<Member> members) {
        steps.add((walk, from) -> walk.add(from.position()));
        MethodHandle[] getters = new MethodHandle[members.size()];
        for (int i = 0; i < getters.length; i++) {
            getters[i] = find(members.get(i).name());
            addNumber(members.get(i).name());
        }
        Class<?>[] types =
                Arrays.stream(getters)
                        .map(each -> each.type().returnType())
                        .toArray(Class<?>[]::new);
        MethodHandle set = setSame(find("set", types), getters);
        steps.add((walk, from) -> walk.set(from, set, true));
    }

    private void addFields(List<FieldDeclaration> fields, Map<String, TableReader> all) {
        steps.add((walk, from) -> walk.present((Table) from));
        for (FieldDeclaration field : fields) {
            List<String> targets =
                    hasStruct(field) ? List.of(field.type().name()) : field.targets();
            List<TableReader> below =
                    targets.stream().filter(all::containsKey).map(all::get).toList();
            isRecursive |= below.contains(this);
            switch (field.kind()) {
                case SCALAR -> addScalar(field.name(), field.slot());
                case UNION_TAG -> addNumber(field.name());
                case STRING -> addText(field.name());
                case STRUCT, TABLE, UNION -> below.forEach(each -> addChild(field.name(), each));
                case TABLES -> addElements(field.name(), below.getFirst());
                case VECTOR -> {
                    if (hasStruct(field)) {
                        addElements(field.name(), below.getFirst());
                        addCopies(field.name(), field.type().members().size());
                        field.type().members().forEach(each -> addMember(field.name(), each));
                    } else {
                        addNumbers(field.name(), field.name());
                        addCopies(field.name(), 1);
                        addSetter(field.name());
                    }
                }
            }
        }
        if (name.equals("RecordBatch")) {
            addParts();
        }
    }

    /// Adds the copy of all structs of a record batch.
    private void addParts() {
        MethodHandle nodes = number("nodesCount");
        MethodHandle buffers = number("buffersCount");
        MethodHandle copy =
                find("copyParts", int.class, int.class, int.class, int.class, long[].class);
        MethodHandle all = MethodHandles.insertArguments(copy, 1, 0);
        MethodHandle exactCopy =
                exact(
                        MethodHandles.insertArguments(all, 2, 0),
                        int.class,
                        int.class,
                        int.class,
                        long[].class);
        steps.add((walk, from) -> walk.parts(from, nodes, buffers, exactCopy));
    }

    private static boolean hasStruct(FieldDeclaration field) {
        return field.type() != null && field.type().isStruct();
    }

    private void addNumber(String field) {
        MethodHandle get = number(field);
        steps.add((walk, from) -> walk.number(from, get));
    }

    private void addScalar(String field, int slot) {
        addNumber(field);
        MethodHandle get = find(field);
        MethodHandle set = find(Flyweights.named("set", field), get.type().returnType());
        MethodHandle same = setSame(set, get);
        steps.add((walk, from) -> walk.set(from, same, ((Table) from).isPresent(slot)));
    }

    private void addText(String field) {
        MethodHandle length = number(field + "Length");
        Class<CharSequence> text = CharSequence.class;
        MethodHandle equals = exact(find(field + "Equals", text), boolean.class, text);
        MethodHandle bind = exact(find(field, Utf8Slice.class), boolean.class, Utf8Slice.class);
        steps.add((walk, from) -> walk.text(from, length, equals, bind));
    }

    private void addChild(String field, TableReader child) {
        MethodHandle bind = exact(find(field, child.type), boolean.class, Flyweight.class);
        steps.add((walk, from) -> walk.child(from, bind, child));
    }

    private void addElements(String field, TableReader element) {
        MethodHandle count = number(field + "Count");
        MethodHandle accessor = find(field, int.class, element.type);
        MethodHandle bind = exact(accessor, void.class, int.class, Flyweight.class);
        steps.add((walk, from) -> walk.elements(from, count, bind, element));
    }

    /// Adds the accessor of one number of all structs in a vector, which only a record batch has.
    private void addMember(String field, Member member) {
        String accessor = Flyweights.named(field, member.name());
        if (has(accessor, 1)) {
            addNumbers(field, accessor);
        }
    }

    private void addNumbers(String field, String accessor) {
        MethodHandle count = number(field + "Count");
        MethodHandle get = exact(find(accessor, int.class), long.class, int.class);
        steps.add((walk, from) -> walk.numbers(from, count, get));
    }

    private void addSetter(String field) {
        MethodHandle count = number(field + "Count");
        MethodHandle get = find(field, int.class);
        MethodHandle set = find(Flyweights.named("set", field), int.class, get.type().returnType());
        MethodHandle same = setSame(set, get);
        steps.add((walk, from) -> walk.setElements(from, count, same));
    }

    /// Adds the copies of all elements and of some, as far as the table has them.
    private void addCopies(String field, int numbersPerElement) {
        String copy = Flyweights.named("copy", field);
        if (has(copy, 2)) {
            MethodHandle all = find(copy, long[].class, int.class);
            addCopy(field, numbersPerElement, MethodHandles.dropArguments(all, 1, int.class));
        }
        if (has(copy, 5)) {
            MethodHandle chosen =
                    find(copy, int[].class, int.class, int.class, long[].class, int.class);
            addCopy(field, numbersPerElement, MethodHandles.insertArguments(chosen, 1, ALL, 0));
        }
    }

    private void addCopy(String field, int numbersPerElement, MethodHandle copy) {
        MethodHandle count = number(field + "Count");
        MethodHandle exactCopy = exact(copy, int.class, int.class, long[].class, int.class);
        steps.add((walk, from) -> walk.copy(from, count, numbersPerElement, exactCopy));
    }

    // ---- handles

    private boolean has(String accessor, int parameters) {
        return Arrays.stream(type.getMethods())
                .anyMatch(
                        each ->
                                each.getName().equals(accessor)
                                        && each.getParameterCount() == parameters);
    }

    private MethodHandle find(String accessor, Class<?>... parameters) {
        return handles.apply(Flyweights.method(type, accessor, parameters));
    }

    private MethodHandle number(String accessor) {
        return exact(find(accessor), long.class);
    }

    /// Returns a handle of an exact type.
    ///
    /// @param parameters those after the flyweight
    private static MethodHandle exact(
            MethodHandle handle, Class<?> result, Class<?>... parameters) {
        MethodType type = MethodType.methodType(result, parameters);
        return MethodHandles.explicitCastArguments(
                handle, type.insertParameterTypes(0, Flyweight.class));
    }

    /// Returns a handle that sets what the getters return. It has their parameters.
    private static MethodHandle setSame(MethodHandle set, MethodHandle... getters) {
        MethodType type = getters[0].type().changeReturnType(void.class);
        int taken = type.parameterCount();
        MethodHandle same = set;
        for (int i = getters.length - 1; i >= 0; i--) {
            same = MethodHandles.collectArguments(same, taken + i, getters[i]);
        }
        int[] order =
                IntStream.range(0, same.type().parameterCount()).map(i -> i % taken).toArray();
        same = MethodHandles.permuteArguments(same, type, order);
        return exact(same, void.class, type.dropParameterTypes(0, 1).parameterArray());
    }
}
