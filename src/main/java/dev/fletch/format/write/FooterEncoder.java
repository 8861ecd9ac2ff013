// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.Footer;
import dev.fletch.format.MetadataVersion;

/// Writes tables of kind [Footer]: the end of an IPC file.
///
/// To add the fields in another order than that of [#create], start the table with
/// [FlatBufferWriter#startTable()], add them one by one, and end it with
/// [FlatBufferWriter#endTable()].
///
/// Errors, lifetime and threads: those of the [FlatBufferWriter].
///
/// Source: `format/File.fbs`, table `Footer`.
public final class FooterEncoder {
    private FooterEncoder() {}

    /// Writes a table, its fields in the order of the `createFooter` that flatc generates.
    ///
    /// @param writer nothing is open
    /// @param version one of [MetadataVersion]
    /// @param schema the schema, written by [SchemaEncoder]; 0 if absent
    /// @param dictionaries vector of blocks: see [BlockEncoder]; 0 if absent
    /// @param recordBatches vector of blocks: see [BlockEncoder]; 0 if absent
    /// @param customMetadata vector of key/value pairs, each written by [KeyValueEncoder]; 0 if
    ///     absent
    /// @return where the table is
    public static int create(
            FlatBufferWriter writer,
            int version,
            int schema,
            int dictionaries,
            int recordBatches,
            int customMetadata) {
        writer.startTable();
        addCustomMetadata(writer, customMetadata);
        addRecordBatches(writer, recordBatches);
        addDictionaries(writer, dictionaries);
        addSchema(writer, schema);
        addVersion(writer, version);
        return writer.endTable();
    }

    /// Adds `version`, unless it is the default.
    ///
    /// @param writer a table is open
    /// @param version one of [MetadataVersion]
    public static void addVersion(FlatBufferWriter writer, int version) {
        writer.addInt16(Footer.VERSION_SLOT, version, Footer.VERSION_DEFAULT);
    }

    /// Adds `schema`.
    ///
    /// @param writer a table is open
    /// @param schema the schema, written by [SchemaEncoder]; 0 if absent
    public static void addSchema(FlatBufferWriter writer, int schema) {
        writer.addOffset(Footer.SCHEMA_SLOT, schema);
    }

    /// Adds `dictionaries`.
    ///
    /// @param writer a table is open
    /// @param dictionaries vector of blocks: see [BlockEncoder]; 0 if absent
    public static void addDictionaries(FlatBufferWriter writer, int dictionaries) {
        writer.addOffset(Footer.DICTIONARIES_SLOT, dictionaries);
    }

    /// Adds `recordBatches`.
    ///
    /// @param writer a table is open
    /// @param recordBatches vector of blocks: see [BlockEncoder]; 0 if absent
    public static void addRecordBatches(FlatBufferWriter writer, int recordBatches) {
        writer.addOffset(Footer.RECORD_BATCHES_SLOT, recordBatches);
    }

    /// Adds `custom_metadata`.
    ///
    /// @param writer a table is open
    /// @param customMetadata vector of key/value pairs, each written by [KeyValueEncoder]; 0 if
    ///     absent
    public static void addCustomMetadata(FlatBufferWriter writer, int customMetadata) {
        writer.addOffset(Footer.CUSTOM_METADATA_SLOT, customMetadata);
    }
}
