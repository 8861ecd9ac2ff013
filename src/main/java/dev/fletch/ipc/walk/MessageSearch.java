// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc.walk;

import dev.fletch.wire.MessagePrefix;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;

/// Finds messages after damage. A search returns the end of the messages if there is none.
///
/// The work of one object is bounded, even if each message of an input is damaged.
public final class MessageSearch {
    private static final int ALIGNMENT = Long.BYTES;

    // After this many bytes of a search, the work is reported.
    private static final int WORK_BYTES = 1 << 20;

    /// The most bytes to examine for a display.
    public static final long SEARCHED_BYTES = 16L << 20;

    private final MemorySegment memory;
    private long left;
    // Messages are aligned to the first one.
    private long phase;

    public MessageSearch(MemorySegment memory) {
        this(memory, SEARCHED_BYTES, 0);
    }

    /// @param most the most bytes to examine
    /// @param first offset of the first message
    public MessageSearch(MemorySegment memory, long most, long first) {
        this.memory = memory;
        this.left = most;
        this.phase = first;
    }

    /// Finds the first aligned message with a continuation word and sound metadata.
    public long next(long from, long end) {
        long first = from + Math.floorMod(phase - from, ALIGNMENT);
        return next(first, end, end, ALIGNMENT);
    }

    /// Like [#next(long, long)], at any offset: after unknown bytes, messages need not be aligned.
    ///
    /// @param limit the message begins before it
    public long nextUnaligned(long from, long limit, long end) {
        long at = next(from, limit, end, 1);
        phase = at < end ? at : phase;
        return at;
    }

    private long next(long from, long limit, long end, int step) {
        long last = Math.min(limit - 1, end - MessagePrefix.BYTES);
        long reported = from;
        for (long at = from; at <= last && left > 0; at += step) {
            left -= step;
            if (at - reported >= WORK_BYTES) {
                Work.worked(at - reported);
                reported = at;
            }
            if (MessagePrefix.isContinuation(memory, at)
                    && isSound(MessagePlace.ofCurrent(memory, at, end))) {
                return at;
            }
        }
        return end;
    }

    /// Whether a message is sound; false if all work is done.
    public boolean isSound(MessagePlace place) {
        boolean mayRead = left > 0;
        long bytes = place.isWhole() ? place.metadataLength() : 0;
        left -= bytes;
        Work.worked(bytes);
        return mayRead && place.isSound();
    }

    /// Counts bytes that the caller has examined.
    ///
    /// @return whether more may be examined
    public boolean spend(long bytes) {
        left -= bytes;
        return left > 0;
    }

    /// Whether bytes between messages are padding: zeros, fewer than the alignment that arrow-rs
    /// uses.
    public boolean isPadding(long from, long to) {
        boolean isZero = to - from < ContainerPlan.LEAST_LOST_BYTES;
        for (long at = from; at < to && isZero; at++) {
            isZero = Wire.int8(memory, at) == 0;
        }
        return isZero;
    }

    /// Whether a message, possibly a damaged one, or the end follows this message.
    public boolean isFollowed(MessagePlace place, long end) {
        return place.isWhole()
                && place.hasBody()
                && place.bodyLength() <= end - place.bodyAt()
                && mayBegin(place.bodyAt() + place.bodyLength(), end, !place.isCurrent());
    }

    /// Whether a message, possibly a damaged one, or the end is at an offset.
    ///
    /// @param isLegacy whether it may be a message without a continuation word
    private boolean mayBegin(long at, long end, boolean isLegacy) {
        if (at >= end) {
            return at == end;
        }
        MessagePlace place = MessagePlace.at(memory, at, end);
        boolean hasTable = place.hasTable(end);
        if (place.isCurrent()) {
            return place.isEnd()
                    || hasTable
                    || place.isWhole() && place.metadataLength() % ALIGNMENT == 0;
        }
        // A legacy end-of-stream marker counts only at the end: zeros are common elsewhere.
        return place.isEnd() && place.metadataAt() == end
                || isLegacy && place.isWhole() && hasTable
                || isSound(MessagePlace.ofCurrent(memory, at, end));
    }
}
