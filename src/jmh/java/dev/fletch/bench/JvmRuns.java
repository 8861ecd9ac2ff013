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

/// Has JMH measure what a row compares on the JVM.
final class JvmRuns {
    private final BoardOptions.Effort effort;

    JvmRuns(BoardOptions.Effort effort) {
        this.effort = effort;
    }

    /// Fletch clean and polluted, then its peers clean; all of them once, or in one fork each.
    Collection<RunResult> run(Workload workload) throws RunnerException {
        final Task task = workload.task();
        final List<RunResult> results = new ArrayList<>();
        results.addAll(run(workload, task.memories(), task.fletch(), "false", "true"));
        for (String peer : task.generated()) {
            results.addAll(run(workload, task.memories(), peer, "false"));
        }
        if (task.arrow() != null) {
            // It takes its own way through any memory.
            final int most = Math.min(1, task.memories().size());
            results.addAll(run(workload, task.memories().subList(0, most), task.arrow(), "false"));
        }
        return results;
    }

    /// Puts together what was measured of the same in different forks.
    static Collection<RunResult> merged(List<RunResult> forks) {
        final Map<String, RunResult> byId = new LinkedHashMap<>();
        for (RunResult each : forks) {
            byId.merge(each.getParams().id(), each, JvmRuns::both);
        }
        return byId.values();
    }

    private static RunResult both(RunResult one, RunResult other) {
        final List<BenchmarkResult> results = new ArrayList<>(one.getBenchmarkResults());
        results.addAll(other.getBenchmarkResults());
        return new RunResult(one.getParams(), results);
    }

    private Collection<RunResult> run(
            Workload workload, List<String> memories, String method, String... polluted)
            throws RunnerException {
        final Task task = workload.task();
        final String name = task.benchmark().getName() + "." + method;
        final ChainedOptionsBuilder options =
                new OptionsBuilder()
                        .include("^" + Pattern.quote(name) + "$")
                        .param(task.sizeParameter(), "" + workload.size())
                        .param("polluted", polluted)
                        .forks(Math.min(1, effort.forks()))
                        .warmupIterations(effort.warmups())
                        .warmupTime(TimeValue.milliseconds(effort.milliseconds()))
                        .measurementIterations(effort.iterations())
                        .measurementTime(TimeValue.milliseconds(effort.milliseconds()))
                        .addProfiler(GCProfiler.class)
                        .verbosity(VerboseMode.SILENT)
                        .shouldFailOnError(true);
        if (!memories.isEmpty()) {
            options.param("memory", memories.toArray(String[]::new));
        }
        return new Runner(options.build()).run();
    }
}
