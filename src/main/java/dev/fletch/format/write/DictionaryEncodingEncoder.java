// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.DictionaryEncoding;
import dev.fletch.format.DictionaryKind;

/// Writes tables of kind [DictionaryEncoding]: how a field is dictionary-encoded.
///
/// To add the fields in another order than that of [#create], start the table with
/// [FlatBufferWriter#startTable()], add them one by one, and end it with
/// [FlatBufferWriter#endTable()].
///
/// Errors, lifetime and threads: those of the [FlatBufferWriter].
///
/// Source: `format/Schema.fbs`, table `DictionaryEncoding`.
public final class DictionaryEncodingEncoder {
    private DictionaryEncodingEncoder() {}

    /// Writes a table, its fields in the order of the `createDictionaryEncoding` that flatc
    /// generates.
    ///
    /// @param writer nothing is open
    /// @param id number of the dictionary
    /// @param indexType the indexes' type, written by [IntEncoder]; 0 if absent
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
        addId(writer, id);
        addIndexType(writer, indexType);
        addDictionaryKind(writer, dictionaryKind);
        addIsOrdered(writer, isOrdered);
        return writer.endTable();
    }

    /// Adds `id`, unless it is the default.
    ///
    /// @param writer a table is open
    /// @param id number of the dictionary
    public static void addId(FlatBufferWriter writer, long id) {
        writer.addInt64(DictionaryEncoding.ID_SLOT, id, DictionaryEncoding.ID_DEFAULT);
    }

    /// Adds `indexType`.
    ///
    /// @param writer a table is open
    /// @param indexType the indexes' type, written by [IntEncoder]; 0 if absent
    public static void addIndexType(FlatBufferWriter writer, int indexType) {
        writer.addOffset(DictionaryEncoding.INDEX_TYPE_SLOT, indexType);
    }

    /// Adds `isOrdered`, unless it is the default.
    ///
    /// @param writer a table is open
    /// @param isOrdered whether the order of the dictionary's values is meaningful
    public static void addIsOrdered(FlatBufferWriter writer, boolean isOrdered) {
        writer.addBoolean(
                DictionaryEncoding.IS_ORDERED_SLOT,
                isOrdered,
                DictionaryEncoding.IS_ORDERED_DEFAULT != 0);
    }

    /// Adds `dictionaryKind`, unless it is the default.
    ///
    /// @param writer a table is open
    /// @param dictionaryKind one of [DictionaryKind]
    public static void addDictionaryKind(FlatBufferWriter writer, int dictionaryKind) {
        writer.addInt16(
                DictionaryEncoding.DICTIONARY_KIND_SLOT,
                dictionaryKind,
                DictionaryEncoding.DICTIONARY_KIND_DEFAULT);
    }
}
