// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cluster;

import dev.fletch.scan.FileSummary;

import java.io.Serializable;
import java.math.BigInteger;

/// Sums over files. One file may claim nearly 2^63 rows, so these sums have no limit.
///
/// @param files how many
/// @param faulty how many of them have a fault
/// @param size of the files, in bytes
public record Total(long files, long faulty, BigInteger rows, long batches, BigInteger size)
        implements Serializable {
    /// The sums over no file.
    public static final Total NONE = new Total(0, 0, BigInteger.ZERO, 0, BigInteger.ZERO);

    static Total of(FileSummary file) {
        return new Total(
                1,
                file.fault() == null ? 0 : 1,
                BigInteger.valueOf(file.rows()),
                file.batches(),
                BigInteger.valueOf(file.size()));
    }

    public Total plus(Total other) {
        return new Total(
                files + other.files,
                faulty + other.faulty,
                rows.add(other.rows),
                batches + other.batches,
                size.add(other.size));
    }
}
