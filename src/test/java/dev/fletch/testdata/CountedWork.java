// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import dev.fletch.WorkMonitor;

import java.util.concurrent.atomic.AtomicLong;

/// Adds up the work that is reported, in bytes, and stops none.
public final class CountedWork implements WorkMonitor {
    private final AtomicLong bytes = new AtomicLong();

    @Override
    public void reached(long done, long total) {}

    @Override
    public void worked(long more) {
        bytes.addAndGet(more);
    }

    /// {@return bytes of all work}
    public long bytes() {
        return bytes.get();
    }
}
