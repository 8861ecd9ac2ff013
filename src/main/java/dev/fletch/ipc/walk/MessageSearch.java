// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc.walk;

import dev.fletch.format.Message;
import dev.fletch.format.MessageHeader;
import dev.fletch.wire.MessagePrefix;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;

/// Finds messages after damage. A search returns the end of the messages if there is none.
///
/// The work of one object is bounded, even if each message of an input is damaged.
public final class MessageSearch {
    private static final int ALIGNMENT = Long.BYTES;
    static final int MOST_ALIGNMENT = 64;

    // After this many bytes of a search, the work is reported.
    private static final int WORK_BYTES = 1 << 20;

    /// The most bytes to examine for a display.
    public static final long SEARCHED_BYTES = 16L << 20;

    /// The most bytes after an end-of-stream marker in which a message may begin.
    public static final long MOST_BEHIND_END = 16L << 20;

    /// Enough work for a walk over all messages of an input, as a multiple of its size.
    public static final long SEARCHES = 4;

    private final MemorySegment memory;
    private long left;
    // Messages are aligned to the first one.
    private long phase;
    // Whether messages may have no continuation word, as those of old writers.
    private boolean isLegacy;

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

    /// Sets whether to find batches without continuation word: the input has such messages.
    void findLegacy(boolean legacy) {
        isLegacy = legacy;
    }

    /// Finds the first aligned message with a continuation word and sound metadata.
    public long next(long from, long end) {
        return next(from, end, end);
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
                            && isSound(MessagePlace.ofCurrent(memory, at, end))
                    || isLegacy && (at - phase) % ALIGNMENT == 0 && isLegacyBatch(at, end)) {
                return at;
            }
        }
        return end;
    }

    private boolean isLegacyBatch(long at, long end) {
        long metadataAt = at + MessagePrefix.LEGACY_BYTES;
        int size = Wire.int32(memory, at);
        // Compared first: most words are no prefix.
        if (size <= 0
                || size > end - metadataAt
                || !MessagePlace.hasRoot(memory, metadataAt, metadataAt + size)) {
            return false;
        }
        MessagePlace place = MessagePlace.at(memory, at, end);
        int kind = isSound(place) ? kind(place) : MessageHeader.NONE;
        return kind == MessageHeader.RECORD_BATCH || kind == MessageHeader.DICTIONARY_BATCH;
    }

    private int kind(MessagePlace of) {
        return new Message().wrap(memory, of.metadataAt(), of.metadataLength()).headerType();
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

    /// Finds the message after a complete one that is followed by no message. If the result is
    /// inside its body, one of its lengths is wrong. A schema message there is a value of the body.
    ///
    /// @param body start of the body
    /// @param from end of the body
    public long resume(long body, long from, long end) {
        // What follows zeros is searched for later, within a limit: they may be a hole of any size.
        boolean isZero = MessagePlace.at(memory, from, end).isEnd();
        long found = next(body, isZero ? from : end, end);
        return found < from && isSchema(found, end) ? isZero ? end : next(from, end) : found;
    }

    /// [#next(long, long)] for a message that begins before a limit.
    private long next(long from, long limit, long end) {
        return next(from + Math.floorMod(phase - from, ALIGNMENT), limit, end, ALIGNMENT);
    }

    /// Finds the message after damaged bytes: after the body if the body length is readable and a
    /// message follows there, else by a search.
    ///
    /// @param at offset of the damaged message
    public long afterDamage(long at, long end) {
        MessagePlace place = MessagePlace.at(memory, at, end);
        return isFollowed(place, end) ? place.bodyAt() + place.bodyLength() : next(at + 1, end);
    }

    /// Finds a message that follows an end-of-stream marker within a limit. If a damaged message
    /// follows the marker at once, it is the schema of another stream, whose batches are skipped.
    ///
    /// @param from end of the marker
    public long behindEnd(long from, long end) {
        long next = afterEnd(from, end);
        boolean hasDamage =
                next > from
                        && end - from >= MessagePrefix.BYTES
                        && MessagePrefix.isContinuation(memory, from)
                        && !MessagePlace.at(memory, from, end).isEnd();
        while (hasDamage && next < end && !isSchema(next, end)) {
            MessagePlace batch = MessagePlace.at(memory, next, end);
            next =
                    afterEnd(
                            batch.bodyAt() + Math.min(batch.bodyLength(), end - batch.bodyAt()),
                            end);
        }
        return next;
    }

    private long afterEnd(long from, long end) {
        if (isSound(MessagePlace.at(memory, from, end))) {
            return from;
        }
        long limit = from + Math.min(end - from, MOST_BEHIND_END);
        return nextUnaligned(from, limit, end);
    }

    /// Whether bytes between messages are padding: zeros, fewer than the alignment that arrow-rs
    /// uses.
    public boolean isPadding(long from, long to) {
        boolean isZero = to - from < MOST_ALIGNMENT;
        for (long at = from; at < to && isZero; at++) {
            isZero = Wire.int8(memory, at) == 0;
        }
        return isZero;
    }

    /// Whether a sound message is a schema message.
    public boolean isSchema(long at, long end) {
        return kind(MessagePlace.at(memory, at, end)) == MessageHeader.SCHEMA;
    }

    /// Whether a message, possibly a damaged one, or the end follows this message.
    public boolean isFollowed(MessagePlace place, long end) {
        return place.isWhole()
                && place.hasBody()
                && place.bodyLength() <= end - place.bodyAt()
                && mayBegin(place.bodyAt() + place.bodyLength(), end, !place.isCurrent());
    }

    /// Whether a message or the end may be at an offset. Less strict than [#mayBegin]: any
    /// continuation word counts.
    ///
    /// @param isLegacy whether it may be a message without a continuation word
    public boolean mayFollow(long at, long end, boolean isLegacy) {
        // Compared first: the usual case.
        return end - at >= MessagePrefix.BYTES && MessagePrefix.isContinuation(memory, at)
                || mayBegin(at, end, isLegacy);
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
