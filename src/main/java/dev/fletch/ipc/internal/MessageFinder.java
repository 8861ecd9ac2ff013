// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc.internal;

import dev.fletch.format.Footer;
import dev.fletch.format.Message;
import dev.fletch.format.Verifier;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.internal.VersionCheck;
import dev.fletch.wire.MessagePrefix;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;

/// Recognizes messages and end-of-stream markers at an offset, and searches them.
///
/// **Work.** Searches only go forward. Verified metadata counts against one budget, so that neither
/// prefixes that claim the same bytes nor blocks that overlap cost more than a multiple of the
/// input. When it is spent, nothing more is found.
public final class MessageFinder {
    /// Bytes of metadata that may be verified: a multiple of the input's size, beside a constant.
    private static final int WORK = 2;

    private static final long MORE_WORK = 16 << 20;

    /// The most zeros to read at the end of an input.
    public static final long MAX_ZEROS = 16L << 20;

    /// Costs of metadata that does not verify: these, and more for each table.
    private static final int FAILURE_WORK = 512;

    private static final int TABLE_WORK = 64;

    /// As many zeros cost as much as a byte of metadata.
    private static final int ZEROS_PER_WORK = 16;

    // After this many bytes of a search, the work is reported.
    private static final int REPORTED_BYTES = 1 << 20;

    // In the first two words of a message without continuation word, these bits are 0: its metadata
    // length is below 2^29 and its root offset below 2^16, both divisible by 4.
    private static final long ZERO_BITS = 0xFFFF_0003_E000_0003L;
    private static final int ROOT_OFFSET_SHIFT = 34;

    private final MemorySegment memory;
    private final MessageRules rules;
    private final Verifier verifier;
    private final Message message = new Message();
    // End of the messages; bodies may claim to be longer.
    private long end;
    private long work;
    private boolean isLegacy;
    // Whether messages of the footer's version may lack the continuation word.
    private boolean isOld;
    // The zeros that were read last.
    private long zerosFrom;
    private long zerosEnd;
    // The last result of #at: most offsets are examined twice.
    private long lastOffset = -1;
    private FoundMessage last;

    /// @param rules of messages
    MessageFinder(MemorySegment memory, MessageRules rules) {
        this.memory = memory;
        this.rules = rules;
        verifier = new Verifier(MessagePlace.CHECKS);
        end = memory.byteSize();
        work = WORK * end + MORE_WORK;
    }

    /// Whether a usable footer is in a range.
    boolean isFooter(long position, long length) {
        work -= Math.min(length, MessagePlace.LIMITS.metadataBytes());
        return !isSpent() && FileTail.usable(memory, position, length, MessagePlace.LIMITS) != null;
    }

    /// Uses a footer: it has a schema, and the messages end before it.
    void useFooter(Footer footer, long offset) {
        rules.useFooter(footer);
        isOld = VersionCheck.mayLackContinuation(footer.version());
        end = offset;
    }

    /// Compares later messages with the schema of a message, too.
    void useSchema(FoundMessage found) {
        rules.useSchema(bind(found));
        lastOffset = -1;
    }

    /// Later messages may lack the continuation word if one does.
    void learnFraming(FoundMessage found) {
        learnFraming(found.prefixLength() == MessagePrefix.LEGACY_BYTES);
    }

    /// @param lacksContinuation whether a message lacks the continuation word
    void learnFraming(boolean lacksContinuation) {
        isLegacy |= lacksContinuation;
    }

    /// Binds to the metadata of a message.
    Message bind(FoundMessage found) {
        return message.wrap(memory, found.metadataOffset(), found.metadataLength());
    }

    /// Whether all work is done: then nothing more is found.
    boolean isSpent() {
        return work < 0;
    }

    // ---- one offset

    /// The message or marker that begins at an offset; null if there is none.
    FoundMessage at(long offset) {
        if (offset != lastOffset) {
            last = end - offset < MessagePrefix.BYTES ? null : read(offset);
            lastOffset = offset;
        }
        return last;
    }

    private FoundMessage read(long offset) {
        long prefix = MessagePrefix.read(memory, offset, end - offset);
        int prefixBytes = MessagePrefix.bytes(prefix);
        if (prefix == MessagePrefix.MARKER) {
            return new FoundMessage(offset, prefixBytes, 0, 0, FoundMessage.MARKER, null);
        }
        long metadataAt = offset + prefixBytes;
        int length = MessagePrefix.metadataLength(prefix);
        // The metadata length behind a continuation word is no prefix of an old writer.
        boolean isInsidePrefix =
                !MessagePrefix.isCurrent(prefix)
                        && !isLegacy
                        && offset >= Integer.BYTES
                        && MessagePrefix.isContinuation(memory, offset - Integer.BYTES);
        // Compared before verifying: most words are no prefix.
        if (isInsidePrefix
                || length > MessagePlace.LIMITS.metadataBytes()
                || !MessagePlace.mayBeMessage(memory, offset, prefix, end)
                || isSpent()) {
            return null;
        }
        boolean isValid = verifier.message(memory, metadataAt, length, message);
        long cost = isValid ? length : FAILURE_WORK + TABLE_WORK * verifier.tablesVisited();
        work -= cost;
        Work.worked(cost);
        if (!isValid
                || message.bodyLength() < 0
                || message.bodyLength() > Long.MAX_VALUE - metadataAt - length) {
            return null;
        }
        return new FoundMessage(
                offset,
                prefixBytes,
                length,
                message.bodyLength(),
                message.headerType(),
                rules.broken(message));
    }

