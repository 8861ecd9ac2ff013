// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify.internal;

import dev.fletch.Fault;
import dev.fletch.FileRule;
import dev.fletch.ipc.internal.MessageFinder;
import dev.fletch.ipc.internal.MessagePlace;
import dev.fletch.wire.MessagePrefix;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;

/// Checks the bytes of a file that belong to no block of the footer. Readers of files skip them,
/// but a reader of the file as a stream finds messages there.
///
/// Verifies no position twice, even if a gap that begins there is checked again.
final class GapCheck {
    private static final int ALIGNMENT = Long.BYTES;
    private static final long NOWHERE = -1;

    private final MemorySegment memory;
    private final MessageCheck check;
    private final Faults faults;

    // Position and result of the last verification.
    private long looked = NOWHERE;
    private boolean isGood;
    private String kind;

    // Start and end of the zeros skipped last.
    private long zeros = NOWHERE;
    private long zerosEnd;

    GapCheck(MemorySegment memory, MessageCheck check, Faults faults) {
        this.memory = memory;
        this.check = check;
        this.faults = faults;
    }

    /// Reports the messages at the start of a gap; zeros between them are skipped.
    ///
    /// @return end of the last message
    long messages(long from, long to) {
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
            withoutBlock(faults, start, kind, next - start);
            at = next;
        }
    }

    /// Reports a message without a block.
    static void withoutBlock(Faults faults, long at, String kind, long bytes) {
        String found = "kind=" + kind + ", bytes=" + bytes;
        faults.add(FileRule.MESSAGE_WITHOUT_BLOCK, at, found);
    }

    /// Reports bytes that are not 0 in a gap without messages, if unused bytes are checked.
    void unused(long from, long to) {
        long count = 0;
        long first = NOWHERE;
        for (long at = from; at < to && check.checksUnused(); at++) {
            if (Wire.int8(memory, at) != 0) {
                first = count++ == 0 ? at : first;
            }
        }
        if (count > 0) {
            faults.accept(Fault.of(FileRule.UNUSED_GAP, first, count).because("bytes=" + count));
        }
    }

    /// The end of a message that verifies; `at` if there is none.
    private long afterMessage(long at, long to) {
        MessagePlace place = MessagePlace.at(memory, at, to);
        if (!place.isWhole()) {
            return at;
        }
        if (looked != at) {
            looked = at;
            isGood = check.isMessage(memory, place.metadataAt(), place.metadataLength());
            kind = isGood ? check.kindName() : null;
        }
        boolean fits = isGood && place.bodyLength() <= to - place.bodyAt();
        return fits ? place.end() : at;
    }

    /// The end of the zeros, in steps of 8 bytes.
    private long afterZeros(long from, long to) {
        long at = from == zeros ? Math.min(zerosEnd, to) : from;
        while (to - at >= ALIGNMENT && Wire.int64(memory, at) == 0) {
            at += ALIGNMENT;
        }
        zeros = from;
        zerosEnd = Math.max(at, from);
        return at;
    }

    /// Checks the bytes between the last message and the footer: an end-of-stream marker with
    /// padding, or nothing.
    ///
    /// @param at end of the last message
    void end(long at, long footer) {
        if (at >= footer) {
            return; // some writers omit the marker
        }
        int bytes = markerBytes(at, footer);
        if (bytes == 0) {
            faults.add(FileRule.NO_END_OF_STREAM, at, "bytes=" + (footer - at));
            return;
        }
        unreferenced(at + bytes, footer);
    }

    /// Reports bytes after the end-of-stream marker. Zeros are padding.
    void unreferenced(long from, long to) {
        long at = from;
        while (to - at >= MessagePrefix.BYTES && markerBytes(at, to) == MessagePrefix.BYTES) {
            at += MessagePrefix.BYTES;
        }
        if (at > from) {
            String count = "times=" + (1 + (at - from) / MessagePrefix.BYTES);
            faults.add(FileRule.REPEATED_END, from, count);
        }
        if (MessageFinder.endOfRun(memory, at, to, 0) < to) {
            behindEnd(faults, at, to);
        }
    }

    /// Reports bytes after an end-of-stream marker, if there are any.
    static void behindEnd(Faults faults, long from, long to) {
        if (from < to) {
            faults.add(FileRule.BYTES_BEHIND_END, from, "bytes=" + (to - from));
        }
    }

    /// Length in bytes of the end-of-stream marker at a position; 0 if there is none.
    private int markerBytes(long at, long footer) {
        MessagePlace place = MessagePlace.at(memory, at, footer);
        return place.isEnd() ? place.prefixBytes() : 0;
    }
}
