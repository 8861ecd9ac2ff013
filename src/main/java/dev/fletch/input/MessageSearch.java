// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;

/// Finds messages after damage.
///
/// The work of one object is bounded, even if each message of an input is damaged.
public final class MessageSearch {
    private static final int ALIGNMENT = Long.BYTES;

    // The most bytes to examine, unless given.
    private static final long SEARCHED_BYTES = 16L << 20;

    private final MemorySegment memory;
    private long left;
    // Messages are aligned to the first one.
    private long phase;

    public MessageSearch(MemorySegment memory) {
        this(memory, SEARCHED_BYTES);
    }

    /// @param most the most bytes to examine
    public MessageSearch(MemorySegment memory, long most) {
        this.memory = memory;
        this.left = most;
    }

    /// Finds the first aligned message with a continuation word and sound metadata.
    ///
    /// @return `to` if there is none
    public long next(long from, long to) {
        return next(from + Math.floorMod(phase - from, ALIGNMENT), to, ALIGNMENT);
    }

    /// Like [#next(long, long)], at any offset: after unknown bytes, messages need not be aligned.
    public long nextUnaligned(long from, long to) {
        long at = next(from, to, 1);
        phase = at < to ? at : phase;
        return at;
    }

    private long next(long from, long to, int step) {
        for (long at = from; to - at >= EncapsulatedMessage.PREFIX_BYTES && left > 0; at += step) {
            left -= step;
            if (Wire.int32(memory, at) == EncapsulatedMessage.CONTINUATION
                    && isSound(MessagePlace.ofCurrent(memory, at, to))) {
                return at;
            }
        }
        return to;
    }

    /// Whether a message is sound; false if all work is done.
    public boolean isSound(MessagePlace place) {
        boolean mayRead = left > 0;
        left -= place.isWhole() ? place.metadataLength() : 0;
        return mayRead && place.isSound();
    }

    /// Counts work of the caller.
    ///
    /// @param bytes examined by the caller
    /// @return whether more may be examined
    public boolean spend(long bytes) {
        left -= bytes;
        return left > 0;
    }

    /// Whether a message, possibly a damaged one, or the end follows this message.
    public boolean isFollowed(MessagePlace place, long end) {
        return place.isWhole()
                && place.hasBody()
                && place.bodyLength() <= end - place.bodyAt()
                && mayBegin(place.bodyAt() + place.bodyLength(), end, !place.isCurrent());
    }

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
