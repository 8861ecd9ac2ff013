// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc.internal;

import dev.fletch.format.Schema;
import dev.fletch.wire.MessagePrefix;

import java.lang.foreign.MemorySegment;

/// Other bytes before a file or stream, such as a length or the head of an HTTP response.
public final class LeadingBytes {
    /// The most bytes before a file or stream.
    public static final int MOST = 64 << 10;

    // The most bytes of metadata to verify, and the work of examining a possible file: its first
    // message may be anywhere.
    private static final long MOST_WORK = 16 << 20;
    private static final long FILE_WORK = 1 << 20;

    private final MemorySegment memory;
    private final long end;
    private long work = MOST_WORK;

    private LeadingBytes(MemorySegment memory, long end) {
        this.memory = memory;
        this.end = end;
    }

    /// Finds the magic of a file that is followed by a schema message or ends with the input, or a
    /// sound schema message. The work is bounded.
    ///
    /// @return its offset, at least 1; -1 if there is none
    public static long count(MemorySegment memory) {
        long end = memory.byteSize();
        long last = Math.min(MOST, end - MessagePrefix.BYTES);
        LeadingBytes search = new LeadingBytes(memory, end);
        for (long position = 1; position <= last; position++) {
            if (search.isFile(position) || search.isSchema(position)) {
                return position;
            }
        }
        return -1;
    }

    /// Whether a sound schema message is at an offset.
    static boolean isSchema(MemorySegment memory, long position, long end) {
        return new LeadingBytes(memory, end).isSchema(position);
    }

    private boolean isFile(long position) {
        if (!FileHead.hasMagic(memory, position) || !spend(FILE_WORK)) {
            return false;
        }
        MemorySegment file = memory.asSlice(position);
        FileHead head = FileHead.of(file, end - position);
        return FileTail.isFile(file)
                || isSchema(position + head.length())
                || head.unframedSchemaEnd() > 0;
    }

    private boolean isSchema(long position) {
        long prefix = MessagePrefix.read(memory, position, end - position);
        // Compared before it is verified: most words are no prefix.
        if (!MessagePlace.mayBeMessage(memory, position, prefix, end)
                || !spend(MessagePrefix.metadataLength(prefix))) {
            return false;
        }
        MessagePlace place = MessagePlace.at(memory, position, end);
        // A part of a schema may look like a message of that kind, without the schema.
        return place.isSound() && place.message().header(new Schema());
    }

    /// @return whether there is work left for it
    private boolean spend(long bytes) {
        if (work <= 0) {
            return false;
        }
        work -= bytes;
        Work.worked(bytes);
        return true;
    }
}
