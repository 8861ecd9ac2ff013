// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.DictionaryBatch;

/// Writes tables of kind [DictionaryBatch]: the header of a dictionary. See [FlatBufferWriter] for
/// errors, lifetime and threads.
///
/// Source: `format/Message.fbs`, table `DictionaryBatch`.
public final class DictionaryBatchEncoder {
    private DictionaryBatchEncoder() {}

    /// Writes a table, its fields in the order of the `createDictionaryBatch` that flatc generates.
    ///
    /// @param writer nothing is open
    /// @param id number of the dictionary
    /// @param data the values' batch, written by [RecordBatchEncoder]; 0 if absent
    /// @param isDelta whether the values are appended to the dictionary's
    /// @return where the table is
    public static int create(FlatBufferWriter writer, long id, int data, boolean isDelta) {
        writer.startTable();
        writer.addInt64(DictionaryBatch.ID_SLOT, id, 0);
        writer.addOffset(DictionaryBatch.DATA_SLOT, data);
        writer.addBoolean(DictionaryBatch.IS_DELTA_SLOT, isDelta, false);
        return writer.endTable();
    }
}
