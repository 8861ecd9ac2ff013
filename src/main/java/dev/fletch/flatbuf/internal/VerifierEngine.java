// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.internal;

import dev.fletch.Check;
import dev.fletch.Checks;
import dev.fletch.Fault;
import dev.fletch.FaultSink;
import dev.fletch.UnreadableFileException;
import dev.fletch.events.Events;
import dev.fletch.flatbuf.internal.FullPass.RangeSink;
import dev.fletch.wire.MemoryRange;
import dev.fletch.wire.Utf8Checker;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/// Verifies FlatBuffers by declarations of their tables. It decides as the official verifier does,
/// and more strictly where [Checks] ask for it.
///
/// It visits tables depth first, in the order of the slots, and checks a table's own fields before
/// the tables below it. The first fault ends the verification, unless there is a [FaultSink].
///
/// A quick first pass accepts nearly all valid buffers. A full second pass verifies the others from
/// the start and finds the faults. Depth uses no Java stack.
///
/// Memory is allocated when first needed, and kept: up to eight vtable plans per kind of table
/// beyond the shared ones (some 150 bytes each); a view, if the segment or byte buffer differs from
/// the previous one; a copy of memory other than heap bytes (up to 256 kB); in the second pass some
/// 110 bytes per level of depth. If UTF-8 is checked and the strings' lengths add up to more than
/// the buffer's size, it also takes a quarter of the buffer's size. A copy of more than 256 kB (up
/// to 16 MB) is not kept.
///
/// A result is valid for the bytes at the time of verification. If a mapped file cannot be read,
/// verifying throws an [UnreadableFileException]. For one thread at a time.
public final class VerifierEngine {
    private static final int NONE = -1;

    private final DeclaredTables declared;
    private final Checks options;
    private final QuickRules rules;
    // Null if UTF-8 is not checked.
    private final Utf8Checker utf8;
    // Created when first needed: a new reader may need none of them.
    private MemoryRange own;
    private QuickPass quick;
    private FullPass full;

    // Number of tables of a buffer that was accepted without the full pass, until that has it.
    private long accepted = NONE;

    public VerifierEngine(DeclaredTables declared, Checks options) {
        this.declared = declared;
        this.options = Objects.requireNonNull(options, "options");
        rules = QuickRules.of(declared, options);
        utf8 = options.has(Check.UTF8) ? new Utf8Checker() : null;
    }

    // ---- verification

    /// Finds the bytes of a buffer that its tables, vtables, strings and vectors have. The others
    /// are padding, or belong to nothing.
    ///
    /// @param root kind of the root table
    /// @param into a bit for each byte
    /// @return whether the buffer is valid; otherwise the bits mean nothing
    public boolean cover(int root, MemorySegment memory, long offset, long length, BitSet into) {
        // Of the ranges from each byte, the length of the longest one: objects may share bytes, and
        // be reached many times. An empty range may begin at the end.
        int[] longest = new int[Math.toIntExact(length) + 1];
        RangeSink sink =
                (position, bytes, _) ->
                        longest[(int) position] = Math.max(longest[(int) position], (int) bytes);
        boolean isValid = ranges(root, memory, offset, length, sink);
        into.clear();
        int end = 0;
        for (int at = 0; at < longest.length; at++) {
            end = Math.max(end, at + longest[at]);
            into.set(at, at < end);
        }
        return isValid;
    }

    /// Finds the end of the last table, vtable, string or vector of a buffer.
    ///
    /// @param root kind of the root table
    /// @return position after it; 0 if the buffer is not valid
    public long end(int root, MemorySegment memory, long offset, long length) {
        long[] end = {0};
        RangeSink sink = (position, bytes, _) -> end[0] = Math.max(end[0], position + bytes);
        return ranges(root, memory, offset, length, sink) ? end[0] : 0;
    }

    /// The bytes that a verification of a table reads, those of all tables below it included.
    public static final class Extent {
        /// Position of the first byte.
        public long from = Long.MAX_VALUE;

        /// Position after the last byte.
        public long to;

        /// The largest alignment that the options require.
        public int alignment = Wire.OFFSET_BYTES;

        /// Number of tables.
        public long tables;

        private void include(long position, long bytes) {
            from = Math.min(from, position);
            to = Math.max(to, position + bytes);
        }
    }

    /// Finds the extent of a table.
    ///
    /// @param table position of a table of this kind
    /// @return null if it is not valid
    public Extent extent(int kind, MemorySegment memory, long table) {
        Extent extent = new Extent();
        RangeSink sink =
                new RangeSink() {
                    @Override
                    public void add(long position, long bytes, int alignment) {
                        extent.include(position, bytes);
                        extent.alignment = Math.max(extent.alignment, alignment);
                    }

                    @Override
                    public void room(long position, long bytes) {
                        extent.include(position, bytes);
                    }
                };
        own().wrap(memory, 0, memory.byteSize());
        boolean isValid = ranges(sink, () -> full.table(kind, own, table));
        extent.tables = full.tables;
        return isValid ? extent : null;
    }

