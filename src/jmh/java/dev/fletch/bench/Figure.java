// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import java.util.List;

/// One measured time.
///
/// @param nanoseconds that an operation takes: the median of all iterations of all forks, which a
///     disturbed one does not move
/// @param spread half of the distance in which the middle half of the iterations lie
/// @param bytes allocated per operation, NaN if nobody counted
record Figure(double nanoseconds, double spread, double bytes) {
    /// What JMH itself allocates while it measures: far below anything that an operation could.
    private static final double NOISE_BYTES_PER_SECOND = 50_000;

    private static final double NOISE_BYTES = 0.5;
    private static final double NANOSECONDS = 1e9;

    /// Sums up iterations.
    ///
    /// @param iterations nanoseconds of an operation, of each
    /// @param bytes allocated per operation, NaN if nobody counted
    static Figure of(List<Double> iterations, double bytes) {
        final double[] sorted = iterations.stream().mapToDouble(each -> each).sorted().toArray();
        final double spread = (quantile(sorted, 0.75) - quantile(sorted, 0.25)) / 2;
        return new Figure(quantile(sorted, 0.5), spread, bytes);
    }

    /// A value between two neighbours is taken in proportion.
    private static double quantile(double[] sorted, double part) {
        final double place = part * (sorted.length - 1);
        final int below = (int) place;
        final int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (sorted[above] - sorted[below]) * (place - below);
    }

    /// The spread as a part of the time.
    double uncertainty() {
        return spread / nanoseconds;
    }

    boolean isWithoutGarbage() {
        return bytes < NOISE_BYTES || bytes / nanoseconds * NANOSECONDS < NOISE_BYTES_PER_SECOND;
    }
}
