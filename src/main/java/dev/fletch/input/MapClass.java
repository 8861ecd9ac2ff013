// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

/// The purpose of a byte. Each byte of an input has exactly one, so their sums are the input's size.
public enum MapClass {
    /// `ARROW1` at both ends of a file.
    MAGIC("magic"),
    /// Prefix, flatbuffer and padding of messages; the end-of-stream marker.
    METADATA("metadata"),
    /// Buffers of columns in record batches.
    COLUMNS("columns"),
    /// Buffers of dictionary values in dictionary batches.
    DICTIONARIES("dictionaries"),
    /// Additional buffers of a batch after those of its columns; bodies of other messages, such as tensors.
    OTHER("other"),
    /// Padding up to the next aligned position.
    PADDING("padding"),
    /// Bytes that nothing refers to.
    UNREFERENCED("unreferenced"),
    /// A file's footer and footer length.
    FOOTER("footer");

    private final String id;

    MapClass(String id) {
        this.id = id;
    }

    /// The name in output and JSON.
    public String id() {
        return id;
    }
}
