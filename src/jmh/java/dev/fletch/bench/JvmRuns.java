// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// Measures the JVM sides of a row with JMH.
final class JvmRuns {
    /// Factor for the number of warm-up iterations of arrow-java, which has much more code to
    /// compile before it is fast, and of what uses its vectors.
    private static final int OTHERS = 2;

    /// About the time of a JVM beside the iterations: its start, set-up and last collection.
    private static final double START_SECONDS = 1.5;

    private final BoardOptions.Effort effort;

    JvmRuns(BoardOptions.Effort effort) {
        this.effort = effort;
    }

    /// About how long all rows take, without tail and cold.
    long seconds(List<Row> rows) {
        double sum = 0;
        for (Row row : rows) {
            int sides = row.settings().size() * (row.generated() == null ? 1 : 2);
            int others = row.others().size() + (row.arrow() == null ? 0 : 1);
            sum += sides * seconds(row, 1) + others * seconds(row, OTHERS);
        }
        return Math.round(sum * effort.forks());
    }

    private double seconds(Row row, int factor) {
        int iterations = factor * row.warmupFactor() * effort.warmups() + effort.iterations();
        return START_SECONDS + iterations * effort.milliseconds() / 1e3;
    }

    /// Measures all JVM implementations of a row, each in its own JVM. Fletch and the generated
    /// classes alternate, so that both run under the same conditions.
    Collection<RunResult> run(Row row) throws RunnerException {
        List<RunResult> results = new ArrayList<>();
        for (Setting setting : row.settings()) {
            results.addAll(run(row, row.fletch(), setting, 1));
            if (row.generated() != null) {
                results.addAll(run(row, row.generated(), setting, 1));
            }
        }
        if (row.arrow() != null) {
            results.addAll(run(row, row.arrow(), row.nativeSetting(), OTHERS));
        }
        for (Row.Other other : row.others()) {
            results.addAll(run(row, other.method(), row.nativeSetting(), OTHERS));
        }
        return results;
    }

    /// Merges the results of different forks.
    static Collection<RunResult> merged(List<RunResult> forks) {
        Map<String, RunResult> byId = new LinkedHashMap<>();
        for (RunResult each : forks) {
            byId.merge(each.getParams().id(), each, JvmRuns::both);
        }
        return byId.values();
    }

    private static RunResult both(RunResult one, RunResult other) {
        List<BenchmarkResult> results = new ArrayList<>(one.getBenchmarkResults());
        results.addAll(other.getBenchmarkResults());
        return new RunResult(one.getParams(), results);
    }

    private Collection<RunResult> run(Row row, String method, Setting setting, int factor)
            throws RunnerException {
        String name = row.benchmark().getName() + "." + method;
        ChainedOptionsBuilder options =
                new OptionsBuilder()
                        .include("^" + Pattern.quote(name) + "$")
                        .forks(Math.min(1, effort.forks()))
                        .threads(row.threads())
                        .warmupIterations(factor * row.warmupFactor() * effort.warmups())
                        .warmupTime(TimeValue.milliseconds(effort.milliseconds()))
                        .measurementIterations(effort.iterations())
                        .measurementTime(TimeValue.milliseconds(effort.milliseconds()))
                        .addProfiler(GCProfiler.class)
                        .verbosity(VerboseMode.SILENT)
                        .shouldFailOnError(true);
        row.parameters(setting).forEach(options::param);
        return new Runner(options.build()).run();
    }
}
