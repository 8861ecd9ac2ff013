// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc.internal;

import dev.fletch.Fault;
import dev.fletch.FaultSink;
import dev.fletch.Rule;

import java.lang.foreign.MemorySegment;

/// Counts the bytes that are not 0 in ranges that nothing uses.
public final class NonzeroBytes {
    private long count;
    private long first;

    /// Adds a range.
    public void add(MemorySegment memory, long from, long to) {
        long position = MessageFinder.endOfRun(memory, from, to, 0);
        for (; position < to; position = MessageFinder.endOfRun(memory, position + 1, to, 0)) {
            first = count++ == 0 ? position : first;
        }
    }

    /// Number of bytes that are not 0.
    public long count() {
        return count;
    }

    /// Position of the first one; 0 if there is none.
    public long first() {
        return first;
    }

    /// Reports the bytes, if there are any.
    public void report(Rule rule, FaultSink sink) {
        if (count > 0) {
            sink.accept(Fault.of(rule, first, count).because("bytes=" + count));
        }
    }
}
