// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import dev.fletch.cli.JsonTree;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// All that was measured, as JMH's JSON has it, with the peer in C++ in the same form: its
/// benchmarks are called `cpp.` and the row's id.
final class Figures {
    private static final String CPP = "cpp.";

    private final Map<String, Figure> byKey = new HashMap<>();

    /// Reads JMH's JSON.
    ///
    /// @param results the array that it writes, as a tree
    static Figures of(Object results) {
        final Figures figures = new Figures();
        for (Object each : JsonTree.array(results)) {
            final Map<String, Object> result = JsonTree.object(each);
            final String benchmark = (String) result.get("benchmark");
            final Object parameters = result.getOrDefault("params", Map.of());
            figures.byKey.put(key(benchmark, JsonTree.object(parameters)), figure(result));
        }
        return figures;
    }

    private static Figure figure(Map<String, Object> result) {
        final Map<String, Object> primary = JsonTree.object(result.get("primaryMetric"));
        if (!"ns/op".equals(primary.get("scoreUnit"))) {
            throw new IllegalArgumentException("not in ns/op: " + result.get("benchmark"));
        }
        final Object second = result.getOrDefault("secondaryMetrics", Map.of());
        final Object bytes = JsonTree.object(second).get("gc.alloc.rate.norm");
        final List<Double> iterations = new ArrayList<>();
        for (Object fork : JsonTree.array(primary.get("rawData"))) {
            for (Object each : JsonTree.array(fork)) {
                iterations.add(number(each));
            }
        }
        return Figure.of(
                iterations,
                bytes == null ? Double.NaN : number(JsonTree.object(bytes).get("score")));
    }

    /// JMH writes what is no number as a text.
    private static double number(Object value) {
        return value instanceof Number number ? number.doubleValue() : Double.NaN;
    }

    private static String key(String benchmark, Map<String, Object> parameters) {
        final StringBuilder key = new StringBuilder(benchmark);
        parameters.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(each -> key.append(' ').append(each));
        return key.toString();
    }

    /// Finds a figure of a method; null if it was not measured.
    ///
    /// @param memory kind of memory, null if the benchmark has no such parameter
    Figure jvm(Workload of, String method, String memory, boolean polluted) {
        final Map<String, Object> parameters = new HashMap<>();
        parameters.put(of.task().sizeParameter(), "" + of.size());
        parameters.put("polluted", "" + polluted);
        if (memory != null) {
            parameters.put("memory", memory);
        }
        return byKey.get(key(of.task().benchmark().getName() + "." + method, parameters));
    }

    /// Finds the figure of C++; null if it was not measured.
    Figure cpp(Workload of) {
        return byKey.get(cppName(of));
    }

    static String cppName(Workload of) {
        return CPP + of.id();
    }

    /// The memories of a task as [#jvm] wants them.
    static List<String> memories(Task of) {
        return of.memories().isEmpty() ? Collections.singletonList(null) : of.memories();
    }
}
