// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.Rule;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;

/// The two IPC formats, file and stream, detected by their first bytes.
///
/// A file begins with the magic `ARROW1`, a stream with a continuation indicator or, before Arrow 0.15.0,
/// with the metadata length of its first message. This length must be positive and precede a valid root offset.
/// If it aligns the body to 8 bytes, as the format requires, it is at most
/// [MessageReader#DEFAULT_MAX_METADATA_BYTES]. Some old writers align to 4 bytes: such a length must be below 16
/// MiB, as a larger word may be the magic of another format.
///
/// The rest of the input may still be invalid: an input truncated inside the magic is a file, and opening it
/// reports the fault. An empty input is rejected: it has no schema.
public enum ArrowContainer {
    /// `ARROW1`, messages, footer: see [ArrowFile].
    FILE,

    /// Messages alone: see [MessageReader] and [EncapsulatedMessage].
    STREAM;

    /// Number of bytes that [#detect] reads.
    public static final int LEADING_BYTES = 8;

    private static final int MOST_UNALIGNED = 1 << 24;

    // First bytes of other formats, as little-endian words.
    private static final int GZIP = 0x8B1F;
    private static final int PARQUET = 0x3152_4150; // PAR1
    private static final int FEATHER_V1 = 0x3141_4546; // FEA1

    /// Detects the format of an input by its first bytes.
    ///
    /// @param input the input or its first bytes: at least [#LEADING_BYTES], or all if the input is shorter
    /// @return file or stream
    /// @throws ArrowFormatException if the input is empty or not Arrow IPC; gzip, Parquet and Feather V1 have
    ///     their own rules
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
        throw unknown(leading, bytes, (int) words);
    }

    /// Compares the common prefix.
    private static boolean beginsLike(long magic, int magicBytes, long words, int bytes) {
        final int bits = Math.min(magicBytes, bytes) * Byte.SIZE;
        return Wire.lowBits(magic, bits) == Wire.lowBits(words, bits);
    }

    private static boolean isLegacyStream(int size, long root, int bytes) {
        final int prefix = EncapsulatedMessage.LEGACY_PREFIX_BYTES;
        return bytes >= prefix
                && size > 0
                && size <= MessageReader.DEFAULT_MAX_METADATA_BYTES
                && (size % Long.BYTES == prefix || size % prefix == 0 && size < MOST_UNALIGNED)
                && (bytes < LEADING_BYTES || root >= Integer.BYTES && root < size);
    }

    /// @param first the first word, with zeros after the last byte
    private static ArrowFormatException unknown(byte[] leading, int bytes, int first) {
        final Rule rule =
                switch (first) {
                    case PARQUET -> IpcRules.PARQUET;
                    case FEATHER_V1 -> IpcRules.FEATHER_V1;
                    default -> (first & 0xFFFF) == GZIP ? IpcRules.GZIP : IpcRules.NOT_ARROW;
                };
        final String hex = HexFormat.ofDelimiter(" ").formatHex(leading, 0, bytes);
        return ArrowFormatException.of(rule, 0, "firstBytes=" + hex);
    }
}
