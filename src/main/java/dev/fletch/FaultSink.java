// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch;

import dev.fletch.Rule.Severity;

import java.util.function.Function;

/// Takes the faults of a check, in the order in which they are found, on the thread that checks:
/// throws the first error, as readers do, or collects them, as verifiers do.
@FunctionalInterface
public interface FaultSink {
    /// Takes a fault. An exception ends the check.
    void accept(Fault fault);

    /// {@return whether no more faults are needed, so that the check may end}
    default boolean isFull() {
        return false;
    }

    /// Takes a fault.
    ///
    /// @return whether the check goes on
    default boolean add(Fault fault) {
        accept(fault);
        return !isFull();
    }

    /// Takes the fault of a rule that does not hold.
    ///
    /// @return false
    default boolean broken(Fault fault) {
        accept(fault);
        return false;
    }

    /// {@return a sink that throws an exception for the first error; deviations and notes do not
    /// stop a reader}
    static FaultSink throwing(Function<Fault, RuntimeException> exception) {
        return fault -> {
            if (fault.rule().severity() == Severity.ERROR) {
                throw exception.apply(fault);
            }
        };
    }
}
