// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.annotate;

import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;

/// Finds messages after damage, and repairs prefixes.
///
/// The work of one object is bounded, even if each message of an input is damaged.
public final class MessageSearch {
    private static final int ALIGNMENT = Long.BYTES;

    // The most bytes to examine, unless given.
    private static final long SEARCHED_BYTES = 16L << 20;
    // The longest metadata to repair, in bytes.
    private static final int REPAIRED_BYTES = 1 << 20;
    private static final int MAX_REGIONS = 1 << 18;
    private static final int REPAIR_COST = 1 << 14;

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
    long nextUnaligned(long from, long to) {
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

    private boolean isSound(MessagePlace place) {
        boolean mayRead = left > 0;
        left -= place.isWhole() ? place.metadataLength() : 0;
        return mayRead && place.isSound();
    }

    /// Whether a message, possibly a damaged one, or the end follows this message.
    boolean isFollowed(MessagePlace place, long end) {
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

    /// Repairs a wrong continuation word, or a wrong metadata length, which it computes from the objects of
    /// the metadata.
    ///
    /// @return the same place if it is valid or cannot be repaired
    MessagePlace repaired(MessagePlace place, long end) {
        if (isFollowed(place, end) && place.hasTable(place.bodyAt())) {
            return place;
        }
        if (!place.isCurrent()) {
            MessagePlace behind = MessagePlace.ofCurrent(memory, place.at(), end);
            if (isSound(behind)) {
                return behind;
            }
        }
        long at = place.metadataAt();
        long room = Math.min(end - at, REPAIRED_BYTES);
        if (left <= 0 || place.isEnd() || !place.hasTable(at + Math.max(0, room))) {
            return place;
        }
        left -= REPAIR_COST;
        FlatbufferWalk tree = new FlatbufferWalk(memory, at, room, MAX_REGIONS, "Message");
        left -= tree.explainedBytes();
        long length = tree.explainedEnd() - at;
        length += Math.floorMod(-(place.prefixBytes() + length), ALIGNMENT);
        if (length > room || length == place.metadataLength()) {
            return place;
        }
        // The computed length is accepted if another message follows then.
        MessagePlace other = place.withLength((int) length);
        return isFollowed(other, end) ? other : place;
    }
}
