// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.Rule;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;

/// The two containers of messages, told apart by their first bytes.
///
/// A file begins with its magic, a stream with a continuation word or, if it is old, with the
/// length of its first message's metadata. The length must be positive, at most
/// [MessageReader#DEFAULT_MAX_METADATA_BYTES], align the body to 8 bytes, and have the offset of a
/// flatbuffer's root behind it.
///
/// The rest of the input may still be wrong: one that is cut off inside the magic is a file, and opening it
/// reports the fault. An empty input is refused: it has no schema.
public enum ArrowContainer {
    /// `ARROW1`, messages, footer: see [ArrowFile].
    FILE,

    /// Messages alone: see [MessageReader] and [EncapsulatedMessage].
    STREAM;

    /// How many of the input's first bytes are looked at.
    public static final int LEADING_BYTES = 8;

    // First bytes of other formats, as little-endian words.
    private static final int GZIP = 0x8B1F;
    private static final int GZIP_BYTES = 2;
    private static final int PARQUET = 0x3152_4150; // PAR1
    private static final int FEATHER_V1 = 0x3141_4546; // FEA1

    /// Detects the container of an input by its first bytes.
    ///
    /// @param input all of it, or its first bytes; less than [#LEADING_BYTES] only if the input has no more
    /// @return file or stream
    /// @throws ArrowFormatException if it is empty or another format; gzip, Parquet and Feather V1 are named
    public static ArrowContainer detect(MemorySegment input) {
        final int bytes = (int) Math.min(input.byteSize(), LEADING_BYTES);
        if (bytes == 0) {
            throw ArrowFormatException.of(IpcRules.EMPTY_INPUT, 0, "bytes", 0);
        }
        final byte[] leading = new byte[LEADING_BYTES];
        MemorySegment.copy(input, ValueLayout.JAVA_BYTE, 0, leading, 0, bytes);
        final long words = Wire.int64(leading, 0);
        if (beginsLike(ArrowFile.MAGIC, ArrowFile.MAGIC_BYTES, words, bytes)) {
            return FILE;
        }
        if (beginsLike(EncapsulatedMessage.CONTINUATION, Integer.BYTES, words, bytes)
                || isLegacyStream((int) words, words >>> Integer.SIZE, bytes)) {
            return STREAM;
        }
        throw unknown(leading, (int) words, bytes);
    }

    /// Compares as many bytes as both have.
    private static boolean beginsLike(long mark, int markBytes, long words, int bytes) {
        final int bits = Math.min(markBytes, bytes) * Byte.SIZE;
        return Wire.lowBits(mark, bits) == Wire.lowBits(words, bits);
    }

    private static boolean isLegacyStream(int size, long root, int bytes) {
        final int prefix = EncapsulatedMessage.LEGACY_PREFIX_BYTES;
        return bytes >= prefix
                && size > 0
                && size <= MessageReader.DEFAULT_MAX_METADATA_BYTES
                && (size + prefix) % Long.BYTES == 0
                && (bytes < LEADING_BYTES || root >= Integer.BYTES && root < size);
    }

    private static ArrowFormatException unknown(byte[] leading, int first, int bytes) {
        final Rule rule;
        if (beginsLike(GZIP, GZIP_BYTES, first, bytes) && bytes >= GZIP_BYTES) {
            rule = IpcRules.GZIP;
        } else if (bytes < Integer.BYTES) {
            rule = IpcRules.NOT_ARROW;
        } else {
            rule =
                    switch (first) {
                        case PARQUET -> IpcRules.PARQUET;
                        case FEATHER_V1 -> IpcRules.FEATHER_V1;
                        default -> IpcRules.NOT_ARROW;
                    };
        }
        final String hex = HexFormat.ofDelimiter(" ").formatHex(leading, 0, bytes);
        return ArrowFormatException.of(rule, 0, "firstBytes=" + hex);
    }
}
