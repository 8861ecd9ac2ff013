// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.flatbuf.Struct;
import dev.fletch.flatbuf.Table;

/// Number of values and nulls of one field in one record batch.
///
/// ```text
///   0        8           16
///   length   null_count
/// ```
///
/// [RecordBatch#nodes] binds it.
///
/// Source: `format/Message.fbs`, struct `FieldNode`.
public final class FieldNode extends Struct {
    public static final int BYTES = 16;
    public static final int LENGTH_AT = 0;
    public static final int NULL_COUNT_AT = 8;

    private long length;
    private long nullCount;

    void decode(Table from, long vector, int index, int count) {
        openElement(from, vector, index, count, BYTES);
        length = int64(LENGTH_AT);
        nullCount = int64(NULL_COUNT_AT);
    }

    /// {@return number of values}
    public long length() {
        return length;
    }

    /// {@return number of nulls among the values}
    public long nullCount() {
        return nullCount;
    }

    /// Sets both numbers in place.
    ///
    /// @param newLength number of values
    /// @param newNullCount number of nulls among them
    public void set(long newLength, long newNullCount) {
        length = setInt64(LENGTH_AT, newLength);
        nullCount = setInt64(NULL_COUNT_AT, newNullCount);
    }
}
