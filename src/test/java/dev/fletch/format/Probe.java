// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.flatbuf.Table;
import dev.fletch.flatbuf.Utf8Slice;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/// Calls every method of a flyweight with harmless arguments, and tells what came of each.
final class Probe {
    private Probe() {}

    /// What a method reads, so that two calls can be compared: a number, a text, or what it threw.
    ///
    /// @param value null where it threw
    /// @param thrown null where it returned
    record Outcome(Object value, Class<? extends RuntimeException> thrown) {
        @Override
        public String toString() {
            return thrown == null ? String.valueOf(value) : thrown.getSimpleName();
        }
    }

    /// Returns the outcome of each method, by its signature. Forms of `wrap` are left out.
    static Map<String, Outcome> all(Object flyweight) {
        Map<String, Outcome> outcomes = new TreeMap<>();
        for (Method method : methods(flyweight.getClass())) {
            outcomes.put(signature(method), call(flyweight, method));
        }
        return outcomes;
    }

    static List<Method> methods(Class<?> type) {
        List<Method> methods = new ArrayList<>();
        Stream.of(type.getDeclaredMethods())
                .filter(each -> Modifier.isPublic(each.getModifiers()))
                .filter(each -> !each.getName().startsWith("wrap"))
                .sorted(Comparator.comparing(Probe::signature))
                .forEach(methods::add);
        methods.add(Flyweights.method(type, "position"));
        if (Table.class.isAssignableFrom(type)) {
            methods.add(Flyweights.method(type, "isPresent", int.class));
        }
        return methods;
    }

    static String signature(Method method) {
        StringBuilder text = new StringBuilder(method.getName()).append('(');
        for (Class<?> parameter : method.getParameterTypes()) {
            text.append(text.charAt(text.length() - 1) == '(' ? "" : ", ");
            text.append(parameter.getSimpleName());
        }
        return text.append(')').toString();
    }

    private static Outcome call(Object flyweight, Method method) {
        try {
            Object value = Flyweights.invoke(method, flyweight, arguments(method));
            return new Outcome(value instanceof Table ? "bound" : value, null);
        } catch (RuntimeException e) {
            return new Outcome(null, e.getClass());
        }
    }

    private static Object[] arguments(Method method) {
        return Stream.of(method.getParameterTypes()).map(Probe::argument).toArray();
    }

    private static Object argument(Class<?> type) {
        if (type == int.class) {
            return 0;
        }
        if (type == long.class) {
            return 0L;
        }
        if (type == boolean.class) {
            return false;
        }
        if (type == long[].class) {
            return new long[32];
        }
        if (type == int[].class) {
            return new int[1];
        }
        if (type == CharSequence.class) {
            return FullTables.TEXT;
        }
        if (type == TypeTable.class) {
            return new Int();
        }
        return type == Utf8Slice.class ? new Utf8Slice() : Flyweights.fresh(type.getSimpleName());
    }

    /// Tells whether a method shows what was decoded, and follows or changes nothing: a number, a
    /// length, a count.
    static boolean isDecoded(Method method) {
        return method.getParameterCount() == 0
                && method.getReturnType() != String.class
                && !method.getName().equals("position");
    }

    /// Tells whether a method may throw when it is called with an index and there are no elements.
    static boolean takesAnIndex(Method method) {
        return method.getParameterCount() > 0 && method.getParameterTypes()[0] == int.class;
    }
}
