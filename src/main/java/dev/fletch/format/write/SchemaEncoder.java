// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.Endianness;
import dev.fletch.format.Feature;
import dev.fletch.format.Schema;

/// Writes tables of kind [Schema]: the columns of a stream or file.
///
/// To add the fields in another order than that of [#create], start the table with
/// [FlatBufferWriter#startTable()], add them one by one, and end it with
/// [FlatBufferWriter#endTable()].
///
/// Errors, lifetime and threads: those of the [FlatBufferWriter].
///
/// Source: `format/Schema.fbs`, table `Schema`.
public final class SchemaEncoder {
    private SchemaEncoder() {}

    /// Writes a table, its fields in the order of the `createSchema` that flatc generates.
    ///
    /// @param writer nothing is open
    /// @param endianness byte order of the bodies, one of [Endianness]
    /// @param fields vector of the columns, each written by [FieldEncoder]; 0 if absent
    /// @param customMetadata vector of key/value pairs, each written by [KeyValueEncoder]; 0 if
    ///     absent
    /// @param features vector of 64-bit numbers of [Feature]; 0 if absent
    /// @return where the table is
    public static int create(
            FlatBufferWriter writer, int endianness, int fields, int customMetadata, int features) {
        writer.startTable();
        addFeatures(writer, features);
        addCustomMetadata(writer, customMetadata);
        addFields(writer, fields);
        addEndianness(writer, endianness);
        return writer.endTable();
    }

    /// Adds `endianness`, unless it is the default.
    ///
    /// @param writer a table is open
    /// @param endianness byte order of the bodies, one of [Endianness]
    public static void addEndianness(FlatBufferWriter writer, int endianness) {
        writer.addInt16(Schema.ENDIANNESS_SLOT, endianness, Schema.ENDIANNESS_DEFAULT);
    }

    /// Adds `fields`.
    ///
    /// @param writer a table is open
    /// @param fields vector of the columns, each written by [FieldEncoder]; 0 if absent
    public static void addFields(FlatBufferWriter writer, int fields) {
        writer.addOffset(Schema.FIELDS_SLOT, fields);
    }

    /// Adds `custom_metadata`.
    ///
    /// @param writer a table is open
    /// @param customMetadata vector of key/value pairs, each written by [KeyValueEncoder]; 0 if
    ///     absent
    public static void addCustomMetadata(FlatBufferWriter writer, int customMetadata) {
        writer.addOffset(Schema.CUSTOM_METADATA_SLOT, customMetadata);
    }

    /// Adds `features`.
    ///
    /// @param writer a table is open
    /// @param features vector of 64-bit numbers of [Feature]; 0 if absent
    public static void addFeatures(FlatBufferWriter writer, int features) {
        writer.addOffset(Schema.FEATURES_SLOT, features);
    }
}
