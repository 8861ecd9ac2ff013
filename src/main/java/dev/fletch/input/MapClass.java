// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

/// The purpose of a byte. Each byte of an input has exactly one, so their sums are the input's size.
public enum MapClass {
    /// `ARROW1` at both ends of a file.
    MAGIC("magic"),
    /// Messages without their bodies: prefix, flatbuffer and their padding; the end-of-stream marker.
    METADATA("metadata"),
    /// Buffers of columns, in record batches.
    COLUMNS("columns"),
    /// Buffers of dictionaries' values, in dictionary batches.
    DICTIONARIES("dictionaries"),
    /// Buffers of a batch behind those of its columns; bodies of other messages, such as tensors.
    OTHER("other"),
    /// Bytes up to the next aligned position.
    PADDING("padding"),
    /// Bytes without a reference.
    UNREFERENCED("unreferenced"),
    /// A file's footer, and its length in the four bytes behind it.
    FOOTER("footer");

    private final String id;

    MapClass(String id) {
        this.id = id;
    }

    /// The name in texts and JSON.
    public String id() {
        return id;
    }
}
