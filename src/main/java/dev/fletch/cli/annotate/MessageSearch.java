// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.annotate;

import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;

/// Finds out where messages begin and end where their own words do not say so, or say it wrongly.
///
/// All that one search looks at is bounded, also where each message of a hostile input is damaged.
public final class MessageSearch {
    private static final int ALIGNMENT = Long.BYTES;

    /// How far messages are searched for: bodies are not read.
    private static final long SEARCHED_BYTES = 16L << 20;

    // Metadata whose length is wrong is looked for in so many bytes.
    private static final int REPAIRED_BYTES = 1 << 20;
    private static final int REPAIR_COST = 1 << 14;

    private final MemorySegment memory;
    private long left = SEARCHED_BYTES;
    // What messages are aligned to: the first one.
    private long phase;

    public MessageSearch(MemorySegment memory) {
        this.memory = memory;
    }

    /// The first message with a continuation word and sound metadata.
    ///
    /// @return `to` if there is none
    public long next(long from, long to) {
        long at = from + Math.floorMod(phase - from, ALIGNMENT);
        for (; to - at >= EncapsulatedMessage.PREFIX_BYTES && left > 0; at += ALIGNMENT) {
            left -= ALIGNMENT;
            if (isSoundMessage(at, to)) {
                return at;
            }
        }
        return to;
    }

    /// The same at any offset: behind junk nothing is aligned to the input.
    long nextUnaligned(long from, long to) {
        for (long at = from; to - at >= EncapsulatedMessage.PREFIX_BYTES && left > 0; at++) {
            left--;
            if (isSoundMessage(at, to)) {
                phase = at;
                return at;
            }
        }
        return to;
    }

    private boolean isSoundMessage(long at, long to) {
        if (Wire.int32(memory, at) != EncapsulatedMessage.CONTINUATION) {
            return false;
        }
        MessagePlace place = MessagePlace.at(memory, at, to);
        left -= place.isWhole() ? place.metadataLength() : 0;
        return place.isWhole() && place.isSound(memory);
    }

    /// Whether a message, or the end, may be where another message ends: damaged ones count, as
    /// far as their first words do.
    ///
    /// @param isLegacy whether it may be one without a continuation word
    private boolean mayBegin(long at, long end, boolean isLegacy) {
        if (at >= end) {
            return at == end;
        }
        MessagePlace place = MessagePlace.at(memory, at, end);
        boolean hasTable = FlatbufferWalk.hasRoot(memory, place.metadataAt(), end);
        if (place.isCurrent()) {
            return place.isEnd()
                    || hasTable
                    || place.isWhole() && place.metadataLength() % ALIGNMENT == 0;
        }
        // Four zeros may be anything.
        return place.isEnd() && place.metadataAt() == end
                || isLegacy && place.isWhole() && hasTable
                || isSoundBehind(MessagePlace.behindWrongWord(memory, at, end));
    }

    /// Whether metadata is sound behind a word that is no continuation word.
    private boolean isSoundBehind(MessagePlace place) {
        if (left <= 0 || !place.isWhole()) {
            return false;
        }
        left -= place.metadataLength();
        return place.isSound(memory);
    }

    /// Whether what these words say is borne out by what is behind the message.
    boolean isFollowed(MessagePlace place, long end) {
        long body = place.bodyLength();
        return place.isWhole()
                && place.hasBodyLength()
                && body >= 0
                && body <= end - place.bodyAt()
                && mayBegin(place.bodyAt() + body, end, !place.isCurrent());
    }

    /// The message at a place where one is due: with the length that its tree has if the one that
    /// is told leads to nothing, and behind a wrong continuation word.
    ///
    /// @return the same place if nothing better is known
    MessagePlace repaired(MessagePlace place, long end) {
        if (isFollowed(place, end)
                && FlatbufferWalk.hasRoot(memory, place.metadataAt(), place.bodyAt())) {
            return place;
        }
        if (!place.isCurrent()) {
            MessagePlace behind = MessagePlace.behindWrongWord(memory, place.at(), end);
            if (isSoundBehind(behind)) {
                return behind;
            }
        }
        MessagePlace other = withLengthOfTree(place, end);
        return other == null ? place : other;
    }

    /// A length is believed if the message would then end where another one begins.
    private MessagePlace withLengthOfTree(MessagePlace place, long end) {
        long at = place.metadataAt();
        long room = Math.min(end - at, REPAIRED_BYTES);
        if (left <= 0
                || place.isEnd()
                || !FlatbufferWalk.hasRoot(memory, at, at + Math.max(0, room))) {
            return null;
        }
        left -= REPAIR_COST;
        FlatbufferScore reach = FlatbufferScore.of(memory, at, room, "Message");
        left -= reach.bytes();
        long length = reach.end() - at;
        length += Math.floorMod(-(place.prefixBytes() + length), ALIGNMENT);
        if (length > room || length == place.metadataLength()) {
            return null;
        }
        MessagePlace other = place.withLength(memory, (int) length);
        return isFollowed(other, end) ? other : null;
    }
}
