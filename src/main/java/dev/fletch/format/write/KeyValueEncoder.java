// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.KeyValue;

/// Writes tables of kind [KeyValue]: a pair of the application's metadata.
///
/// To add the fields in another order than that of [#create], start the table with
/// [FlatBufferWriter#startTable()], add them one by one, and end it with
/// [FlatBufferWriter#endTable()].
///
/// Errors, lifetime and threads: those of the [FlatBufferWriter].
///
/// Source: `format/Schema.fbs`, table `KeyValue`.
public final class KeyValueEncoder {
    private KeyValueEncoder() {}

    /// Writes a table, its fields in the order of the `createKeyValue` that flatc generates.
    ///
    /// @param writer nothing is open
    /// @param key the key, a string; 0 if absent
    /// @param value the value, a string; 0 if absent
    /// @return where the table is
    public static int create(FlatBufferWriter writer, int key, int value) {
        writer.startTable();
        addValue(writer, value);
        addKey(writer, key);
        return writer.endTable();
    }

    /// Adds `key`.
    ///
    /// @param writer a table is open
    /// @param key the key, a string; 0 if absent
    public static void addKey(FlatBufferWriter writer, int key) {
        writer.addOffset(KeyValue.KEY_SLOT, key);
    }

    /// Adds `value`.
    ///
    /// @param writer a table is open
    /// @param value the value, a string; 0 if absent
    public static void addValue(FlatBufferWriter writer, int value) {
        writer.addOffset(KeyValue.VALUE_SLOT, value);
    }
}
