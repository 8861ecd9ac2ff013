// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.Message;
import dev.fletch.format.MessageHeader;
import dev.fletch.format.MetadataVersion;

/// Writes tables of kind [Message]: a message's metadata, around its header. See [FlatBufferWriter]
/// for errors, lifetime and threads.
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
        writer.addInt64(Message.BODY_LENGTH_SLOT, bodyLength, 0);
        writer.addOffset(Message.CUSTOM_METADATA_SLOT, customMetadata);
        writer.addOffset(Message.HEADER_SLOT, header);
        writer.addInt16(Message.VERSION_SLOT, version, MetadataVersion.V1);
        writer.addInt8(Message.HEADER_TYPE_SLOT, headerType, MessageHeader.NONE);
        return writer.endTable();
    }
}
