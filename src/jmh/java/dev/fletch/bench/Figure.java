// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import java.util.List;

/// A measured time.
///
/// @param nanoseconds that an operation takes: the median of `forks`
/// @param forks the median of each fork's iterations, which a disturbed one does not move
/// @param bytes allocated by an operation, NaN if not counted
record Figure(double nanoseconds, List<Double> forks, double bytes) {
    /// More than JMH allocates itself in iterations of a tenth of a second.
    private static final double HARNESS_BYTES_PER_SECOND = 200_000;

    private static final double NANOSECONDS_PER_SECOND = 1e9;

    /// Sums up iterations.
    ///
    /// @param iterations nanoseconds of an operation, of each iteration of each fork
    /// @param bytes allocated by an operation, NaN if not counted
    static Figure of(List<List<Double>> iterations, double bytes) {
        final List<Double> forks = iterations.stream().map(Figure::median).toList();
        return new Figure(median(forks), forks, bytes);
    }

    /// The middle one, or the mean of the two in the middle.
    static double median(List<Double> times) {
        final double[] sorted = times.stream().mapToDouble(each -> each).sorted().toArray();
        final int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /// Whether no more was allocated than the harness itself allocates.
    boolean isWithoutGarbage() {
        return bytes / nanoseconds * NANOSECONDS_PER_SECOND < HARNESS_BYTES_PER_SECOND;
    }
}
