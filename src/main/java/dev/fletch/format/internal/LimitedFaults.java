// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.internal;

import dev.fletch.Fault;
import dev.fletch.FaultSink;

/// Counts faults, and passes them on up to a limit.
public class LimitedFaults implements FaultSink {
    private FaultSink sink;
    private int limit;
    private Fault last;
    private long count;

    /// Sets the sink and its limit.
    ///
    /// @param to null to end each check at its first fault
    /// @param most maximum number of faults that are passed on; one more is counted
    public final void collect(FaultSink to, int most) {
        sink = to;
        limit = most;
    }

    /// Forgets all faults.
    public final void begin() {
        last = null;
        count = 0;
    }

    /// The last fault up to the limit; null if there is none.
    public final Fault last() {
        return last;
    }

    /// Number of faults so far, those above the limit included.
    public final long count() {
        return count;
    }

    @Override
    public void accept(Fault fault) {
        count++;
        if (sink == null) {
            last = fault;
        } else if (count <= limit) {
            last = fault;
            sink.accept(fault);
        }
    }

    @Override
    public boolean isFull() {
        return sink == null ? count > 0 : count > limit || sink.isFull();
    }
}
