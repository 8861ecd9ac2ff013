// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.DictionaryBatch;

/// Writes tables of kind [DictionaryBatch]: the header of a dictionary.
///
/// To add the fields in another order than that of [#create], start the table with
/// [FlatBufferWriter#startTable()], add them one by one, and end it with
/// [FlatBufferWriter#endTable()].
///
/// Errors, lifetime and threads: those of the [FlatBufferWriter].
///
/// Source: `format/Message.fbs`, table `DictionaryBatch`.
public final class DictionaryBatchEncoder {
    private DictionaryBatchEncoder() {}

    /// Writes a table, its fields in the order of the `createDictionaryBatch` that flatc
    /// generates.
    ///
    /// @param writer nothing is open
    /// @param id number of the dictionary
    /// @param data the values' batch, written by [RecordBatchEncoder]; 0 if absent
    /// @param isDelta whether the values are appended to the dictionary's
    /// @return where the table is
    public static int create(FlatBufferWriter writer, long id, int data, boolean isDelta) {
        writer.startTable();
        addId(writer, id);
        addData(writer, data);
        addIsDelta(writer, isDelta);
        return writer.endTable();
    }

    /// Adds `id`, unless it is the default.
    ///
    /// @param writer a table is open
    /// @param id number of the dictionary
    public static void addId(FlatBufferWriter writer, long id) {
        writer.addInt64(DictionaryBatch.ID_SLOT, id, DictionaryBatch.ID_DEFAULT);
    }

    /// Adds `data`.
    ///
    /// @param writer a table is open
    /// @param data the values' batch, written by [RecordBatchEncoder]; 0 if absent
    public static void addData(FlatBufferWriter writer, int data) {
        writer.addOffset(DictionaryBatch.DATA_SLOT, data);
    }

    /// Adds `isDelta`, unless it is the default.
    ///
    /// @param writer a table is open
    /// @param isDelta whether the values are appended to the dictionary's
    public static void addIsDelta(FlatBufferWriter writer, boolean isDelta) {
        writer.addBoolean(
                DictionaryBatch.IS_DELTA_SLOT, isDelta, DictionaryBatch.IS_DELTA_DEFAULT != 0);
    }
}
