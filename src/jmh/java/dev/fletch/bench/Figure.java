// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import java.util.List;

/// One measured time.
///
/// @param nanoseconds mean of an operation
/// @param error half of its confidence interval, NaN where there are too few iterations for one; of
///     C++ the standard deviation
/// @param bytes allocated per operation, NaN if nobody counted
record Figure(double nanoseconds, double error, double bytes) {
    /// What JMH itself allocates while it measures: far below anything that an operation could.
    private static final double NOISE_BYTES_PER_SECOND = 50_000;

    private static final double NOISE_BYTES = 0.5;
    private static final double NANOSECONDS = 1e9;

    /// The mean of some iterations that counted no bytes.
    static Figure of(List<Double> iterations) {
        final double mean =
                iterations.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
        final double squares =
                iterations.stream().mapToDouble(each -> (each - mean) * (each - mean)).sum();
        final double deviation = Math.sqrt(squares / Math.max(1, iterations.size() - 1));
        return new Figure(mean, deviation, Double.NaN);
    }

    /// The error as a part of the time; 0 if nobody knows it.
    double uncertainty() {
        return Double.isNaN(error) ? 0 : error / nanoseconds;
    }

    boolean isWithoutGarbage() {
        return bytes < NOISE_BYTES || bytes / nanoseconds * NANOSECONDS < NOISE_BYTES_PER_SECOND;
    }
}
