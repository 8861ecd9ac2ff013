// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.verify;

import dev.fletch.Fault;
import dev.fletch.FaultSink;
import dev.fletch.flatbuf.VerifierOptions;
import dev.fletch.flatbuf.VerifierOptions.Check;
import dev.fletch.wire.MemoryRange;
import dev.fletch.wire.Utf8Checker;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Set;

/// Verifies FlatBuffers by rules given as data, with the decisions of the official verifier and,
/// where [VerifierOptions] say so, stricter ones.
///
/// Tables are visited depth first, in the order of the slots; a table's own fields are checked before
/// the tables below it. The first fault ends the verification, unless there is a [FaultSink].
///
/// A valid buffer is nearly always accepted by a quick first pass. A second pass verifies the others
/// from the start and finds the faults. Depth costs no Java stack.
///
/// It allocates what it needs when it first needs it, and keeps it for the next time: for each kind of
/// table up to eight plans of vtables (some 150 bytes each), for another segment or byte buffer than
/// the last time a view of it, for memory that is not heap bytes a copy (up to 256 kB), and in the
/// second pass some 110 bytes per level of depth. If UTF-8 is checked and the lengths of the strings
/// add up to more than the buffer's size, it also takes a quarter of the buffer's size. A copy of more
/// than 256 kB (up to 16 MB) is not kept.
///
/// A verdict holds for the bytes as they were when they were verified. An engine belongs to one thread at
/// a time.
public final class VerifierEngine {
    private static final int MIN_BYTES = 12;

    /// The checks that [QuickPass] makes, and that bytes outside of a [dev.fletch.wire.Shape] cannot
    /// fail, except for UTF-8. With any other, the full pass verifies each buffer.
    public static final Set<Check> QUICK_CHECKS =
            Set.of(
                    Check.ALIGNMENT,
                    Check.UTF8,
                    Check.UNION_PAIRS,
                    Check.TABLE_SIZE,
                    Check.VTABLE_SIZE,
                    Check.ZERO_OFFSETS,
                    Check.VECTOR_ALIGNMENT,
                    Check.EMPTY_VECTOR_ALIGNMENT);

    private final VerifierOptions options;
    private final boolean isQuick;
    private final Utf8Checker utf8 = new Utf8Checker();
    private final QuickPass quick;
    private final FullPass full;
    private final MemoryRange own = new MemoryRange();

    /// Creates an engine.
    ///
    /// @param rules rules of all tables
    /// @param options what to check
    public VerifierEngine(RuleSet rules, VerifierOptions options) {
        this.options = options;
        isQuick = QUICK_CHECKS.containsAll(options.checks());
        quick = new QuickPass(rules, options, utf8);
        full = new FullPass(rules, options, utf8);
    }

    // ---- what is verified

    /// Verifies a buffer that is a part of a segment.
    ///
    /// @param root kind of the root table
    /// @return whether it is valid; if not, there is a [#fault()]
    /// @throws IndexOutOfBoundsException if the range is not inside `memory`, or there is no such kind
    public boolean verify(int root, MemorySegment memory, long offset, long length) {
        own.wrap(memory, offset, length);
        return verifyRoot(root, own);
    }

    /// Verifies a buffer between position and limit, which stay as they are.
    public boolean verify(int root, ByteBuffer buffer) {
        own.wrap(buffer);
        return verifyRoot(root, own);
    }

    /// Notes that the caller knows a buffer to be valid.
    ///
    /// @param tablesReached how many tables it has
    public void accept(long tablesReached) {
        full.clear(tablesReached);
        utf8.reset(0);
    }

    /// Verifies a table and what lies below it. Depth and tables count from this table on; the limit
    /// of tables per byte goes by the whole buffer's size, which is not itself checked.
    ///
    /// @param table its byte offset, as the caller counts
    /// @return whether it is valid; if not, there is a [#fault()]
    public boolean verify(int kind, MemoryRange memory, long table) {
        return full.table(kind, memory, memory.positionOf(table) - memory.start);
    }

    /// Sets whether the elements of vectors of tables are left out: then only a vector's place and
    /// count are checked.
    public void setShallow(boolean on) {
        full.isShallow = on;
    }

    /// Sets a sink for faults. With one, verification goes on after a fault: what is wrong is skipped, with
    /// all below it.
    ///
    /// @param to takes the faults; null to end at the first fault
    /// @param limit how many it takes at most; one more is counted, and ends the verification
    public void setSink(FaultSink to, int limit) {
        full.sink = to;
        full.maxFaults = limit;
    }

    /// {@return the fault of the last verification; absent if there is a sink}
    public Fault fault() {
        return full.fault;
    }

    /// {@return how many faults the last verification found}
    public int faultCount() {
        return full.faults;
    }

    /// {@return how many tables the last verification reached; one that was reached twice counts
    /// twice}
    public long tablesVisited() {
        return full.tables;
    }

    /// {@return how many bytes of strings the last verification has checked to be UTF-8}
    public long stringBytesRead() {
        return utf8.bytesRead();
    }

    /// {@return what is checked}
    public VerifierOptions options() {
        return options;
    }

    /// {@return whether all buffers of a shape are valid if one is, apart from the text of strings}
    public boolean decidesByShape() {
        return isQuick;
    }

    private boolean verifyRoot(int root, MemoryRange memory) {
        return full.sink == null && !full.isShallow && isAccepted(root, memory)
                || full.buffer(root, memory, MIN_BYTES);
    }

    /// Tries the quick pass.
    public boolean isAccepted(int root, MemoryRange memory) {
        if (!isQuick || !quick.accepts(root, memory, MIN_BYTES)) {
            return false;
        }
        full.clear(quick.tables());
        return true;
    }
}
