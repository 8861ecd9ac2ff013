// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.Union;
import dev.fletch.format.UnionMode;

/// Writes tables of kind [Union]: the type of a union.
///
/// To add the fields in another order than that of [#create], start the table with
/// [FlatBufferWriter#startTable()], add them one by one, and end it with
/// [FlatBufferWriter#endTable()].
///
/// Errors, lifetime and threads: those of the [FlatBufferWriter].
///
/// Source: `format/Schema.fbs`, table `Union`.
public final class UnionEncoder {
    private UnionEncoder() {}

    /// Writes a table, its fields in the order of the `createUnion` that flatc generates.
    ///
    /// @param writer nothing is open
    /// @param mode one of [UnionMode]
    /// @param typeIds vector of 32-bit numbers, one per child; 0 if absent
    /// @return where the table is
    public static int create(FlatBufferWriter writer, int mode, int typeIds) {
        writer.startTable();
        addTypeIds(writer, typeIds);
        addMode(writer, mode);
        return writer.endTable();
    }

    /// Adds `mode`, unless it is the default.
    ///
    /// @param writer a table is open
    /// @param mode one of [UnionMode]
    public static void addMode(FlatBufferWriter writer, int mode) {
        writer.addInt16(Union.MODE_SLOT, mode, Union.MODE_DEFAULT);
    }

    /// Adds `typeIds`.
    ///
    /// @param writer a table is open
    /// @param typeIds vector of 32-bit numbers, one per child; 0 if absent
    public static void addTypeIds(FlatBufferWriter writer, int typeIds) {
        writer.addOffset(Union.TYPE_IDS_SLOT, typeIds);
    }
}
