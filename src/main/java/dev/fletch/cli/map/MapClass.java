// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.map;

/// What a byte of an input is for. Each byte belongs to exactly one of these, so that their sums add
/// up to the input's size.
public enum MapClass {
    /// The two marks that a file begins and ends with.
    MAGIC("magic"),
    /// Messages without their bodies: prefix, flatbuffer, padding of both; the mark that ends them.
    METADATA("metadata"),
    /// Buffers of columns, in record batches.
    COLUMNS("columns"),
    /// Buffers of dictionaries' values, in dictionary batches.
    DICTIONARIES("dictionaries"),
    /// Buffers that a batch has behind those of its columns; bodies of other messages, as tensors.
    OTHER("other"),
    /// What fills up to the next aligned place.
    PADDING("padding"),
    /// What nothing leads to.
    UNREFERENCED("unreferenced"),
    /// A file's footer, and the four bytes behind it that tell its length.
    FOOTER("footer");

    private static final MapClass[] ALL = values();

    private final String id;

    MapClass(String id) {
        this.id = id;
    }

    static MapClass of(int ordinal) {
        return ALL[ordinal];
    }

    static int count() {
        return ALL.length;
    }

    /// The name in texts and JSON.
    String id() {
        return id;
    }
}
