// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/// Fletch's time divided by a peer's; below 1, Fletch is faster.
///
/// @param value median of the ratios of pairs of forks that ran consecutively
/// @param least minimum of these ratios
/// @param most maximum of these ratios
record Ratio(double value, double least, double most) {
    /// Wider ranges are printed.
    private static final double NARROW = 1.1;

    /// The ratio of two figures; null if a figure is null.
    static Ratio of(Figure fletch, Figure peer) {
        if (fletch == null || peer == null) {
            return null;
        }
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < Math.min(fletch.forks().size(), peer.forks().size()); i++) {
            ratios.add(fletch.forks().get(i) / peer.forks().get(i));
        }
        return new Ratio(Figure.median(ratios), Collections.min(ratios), Collections.max(ratios));
    }

    /// The ratio, and its range if forks differ.
    String text() {
        String text = brief();
        return most / least < NARROW
                ? text
                : "%s (%s to %s)".formatted(text, format(least), format(most));
    }

    /// The ratio alone.
    String brief() {
        return format(value);
    }

    private static String format(double ratio) {
        String pattern = ratio < 0.0995 ? "%.3f" : ratio < 9.95 ? "%.2f" : "%,.1f";
        return String.format(Locale.ROOT, pattern, ratio);
    }
}
