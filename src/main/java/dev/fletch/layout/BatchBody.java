// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import dev.fletch.flatbuf.ByteSlice;

import java.lang.foreign.MemorySegment;

/// The body of a batch, and what a compressed buffer in it begins with.
///
/// ```text
///   0   i64  bytes once it is decompressed, or -1 where it is stored as it is
///   8        the bytes
/// ```
final class BatchBody {
    static final int PREFIX_BYTES = 8;

    /// What the prefix of a buffer says that is stored as it is.
    static final long STORED = -1;

    private static final long NO_PREFIX = Long.MIN_VALUE;

    private final ByteSlice bytes = new ByteSlice();

    void wrap(MemorySegment memory, long offset, long length) {
        bytes.wrap(memory, offset, length);
    }

    long length() {
        return bytes.length();
    }

    /// Binds a slice to a buffer. One of length 0 is empty wherever it claims to be.
    ///
    /// @return false if it is not inside the body
    boolean bind(long offset, long length, ByteSlice into) {
        final long size = bytes.length();
        if (length == 0) {
            into.wrap(bytes, Math.clamp(offset, 0, size), 0);
            return true;
        }
        if (!isInside(offset, length, size)) {
            return false;
        }
        into.wrap(bytes, offset, length);
        return true;
    }

    /// Tells whether a buffer is inside a body of so many bytes. One of length 0 is, wherever it claims
    /// to be.
    static boolean isInside(long offset, long length, long size) {
        return length == 0 || (offset | length) >= 0 && length <= size && offset <= size - length;
    }

    /// Reads a buffer's prefix, which is little-endian whatever the schema's byte order.
    ///
    /// @return what it says; less than [#STORED] if that is no length, or there is no prefix
    static long claim(ByteSlice buffer) {
        return buffer.length() < PREFIX_BYTES ? NO_PREFIX : buffer.int64(0);
    }

    /// Leaves out a buffer's prefix.
    static ByteSlice behindPrefix(ByteSlice buffer) {
        return buffer.wrap(buffer, PREFIX_BYTES, buffer.length() - PREFIX_BYTES);
    }
}
