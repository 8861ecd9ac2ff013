// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli;

import dev.fletch.ipc.EncapsulatedMessage;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Looks at what lies in a file where no block leads to. That may be anything, but no message: only
/// who reads the file as a stream would come upon it.
final class GapCheck {
    private static final ValueLayout.OfInt WORD =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final MemorySegment memory;
    private final MessageCheck check;
    private final Findings findings;

    GapCheck(MemorySegment memory, MessageCheck check, Findings findings) {
        this.memory = memory;
        this.check = check;
        this.findings = findings;
    }

    /// Tells of the messages that a gap begins with.
    ///
    /// @return where they end
    long check(long from, long to) {
        long at = from;
        for (long next = afterMessage(at, to); next > at; next = afterMessage(at, to)) {
            findings.add(
                    InputFault.MESSAGE_WITHOUT_BLOCK,
                    Finding.NO_MESSAGE,
                    null,
                    at,
                    "kind=" + check.kindName() + ", bytes=" + (next - at));
            at = next;
        }
        return at;
    }

    /// Where a message ends that is without doubt one; `at` if there is none.
    private long afterMessage(long at, long to) {
        long room = to - at;
        if (room < EncapsulatedMessage.PREFIX_BYTES) {
            return at;
        }
        int word = memory.get(WORD, at);
        boolean isLegacy = word != EncapsulatedMessage.CONTINUATION;
        int prefix =
                isLegacy
                        ? EncapsulatedMessage.LEGACY_PREFIX_BYTES
                        : EncapsulatedMessage.PREFIX_BYTES;
        int length = isLegacy ? word : memory.get(WORD, at + Integer.BYTES);
        if (length <= 0 || length > room - prefix) {
            return at;
        }
        long metadata = at + prefix;
        boolean fits =
                check.isGood(memory, metadata, length)
                        && check.bodyLength() <= room - prefix - length;
        return fits ? metadata + length + check.bodyLength() : at;
    }

    /// Looks at what is between the last message and the footer: the mark, or nothing.
    void end(long at, long footer) {
        long room = footer - at;
        if (room == 0) {
            return; // as some writers leave it
        }
        boolean isLegacy = room >= Integer.BYTES && memory.get(WORD, at) == 0;
        boolean isMark =
                isLegacy
                        || room >= EncapsulatedMessage.PREFIX_BYTES
                                && memory.get(WORD, at) == EncapsulatedMessage.CONTINUATION
                                && memory.get(WORD, at + Integer.BYTES) == 0;
        if (!isMark) {
            findings.add(
                    InputFault.NO_END_OF_STREAM, Finding.NO_MESSAGE, null, at, "bytes=" + room);
        }
    }
}
