// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.BodyCompression;
import dev.fletch.format.BodyCompressionMethod;
import dev.fletch.format.CompressionType;

/// Writes tables of kind [BodyCompression]: how the buffers of a body are compressed. See
/// [FlatBufferWriter] for errors, lifetime and threads.
///
/// Source: `format/Message.fbs`, table `BodyCompression`.
public final class BodyCompressionEncoder {
    private BodyCompressionEncoder() {}

    /// Writes a table, its fields in the order of the `createBodyCompression` that flatc generates.
    ///
    /// @param writer nothing is open
    /// @param codec one of [CompressionType]
    /// @param method one of [BodyCompressionMethod]
    /// @return where the table is
    public static int create(FlatBufferWriter writer, int codec, int method) {
        writer.startTable();
        writer.addInt8(BodyCompression.METHOD_SLOT, method, BodyCompressionMethod.BUFFER);
        writer.addInt8(BodyCompression.CODEC_SLOT, codec, CompressionType.LZ4_FRAME);
        return writer.endTable();
    }
}
