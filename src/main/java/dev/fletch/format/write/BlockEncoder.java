// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.Block;
import dev.fletch.format.Footer;

import java.util.Locale;
import java.util.Objects;

/// Writes structs of kind [Block]: where a message lies in a file.
///
/// Errors, lifetime and threads: those of the [FlatBufferWriter].
///
/// Source: `format/File.fbs`, struct `Block`.
public final class BlockEncoder {
    private static final int LONGS = Block.BYTES / Long.BYTES;
    private static final int PADDING_BYTES =
            Block.BODY_LENGTH_AT - Block.META_DATA_LENGTH_AT - Integer.BYTES;

    private BlockEncoder() {}

    /// Writes a vector; its numbers are copied in one go, unless a metadata length is negative.
    ///
    /// @param writer nothing is open
    /// @param numbers three per block: offset, metadata length and body length, as
    ///     [Footer#copyRecordBatches] gives them
    /// @param from index of the first number
    /// @param blocks how many blocks
    /// @return where the vector is
    /// @throws IndexOutOfBoundsException if the numbers are not inside `numbers`
    /// @throws IllegalArgumentException if a metadata length has more than 32 bits
    public static int createVector(FlatBufferWriter writer, long[] numbers, int from, int blocks) {
        Objects.checkFromIndexSize((long) from, (long) blocks * LONGS, (long) numbers.length);
        // The padding is the upper half of a metadata length, and has to be 0.
        return arePadded(numbers, from, blocks)
                ? writer.createStructVector(numbers, from, blocks, LONGS)
                : createVectorByElements(writer, numbers, from, blocks);
    }

    private static boolean arePadded(long[] numbers, int from, int blocks) {
        long all = 0;
        for (int i = 0, at = from + 1; i < blocks; i++, at += LONGS) {
            final long metaDataLength = numbers[at];
            if (metaDataLength != (int) metaDataLength) {
                throw new IllegalArgumentException(
                        String.format(
                                Locale.ROOT,
                                "metadata length of a block has more than 32 bits: block=%d,"
                                        + " metaDataLength=%d",
                                i,
                                metaDataLength));
            }
            all |= metaDataLength;
        }
        return all >= 0;
    }

    private static int createVectorByElements(
            FlatBufferWriter writer, long[] numbers, int from, int blocks) {
        startVector(writer, blocks);
        for (int i = blocks - 1, at = from + i * LONGS; i >= 0; i--, at -= LONGS) {
            push(writer, numbers[at], (int) numbers[at + 1], numbers[at + 2]);
        }
        return writer.endVector();
    }

    /// Begins a vector; then the blocks are pushed, the last one first.
    ///
    /// @param writer nothing is open
    /// @param blocks how many there will be
    public static void startVector(FlatBufferWriter writer, int blocks) {
        writer.startVector(Block.BYTES, blocks, Long.BYTES);
    }

    /// Pushes a block.
    ///
    /// @param writer a vector is open
    /// @param offset byte offset in the file of the message's first byte
    /// @param metaDataLength bytes from there to the body
    /// @param bodyLength length of the body in bytes
    public static void push(
            FlatBufferWriter writer, long offset, int metaDataLength, long bodyLength) {
        writer.pushInt64(bodyLength);
        writer.pushPadding(PADDING_BYTES);
        writer.pushInt32(metaDataLength);
        writer.pushInt64(offset);
    }
}
