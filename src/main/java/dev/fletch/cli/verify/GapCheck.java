// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.verify;

import dev.fletch.ipc.EncapsulatedMessage;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Looks at what lies in a file where no block leads to. That may be anything, but no message: only
/// who reads the file as a stream would come upon it.
///
/// No place is verified twice, however often a gap that begins there is looked at.
public final class GapCheck {
    private static final ValueLayout.OfInt WORD =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int ALIGNMENT = Long.BYTES;
    private static final long NOWHERE = -1;

    private final MemorySegment memory;
    private final MessageCheck check;
    private final Findings findings;

    // The message that was verified last, and what came of it.
    private long looked = NOWHERE;
    private boolean isGood;
    private long bodyLength;
    private String kind;

    // The zeros that were gone past last.
    private long zeros = NOWHERE;
    private long zerosEnd;

    GapCheck(MemorySegment memory, MessageCheck check, Findings findings) {
        this.memory = memory;
        this.check = check;
        this.findings = findings;
    }

    /// Tells of the messages that a gap begins with, be there zeros before them or not.
    ///
    /// @return where they end
    long check(long from, long to) {
        long at = from;
        while (true) {
            long start = at;
            long next = afterMessage(start, to);
            if (next == start) {
                start = afterZeros(at, to);
                next = start == at ? start : afterMessage(start, to);
            }
            if (next == start) {
                return at;
            }
            findings.add(
                    InputRules.MESSAGE_WITHOUT_BLOCK,
                    Finding.NO_MESSAGE,
                    null,
                    start,
                    "kind=" + kind + ", bytes=" + (next - start));
            at = next;
        }
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
        if (looked != at) {
            looked = at;
            isGood = check.isGood(memory, metadata, length);
            bodyLength = isGood ? check.bodyLength() : 0;
            kind = isGood ? check.kindName() : null;
        }
        boolean fits = isGood && bodyLength <= room - prefix - length;
        return fits ? metadata + length + bodyLength : at;
    }

    /// Where the multiples of 8 bytes that are zeros end.
    private long afterZeros(long from, long to) {
        long at = from == zeros ? Math.min(zerosEnd, to) : from;
        while (to - at >= ALIGNMENT && memory.get(LONG, at) == 0) {
            at += ALIGNMENT;
        }
        zeros = from;
        zerosEnd = Math.max(at, from);
        return at;
    }

    /// Looks at what is between the last message and the footer: the mark with nothing but padding
    /// behind it, or nothing.
    ///
    /// @param at where the last message ends
    /// @param other where it ends by what else tells; the same if nothing else does
    void end(long at, long other, long footer) {
        if (at == footer || other == footer) {
            return; // as some writers leave it
        }
        long mark = markBytes(at, footer) > 0 ? at : other;
        int bytes = markBytes(mark, footer);
        if (bytes == 0) {
            String room = "bytes=" + (footer - at);
            findings.add(InputRules.NO_END_OF_STREAM, Finding.NO_MESSAGE, null, at, room);
            return;
        }
        behind(mark + bytes, footer);
    }

    /// Tells of bytes that belong to nothing. Zeros are padding.
    void behind(long from, long to) {
        long at = afterZeros(from, to);
        while (at < to && memory.get(ValueLayout.JAVA_BYTE, at) == 0) {
            at++;
        }
        if (at < to) {
            String bytes = "bytes=" + (to - from);
            findings.add(InputRules.BYTES_BEHIND_END, Finding.NO_MESSAGE, null, from, bytes);
        }
    }

    /// Length of the mark that is there; 0 if there is none.
    private int markBytes(long at, long footer) {
        long room = footer - at;
        if (room >= Integer.BYTES && memory.get(WORD, at) == 0) {
            return Integer.BYTES; // in the form of old writers
        }
        boolean isMark =
                room >= EncapsulatedMessage.PREFIX_BYTES
                        && memory.get(WORD, at) == EncapsulatedMessage.CONTINUATION
                        && memory.get(WORD, at + Integer.BYTES) == 0;
        return isMark ? EncapsulatedMessage.PREFIX_BYTES : 0;
    }
}