    /// End of the zeros that begin at an offset. At the end of an input without footer, only the
    /// first [#MAX_ZEROS] bytes are read, and a long run is read once for all offsets in it.
    long zeros(long from, long to) {
        boolean isRest = to == memory.byteSize();
        long limit = isRest ? from + Math.min(to - from, MAX_ZEROS) : to;
        if (from < zerosFrom || from > zerosEnd) {
            zerosFrom = from;
            zerosEnd = from;
        }
        if (zerosEnd < limit) {
            long before = zerosEnd;
            zerosEnd = endOfRun(memory, before, limit, 0);
            work -= (zerosEnd - before) / ZEROS_PER_WORK;
        }
        return isRest && zerosEnd >= limit ? to : Math.min(zerosEnd, to);
    }

    /// Whether all bytes of a range are 0.
    public static boolean areZeros(MemorySegment memory, long from, long to) {
        return endOfRun(memory, from, to, 0) >= to;
    }

    /// End of the bytes from an offset on that have all bits, or none.
    ///
    /// @param word 0 or -1
    static long endOfRun(MemorySegment memory, long from, long to, long word) {
        long position = from;
        while (to - position >= Long.BYTES && Wire.int64(memory, position) == word) {
            position += Long.BYTES;
        }
        while (position < to && Wire.int8(memory, position) == (byte) word) {
            position++;
        }
        return position;
    }

    // ---- search

    /// Finds the next sound message, or a marker in front of a message or the end. Continuation
    /// words are found at any offset. Messages without one are found if such a message was seen, or
    /// a multiple of 8 bytes behind `phase`.
    ///
    /// @param phase at most 8 bytes before `from`
    /// @param to the message begins before it
    /// @param schemasFrom a schema message before it is a value of a body
    /// @return null if there is none
    FoundMessage search(long phase, long from, long to, long schemasFrom) {
        int step = isLegacy || isOld ? 1 : Long.BYTES;
        long reported = from;
        long position = phase;
        for (; position < to && end - position >= 2 * Long.BYTES && !isSpent(); position += step) {
            if (position - reported >= REPORTED_BYTES) {
                Work.worked(position - reported);
                reported = position;
            }
            long words = Wire.int64(memory, position);
            if (mayBeLegacy(words) && position >= from && isFind(position, schemasFrom)) {
                return last;
            }
            // Of a continuation word, one byte is at index 3 or 7.
            for (int i = 3; i < Long.BYTES; i += Integer.BYTES) {
                if ((byte) (words >>> Byte.SIZE * i) != -1) {
                    continue;
                }
                // A length is divisible by 4, so only the last four bytes of a run are the word.
                long word = endOfRun(memory, position + i, end, -1) - Integer.BYTES;
                boolean isWord =
                        word >= from && word < to && MessagePrefix.isContinuation(memory, word);
                if (isWord && isFind(word, schemasFrom)) {
                    return last;
                }
                if (word - Integer.BYTES > position) { // skip the run
                    position += (word - Integer.BYTES - position) / step * step;
                    break;
                }
            }
        }
        position = Math.max(position, from);
        for (; position < to && end - position >= MessagePrefix.BYTES && !isSpent(); position++) {
            if (isFind(position, schemasFrom)) {
                return last;
            }
        }
        return null;
    }

    /// Whether words may be the first two of a message without continuation word.
    static boolean mayBeLegacy(long words) {
        return (words & ZERO_BITS) == 0 && words >>> ROOT_OFFSET_SHIFT != 0;
    }

    private boolean isFind(long offset, long schemasFrom) {
        long prefix = MessagePrefix.read(memory, offset, end - offset);
        long metadataAt = offset + MessagePrefix.bytes(prefix);
        int length = MessagePrefix.metadataLength(prefix);
        // Compared before verifying.
        boolean mayBeFind =
                prefix == MessagePrefix.MARKER
                        || length % Integer.BYTES == 0
                                && MessagePlace.mayBeMessage(memory, offset, prefix, end)
                                && DamagedMessage.isMessageTable(
                                        memory, metadataAt, metadataAt + length);
        if (!mayBeFind) {
            return false;
        }
        FoundMessage found = at(offset);
        boolean isFind =
                found != null
                        && found.isSound()
                        && switch (found.kind()) {
                            case FoundMessage.MARKER -> isEnd(offset + MessagePrefix.BYTES);
                            case MessageHeader.SCHEMA -> offset >= schemasFrom;
                            case MessageHeader.RECORD_BATCH, MessageHeader.DICTIONARY_BATCH -> true;
                            default -> !rules.hasSchema();
                        };
        lastOffset = offset;
        last = found;
        return isFind;
    }

    /// Whether messages may end at an offset: the end, another message, or a footer follows that is
    /// not known.
    private boolean isEnd(long offset) {
        long size = memory.byteSize();
        long behind = zeros(offset, end);
        FoundMessage next = behind == end ? null : at(behind);
        return behind == end
                || end == size && MessagePlace.hasRoot(memory, offset, size)
                || next != null && next.isSound() && !next.isMarker();
    }
}
