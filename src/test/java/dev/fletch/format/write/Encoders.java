// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.fbs.FbsDocument.FieldDecl;
import dev.fletch.fbs.FbsDocument.TableDecl;
import dev.fletch.fbs.FbsType;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.Flyweights;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;

/// The encoders by their tables' `.fbs` names, and calls of them by reflection: what the tests that
/// hold for all of them share.
final class Encoders {
    private Encoders() {}

    /// A field with what it is given in a call.
    ///
    /// @param object where the child is, 0 for an absent one and for what is no offset
    /// @param numbers the number, or those of a struct; empty for an offset
    record Argument(FieldDecl field, int object, List<Long> numbers) {}

    static List<Method> methods(Class<?> encoder) {
        return Arrays.stream(encoder.getDeclaredMethods())
                .filter(each -> Modifier.isPublic(each.getModifiers()) && !each.isSynthetic())
                .toList();
    }

    /// The method of a name; where the table got a new field, the form that has it.
    static Method method(Class<?> encoder, String name) {
        return methods(encoder).stream()
                .filter(each -> each.getName().equals(name))
                .max(Comparator.comparingInt(Method::getParameterCount))
                .orElseThrow(() -> new AssertionError(encoder.getSimpleName() + "." + name));
    }

    /// The method of a table; empty if [TableEncoder#create] writes it.
    static Optional<Method> create(TableDecl table) {
        String name = "create" + table.name();
        return methods(TableEncoder.class).stream().anyMatch(each -> each.getName().equals(name))
                ? Optional.of(method(TableEncoder.class, name))
                : Optional.empty();
    }

    /// The Java types of a field's parameters.
    static List<Class<?>> parameters(FbsType type) {
        if (type.isScalar()) {
            return List.of(Flyweights.javaType(type));
        }
        return type instanceof FbsType.Struct
                ? List.of(long.class, long.class)
                : List.of(int.class);
    }

    /// Returns what to call with, for each field in the order of declaration.
    ///
    /// @param objects where children can be
    /// @param absentOutOf one optional offset out of so many is absent; 0 for none
    static List<Argument> arguments(
            TableDecl table, List<Integer> objects, Random random, int absentOutOf) {
        List<Argument> arguments = new ArrayList<>();
        for (FieldDecl field : table.fields()) {
            if (field.type().isScalar()) {
                arguments.add(new Argument(field, 0, List.of(number(field, random))));
            } else if (field.type() instanceof FbsType.Struct) {
                List<Long> numbers = List.of(random.nextLong(), random.nextLong());
                arguments.add(new Argument(field, 0, numbers));
            } else {
                boolean optional = absentOutOf != 0 && !field.required();
                boolean absent = optional && random.nextInt(absentOutOf) == 0;
                int object = objects.get(random.nextInt(objects.size()));
                arguments.add(new Argument(field, absent ? 0 : object, List.of()));
            }
        }
        return arguments;
    }

    private static long number(FieldDecl field, Random random) {
        if (random.nextInt(3) == 0) {
            return field.defaultValue();
        }
        long number = random.nextInt(4) == 0 ? random.nextInt(3) : random.nextLong();
        Class<?> javaType = Flyweights.javaType(field.type());
        return switch (field.type().inlineBytes()) {
            case 1 -> javaType == boolean.class ? number & 1 : number & 0x7F;
            case 2 -> (short) number;
            case 4 -> (int) number;
            default -> number;
        };
    }

    /// The values to hand to the methods of an encoder.
    static List<Object> values(Argument argument) {
        List<Class<?>> types = parameters(argument.field().type());
        if (argument.numbers().isEmpty()) {
            return List.of(argument.object());
        }
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < types.size(); i++) {
            values.add(Flyweights.boxed(types.get(i), argument.numbers().get(i)));
        }
        return values;
    }

    static int invokeCreate(TableDecl table, FlatBufferWriter writer, List<Argument> arguments) {
        Optional<Method> own = create(table);
        if (own.isEmpty()) {
            return TableEncoder.create(writer, table.name(), numbers(arguments));
        }
        List<Object> values = new ArrayList<>(List.of(writer));
        arguments.forEach(each -> values.addAll(values(each)));
        return (int) Flyweights.invoke(own.get(), null, values.toArray());
    }

    private static long[] numbers(List<Argument> arguments) {
        return arguments.stream()
                .flatMap(
                        each ->
                                each.numbers().isEmpty()
                                        ? Stream.of((long) each.object())
                                        : each.numbers().stream())
                .mapToLong(Long::longValue)
                .toArray();
    }
}
