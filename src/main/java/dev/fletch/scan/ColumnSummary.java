// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.scan;

import java.io.Serializable;

/// What a file holds of one column, in all its record batches. A number is [#UNKNOWN] if a batch does not say it.
///
/// @param name the column's name
/// @param type as `fletch schema` shows it
/// @param rows number of values
/// @param nulls number of nulls among them
/// @param bytes stored bytes of its buffers and those of its children, without padding and dictionaries
/// @param uncompressedBytes the same after decompression; [#UNKNOWN] also if the bodies of a compressed file
///     are not read
public record ColumnSummary(
        String name, String type, long rows, long nulls, long bytes, long uncompressedBytes)
        implements Serializable {
    /// A number that is not known.
    public static final long UNKNOWN = -1;
}
