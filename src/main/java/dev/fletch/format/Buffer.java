// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.flatbuf.Struct;
import dev.fletch.flatbuf.Table;

/// A range of bytes in the body of a message.
///
/// ```text
///   0        8        16
///   offset   length
/// ```
///
/// [RecordBatch#buffers] and the accessors of tensors and their indexes bind it.
///
/// Source: `format/Schema.fbs`, struct `Buffer`.
public final class Buffer extends Struct {
    public static final int BYTES = 16;
    public static final int OFFSET_AT = 0;
    public static final int LENGTH_AT = 8;

    private long offset;
    private long length;

    void decode(Table from, long vector, int index, int count) {
        openElement(from, vector, index, count, BYTES);
        read();
    }

    /// Binds to a struct in a table; returns false if it is absent, with `position` 0.
    boolean decodePresent(Table from, long position) {
        if (position != 0) {
            openAt(from, position);
            read();
        }
        return position != 0;
    }

    private void read() {
        offset = int64(OFFSET_AT);
        length = int64(LENGTH_AT);
    }

    /// {@return distance in bytes from the start of the body}
    public long offset() {
        return offset;
    }

    /// {@return number of bytes, excluding the padding after them}
    public long length() {
        return length;
    }

    /// Sets both numbers in place.
    ///
    /// @param newOffset distance in bytes from the start of the body
    /// @param newLength number of bytes
    public void set(long newOffset, long newLength) {
        offset = setInt64(OFFSET_AT, newOffset);
        length = setInt64(LENGTH_AT, newLength);
    }
}
