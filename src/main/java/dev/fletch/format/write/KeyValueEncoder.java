// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.KeyValue;

/// Writes tables of kind [KeyValue]: a pair of the application's metadata. See [FlatBufferWriter]
/// for errors, lifetime and threads.
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
        writer.addOffset(KeyValue.VALUE_SLOT, value);
        writer.addOffset(KeyValue.KEY_SLOT, key);
        return writer.endTable();
    }
}
