// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.Footer;
import dev.fletch.format.MetadataVersion;

/// Writes tables of kind [Footer]: the end of an IPC file. See [FlatBufferWriter] for errors,
/// lifetime and threads.
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
        writer.addOffset(Footer.CUSTOM_METADATA_SLOT, customMetadata);
        writer.addOffset(Footer.RECORD_BATCHES_SLOT, recordBatches);
        writer.addOffset(Footer.DICTIONARIES_SLOT, dictionaries);
        writer.addOffset(Footer.SCHEMA_SLOT, schema);
        writer.addInt16(Footer.VERSION_SLOT, version, MetadataVersion.V1);
        return writer.endTable();
    }
}
