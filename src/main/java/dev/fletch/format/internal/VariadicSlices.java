// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.internal;

import dev.fletch.Rule;
import dev.fletch.ValueRule;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.internal.tables.TypeFacts;
import dev.fletch.wire.Growth;

/// The variadic buffers of a view field, as slices. A message may have millions of buffers, which
/// take 16 bytes each there, so only the first ones always have a slice. The caller binds another
/// one when a view needs it.
public final class VariadicSlices {
    private static final int ALWAYS_BOUND = 1 << 10;

    // Null for buffers that have no slice.
    private ByteSlice[] slices = {};
    private final ByteSlice other = new ByteSlice();
    private int count;

    /// Begins a field. The caller then binds the slice [#first] of each buffer.
    public void begin(int buffers) {
        count = buffers;
        slices = Growth.withIndex(slices, buffers - 1);
    }

    /// {@return the slice to bind a buffer with at the beginning, to check it; valid until the next
    /// call if [#bound] then returns none}
    public ByteSlice first(int buffer) {
        if (buffer >= ALWAYS_BOUND) {
            slices[buffer] = null; // of a batch before
            return other;
        }
        if (slices[buffer] == null) {
            slices[buffer] = new ByteSlice();
        }
        return slices[buffer];
    }

    /// {@return number of buffers}
    public int count() {
        return count;
    }

    /// {@return whether a field has a buffer}
    public boolean has(int buffer) {
        return buffer >= 0 && buffer < count;
    }

    /// What is wrong with a view.
    ///
    /// @param position of the wrong number in the view
    /// @param limit the greatest number that is right
    public record WrongView(Rule rule, int position, long value, long limit) {}

    /// {@return what is wrong with a view whose bytes are not in a variadic buffer}
    ///
    /// @param bytes length of the value
    /// @param in the buffer; any other slice if there is none with this number
    public WrongView wrong(int bytes, int buffer, int offset, ByteSlice in) {
        if (bytes < 0) {
            return new WrongView(ValueRule.VALUE_VIEW_LENGTH, 0, bytes, Integer.MAX_VALUE);
        }
        if (!has(buffer)) {
            int position = TypeFacts.VIEW_BUFFER_AT;
            return new WrongView(ValueRule.VALUE_VIEW_BUFFER, position, buffer, count - 1L);
        }
        long last = in.length() - bytes;
        return new WrongView(ValueRule.VALUE_VIEW_RANGE, TypeFacts.VIEW_OFFSET_AT, offset, last);
    }

    /// {@return a buffer; null if it must be bound and [#keep kept]}
    public ByteSlice bound(int buffer) {
        return slices[buffer];
    }

    /// {@return a slice, after keeping it as that of a buffer}
    public ByteSlice keep(int buffer, ByteSlice slice) {
        slices[buffer] = slice;
        return slice;
    }
}
