// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// Verifies FlatBuffers by rules given as data, with the decisions of the official verifier and,
/// where [VerifierOptions] say so, stricter ones.
///
/// Tables are visited depth first, in the order of the slots; what stands in a table itself is checked
/// before what it leads to. The first fault ends the verification, unless there is a [FaultSink].
///
/// A buffer in which all is right is nearly always accepted by a quick first pass; the others are then
/// verified from the start, to find out what is wrong. Depth costs no Java stack.
///
/// Nothing is allocated after the constructor, but for another segment or byte buffer than the last
/// time (a view of it), for buffers nested deeper than 128 tables (40 bytes per level), for strings
/// whose lengths add up to more than the buffer's size while UTF-8 is checked (a quarter of the
/// buffer's size), and for the copy of a buffer of more than 2 kB that is not heap bytes (at most 256
/// kB). All are kept for the next time.
///
/// A verdict holds for the bytes as they were: it is worth nothing once anybody changes them. It
/// belongs to one thread at a time.
public final class VerifierEngine extends TableWalk {
    private static final int MIN_BYTES = 12;

    private final Source own = new Source();
    final QuickPass quick;

    /// Creates an engine.
    ///
    /// @param rules rules of all tables
    /// @param options what to check
    public VerifierEngine(RuleSet rules, VerifierOptions options) {
        super(rules, options);
        quick = new QuickPass(kinds, options, this);
    }

    // ---- what is verified

    /// Verifies a buffer that is a part of a segment.
    ///
    /// @param root kind of the root table
    /// @param memory any kind of memory, of any size
    /// @param offset byte offset of the buffer
    /// @param length length of the buffer in bytes
    /// @return whether it is right; if not, [#fault()] tells why
    /// @throws IndexOutOfBoundsException if the range is not inside `memory`, or there is no such kind
    public boolean verify(int root, MemorySegment memory, long offset, long length) {
        own.wrap(memory, offset, length);
        return verifyRoot(root, own);
    }

    /// Verifies a buffer between position and limit, which stay as they are.
    ///
    /// @param root kind of the root table
    /// @param buffer any kind of buffer
    /// @return whether it is right; if not, [#fault()] tells why
    /// @throws IndexOutOfBoundsException if there is no such kind
    public boolean verify(int root, ByteBuffer buffer) {
        own.wrap(buffer);
        return verifyRoot(root, own);
    }

    /// Takes the verdict that a buffer is right, which the caller knows.
    ///
    /// @param tablesReached how many tables it has
    public void accept(long tablesReached) {
        tables = tablesReached;
        if (faults != 0) {
            faults = 0;
            fault.clear();
        }
    }

    /// Verifies a table and what lies below it. Depth and tables count from this table on; the limit
    /// of tables per byte goes by the whole buffer's size, which is not itself checked.
    ///
    /// @param kind kind of the table
    /// @param table bound to it
    /// @return whether it is right; if not, [#fault()] tells why
    /// @throws IllegalStateException if `table` is not bound, or out of date
    /// @throws IndexOutOfBoundsException if there is no such kind
    public boolean verify(int kind, Table table) {
        final Source memory = table.live();
        begin(memory);
        final long at = table.position - memory.start;
        walk(kind, at, at);
        return end();
    }

    /// Sets whether the elements of vectors of tables are left out: then only a vector's place and
    /// count are checked.
    ///
    /// @param on whether
    public void setShallow(boolean on) {
        shallow = on;
    }

    /// Sets who takes the faults. With a sink the next verifications go on after a fault: what is
    /// wrong is skipped, with all below it.
    ///
    /// @param to who takes them; null to end at the first fault
    /// @param limit how many it takes at most; one more is counted, and ends the verification
    public void setSink(FaultSink to, int limit) {
        sink = to;
        maxFaults = limit;
    }

    /// {@return the fault of the last verification; with a sink there is none, as it has taken
    /// them}
    public Fault fault() {
        return fault;
    }

    /// {@return how many faults the last verification found}
    public int faultCount() {
        return faults;
    }

    /// {@return how many tables the last verification reached; one that was reached twice counts
    /// twice}
    public long tablesVisited() {
        return tables;
    }

    /// {@return how many bytes the last verification looked at to tell whether strings are UTF-8}
    public long stringBytesRead() {
        return utf8.bytesRead();
    }

    /// {@return what is checked}
    public VerifierOptions options() {
        return options;
    }

    private boolean verifyRoot(int root, Source memory) {
        if (sink == null && !shallow && isAccepted(root, memory)) {
            return true;
        }
        begin(memory);
        if (size < MIN_BYTES) {
            found(FaultCode.BUFFER_TOO_SMALL, 0, size);
        } else if (size > options.maxSize()) {
            found(FaultCode.BUFFER_TOO_LARGE, 0, size);
        } else {
            final byte[] a = memory.array;
            final MemorySegment s = a == null ? memory.segment() : null;
            final long at = follow(a, s, memory.start, 0);
            if (at != NOWHERE) {
                walk(root, at, 0);
                return end();
            }
        }
        report(kinds[root], NO_SLOT);
        return end();
    }

    /// Tries the quick way, which leaves what the last verification found.
    boolean isAccepted(int root, Source memory) {
        size = memory.end - memory.start;
        utf8.reset(size);
        if (!quick.accepts(root, memory)) {
            return false;
        }
        tables = quick.tablesReached();
        faults = 0;
        fault.clear();
        return true;
    }
}
