// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch;

/// Takes the faults that a verification finds, in the order in which it finds them.
/// Called on the verifying thread, which then goes on; an exception that it throws ends the
/// verification.
@FunctionalInterface
public interface FaultSink {
    /// Takes a fault.
    ///
    /// @param fault valid during this call only, as it is used again for the next one
    void accept(Fault fault);
}
