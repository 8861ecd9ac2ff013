// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import java.util.Objects;

/// The two containers of messages. Their first bytes say which one it is, never a file's name.
///
/// A file begins with its magic, a stream with a continuation word or, if it is old, with the
/// length of its first message's metadata. That is any positive number, so it is taken for one only
/// where it is at most [MessageReader#DEFAULT_MAX_METADATA_BYTES], leaves the body aligned to 8
/// bytes as the format asks, and has the offset of a flatbuffer's root behind it.
///
/// The rest of the input may still be wrong: one that is cut off inside the magic is a file, and opening it
/// reports the fault.
///
/// An empty input is refused: as a stream it would be one that ends at once, but then it has no
/// schema and nothing can be done with it.
public enum ArrowContainer {
    /// `ARROW1`, messages, footer: see [ArrowFile].
    FILE,

    /// Messages alone: see [MessageReader] and [EncapsulatedMessage].
    STREAM;

    /// How many of the input's first bytes are looked at.
    public static final int LEADING_BYTES = 8;

    /// `FEA1`, at both ends of a file in the first version of Feather.
    private static final int FEATHER_V1 = 0x3141_4546;

    /// Tells what an input in memory is. Allocates.
    ///
    /// @param input all of it
    /// @return file or stream
    /// @throws ArrowFormatException if it is neither, Feather V1, or empty
    public static ArrowContainer detect(MemorySegment input) {
        final int length = (int) Math.min(input.byteSize(), LEADING_BYTES);
        return detect(input.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE), length);
    }

    /// Tells what an input is by its first bytes.
    ///
    /// @param leading the first bytes
    /// @param length how many there are; less than [#LEADING_BYTES] only if the input has no more
    /// @return file or stream
    /// @throws ArrowFormatException if it is neither, Feather V1, or empty
    /// @throws IndexOutOfBoundsException if there are not so many
    public static ArrowContainer detect(byte[] leading, int length) {
        Objects.checkFromIndexSize(0, length, leading.length);
        final int bytes = Math.min(length, LEADING_BYTES);
        if (bytes == 0) {
            throw ArrowFormatException.of(IpcRules.EMPTY_INPUT, 0, "bytes", 0);
        }
        long words = 0;
        for (int i = 0; i < bytes; i++) {
            words |= (leading[i] & 0xFFL) << (i << 3);
        }
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
        final boolean feather = bytes >= Integer.BYTES && first == FEATHER_V1;
        final String hex = HexFormat.ofDelimiter(" ").formatHex(leading, 0, bytes);
        return ArrowFormatException.of(
                feather ? IpcRules.FEATHER_V1 : IpcRules.NOT_ARROW, 0, "firstBytes=" + hex);
    }
}
