// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.scan;

import java.io.Serializable;
import java.util.List;

/// What a file holds, as [FileScan] has found it. Plain values, which can be serialized.
///
/// The numbers of a damaged file are those of its complete messages.
///
/// @param name the file's name; of a link without its query
/// @param container `file`, `stream` or `flatbuffer`; null if it is none of these
/// @param size number of bytes; 0 if the file could not be read
/// @param rows rows of the record batches
/// @param batches number of record batches
/// @param dictionaryBatches number of dictionary batches
/// @param expectedBatches number of record batches as the footer says; -1 if there is no usable one
/// @param incomplete the message that is cut off behind the complete ones; null if none is
/// @param columns of the schema, in its order
/// @param schema base64 of a schema message, as Parquet keeps one under `ARROW:schema`; null if there is no
///     valid schema
/// @param schemaDigest of that schema, with custom metadata: see
///     [dev.fletch.model.ArrowSchema#digest]; null where `schema` is
/// @param fault what is wrong; null if nothing is
public record FileSummary(
        String name,
        String container,
        long size,
        long rows,
        long batches,
        long dictionaryBatches,
        int expectedBatches,
        Incomplete incomplete,
        List<ColumnSummary> columns,
        String schema,
        String schemaDigest,
        FileFault fault)
        implements Serializable {
    /// A message whose body is cut off.
    ///
    /// @param index among the file's messages
    /// @param offset of its first byte
    /// @param kind as `fletch ls` shows it
    /// @param bodyLength as it claims
    /// @param rows as it claims; -1 if it is no record batch
    public record Incomplete(int index, long offset, String kind, long bodyLength, long rows)
            implements Serializable {}
}
