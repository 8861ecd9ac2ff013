// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.vectors;

/// Where the bytes of a fetched buffer are in the body, for errors.
///
/// @param offset of the first byte; if they are compressed, of the buffer
record BufferOrigin(long offset, boolean isCompressed) {
    /// {@return the offset in the body of a byte; of its buffer if that is compressed}
    ///
    /// @param at position of the byte in the fetched buffer
    long of(long at) {
        return isCompressed ? offset : offset + at;
    }
}
