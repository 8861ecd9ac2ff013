// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

import java.util.concurrent.atomic.AtomicLong;

/// How much of an input is done, for a display. Static, as deep callees report to it. The numbers
/// change per message and need not be visible to other threads at once.
public final class WorkDone {
    private static final AtomicLong DONE = new AtomicLong();
    private static final AtomicLong ALL = new AtomicLong();
    private static volatile Thread worker;

    private WorkDone() {}

    /// Begins an input.
    ///
    /// @param thread the only thread whose reports count
    public static void begin(Thread thread) {
        worker = thread;
        DONE.setOpaque(0);
        ALL.setOpaque(0);
    }

    /// Reports how much of the input is done.
    ///
    /// @param done bytes or messages; 0 if unknown
    /// @param all the total in the same unit; 0 if unknown, and `done` is in bytes then
    public static void reached(long done, long all) {
        final Thread only = worker;
        if (only == null || only == Thread.currentThread()) {
            DONE.setOpaque(done);
            ALL.setOpaque(all);
        }
    }

    /// {@return the last report's `done`}
    public static long done() {
        return DONE.getOpaque();
    }

    /// {@return the last report's `all`}
    public static long all() {
        return ALL.getOpaque();
    }
}
