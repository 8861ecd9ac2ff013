// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc.walk;

import dev.fletch.wire.MessagePrefix;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;

/// Other bytes before a file or stream, such as a length or the head of an HTTP response.
public final class LeadingBytes {
    /// The most bytes before a file or stream.
    public static final int MOST = 64 << 10;

    // The work of examining a possible file: its first message may be anywhere.
    private static final long FILE_WORK = 1 << 20;

    private LeadingBytes() {}

    /// Finds the magic of a file that is followed by a schema message or ends with the input, or a
    /// sound schema message. The work is bounded by that of a [MessageSearch].
    ///
    /// @return its offset, at least 1; -1 if there is none
    public static long count(MemorySegment memory) {
        long end = memory.byteSize();
        long last = Math.min(MOST, end - MessagePrefix.BYTES);
        MessageSearch search = new MessageSearch(memory);
        for (long at = 1; at <= last; at++) {
            if (isFile(search, memory, at, end) || isSchema(search, memory, at, end)) {
                return at;
            }
        }
        return -1;
    }

    private static boolean isFile(MessageSearch search, MemorySegment memory, long at, long end) {
        if (!FileHead.hasMagic(memory, at) || !search.spend(FILE_WORK)) {
            return false;
        }
        MemorySegment file = memory.asSlice(at);
        int head = FileHead.length(file, end - at);
        return FileTail.isFile(file)
                || isSchema(search, memory, at + head, end)
                || FileHead.bareSchemaEnd(file, head, end - at) > 0;
    }

    /// Whether a sound schema message is at an offset.
    public static boolean isSchema(MessageSearch search, MemorySegment memory, long at, long end) {
        // Compared first: most words are no prefix.
        boolean mayBegin =
                end - at >= MessagePrefix.BYTES
                        && (MessagePrefix.isContinuation(memory, at)
                                || Wire.int32(memory, at) > 0
                                        && MessagePlace.hasRoot(memory, at + Integer.BYTES, end));
        return mayBegin
                && search.isSound(MessagePlace.at(memory, at, end))
                && MessagePlace.at(memory, at, end).isSchema();
    }
}
