// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.format.Verifier;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/// The head of a file: the magic and its padding, up to the first message. The format pads to 8 bytes and does
/// not say where readers find the first message: arrow-rs pads to 64 bytes, arrow-swift has omitted the padding.
///
/// Source: Columnar format, "IPC File Format".
public final class FileHead {
    /// Length of the usual head, in bytes: the magic and 2 bytes of padding.
    public static final int USUAL_BYTES = 8;

    /// Length of the longest head that [#length] finds, in bytes.
    public static final int MAX_BYTES = 4_096;

    private static final int ALIGNMENT = Long.BYTES;

    private FileHead() {}

    /// Finds the first message: directly after the magic or, after zeros, at a multiple of 8. A message without
    /// continuation indicator at an unusual place must verify.
    ///
    /// @param file the file, or at least its first bytes
    /// @param end offset after the messages, such as the footer's
    /// @return length of the head in bytes, at most [#MAX_BYTES]; [#USUAL_BYTES] if there is no message
    /// @throws IndexOutOfBoundsException if `end` is outside the file
    public static int length(MemorySegment file, long end) {
        Objects.checkFromToIndex(0, end, file.byteSize());
        if (isUnpadded(file, end)) {
            return ArrowFile.MAGIC_BYTES;
        }
        final long last = Math.min(MAX_BYTES, end - ALIGNMENT);
        for (int at = USUAL_BYTES; at <= last; at += ALIGNMENT) {
            final long words = Wire.int64(file, at);
            if (words != 0) {
                final boolean isMessage =
                        (int) words == EncapsulatedMessage.CONTINUATION
                                || at != USUAL_BYTES && isLegacyMessage(file, at, end);
                return isMessage ? at : USUAL_BYTES;
            }
        }
        return USUAL_BYTES;
    }

    /// Whether a message follows the magic directly. After padding of two bytes 0xFF, a continuation indicator at
    /// offset 8 looks like one at offset 6, but then its bytes are also half of the metadata length.
    private static boolean isUnpadded(MemorySegment file, long end) {
        final int at = ArrowFile.MAGIC_BYTES;
        if (end - at < EncapsulatedMessage.PREFIX_BYTES || Wire.int16(file, at) == 0) {
            return false;
        }
        final int size = Wire.int32(file, at + Integer.BYTES);
        return Wire.int32(file, at) == EncapsulatedMessage.CONTINUATION
                ? size >= 0 && (size & 0xFFFF) != 0xFFFF
                : isLegacyMessage(file, at, end);
    }

    private static boolean isLegacyMessage(MemorySegment file, long at, long end) {
        final long metadataAt = at + EncapsulatedMessage.LEGACY_PREFIX_BYTES;
        final int size = Wire.int32(file, at);
        return size > 0
                && size <= end - metadataAt
                && new Verifier().verify(Verifier.Root.MESSAGE, file, metadataAt, size);
    }
}
