// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.scan;

import java.io.Serializable;

/// Sums of one column over all record batches of a file. A number is [#UNKNOWN] if it is unknown
/// for a batch, or above 2^63 - 1.
///
/// @param name the column's name
/// @param type such as `timestamp(microsecond, UTC)`
/// @param rows number of values
/// @param nulls number of nulls among them; 0 if the column has no validity buffer, except for type
///     Null
/// @param bytes stored bytes of the buffers of the column and its children, without padding and
///     dictionaries
/// @param uncompressedBytes `bytes` after decompression; [#UNKNOWN] also for compressed remote
///     files, whose bodies are not read
public record ColumnSummary(
        String name, String type, long rows, long nulls, long bytes, long uncompressedBytes)
        implements Serializable {
    /// An unknown number.
    public static final long UNKNOWN = -1;
}
