// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.rules;

import dev.fletch.Rule;
import dev.fletch.Rule.Severity;

/// Throws the first error of a check. Deviations and notes do not stop a reader.
public final class FirstError implements FaultReport {
    /// Creates the exception of a layer.
    @FunctionalInterface
    public interface Thrower {
        /// @param position in the memory of the metadata
        /// @param name the faulty part, such as `buffers`
        /// @param index its index; [FaultReport#NONE] if it is not in a vector
        /// @param text the part and its numbers, such as
        ///     `buffer=3, offset=64, length=128, body=100`
        RuntimeException exception(Rule rule, long position, String name, int index, String text);
    }

    private final Thrower thrower;
    private final FaultNumbers numbers = new FaultNumbers();

    public FirstError(Thrower thrower) {
        this.thrower = thrower;
    }

    @Override
    public FaultNumbers numbers() {
        return numbers;
    }

    @Override
    public boolean add(Rule rule, long position, long value, String name, int index, String tail) {
        String details = numbers.toString();
        numbers.clear();
        if (rule.severity() != Severity.ERROR) {
            return true;
        }
        String found = (tail.isEmpty() ? name : tail) + "=" + value;
        // An element of "buffers" is a buffer.
        String part =
                index == NONE ? "" : name.substring(0, name.length() - 1) + "=" + index + ", ";
        throw thrower.exception(
                rule, position, name, index, part + (details.isEmpty() ? found : details));
    }
}
