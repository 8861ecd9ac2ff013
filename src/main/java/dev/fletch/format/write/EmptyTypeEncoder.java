// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.write.FlatBufferWriter;

/// Writes the tables of types that have no parameters, such as `Utf8`, `Bool`, `List` or `Struct_`.
///
/// Errors, lifetime and threads: those of the [FlatBufferWriter].
///
/// Source: `format/Schema.fbs`, the tables of union `Type` that have no fields.
public final class EmptyTypeEncoder {
    private EmptyTypeEncoder() {}

    /// Writes a table without fields.
    ///
    /// @param writer nothing is open
    /// @return where the table is
    public static int create(FlatBufferWriter writer) {
        writer.startTable();
        return writer.endTable();
    }
}
