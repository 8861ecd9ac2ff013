// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.annotate;

import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;

/// Finds messages behind damage, and repairs their lengths.
///
/// The work of one search is bounded, also for an input in which each message is damaged.
public final class MessageSearch {
    private static final int ALIGNMENT = Long.BYTES;

    // The most bytes to examine. Bodies are not read.
    private static final long SEARCHED_BYTES = 16L << 20;
    // The longest metadata to find behind a wrong length.
    private static final int REPAIRED_BYTES = 1 << 20;
    private static final int MAX_REGIONS = 1 << 18;
    private static final int REPAIR_COST = 1 << 14;

    private final MemorySegment memory;
    private long left = SEARCHED_BYTES;
    // Messages are aligned to the first one.
    private long phase;

    public MessageSearch(MemorySegment memory) {
        this.memory = memory;
    }

    /// Finds the first aligned message with a continuation word and sound metadata.
    ///
    /// @return `to` if there is none
    public long next(long from, long to) {
        return next(from + Math.floorMod(phase - from, ALIGNMENT), to, ALIGNMENT);
    }

    /// The same at any offset: behind junk, messages are not aligned to the input.
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

    /// Whether another message, possibly a damaged one, or the end is behind this message.
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
        // Four zeros are an end only at the end: elsewhere they may be anything.
        return place.isEnd() && place.metadataAt() == end
                || isLegacy && place.isWhole() && hasTable
                || isSound(MessagePlace.ofCurrent(memory, at, end));
    }

    /// Repairs a place where a message is expected: a wrong continuation word, or a wrong length, which
    /// is replaced by that of the metadata's tree.
    ///
    /// @return the same place if it is right or cannot be repaired
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
        // The length counts as right if the message then ends where another one begins.
        MessagePlace other = place.withLength((int) length);
        return isFollowed(other, end) ? other : place;
    }
}
