// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.internal;

import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.format.ids.Endianness;

/// The rules of a schema's byte order.
public final class EndiannessCheck {
    private EndiannessCheck() {}

    /// Returns the broken rule; null if there is none.
    ///
    /// @param number the byte order, one of [Endianness] or any other number
    /// @param onlyLittle whether big-endian bodies are rejected
    public static Rule broken(long number, boolean onlyLittle) {
        if (!Endianness.NAMES.isKnown(number)) {
            return MeaningRule.UNKNOWN_ENDIANNESS;
        }
        return onlyLittle && number != Endianness.LITTLE ? MeaningRule.FOREIGN_ENDIANNESS : null;
    }
}
