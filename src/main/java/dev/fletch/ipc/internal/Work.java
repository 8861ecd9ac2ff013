// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc.internal;

import dev.fletch.WorkMonitor;

import java.lang.ScopedValue.CallableOp;

/// Reports work to the [WorkMonitor] that was set for it, from any depth of calls.
public final class Work {
    private static final ScopedValue<WorkMonitor> MONITOR = ScopedValue.newInstance();

    private Work() {}

    /// Does work that a monitor watches.
    public static <T, X extends Throwable> T watched(WorkMonitor monitor, CallableOp<T, X> work)
            throws X {
        return monitor == WorkMonitor.NONE
                ? work.call()
                : ScopedValue.where(MONITOR, monitor).call(work);
    }

    /// Reports how much of the input is done: see [WorkMonitor#reached].
    public static void reached(long done, long total) {
        if (MONITOR.isBound()) {
            MONITOR.get().reached(done, total);
        }
    }

    /// Reports bytes that are verified or searched: see [WorkMonitor#worked].
    public static void worked(long bytes) {
        if (MONITOR.isBound()) {
            MONITOR.get().worked(bytes);
        }
    }
}
