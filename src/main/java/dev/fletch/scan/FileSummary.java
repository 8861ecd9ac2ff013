// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.scan;

import java.io.Serializable;
import java.util.List;

/// The summary of a file from [FileScan]. Immutable and serializable.
///
/// For a damaged file, numbers cover its complete and valid messages.
///
/// @param name the file's name; links are without user, query and fragment
/// @param container `file`, `stream` or `flatbuffer`; null if unknown
/// @param size size in bytes; 0 if the file could not be read
/// @param rows number of rows in all record batches; 2^63 - 1 if there are more
/// @param batches number of record batches
/// @param dictionaryBatches number of dictionary batches
/// @param expectedBatches number of record batches in the footer; -1 without a sound footer
/// @param nextStream offset of another stream that follows, which the summary does not include; -1
///     if there is none
/// @param incompleteRows number of rows that a record batch with a truncated body declares, after
///     the complete ones; -1 if there is none
/// @param columns in the schema's order
/// @param schema the schema in the form of Parquet's `ARROW:schema` value (base64); null if there
///     is no valid schema
/// @param schemaDigest digest of the schema with custom metadata, see
///     [dev.fletch.schema.ArrowSchema#digest]; null without a valid schema
/// @param fault the reason why the summary is incomplete; null if it is complete
public record FileSummary(
        String name,
        String container,
        long size,
        long rows,
        long batches,
        long dictionaryBatches,
        int expectedBatches,
        long nextStream,
        long incompleteRows,
        List<ColumnSummary> columns,
        String schema,
        String schemaDigest,
        FileFault fault)
        implements Serializable {
    /// {@return the summary of a file that could not be read}
    ///
    /// @param text why
    public static FileSummary unreadable(String name, String text) {
        return of(name, FileFault.unreadable(text));
    }

    /// The summary of a file of which nothing is known.
    static FileSummary of(String name, FileFault fault) {
        return new FileSummary(name, null, 0, 0, 0, 0, -1, -1, -1, List.of(), null, null, fault);
    }
}
