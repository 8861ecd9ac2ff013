// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import dev.fletch.command.JsonTree;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// All measured times, from JMH's JSON. The C++ peer has the same form: its benchmarks are named
/// `cpp.` and the row's id.
final class Figures {
    /// The secondary metric with the bytes allocated by an operation.
    static final String ALLOCATED = "gc.alloc.rate.norm";

    private static final String CPP = "cpp.";

    private final Map<String, Figure> byKey = new HashMap<>();

    /// Reads JMH's JSON.
    ///
    /// @param results JMH's array, as a tree
    static Figures of(Object results) {
        Figures figures = new Figures();
        for (Object each : JsonTree.array(results)) {
            Map<String, Object> result = JsonTree.object(each);
            String benchmark = (String) result.get("benchmark");
            Object parameters = result.getOrDefault("params", Map.of());
            figures.byKey.put(key(benchmark, JsonTree.object(parameters)), figure(result));
        }
        return figures;
    }

    private static Figure figure(Map<String, Object> result) {
        Map<String, Object> primary = JsonTree.object(result.get("primaryMetric"));
        if (!"ns/op".equals(primary.get("scoreUnit"))) {
            throw new IllegalArgumentException("unit is not ns/op: " + result.get("benchmark"));
        }
        Object second = result.getOrDefault("secondaryMetrics", Map.of());
        Object bytes = JsonTree.object(second).get(ALLOCATED);
        List<List<Double>> iterations = new ArrayList<>();
        for (Object fork : JsonTree.array(primary.get("rawData"))) {
            iterations.add(JsonTree.array(fork).stream().map(Figures::number).toList());
        }
        return Figure.of(
                iterations,
                bytes == null ? Double.NaN : number(JsonTree.object(bytes).get("score")));
    }

    /// JMH writes NaN as a text.
    private static double number(Object value) {
        return value instanceof Number number ? number.doubleValue() : Double.NaN;
    }

    private static String key(String benchmark, Map<String, Object> parameters) {
        StringBuilder key = new StringBuilder(benchmark);
        parameters.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(each -> key.append(' ').append(each));
        return key.toString();
    }

    /// Finds the time of a method; null if there is no such method or setting, or it was not
    /// measured.
    Figure jvm(Row of, String method, Setting setting) {
        if (method == null || setting == null) {
            return null;
        }
        String benchmark = of.benchmark().getName() + "." + method;
        return byKey.get(key(benchmark, new HashMap<>(of.parameters(setting))));
    }

    /// Finds the time of arrow-java; null if it was not measured.
    Figure arrow(Row of) {
        return jvm(of, of.arrow(), of.nativeSetting());
    }

    /// Finds the time of the C++ peer; null if it was not measured.
    Figure cpp(Row of) {
        return byKey.get(cppName(of));
    }

    static String cppName(Row of) {
        return CPP + of.id();
    }
}
