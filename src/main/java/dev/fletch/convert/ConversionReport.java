// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.convert;

import dev.fletch.Fault;
import dev.fletch.ipc.ArrowContainer;

import java.util.List;

/// What [dev.fletch.arrow.Arrow#convert] has written, and what it has left out.
///
/// @param target file or stream
/// @param batches number of record batches that were written
/// @param rows number of their rows; 2^63 - 1 if there are more
/// @param notes what a user should know, such as which of two schemas was used
/// @param leftOut the faults of what was left out, in the order of the offsets; at most the first
///     20
/// @param leftOutCount number of parts that were left out
/// @param soundColumns if salvaging found errors of columns: the paths of all columns without
///     errors, in their order; otherwise empty
public record ConversionReport(
        ArrowContainer target,
        long batches,
        long rows,
        List<String> notes,
        List<Fault> leftOut,
        long leftOutCount,
        List<String> soundColumns) {
    /// Copies the lists.
    public ConversionReport {
        notes = List.copyOf(notes);
        leftOut = List.copyOf(leftOut);
        soundColumns = List.copyOf(soundColumns);
    }
}
