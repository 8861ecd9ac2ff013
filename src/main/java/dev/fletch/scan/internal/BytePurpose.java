// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.scan.internal;

import java.util.Locale;

/// The purpose of a byte. Each byte of an input has exactly one, so their sums are the input's
/// size.
public enum BytePurpose {
    /// `ARROW1` at both ends of a file.
    MAGIC,
    /// Prefix, flatbuffer and padding of messages; the end-of-stream marker.
    METADATA,
    /// Buffers of columns in record batches.
    COLUMNS,
    /// Buffers of dictionary values in dictionary batches.
    DICTIONARIES,
    /// Additional buffers of a batch after those of its columns; bodies of other messages, such as
    /// tensors.
    OTHER,
    /// Padding up to the next aligned position.
    PADDING,
    /// Bytes that nothing refers to, in what is not damaged.
    UNREFERENCED,
    /// Damaged and incomplete messages, bytes between messages where one may be lost, a damaged
    /// footer, and wrong blocks of a footer.
    DAMAGED,
    /// A file's footer and footer length.
    FOOTER;

    /// The name in output and JSON.
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }
}
