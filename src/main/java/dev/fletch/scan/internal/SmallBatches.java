// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.scan.internal;

import java.util.Locale;

/// Says that an input has so many small batches that it is mostly metadata.
public final class SmallBatches {
    /// The least number of record batches that are many.
    public static final int LEAST_BATCHES = 100;

    private SmallBatches() {}

    /// {@return one sentence; null unless there are at least 100 record batches, and metadata is
    /// half of all bytes}
    ///
    /// @param metadata bytes of the metadata of all messages, with prefixes
    /// @param size bytes of the input
    public static String text(long batches, long rows, long metadata, long size) {
        if (batches < LEAST_BATCHES || metadata < size - metadata) {
            return null;
        }
        String text = "%,d batches of %,d rows on average: metadata is %d %% of the bytes";
        return String.format(
                Locale.ROOT,
                text,
                batches,
                Math.round((double) rows / batches),
                Math.round(100.0 * metadata / size));
    }

    /// [#text(long, long, long, long)] of sums.
    public static String text(MapTotals totals) {
        return text(
                totals.batches(), totals.rows(), totals.bytes(BytePurpose.METADATA), totals.size());
    }
}
