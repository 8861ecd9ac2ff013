// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.rules;

import dev.fletch.Rule;

/// Receives the faults of a check, and decides whether it continues: a verifier collects them, a
/// reader throws the first error.
public interface FaultReport {
    /// The index of a part of a path that is not in a vector.
    int NONE = -1;

    /// {@return the numbers that explain the next fault, initially none; without them, its value
    /// does}
    FaultNumbers numbers();

    /// Sets the number that explains the next fault.
    default void numbers(String name, long number) {
        numbers().clear().add(name, number);
    }

    /// Sets two numbers that explain the next fault.
    default void numbers(String first, long firstNumber, String second, long secondNumber) {
        numbers().clear().add(first, firstNumber).add(second, secondNumber);
    }

    /// Receives a fault at `name[index].tail`.
    ///
    /// @param position in the memory of the metadata
    /// @param value as the rule documents it
    /// @param index [#NONE] if the part is not in a vector
    /// @param tail may be empty
    /// @return whether to continue
    boolean add(Rule rule, long position, long value, String name, int index, String tail);
}
