// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify;

/// What [dev.fletch.arrow.Arrow#verify] has found in an input.
///
/// @param container `file` or `stream`; `flatbuffer` for a single table; null if the input is not
///     Arrow
/// @param messages number of messages, damaged ones included
/// @param dictionaryBatches number of sound dictionary batches
/// @param recordBatches number of sound record batches; of a file, those that the footer lists
/// @param completeBatches number of record batches all of whose bytes are there, and whose metadata
///     has no errors; their dictionaries may be missing
/// @param completeRows number of rows of these batches; 2^63 - 1 if there are more
/// @param expectedBatches number of record batches in the footer of a file; -1 without a sound
///     footer
/// @param endianness byte order of the bodies, one of [dev.fletch.format.ids.Endianness]
/// @param uncheckedFields number of fields of batches whose values were to be checked, but could
///     not be: their buffers are compressed or big-endian, their metadata has errors, their
///     dictionary is not defined, or buffers share so many bytes that checking them would take too
///     long
/// @param errors number of errors: no reader can trust the input
/// @param deviations number of deviations: the format forbids it, other readers accept it
/// @param notes number of notes: valid but unusual
public record CheckReport(
        String container,
        int messages,
        int dictionaryBatches,
        int recordBatches,
        long completeBatches,
        long completeRows,
        int expectedBatches,
        int endianness,
        long uncheckedFields,
        int errors,
        int deviations,
        int notes) {
    /// The maximum number of faults that are reported for an input. One more says that there are
    /// more.
    public static final int MAX_FAULTS = 100_000;

    /// {@return whether there are no errors}
    public boolean isOk() {
        return errors == 0;
    }
}
