// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.vectors;

import java.lang.foreign.MemorySegment;

/// Where the bytes of a fetched buffer are.
///
/// @param offset in the body of the first byte; if they are compressed, of the buffer
/// @param mapped the bytes in mapped memory that the buffer refers to; null if it is a copy
record BufferOrigin(long offset, boolean isCompressed, MemorySegment mapped) {
    /// {@return the offset in the body of a byte; of its buffer if that is compressed}
    ///
    /// @param position position of the byte in the fetched buffer
    long of(long position) {
        return isCompressed ? offset : offset + position;
    }
}
