// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.Endianness;
import dev.fletch.format.Feature;
import dev.fletch.format.Schema;

/// Writes tables of kind [Schema]: the columns of a stream or file. See [FlatBufferWriter] for
/// errors, lifetime and threads.
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
        writer.addOffset(Schema.FEATURES_SLOT, features);
        writer.addOffset(Schema.CUSTOM_METADATA_SLOT, customMetadata);
        writer.addOffset(Schema.FIELDS_SLOT, fields);
        writer.addInt16(Schema.ENDIANNESS_SLOT, endianness, Endianness.LITTLE);
        return writer.endTable();
    }
}
