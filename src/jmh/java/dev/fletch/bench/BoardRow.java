// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// What was measured for a row, and what it says about the goals. Ratios are of one run; where
/// Fletch was measured in two kinds of memory, its slower one counts, and of the generated classes
/// the fastest way in any memory. A ratio is NaN where a side is missing.
final class BoardRow {
    /// What is meant by equal: differences below it are those of two runs of the same.
    static final double EQUAL = 1.05;

    final Workload workload;
    private final Figures figures;

    BoardRow(Workload workload, Figures figures) {
        this.workload = workload;
        this.figures = figures;
    }

    /// Fletch, by kind of memory; null where it was not measured.
    List<Figure> fletch(boolean polluted) {
        return of(workload.task().fletch(), polluted);
    }

    /// A peer on the JVM, by kind of memory; null where it was not measured.
    List<Figure> peer(String method) {
        return of(method, false);
    }

    private List<Figure> of(String method, boolean polluted) {
        final List<Figure> found = new ArrayList<>();
        for (String memory : Figures.memories(workload.task())) {
            found.add(figures.jvm(workload, method, memory, polluted));
        }
        return found;
    }

    boolean isMeasured() {
        return !fletch(false).contains(null);
    }

    // ---- the sides

    private double slowest() {
        double most = Double.NaN;
        for (Figure each : fletch(false)) {
            final double time = each == null ? Double.NaN : each.nanoseconds();
            most = Double.isNaN(most) ? time : Math.max(most, time);
        }
        return most;
    }

    /// Time of the generated classes at their best.
    double generated() {
        double least = Double.NaN;
        for (String method : workload.task().generated()) {
            least = least(least, peer(method));
        }
        return least;
    }

    /// Time of arrow-vector.
    double arrow() {
        final String method = workload.task().arrow();
        return method == null ? Double.NaN : least(Double.NaN, peer(method));
    }

    private static double least(double than, List<Figure> figures) {
        double least = than;
        for (Figure each : figures) {
            if (each != null && !(least <= each.nanoseconds())) {
                least = each.nanoseconds();
            }
        }
        return least;
    }

    /// Time of C++.
    double cpp() {
        return least(Double.NaN, cppFigure());
    }

    /// C++; null where it was not measured.
    List<Figure> cppFigure() {
        return Collections.singletonList(figures.cpp(workload));
    }

    // ---- ratios

    /// How many times as fast as the generated classes.
    double overGenerated() {
        return generated() / slowest();
    }

    /// How many times as fast as arrow-vector.
    double overArrow() {
        return arrow() / slowest();
    }

    /// How many times the time of C++.
    double ofCpp() {
        return slowest() / cpp();
    }

    /// How many times its own clean time when polluted, in the kind of memory that suffers most.
    double polluted() {
        final List<Figure> clean = fletch(false);
        final List<Figure> dirty = fletch(true);
        double most = Double.NaN;
        for (int i = 0; i < clean.size(); i++) {
            if (clean.get(i) != null && dirty.get(i) != null) {
                final double ratio = dirty.get(i).nanoseconds() / clean.get(i).nanoseconds();
                most = Double.isNaN(most) ? ratio : Math.max(most, ratio);
            }
        }
        return most;
    }

    /// Bytes that an operation allocates, at most.
    double bytes() {
        double most = Double.NaN;
        for (Figure each : fletch(false)) {
            if (each != null) {
                most = Double.isNaN(most) ? each.bytes() : Math.max(most, each.bytes());
            }
        }
        return most;
    }

    // ---- the goals

    /// The goals that were measured and missed, by name; none if all hold.
    List<String> missed() {
        final List<String> missed = new ArrayList<>();
        if (isBelow(overGenerated(), workload.overGenerated())) {
            missed.add("generated");
        }
        if (isBelow(overArrow(), workload.overArrow())) {
            missed.add("arrow-vector");
        }
        final double most = workload.ofCpp() == 1 ? EQUAL : workload.ofCpp();
        if (most > 0 && ofCpp() > most) {
            missed.add("C++");
        }
        if (polluted() > Workload.POLLUTED) {
            missed.add("polluted");
        }
        if (allocates()) {
            missed.add("garbage");
        }
        return missed;
    }

    private static boolean isBelow(double ratio, double goal) {
        return goal > 0 && ratio < goal;
    }

    private boolean allocates() {
        if (workload.task().allocates()) {
            return false;
        }
        for (Figure each : fletch(false)) {
            if (each != null && !Double.isNaN(each.bytes()) && !each.isWithoutGarbage()) {
                return true;
            }
        }
        return false;
    }

    /// The goals that could not be judged, as a side was not measured.
    List<String> unjudged() {
        final List<String> open = new ArrayList<>();
        if (workload.overGenerated() > 0 && Double.isNaN(overGenerated())) {
            open.add("generated");
        }
        if (workload.overArrow() > 0 && Double.isNaN(overArrow())) {
            open.add("arrow-vector");
        }
        if (workload.ofCpp() > 0 && Double.isNaN(ofCpp())) {
            open.add("C++");
        }
        if (Double.isNaN(polluted())) {
            open.add("polluted");
        }
        return open;
    }
}