    private boolean ranges(
            int root, MemorySegment memory, long offset, long length, RangeSink sink) {
        own().wrap(memory, offset, length);
        return ranges(sink, () -> full.buffer(root, own, QuickPass.MIN_BYTES));
    }

    private boolean ranges(RangeSink sink, BooleanSupplier pass) {
        full().covered = sink;
        try {
            return pass.getAsBoolean();
        } catch (InternalError e) {
            throw UnreadableFileException.of(e);
        } finally {
            full.covered = null;
        }
    }

    /// Verifies a buffer in a part of a segment.
    ///
    /// @param root kind of the root table
    /// @return whether it is valid; otherwise [#fault()] says why
    /// @throws IndexOutOfBoundsException if the range is not inside `memory`, or `root` is unknown
    public boolean verify(int root, MemorySegment memory, long offset, long length) {
        own().wrap(memory, offset, length);
        return verifyRoot(root, own);
    }

    /// Verifies the bytes between a buffer's position and limit, which do not change.
    public boolean verify(int root, ByteBuffer buffer) {
        own().wrap(buffer);
        return verifyRoot(root, own);
    }

    private MemoryRange own() {
        if (own == null) {
            own = new MemoryRange();
        }
        return own;
    }

    /// Returns the full pass with the results of the last verification.
    private FullPass full() {
        if (full == null) {
            full = new FullPass(declared, options, utf8);
        }
        if (accepted != NONE) {
            full.clear(accepted);
            accepted = NONE;
        }
        return full;
    }

    /// Records that the caller knows a buffer to be valid.
    ///
    /// @param tablesReached number of tables in the buffer
    public void accept(long tablesReached) {
        accepted = tablesReached;
        if (utf8 != null) {
            utf8.reset(0);
        }
    }

    /// Records that a buffer was accepted by the [#quick] pass.
    public void acceptQuickly() {
        accepted = quick.tableCount();
    }

    /// Verifies a table and all tables below it. Depth and number of tables count from this table;
    /// the limit of tables per byte uses the size of `memory`, which is not limited itself.
    ///
    /// @param table byte offset of the table in the wrapped segment or buffer
    /// @return whether it is valid; otherwise [#fault()] says why
    public boolean verify(int kind, MemoryRange memory, long table) {
        try {
            return full().table(kind, memory, memory.positionOf(table) - memory.start);
        } catch (InternalError e) {
            throw UnreadableFileException.of(e);
        }
    }

    /// Sets whether to skip the elements of vectors of tables. Then only the vector's position and
    /// count are checked.
    public void setShallow(boolean on) {
        full().isShallow = on;
    }

    /// Sets a sink for faults. With a sink, verification continues after a fault and skips the
    /// faulty part with all tables below it.
    ///
    /// @param to the sink; null to end at the first fault
    /// @param limit maximum number of faults for the sink; one more is counted, and ends the
    ///     verification
    public void setSink(FaultSink to, int limit) {
        full().faults.collect(to, limit);
    }

    /// {@return the fault of the last verification; null if there is none, or a sink has it}
    public Fault fault() {
        return full().fault();
    }

    /// {@return number of faults of the last verification}
    public int faultCount() {
        return (int) full().faults.count();
    }

    /// {@return number of tables of the last verification; one reached twice counts twice}
    public long tablesVisited() {
        return full().tables;
    }

    /// {@return number of string bytes that the last verification has checked to be UTF-8}
    public long stringBytesRead() {
        return utf8 == null ? 0 : utf8.bytesRead();
    }

    /// {@return the options}
    public Checks options() {
        return options;
    }

    private boolean verifyRoot(int root, MemoryRange memory) {
        boolean isComplete = full == null || !full.isShallow;
        try {
            if (isComplete && isAccepted(root, memory)) {
                return true;
            }
            boolean isPlain = isComplete && (full == null || !full.faults.hasSink());
            Object event = isPlain ? Events.fullPassBegins() : null;
            boolean isValid = full().buffer(root, memory, QuickPass.MIN_BYTES);
            if (event != null) {
                String table = declared.table(root).name();
                Events.fullPassTaken(event, table, memory.end - memory.start, isValid);
            }
            return isValid;
        } catch (InternalError e) {
            throw UnreadableFileException.of(e);
        }
    }

    /// Tries the quick pass.
    boolean isAccepted(int root, MemoryRange memory) {
        boolean isAccepted = quick().accepts(root, memory);
        if (isAccepted) {
            acceptQuickly();
        }
        return isAccepted;
    }

    /// {@return the quick pass, whose results [#acceptQuickly] records}
    public QuickPass quick() {
        if (quick == null) {
            quick = new QuickPass(rules, utf8);
        }
        return quick;
    }
}
