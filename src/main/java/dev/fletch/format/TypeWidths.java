// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

/// Which parameters of a type go together. Any number of threads may call these methods.
///
/// Source: `format/Schema.fbs`, tables `Decimal` and `Time`.
public final class TypeWidths {
    private TypeWidths() {}

    /// The most digits that decimals of a width can have.
    ///
    /// @param bitWidth width in bits
    /// @return number of digits, 0 for a width that the format does not have
    public static int maxDecimalPrecision(int bitWidth) {
        return switch (bitWidth) {
            case 32 -> 9;
            case 64 -> 18;
            case 128 -> 38;
            case 256 -> 76;
            default -> 0;
        };
    }

    /// The width of times of day in a unit.
    ///
    /// @param unit one of [TimeUnit], or any other number
    /// @return width in bits, 0 for a unit that is not known
    public static int timeBits(int unit) {
        return !TimeUnit.NAMES.isKnown(unit)
                ? 0
                : unit <= TimeUnit.MILLISECOND ? Integer.SIZE : Long.SIZE;
    }
}
