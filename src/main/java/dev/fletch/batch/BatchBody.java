// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.internal.BufferRange;

import java.lang.foreign.MemorySegment;

/// The body of a batch: in one range of memory, in pieces, or absent.
final class BatchBody {
    private final ByteSlice whole = new ByteSlice();
    // Null if the body is in one range.
    private ReceivedBody pieces;
    boolean isPresent;

    void clear() {
        isPresent = false;
        if (pieces != null) { // compared before it is stored
            pieces = null;
        }
    }

    /// Binds to a part of a segment; if it is not inside, the body is absent.
    void wrap(MemorySegment memory, long offset, long length) {
        clear();
        whole.wrap(memory, offset, length);
        isPresent = true;
    }

    void wrap(ReceivedBody received) {
        pieces = received;
        isPresent = true;
    }

    long length() {
        if (!isPresent) {
            throw new IllegalStateException("cursor is bound without a body");
        }
        return pieces == null ? whole.length() : pieces.length();
    }

    /// {@return whether there is a body, and it is not in pieces}
    boolean isInOneMemory() {
        return isPresent && pieces == null;
    }

    /// {@return byte offset of the body in its memory; 0 for a body in pieces, and without one}
    long offset() {
        return isInOneMemory() ? whole.offset() : 0;
    }

    /// Binds to a buffer. One of length 0 may have any offset.
    ///
    /// @return false if the buffer is not inside the body
    boolean slice(long offset, long length, ByteSlice into) {
        long size = length();
        if (!BufferRange.isInside(offset, length, size)) {
            return false;
        }
        long at = length == 0 ? Math.clamp(offset, 0, size) : offset;
        if (pieces == null) {
            into.wrap(whole, at, length);
        } else {
            pieces.slice(at, length, into);
        }
        return true;
    }
}
