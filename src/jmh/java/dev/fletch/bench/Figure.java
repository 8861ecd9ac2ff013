// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import java.util.List;

/// A measured time.
///
/// @param nanoseconds per operation: the median of `forks`
/// @param forks median of each fork's iterations, robust against outliers
/// @param bytes allocated by an operation, NaN if not counted
record Figure(double nanoseconds, List<Double> forks, double bytes) {
    /// Limit of JMH's own allocation per operation in iterations of 100 ms.
    private static final double HARNESS_BYTES_PER_SECOND = 200_000;

    private static final double NANOSECONDS_PER_SECOND = 1e9;

    /// Summarizes iterations.
    ///
    /// @param iterations nanoseconds per operation, by fork and iteration
    /// @param bytes allocated by an operation, NaN if not counted
    static Figure of(List<List<Double>> iterations, double bytes) {
        List<Double> forks = iterations.stream().map(Figure::median).toList();
        return new Figure(median(forks), forks, bytes);
    }

    /// The median: the middle one, or the mean of the middle two.
    static double median(List<Double> times) {
        double[] sorted = times.stream().mapToDouble(each -> each).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /// Whether allocation does not exceed that of the harness.
    boolean isWithoutGarbage() {
        return bytes / nanoseconds * NANOSECONDS_PER_SECOND < HARNESS_BYTES_PER_SECOND;
    }
}
