// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.flatbuf.Table;
import dev.fletch.format.ids.BodyCompressionMethod;
import dev.fletch.format.ids.CompressionType;

import java.lang.foreign.MemorySegment;

/// The compression of a batch's buffers. A table without any stored field also means compressed
/// buffers, with the defaults below.
///
/// [RecordBatch#compression] binds it.
///
/// Source: `format/Message.fbs`, table `BodyCompression`.
public final class BodyCompression extends Table {
    public static final int CODEC_SLOT = 0;
    public static final int METHOD_SLOT = 1;

    static final long SIZES = sizes(1, 1);

    private byte codec;
    private byte method;

    @Override
    protected void decode(byte[] a, MemorySegment s, long reference) {
        open(a, s, reference, SIZES);
        codec = int8(a, s, CODEC_SLOT, CompressionType.LZ4_FRAME);
        method = int8(a, s, METHOD_SLOT, BodyCompressionMethod.BUFFER);
    }

    /// {@return codec, one of [CompressionType]; [CompressionType#LZ4_FRAME] if absent}
    public int codec() {
        return codec;
    }

    public void setCodec(int value) {
        codec = setInt8(CODEC_SLOT, value);
    }

    /// {@return compressed parts, one of [BodyCompressionMethod]; by default `BUFFER`}
    public int method() {
        return method;
    }

    public void setMethod(int value) {
        method = setInt8(METHOD_SLOT, value);
    }
}
