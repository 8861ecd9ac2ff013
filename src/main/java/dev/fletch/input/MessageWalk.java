// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

import dev.fletch.format.Message;
import dev.fletch.format.MessageHeader;
import dev.fletch.ipc.ArrowFormatException;
import dev.fletch.ipc.EncapsulatedMessage;

import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/// Steps through the complete messages of a stream in memory, or of a file without using its footer. Continues
/// after damage at the next message with a continuation word and sound metadata.
///
/// If no message can follow a message, and a sound one begins inside its body, a length is wrong: the message is
/// damaged. A schema message there is a value of the body.
///
/// The stream ends at its end-of-stream marker, or before a second schema message. After a marker, a limited
/// number of bytes is searched: a schema message begins another stream, and a batch means that the marker is
/// damage. The work is proportional to the input.
public final class MessageWalk {
    private static final long NOWHERE = -1;

    private final MemorySegment memory;
    private final long end;
    private final boolean isFile;
    private final EncapsulatedMessage frame;
    private final Message message;
    private final MessageSearch search;
    private final boolean searches;
    private final Consumer<InvalidInput> damages;

    // Offset of the next message, and where the message after it begins if it is damaged.
    private long at;
    private long resumed = NOWHERE;
    // Number of messages, damaged ones included; and before the stream's first.
    private int count;
    private final int first;
    private boolean isIncomplete;
    private boolean hasEnded;
    private long nextStream = NOWHERE;

    /// @param memory ends where the messages may end; a file's may end with a footer
    /// @param from offset of the first message
    /// @param first index of the stream's first message
    /// @param count number of messages before `from`, other streams included
    /// @param frame bound to each message's place
    /// @param message bound to each message's metadata
    /// @param searches whether to continue after damage; false if bodies are not in the memory
    /// @param damages receives the damaged messages and bytes, in the order of their offsets
    public MessageWalk(
            MemorySegment memory,
            long from,
            boolean isFile,
            int first,
            int count,
            EncapsulatedMessage frame,
            Message message,
            boolean searches,
            Consumer<InvalidInput> damages) {
        this.memory = memory;
        this.at = from;
        this.end = memory.byteSize();
        this.isFile = isFile;
        this.first = first;
        this.count = count;
        this.frame = frame;
        this.message = message;
        this.search = new MessageSearch(memory, MessageSearch.SEARCHES * (end - from), from);
        this.searches = searches;
        this.damages = damages;
    }

    /// Continues a stream of which the caller has read some messages.
    ///
    /// @param start offset of the stream's first message, to which messages are aligned
    /// @param isLegacy whether messages have no continuation word
    MessageWalk continuing(long start, boolean isLegacy) {
        search.alignTo(start);
        if (isLegacy) {
            search.findLegacy();
        }
        return this;
    }

    /// Offset of the next message, or of damage; after the last message, of the marker or the end.
    public long at() {
        return at;
    }

    /// Continues after a message that the caller has read.
    void continueAt(long offset) {
        at = offset;
        count++;
    }

    /// Moves to the next complete message.
    ///
    /// @return false at the end of the stream; then frame and message are bound to an incomplete message, or the
    ///     frame is bound to the end
    public boolean next() {
        boolean isMessage = false;
        while (!hasEnded && !isMessage) {
            try {
                switch (frame.wrap(memory, at, end, message)) {
                    case MESSAGE -> isMessage = message();
                    case END_OF_STREAM -> endOfStream();
                    case END_OF_INPUT -> hasEnded = true;
                }
            } catch (RuntimeException e) {
                InvalidInput found = InvalidInput.ofMessage(e, frame);
                if (found == null) {
                    throw e;
                }
                damaged(found);
            }
        }
        return isMessage;
    }

    /// @return whether the current message is complete and belongs to this stream
    private boolean message() {
        if (count > first && message.headerType() == MessageHeader.SCHEMA) {
            nextStream = at;
            hasEnded = true;
            return false;
        }
        long body = frame.bodyOffset();
        if (!frame.isBodyComplete()) {
            long next = searches ? search.resume(body, end, end) : end;
            isIncomplete = next == end;
            skip(bodyFault(), next);
            return false;
        }
        long next = frame.nextOffset();
        boolean isLegacy = frame.prefixLength() != EncapsulatedMessage.PREFIX_BYTES;
        if (isLegacy) {
            search.findLegacy();
        }
        resumed =
                !searches || search.mayFollow(next, end, isLegacy)
                        ? NOWHERE
                        : search.resume(body, next, end);
        if (resumed != NOWHERE && resumed < next) {
            String text = "message overlaps the next message: next=" + resumed;
            skip(new InvalidInput(frame.offset(), text), resumed);
            return false;
        }
        count++;
        at = next;
        return true;
    }

    private InvalidInput bodyFault() {
        try {
            frame.nextOffset();
        } catch (ArrowFormatException e) {
            return InvalidInput.ofMessage(e, frame);
        }
        throw new IllegalStateException("body is complete: offset=" + frame.offset());
    }

    /// Skips a damaged message.
    private void skip(InvalidInput fault, long next) {
        damages.accept(fault);
        count++;
        at = next;
        resumed = NOWHERE;
        hasEnded = next == end;
    }

    /// Skips bytes that are no valid message. In a file, the rest may be its damaged footer.
    private void damaged(InvalidInput fault) {
        long next = afterDamage();
        boolean isFooter =
                isFile
                        && next == end
                        && count > first
                        && !MessagePlace.mayBeDamaged(memory, at, end);
        if (isFooter) {
            hasEnded = true;
        } else {
            skip(fault, next);
        }
    }

    private long afterDamage() {
        if (!searches) {
            return end;
        }
        return resumed != NOWHERE ? resumed : search.afterDamage(at, end);
    }

    /// Ends the stream unless a batch follows its marker, which is damage then. A schema message begins another
    /// stream.
    private void endOfStream() {
        long next = behindEnd(frame.nextOffset());
        if (next == end) {
            hasEnded = true;
        } else if (count > first && search.isSchema(next, end)) {
            nextStream = next;
            hasEnded = true;
        } else if (search.isPadding(at, next)) {
            at = next;
        } else {
            skip(new InvalidInput(at, "bytes between messages are no message"), next);
        }
    }

    private long behindEnd(long from) {
        if (searches) {
            return search.behindEnd(from, end);
        }
        return search.isSound(MessagePlace.at(memory, from, end)) ? from : end;
    }

    // ---- after the last message

    /// Number of messages so far, damaged ones included.
    public int count() {
        return count;
    }

    /// Whether the input ends inside the body of the last message.
    public boolean isIncomplete() {
        return isIncomplete;
    }

    /// Offset of the first message of another stream; -1 if there is none.
    public long nextStream() {
        return nextStream;
    }
}
