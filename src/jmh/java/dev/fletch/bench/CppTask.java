// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.infra.BenchmarkParams;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// The C++ peer's side of a row: its input and expected checksum, both from the row's benchmark.
///
/// @param rounds number of rounds of the expected checksum
/// @param operations number of operations per round
record CppTask(Row row, Peered benchmark, int rounds, long answer, int operations) {
    /// Sets up the benchmark and calls Fletch's method.
    static CppTask of(Row row) {
        try {
            Object benchmark = row.benchmark().getConstructor().newInstance();
            Map<String, String> parameters = row.parameters(row.nativeSetting());
            for (Map.Entry<String, String> each : parameters.entrySet()) {
                var field = row.benchmark().getField(each.getKey());
                String value = each.getValue();
                field.set(benchmark, field.getType() == int.class ? Integer.valueOf(value) : value);
            }
            row.benchmark()
                    .getMethod("setup", BenchmarkParams.class)
                    .invoke(benchmark, (Object) null);
            Method method = row.benchmark().getMethod(row.fletch());
            var many = method.getAnnotation(OperationsPerInvocation.class);
            Peered peered = (Peered) benchmark;
            int rounds = peered.rounds();
            long sum = 0;
            for (int i = 0; i < rounds; i++) {
                sum += number(method.invoke(benchmark));
            }
            int operations = many == null ? 1 : many.value();
            return new CppTask(row, peered, rounds, peered.answer(sum), operations);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("set-up failed: row=" + row.id(), e);
        }
    }

    private static long number(Object returned) {
        return returned instanceof Boolean truth
                ? (truth ? 1 : 0)
                : ((Number) returned).longValue();
    }

    /// Measures the peer in a new process, after checking that it reads and writes the same data as
    /// Fletch.
    ///
    /// @return nanoseconds per operation, by iteration
    List<Double> measure(Path program, BoardOptions.Effort effort) throws IOException {
        Path folder = Files.createTempDirectory("fletch-bench");
        try (CppPeer peer = CppPeer.start(program, row.task(), benchmark.input(folder))) {
            long found = peer.ask(rounds).checksum();
            if (found != answer) {
                throw new AssertionError(
                        "C++ differs from Fletch: row=%s, C++=%016x, Fletch=%016x"
                                .formatted(row.id(), found, answer));
            }
            List<Double> times = new ArrayList<>();
            for (double each : peer.measure(effort.iterations(), effort.milliseconds())) {
                times.add(each / operations);
            }
            return times;
        } finally {
            delete(folder);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }
}
