// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch;

/// Receives the faults of a verification, in the order in which they are found. Called on the
/// verifying thread; the verification continues afterwards. An exception from the sink ends the
/// verification.
@FunctionalInterface
public interface FaultSink {
    /// Receives a fault.
    ///
    /// @param fault valid during this call only, because the verifier reuses it
    void accept(Fault fault);
}
