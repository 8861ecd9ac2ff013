// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.internal;

import dev.fletch.Fault;
import dev.fletch.FaultSink;

/// Counts the faults of a check, and passes them on up to a limit. Without a sink, the first one
/// ends the check; with one, that behind the limit, or the sink.
public class LimitedFaults implements FaultSink {
    private FaultSink sink;
    private int limit;
    private long count;
    private boolean isFull;

    /// Sets the sink and its limit.
    ///
    /// @param to null to end each check at its first fault
    /// @param max maximum number of faults that are passed on; one more is counted
    public final void collect(FaultSink to, int max) {
        sink = to;
        limit = max;
    }

    /// Forgets all faults.
    public final void begin() {
        count = 0;
        isFull = false;
    }

    /// Number of faults so far, those above the limit included.
    public final long count() {
        return count;
    }

    /// Whether there is a sink.
    final boolean hasSink() {
        return sink != null;
    }

    /// Counts a fault that is only made if it is needed.
    ///
    /// @return whether to make it and [#pass] it on
    final boolean add() {
        count++;
        isFull = sink == null || count > limit;
        return !isFull;
    }

    /// Passes a counted fault on.
    final void pass(Fault fault) {
        sink.accept(fault);
        isFull = sink.isFull();
    }

    @Override
    public void accept(Fault fault) {
        if (add()) {
            pass(fault);
        }
    }

    @Override
    public boolean isFull() {
        return isFull;
    }
}
