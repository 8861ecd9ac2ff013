// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.ipc.internal.FileHead;
import dev.fletch.ipc.internal.OtherFormat;
import dev.fletch.wire.MessagePrefix;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// The two IPC formats, file and stream, detected by their first bytes.
///
/// A file begins with the magic `ARROW1`, a stream with a continuation indicator or, before Arrow
/// 0.15.0, with the metadata length of its first message. This length must be positive, and a
/// valid root offset must follow it. It is at most 256 MiB if it aligns the body to 8 bytes, as the
/// format requires. Some old writers align to 4 bytes: such a length must be below 16 MiB, as a
/// larger word may be the magic of another format.
///
/// The rest of the input may still be invalid: an input truncated inside the magic is a file, and
/// opening it reports the fault. An empty input is rejected: it has no schema.
public enum ArrowContainer {
    /// `ARROW1`, messages, footer: see [ArrowFile].
    FILE,

    /// Messages alone: see [MessageReader] and [EncapsulatedMessage].
    STREAM;

    /// Number of bytes that [#detect] reads.
    public static final int LEADING_BYTES = 8;

    private static final int MOST_UNALIGNED = 1 << 24;

    /// Detects the format of an input by its first bytes.
    ///
    /// @param input the input or its first bytes: at least [#LEADING_BYTES], or all if the input is
    ///     shorter. More bytes let the exception name more formats
    /// @throws FletchException if the input is empty or not Arrow IPC. Parquet, Feather
    ///     V1 and compressed data each break a rule of their own. The message names other known
    ///     formats, and says where a file or stream begins behind other bytes
    public static ArrowContainer detect(MemorySegment input) {
        ArrowContainer found = find(input);
        if (found == null) {
            throw OtherFormat.exception(input);
        }
        return found;
    }

    /// {@return the format as [#detect] finds it; null if the input is empty or not Arrow IPC}
    ///
    /// Reads only the first bytes, while the exception of [#detect] searches the input.
    public static ArrowContainer find(MemorySegment input) {
        int bytes = (int) Math.min(input.byteSize(), LEADING_BYTES);
        if (bytes == 0) {
            return null;
        }
        byte[] leading = new byte[LEADING_BYTES];
        MemorySegment.copy(input, ValueLayout.JAVA_BYTE, 0, leading, 0, bytes);
        long words = Wire.int64(leading, 0);
        int magicBits = Math.min(FileHead.MAGIC_BYTES, bytes) * Byte.SIZE;
        if (Wire.lowBits(words, magicBits) == Wire.lowBits(FileHead.MAGIC, magicBits)) {
            return FILE;
        }
        return MessagePrefix.isContinuation(words, bytes)
                        || isLegacyStream((int) words, words >>> Integer.SIZE, bytes)
                ? STREAM
                : null;
    }

    private static boolean isLegacyStream(int size, long root, int bytes) {
        int prefix = MessagePrefix.LEGACY_BYTES;
        return bytes >= prefix
                && size > 0
                && size <= Limits.DEFAULT.metadataBytes()
                && (size % Long.BYTES == prefix || size % prefix == 0 && size < MOST_UNALIGNED)
                && (bytes < LEADING_BYTES || root >= Integer.BYTES && root < size);
    }
}
