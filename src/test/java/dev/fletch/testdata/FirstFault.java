// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import dev.fletch.Fault;
import dev.fletch.FaultSink;

/// Ends a check at its first fault, and keeps that.
public final class FirstFault implements FaultSink {
    private Fault fault;

    /// Forgets the fault, before the next check.
    public FirstFault again() {
        fault = null;
        return this;
    }

    /// {@return the fault; null if there is none}
    public Fault fault() {
        return fault;
    }

    @Override
    public void accept(Fault found) {
        fault = found;
    }

    @Override
    public boolean isFull() {
        return fault != null;
    }
}
