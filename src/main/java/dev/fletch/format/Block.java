// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.flatbuf.Struct;
import dev.fletch.flatbuf.Table;

/// The position of a message in a file.
///
/// ```text
///   0        8                12        16           24
///   offset   metaDataLength   padding   bodyLength
/// ```
///
/// [Footer#dictionaries] and [Footer#recordBatches] bind it.
///
/// Source: `format/File.fbs`, struct `Block`.
public final class Block extends Struct {
    public static final int BYTES = 24;
    public static final int OFFSET_AT = 0;
    public static final int META_DATA_LENGTH_AT = 8;
    public static final int BODY_LENGTH_AT = 16;

    private long offset;
    private int metaDataLength;
    private long bodyLength;

    void decode(Table from, long vector, int index, int count) {
        openElement(from, vector, index, count, BYTES);
        offset = int64(OFFSET_AT);
        metaDataLength = int32(META_DATA_LENGTH_AT);
        bodyLength = int64(BODY_LENGTH_AT);
    }

    /// {@return byte offset of the message in the file: of its continuation word if it has one}
    public long offset() {
        return offset;
    }

    /// {@return number of bytes from [#offset] to the body: prefix, metadata and padding}
    public int metaDataLength() {
        return metaDataLength;
    }

    /// {@return length of the body in bytes}
    public long bodyLength() {
        return bodyLength;
    }

    /// Sets all three numbers in place; the padding does not change.
    ///
    /// @param newOffset byte offset of the message in the file
    /// @param newMetaDataLength number of bytes from `newOffset` to the body
    /// @param newBodyLength length of the body in bytes
    public void set(long newOffset, int newMetaDataLength, long newBodyLength) {
        offset = setInt64(OFFSET_AT, newOffset);
        metaDataLength = setInt32(META_DATA_LENGTH_AT, newMetaDataLength);
        bodyLength = setInt64(BODY_LENGTH_AT, newBodyLength);
    }
}
