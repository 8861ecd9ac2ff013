// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc.walk;

import dev.fletch.format.Message;
import dev.fletch.format.MessageHeader;
import dev.fletch.ipc.FileHead;
import dev.fletch.wire.MessagePrefix;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;

/// Other bytes before a file or stream, such as a length or the head of an HTTP response.
public final class LeadingBytes {
    /// The most bytes before a file or stream.
    public static final int MOST = 64 << 10;

    private LeadingBytes() {}

    /// Finds the magic of a file that is followed by a schema message or ends with the input, or a
    /// sound schema message.
    ///
    /// @return its offset, at least 1; -1 if there is none
    public static long count(MemorySegment memory) {
        long end = memory.byteSize();
        long last = Math.min(MOST, end - MessagePrefix.BYTES);
        for (long at = 1; at <= last; at++) {
            if (isFile(memory, at, end) || isSchema(memory, at, end)) {
                return at;
            }
        }
        return -1;
    }

    private static boolean isFile(MemorySegment memory, long at, long end) {
        if (!FileTail.hasMagic(memory, at)) {
            return false;
        }
        MemorySegment file = memory.asSlice(at);
        int head = FileHead.length(file, end - at);
        return FileTail.isFile(file)
                || isSchema(memory, at + head, end)
                || FileHead.bareSchemaEnd(file, head, end - at) > 0;
    }

    /// Whether a sound schema message is at an offset.
    public static boolean isSchema(MemorySegment memory, long at, long end) {
        if (end - at < MessagePrefix.BYTES) {
            return false;
        }
        // Compared first: most words are no prefix.
        boolean mayBegin =
                MessagePrefix.isContinuation(memory, at)
                        || Wire.int32(memory, at) > 0 && MessagePlace.hasRoot(memory, at + 4, end);
        MessagePlace place = mayBegin ? MessagePlace.at(memory, at, end) : null;
        return mayBegin
                && place.isSound()
                && new Message()
                                .wrap(memory, place.metadataAt(), place.metadataLength())
                                .headerType()
                        == MessageHeader.SCHEMA;
    }
}
