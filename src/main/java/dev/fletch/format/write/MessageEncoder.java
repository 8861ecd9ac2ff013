// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.Message;
import dev.fletch.format.MessageHeader;
import dev.fletch.format.MetadataVersion;

/// Writes tables of kind [Message]: a message's metadata, around its header.
///
/// To add the fields in another order than that of [#create], start the table with
/// [FlatBufferWriter#startTable()], add them one by one, and end it with
/// [FlatBufferWriter#endTable()].
///
/// Errors, lifetime and threads: those of the [FlatBufferWriter].
///
/// Source: `format/Message.fbs`, table `Message`.
public final class MessageEncoder {
    private MessageEncoder() {}

    /// Writes a table, its fields in the order of the `createMessage` that flatc generates.
    ///
    /// @param writer nothing is open
    /// @param version one of [MetadataVersion]
    /// @param headerType which table `header` is, one of [MessageHeader]
    /// @param header the header's table; 0 if absent
    /// @param bodyLength length of the body in bytes
    /// @param customMetadata vector of key/value pairs, each written by [KeyValueEncoder]; 0 if
    ///     absent
    /// @return where the table is
    public static int create(
            FlatBufferWriter writer,
            int version,
            int headerType,
            int header,
            long bodyLength,
            int customMetadata) {
        writer.startTable();
        addBodyLength(writer, bodyLength);
        addCustomMetadata(writer, customMetadata);
        addHeader(writer, header);
        addVersion(writer, version);
        addHeaderType(writer, headerType);
        return writer.endTable();
    }

    /// Adds `version`, unless it is the default.
    ///
    /// @param writer a table is open
    /// @param version one of [MetadataVersion]
    public static void addVersion(FlatBufferWriter writer, int version) {
        writer.addInt16(Message.VERSION_SLOT, version, Message.VERSION_DEFAULT);
    }

    /// Adds `header_type`, unless it is the default.
    ///
    /// @param writer a table is open
    /// @param headerType which table `header` is, one of [MessageHeader]
    public static void addHeaderType(FlatBufferWriter writer, int headerType) {
        writer.addInt8(Message.HEADER_TYPE_SLOT, headerType, Message.HEADER_TYPE_DEFAULT);
    }

    /// Adds `header`.
    ///
    /// @param writer a table is open
    /// @param header the header's table; 0 if absent
    public static void addHeader(FlatBufferWriter writer, int header) {
        writer.addOffset(Message.HEADER_SLOT, header);
    }

    /// Adds `bodyLength`, unless it is the default.
    ///
    /// @param writer a table is open
    /// @param bodyLength length of the body in bytes
    public static void addBodyLength(FlatBufferWriter writer, long bodyLength) {
        writer.addInt64(Message.BODY_LENGTH_SLOT, bodyLength, Message.BODY_LENGTH_DEFAULT);
    }

    /// Adds `custom_metadata`.
    ///
    /// @param writer a table is open
    /// @param customMetadata vector of key/value pairs, each written by [KeyValueEncoder]; 0 if
    ///     absent
    public static void addCustomMetadata(FlatBufferWriter writer, int customMetadata) {
        writer.addOffset(Message.CUSTOM_METADATA_SLOT, customMetadata);
    }
}
