// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.repository;

import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// What the build's log says of the tests: each failure in full when it happens, and in the end how
/// many tests there were, what was skipped, and why, and which classes took the longest.
///
/// JUnit finds it by `META-INF/services`. It writes past `System.out`, which the build puts into a
/// file for each class; and only where the build asks for it, so that other runs stay as they are.
public final class RunReport implements TestExecutionListener {
    private static final boolean ASKED_FOR = Boolean.getBoolean("fletch.report");

    private static final PrintWriter LOG =
            new PrintWriter(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);

    private static final int MOST_SLOW = 20;

    private final PrintWriter log;

    /// Seconds of each class; negative while it runs, since when.
    private final Map<String, Double> seconds = new TreeMap<>();

    /// By reason the classes, and how many of their tests.
    private final Map<String, Map<String, Long>> skipped = new TreeMap<>();

    private TestPlan plan;
    private long passed;
    private long failed;

    public RunReport() {
        this(ASKED_FOR ? LOG : new PrintWriter(PrintWriter.nullWriter()));
    }

    RunReport(PrintWriter log) {
        this.log = log;
    }

    /// Writes a line into the log of the build, where it asks for lines.
    public static void line(String line) {
        if (ASKED_FOR) {
            LOG.println(line);
        }
    }

    @Override
    public synchronized void testPlanExecutionStarted(TestPlan started) {
        plan = started;
        passed = 0;
        failed = 0;
        skipped.clear();
        seconds.clear();
    }

    @Override
    public synchronized void executionStarted(TestIdentifier test) {
        if (isClass(test)) {
            seconds.put(className(test), -now());
        }
    }

    private static boolean isClass(TestIdentifier test) {
        return test.getSource().filter(ClassSource.class::isInstance).isPresent();
    }

    private static double now() {
        return System.nanoTime() / 1e9;
    }

    @Override
    public synchronized void executionSkipped(TestIdentifier test, String reason) {
        skip(test, reason);
    }

    @Override
    public synchronized void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (isClass(test)) {
            seconds.merge(className(test), now(), Double::sum);
        }
        switch (result.getStatus()) {
            case SUCCESSFUL -> passed += test.isTest() ? 1 : 0;
            case ABORTED ->
                    skip(test, result.getThrowable().map(Throwable::getMessage).orElse("aborted"));
            case FAILED -> {
                failed++;
                log.printf("FAILED: %s: %s%n", className(test), test.getDisplayName());
                result.getThrowable().ifPresent(thrown -> thrown.printStackTrace(log));
                log.flush();
            }
        }
    }

    /// A class that is skipped as a whole counts with all its tests.
    private void skip(TestIdentifier test, String reason) {
        long tests =
                plan.getDescendants(test).stream().filter(TestIdentifier::isTest).count()
                        + (test.isTest() ? 1 : 0);
        String plain = String.valueOf(reason).replaceFirst("^Assumption failed: ", "");
        skipped.computeIfAbsent(plain, _ -> new TreeMap<>())
                .merge(className(test), Math.max(1, tests), Long::sum);
    }

    private static String className(TestIdentifier test) {
        String name =
                test.getSource()
                        .map(
                                source ->
                                        switch (source) {
                                            case MethodSource method -> method.getClassName();
                                            case ClassSource type -> type.getClassName();
                                            default -> test.getDisplayName();
                                        })
                        .orElse(test.getDisplayName());
        return name.substring(name.lastIndexOf('.') + 1);
    }

    @Override
    public synchronized void testPlanExecutionFinished(TestPlan finished) {
        long notRun = skipped.values().stream().mapToLong(RunReport::sum).sum();
        log.printf("Tests: %d passed, %d failed, %d skipped%n", passed, failed, notRun);
        skipped.forEach(
                (reason, classes) ->
                        log.printf(
                                "Skipped %d: %s (%s)%n",
                                sum(classes),
                                reason,
                                classes.entrySet().stream()
                                        .map(each -> each.getKey() + " " + each.getValue())
                                        .collect(Collectors.joining(", "))));
        String slowest =
                seconds.entrySet().stream()
                        .filter(each -> each.getValue() >= 1)
                        .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
                        .limit(MOST_SLOW)
                        .map(each -> "%s %.0f".formatted(each.getKey(), each.getValue()))
                        .collect(Collectors.joining(", "));
        if (!slowest.isEmpty()) {
            log.println("Slowest classes, in seconds: " + slowest);
        }
        log.flush();
    }

    private static long sum(Map<String, Long> counts) {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }
}
