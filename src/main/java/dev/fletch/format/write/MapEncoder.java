// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.Map;

/// Writes tables of kind [Map]: the type of a map.
///
/// To add the fields in another order than that of [#create], start the table with
/// [FlatBufferWriter#startTable()], add them one by one, and end it with
/// [FlatBufferWriter#endTable()].
///
/// Errors, lifetime and threads: those of the [FlatBufferWriter].
///
/// Source: `format/Schema.fbs`, table `Map`.
public final class MapEncoder {
    private MapEncoder() {}

    /// Writes a table, its fields in the order of the `createMap` that flatc generates.
    ///
    /// @param writer nothing is open
    /// @param keysSorted whether the keys of each value are sorted
    /// @return where the table is
    public static int create(FlatBufferWriter writer, boolean keysSorted) {
        writer.startTable();
        addKeysSorted(writer, keysSorted);
        return writer.endTable();
    }

    /// Adds `keysSorted`, unless it is the default.
    ///
    /// @param writer a table is open
    /// @param keysSorted whether the keys of each value are sorted
    public static void addKeysSorted(FlatBufferWriter writer, boolean keysSorted) {
        writer.addBoolean(Map.KEYS_SORTED_SLOT, keysSorted, Map.KEYS_SORTED_DEFAULT != 0);
    }
}
