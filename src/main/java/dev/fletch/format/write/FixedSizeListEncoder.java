// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.FixedSizeList;

/// Writes tables of kind [FixedSizeList]: the type of lists of one length.
///
/// To add the fields in another order than that of [#create], start the table with
/// [FlatBufferWriter#startTable()], add them one by one, and end it with
/// [FlatBufferWriter#endTable()].
///
/// Errors, lifetime and threads: those of the [FlatBufferWriter].
///
/// Source: `format/Schema.fbs`, table `FixedSizeList`.
public final class FixedSizeListEncoder {
    private FixedSizeListEncoder() {}

    /// Writes a table, its fields in the order of the `createFixedSizeList` that flatc generates.
    ///
    /// @param writer nothing is open
    /// @param listSize elements per value
    /// @return where the table is
    public static int create(FlatBufferWriter writer, int listSize) {
        writer.startTable();
        addListSize(writer, listSize);
        return writer.endTable();
    }

    /// Adds `listSize`, unless it is the default.
    ///
    /// @param writer a table is open
    /// @param listSize elements per value
    public static void addListSize(FlatBufferWriter writer, int listSize) {
        writer.addInt32(FixedSizeList.LIST_SIZE_SLOT, listSize, FixedSizeList.LIST_SIZE_DEFAULT);
    }
}
