// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify.messages;

import dev.fletch.FaultSink;
import dev.fletch.Rule;
import dev.fletch.ValueRule;
import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BufferSource;
import dev.fletch.batch.DecompressedBuffers;
import dev.fletch.batch.UnusedBytes;
import dev.fletch.compression.LibraryDecompressor;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.internal.NonzeroBytes;
import dev.fletch.ipc.internal.Work;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Checks that the unused bytes of batches are 0, by [UnusedBytes]: one note for each buffer, and
/// for each gap between buffers.
public final class UnusedCheck {
    /// A buffer, and its range in the body.
    private record Placed(int field, int buffer, long from, long to) {}

    private static final Placed NOTHING = new Placed(ValueFault.NO_FIELD, 0, 0, 0);

    private final UnusedBytes unused;
    private final DecompressedBuffers buffers;
    private final ByteSlice bytes = new ByteSlice();
    private FaultSink sink;
    private BatchCursor cursor;

    /// @param options limit the memory, and have the decompressor
    public UnusedCheck(ReadOptions options) {
        unused = new UnusedBytes(options.decompressedBytes());
        buffers = LibraryDecompressor.buffers(options);
    }

    /// Checks a batch whose values have no errors.
    ///
    /// @param bound to the batch and its body
    /// @param isWhole whether the layout has all columns: then gaps between buffers are checked,
    ///     too
    /// @param to receives the notes, as [ValueFault]
    /// @return whether all was checked: else, buffers share bytes
    public boolean check(BatchCursor bound, MemorySegment body, boolean isWhole, FaultSink to) {
        BufferSource before = bound.source();
        bound.source(buffers);
        try {
            find(bound, body, isWhole, to);
            return unused.sharedCount() == 0;
        } finally {
            bound.source(before);
            buffers.release();
        }
    }

    private void find(BatchCursor bound, MemorySegment body, boolean isWhole, FaultSink to) {
        cursor = bound;
        sink = to;
        Work.worked(body.byteSize());
        unused.find(bound);
        List<Placed> placed = new ArrayList<>();
        for (int field = 0; field < bound.layout().fieldCount(); field++) {
            for (int i = 0; i < bound.bufferCount(field); i++) {
                long from = bound.bufferOffset(field, i);
                long length = bound.bufferLength(field, i);
                if (length != 0) {
                    placed.add(new Placed(field, i, from, from + length));
                    buffer(field, i, body);
                }
            }
        }
        if (isWhole) {
            placed.sort(Comparator.comparingLong(Placed::from));
            Placed last = NOTHING;
            for (Placed each : placed) {
                gap(last == NOTHING ? each : last, last.to, each.from, body);
                last = each.to > last.to ? each : last;
            }
            gap(last, last.to, body.byteSize(), body);
        }
    }

    private void buffer(int field, int buffer, MemorySegment body) {
        MemorySegment memory = body;
        long offset = unused.start(field, buffer);
        long length = unused.length(field, buffer);
        if (cursor.isCompressed() && length > 0) {
            cursor.decompressed(field, buffer, bytes);
            memory = bytes.asSlice();
        }
        long found = unused.nonzero(offset, memory, cursor.isCompressed() ? 0 : offset, length);
        if (found > 0) {
            long first = cursor.isCompressed() ? 0 : unused.firstNonzero();
            long position = cursor.bufferOffset(field, buffer) + first;
            add(ValueRule.UNUSED_VALUES, field, buffer, position, found);
        }
    }

    /// Checks bytes that no buffer has, for the buffer before them; for the first one, if none is.
    private void gap(Placed of, long from, long to, MemorySegment body) {
        NonzeroBytes nonzero = new NonzeroBytes();
        nonzero.add(body, from, to);
        long count = nonzero.count();
        if (count > 0) {
            add(ValueRule.UNUSED_PADDING, of.field, of.buffer, nonzero.first(), count);
        }
    }

    private void add(Rule rule, int field, int buffer, long position, long count) {
        var role = field == ValueFault.NO_FIELD ? null : cursor.role(field, buffer);
        var batch = new ValueFault.Batch(cursor.layout(), 0, ValueFault.NO_DICTIONARY);
        String text = "bytes=" + count;
        sink.accept(
                new ValueFault(
                        rule, batch, field, role, ValueFault.NO_ROW, position, count, 0, text));
    }
}
