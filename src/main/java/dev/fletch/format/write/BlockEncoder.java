// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.Block;
import dev.fletch.format.Footer;

import java.util.Locale;
import java.util.Objects;

/// Writes structs of kind [Block]: where a message lies in a file.
/// See [FlatBufferWriter] for errors, lifetime and threads.
///
/// Source: `format/File.fbs`, struct `Block`.
public final class BlockEncoder {
    private static final int LONGS = Block.BYTES / Long.BYTES;
    private static final int PADDING_BYTES =
            Block.BODY_LENGTH_AT - Block.META_DATA_LENGTH_AT - Integer.BYTES;

    private BlockEncoder() {}

    /// Writes a vector.
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
        for (int i = 0; i < blocks; i++) {
            final long metaDataLength = numbers[from + i * LONGS + 1];
            if (metaDataLength != (int) metaDataLength) {
                throw new IllegalArgumentException(
                        String.format(
                                Locale.ROOT,
                                "metadata length of a block has more than 32 bits: block=%d,"
                                        + " metaDataLength=%d",
                                i,
                                metaDataLength));
            }
        }
        writer.startVector(Block.BYTES, blocks, Long.BYTES);
        for (int i = blocks - 1, at = from + i * LONGS; i >= 0; i--, at -= LONGS) {
            writer.pushInt64(numbers[at + 2]);
            writer.pushPadding(PADDING_BYTES);
            writer.pushInt32((int) numbers[at + 1]);
            writer.pushInt64(numbers[at]);
        }
        return writer.endVector();
    }
}
