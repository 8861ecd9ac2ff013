// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.fbs.FbsDocument.FieldDecl;
import dev.fletch.fbs.FbsDocument.StructDecl;
import dev.fletch.fbs.FbsDocument.StructField;
import dev.fletch.fbs.FbsType;
import dev.fletch.flatbuf.Table;

import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// The numbers of a table that a flyweight can set: how, and which bytes they are.
final class Setters {
    private final Class<?> type;
    private final ByteBuffer content;
    private final int table;
    private final List<Setter> found = new ArrayList<>();

    private Setters(Class<?> type, byte[] content, int table) {
        this.type = type;
        this.content = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN);
        this.table = table;
    }

    /// Binds the flyweight that has the number.
    private interface Holder {
        Object of(Table table);
    }

    /// One number.
    ///
    /// @param name of the field, the element, the struct's number
    /// @param kind what is stored
    /// @param at where, in the content
    /// @param holder finds the flyweight to set it by
    /// @param before arguments before the value: an element's index
    /// @param struct of which it is a number, or null
    /// @param index which number of the struct
    record Setter(
            String name,
            FbsType kind,
            int at,
            Method method,
            Method getter,
            Holder holder,
            List<Object> before,
            StructDecl struct,
            int index) {
        /// True for a field of the table itself, which may be absent.
        boolean isOfTable() {
            return struct == null && before.isEmpty();
        }

        /// The limits, and some between.
        List<Long> values() {
            int bits = 8 * kind.inlineBytes();
            Stream<Long> values = Stream.of(0L, 1L);
            if (Flyweights.javaType(kind) != boolean.class) {
                long max = -1L >>> (65 - bits);
                values = Stream.of(0L, max, -max - 1, -1L, 0x0123_4567_89AB_CDEFL & max);
            }
            return values.toList();
        }

        /// What lies outside the limits.
        List<Long> refused() {
            int bits = 8 * kind.inlineBytes();
            if (Flyweights.javaType(kind) != int.class || bits >= 32) {
                return List.of();
            }
            long max = -1L >>> (65 - bits);
            return List.of(max + 1, -max - 2, 0x7654_3210L, -0x7654_3210L);
        }

        void set(Table table, long value) {
            Object target = holder.of(table);
            Class<?>[] parameters = method.getParameterTypes();
            Object[] arguments = new Object[parameters.length];
            for (int i = 0; i < before.size(); i++) {
                arguments[i] = before.get(i);
            }
            if (struct == null) {
                arguments[before.size()] = Flyweights.boxed(parameters[before.size()], value);
            } else {
                // The other numbers are set to what they are.
                for (int i = 0; i < arguments.length; i++) {
                    arguments[i] =
                            i == index ? Flyweights.boxed(parameters[i], value) : read(target, i);
                }
            }
            Flyweights.invoke(method, target, arguments);
            // The flyweight that has been set shows it without being bound again.
            if (get(target) != value) {
                throw new AssertionError(name + " reads as " + get(target) + " after " + value);
            }
        }

        private Object read(Object target, int i) {
            String number = struct.fields().get(i).javaName();
            return Flyweights.invoke(Flyweights.method(target.getClass(), number), target);
        }

        long get(Table table) {
            return get(holder.of(table));
        }

        private long get(Object target) {
            return Flyweights.number(Flyweights.invoke(getter, target, before.toArray()));
        }

        /// Does the same to a copy of the content.
        void write(byte[] bytes, long value) {
            for (int i = 0; i < kind.inlineBytes(); i++) {
                bytes[at + i] = (byte) (value >> (8 * i));
            }
        }

        /// The bytes of the struct that belong to no number; told once, by its first number.
        List<Integer> paddingAt() {
            List<Integer> padding = new ArrayList<>();
            for (int i = 0; struct != null && index == 0 && i < struct.sizeBytes(); i++) {
                padding.add(at + i);
            }
            for (int i = 0; !padding.isEmpty() && i < struct.fields().size(); i++) {
                StructField number = struct.fields().get(i);
                int first = at + number.offsetBytes();
                int end = first + number.type().inlineBytes();
                padding.removeIf(each -> each >= first && each < end);
            }
            return padding;
        }
    }

    /// Returns all numbers of a table that can be set.
    ///
    /// @param content a buffer in which every field of the table is present
    /// @param position of the table in it
    static List<Setter> of(String name, byte[] content, int position) {
        Setters setters = new Setters(Flyweights.type(name), content, position);
        for (FieldDecl field : Flyweights.ARROW.table(name).fields()) {
            setters.addField(field, setters.fieldAt(field));
        }
        return setters.found;
    }

    private int fieldAt(FieldDecl field) {
        int vtable = table - content.getInt(table);
        return table + content.getShort(vtable + field.vtableOffset());
    }

    private void addField(FieldDecl field, int at) {
        String name = field.javaName();
        switch (field.type()) {
            case FbsType.Scalar _, FbsType.Enumeration _ -> {
                Class<?> number = Flyweights.javaType(field.type());
                Method set = Flyweights.method(type, Flyweights.named("set", name), number);
                addNumber(
                        title(name),
                        field.type(),
                        at,
                        set,
                        Flyweights.method(type, name),
                        List.of());
            }
            case FbsType.Struct(String of, _, _) -> {
                Class<?> struct = Flyweights.type(of);
                Method bind = Flyweights.method(type, name, struct);
                addStruct(title(name), of, at, table -> bound(bind, table, of));
            }
            case FbsType.Vector(FbsType element) -> {
                int vector = at + content.getInt(at);
                for (int i = 0; i < FullTables.ELEMENTS; i++) {
                    addElement(name, element, i, vector + 4 + i * element.inlineBytes());
                }
            }
            default -> {}
        }
    }

    private String title(String field) {
        return type.getSimpleName() + "." + field;
    }

    private static Object bound(Method bind, Table table, String of) {
        Object into = Flyweights.fresh(of);
        Flyweights.invoke(bind, table, into);
        return into;
    }

    private void addElement(String name, FbsType element, int i, int at) {
        String title = title(name) + "[" + i + "]";
        if (element.isScalar()) {
            Class<?> number = Flyweights.javaType(element);
            Method set = Flyweights.method(type, Flyweights.named("set", name), int.class, number);
            Method get = Flyweights.method(type, name, int.class);
            addNumber(title, element, at, set, get, List.of(i));
        } else if (element instanceof FbsType.Struct(String of, _, _)) {
            Method bind = Flyweights.method(type, name, int.class, Flyweights.type(of));
            addStruct(
                    title,
                    of,
                    at,
                    table -> Flyweights.invoke(bind, table, i, Flyweights.fresh(of)));
        }
    }

    private void addNumber(
            String title, FbsType kind, int at, Method set, Method get, List<Object> before) {
        found.add(new Setter(title, kind, at, set, get, table -> table, before, null, 0));
    }

    private void addStruct(String title, String of, int at, Holder holder) {
        StructDecl struct = Flyweights.ARROW.struct(of);
        Class<?>[] parameters =
                struct.fields().stream()
                        .map(each -> Flyweights.javaType(each.type()))
                        .toArray(Class<?>[]::new);
        Method set = Flyweights.method(Flyweights.type(of), "set", parameters);
        for (int i = 0; i < parameters.length; i++) {
            StructField number = struct.fields().get(i);
            Method get = Flyweights.method(Flyweights.type(of), number.javaName());
            int numberAt = at + number.offsetBytes();
            found.add(
                    new Setter(
                            title + "." + number.name(),
                            number.type(),
                            numberAt,
                            set,
                            get,
                            holder,
                            List.of(),
                            struct,
                            i));
        }
    }
}
