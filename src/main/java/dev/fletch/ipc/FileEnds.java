// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import java.lang.foreign.MemorySegment;

/// What a file begins and ends with: magic, and at the end the footer's length before it.
final class FileEnds {
    /// Footer length and magic.
    private static final int TAIL_BYTES = Integer.BYTES + Words.MAGIC_BYTES;

    private FileEnds() {}

    /// Checks both ends, and returns what the one at the end says.
    static int footerLength(MemorySegment memory) {
        final long size = memory.byteSize();
        if (size == 0) {
            throw ArrowFormatException.of(IpcRules.EMPTY_INPUT, 0, "bytes", 0);
        }
        final int leastSize = ArrowFile.FIRST_MESSAGE_OFFSET + TAIL_BYTES;
        if (size >= Long.BYTES
                && Words.firstBytes(Words.int64(memory, 0), Words.MAGIC_BYTES) != Words.MAGIC) {
            throw ArrowFormatException.of(IpcRules.NO_LEADING_MAGIC, 0, "size", size);
        }
        if (size <= leastSize) {
            throw ArrowFormatException.of(
                    IpcRules.FILE_TOO_SHORT, size, "size", size, "least", leastSize + 1);
        }
        final long magicAt = size - Words.MAGIC_BYTES;
        if (Words.int64(memory, size - Long.BYTES) >>> Short.SIZE != Words.MAGIC) {
            throw ArrowFormatException.of(IpcRules.NO_TRAILING_MAGIC, magicAt, "size", size);
        }
        final long lengthAt = size - TAIL_BYTES;
        final int length = Words.int32(memory, lengthAt);
        if (length <= 0 || length > lengthAt - ArrowFile.FIRST_MESSAGE_OFFSET) {
            throw ArrowFormatException.of(
                    IpcRules.FOOTER_LENGTH,
                    lengthAt,
                    "footerLength",
                    length,
                    "limit",
                    lengthAt - ArrowFile.FIRST_MESSAGE_OFFSET);
        }
        return length;
    }

    static long footerOffset(MemorySegment memory, int footerLength) {
        return memory.byteSize() - TAIL_BYTES - footerLength;
    }
}
