// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.DictionaryEncoding;
import dev.fletch.format.DictionaryKind;

/// Writes tables of kind [DictionaryEncoding]: how a field is dictionary-encoded. See
/// [FlatBufferWriter] for errors, lifetime and threads.
///
/// Source: `format/Schema.fbs`, table `DictionaryEncoding`.
public final class DictionaryEncodingEncoder {
    private DictionaryEncodingEncoder() {}

    /// Writes a table, its fields in the order of the `createDictionaryEncoding` that flatc
    /// generates.
    ///
    /// @param writer nothing is open
    /// @param id number of the dictionary
    /// @param indexType the indexes' type, written by [TypeEncoder#createInt]; 0 if absent
    /// @param isOrdered whether the order of the dictionary's values is meaningful
    /// @param dictionaryKind one of [DictionaryKind]
    /// @return where the table is
    public static int create(
            FlatBufferWriter writer,
            long id,
            int indexType,
            boolean isOrdered,
            int dictionaryKind) {
        writer.startTable();
        writer.addInt64(DictionaryEncoding.ID_SLOT, id, 0);
        writer.addOffset(DictionaryEncoding.INDEX_TYPE_SLOT, indexType);
        writer.addInt16(
                DictionaryEncoding.DICTIONARY_KIND_SLOT,
                dictionaryKind,
                DictionaryKind.DENSE_ARRAY);
        writer.addBoolean(DictionaryEncoding.IS_ORDERED_SLOT, isOrdered, false);
        return writer.endTable();
    }
}
