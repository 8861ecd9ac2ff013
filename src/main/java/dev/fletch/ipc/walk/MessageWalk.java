// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc.walk;

import dev.fletch.Fault;
import dev.fletch.FaultSink;
import dev.fletch.Rule;
import dev.fletch.ipc.FrameKind;
import dev.fletch.ipc.IpcRules;

import java.io.IOException;

/// Steps through the messages of a stream, or of a file without using its footer. Continues after
/// damage at the next message with a continuation word and sound metadata.
///
/// If no message can follow a message, and a sound one begins inside its body, a length is wrong:
/// the message is damaged. A schema message there is a value of the body.
///
/// A stream ends at its end-of-stream marker, or before a second schema message. After a marker, a
/// limited number of bytes is searched: a schema message begins another stream, and a batch means
/// that the marker is damage. The work is proportional to the input.
public final class MessageWalk {
    private static final long NOWHERE = -1;

    /// Opens the messages of a walk.
    public interface Visitor extends FaultSink {
        /// Opens the message at the next byte: takes prefix and metadata. In a file, what looks
        /// like a damaged message may be the footer: it is damage only if [#damaged] returns true.
        ///
        /// @param index of the message
        /// @return what is there; null if it is so damaged that the next message must be searched
        FrameKind open(MessageBytes bytes, int index) throws IOException;

        /// Whether the opened message is sound, and a schema message.
        boolean isSchema();

        /// Whether the opened message has a continuation word.
        boolean isCurrent();

        /// Offset of the opened message's body.
        long bodyOffset();

        /// Skips the opened message's body.
        ///
        /// @return whether it is complete; else it is reported
        boolean skipBody(MessageBytes bytes) throws IOException;

        /// Receives the end of the damage that [#open] has found.
        ///
        /// @param at offset of the damage
        /// @param next offset of the message after it, or of the end
        /// @return whether it is damage; false if it is the footer of a file
        boolean damaged(long at, long next, MessageBytes bytes);

        /// Receives that another stream begins.
        ///
        /// @param at offset of its schema message
        /// @param isBehindMarker whether it follows an end-of-stream marker
        /// @return whether the walk continues with it
        boolean nextStream(long at, boolean isBehindMarker);
    }

    private final MessageBytes bytes;
    private final Visitor visitor;
    // Whether messages after damage can be searched: bodies are in memory.
    private final boolean searches;
    private final boolean isFile;
    // Offset of the first message, to which messages are aligned.
    private final long start;
    // Created when a message is searched.
    private MessageSearch search;
    private boolean isLegacy;

    // Offset of the current message, and of the one after it if that is damaged.
    private long at;
    private long resumed = NOWHERE;
    // Number of messages, damaged ones included; and before the stream's first.
    private int count;
    private int first;
    private boolean isIncomplete;
    private boolean hasEnded;
    private long markerEnd = NOWHERE;
    private long nextStream = NOWHERE;

    /// @param bytes before the first message
    /// @param first index of the first message
    /// @param searches whether to continue after damage; false if bodies are not in the memory
    /// @param isFile whether they are the messages of a file, which may have zeros between them. In
    ///     a stream zeros are an end-of-stream marker, at which readers stop
    public MessageWalk(
            MessageBytes bytes, int first, boolean searches, boolean isFile, Visitor visitor) {
        this.bytes = bytes;
        this.isFile = isFile;
        this.start = bytes.offset();
        this.at = start;
        this.first = first;
        this.count = first;
        this.searches = searches;
        this.visitor = visitor;
    }

    /// Continues after a message that the caller has read.
    public void continueAt(long offset) {
        at = offset;
        bytes.seek(offset);
        count++;
    }

    /// Moves to the next complete message.
    ///
    /// @return false at the end of the stream; then the visitor has opened an incomplete message,
    ///     or the end
    public boolean next() throws IOException {
        boolean isMessage = false;
        while (!hasEnded && !isMessage) {
            at = bytes.offset();
            bytes.begin();
            switch (visitor.open(bytes, count)) {
                case MESSAGE -> isMessage = message();
                case END_OF_STREAM -> endOfStream();
                case END_OF_INPUT -> hasEnded = true;
                case null -> damaged();
            }
        }
        return isMessage;
    }

    /// @return whether the current message is complete and belongs to this stream
    private boolean message() throws IOException {
        if (count > first && visitor.isSchema() && !follow(at, false)) {
            return false;
        }
        if (!visitor.skipBody(bytes)) {
            long next = bytes.isPipe() || !searches ? bytes.end() : resume(bytes.end());
            isIncomplete = bytes.isPipe() || next == bytes.end();
            skipTo(next);
            hasEnded = isIncomplete;
            return false;
        }
        long next = bytes.offset();
        isLegacy |= !visitor.isCurrent();
        if (searches && !bytes.isPipe()) {
            boolean mayFollow = search().mayFollow(next, bytes.end(), !visitor.isCurrent());
            resumed = mayFollow ? NOWHERE : resume(next);
            if (resumed != NOWHERE && resumed < next) {
                report(IpcRules.MESSAGE_OVERLAP, resumed);
                return false;
            }
        }
        count++;
        at = next;
        return true;
    }

    private long resume(long from) {
        return search().resume(visitor.bodyOffset(), from, bytes.end());
    }

    /// Reports damage before the next message, and continues there.
    private void report(Rule rule, long next) {
        visitor.broken(Fault.of(rule, at, next).because("next=" + next));
        skipTo(next);
    }

    /// Counts damage as a message, and continues after it.
    private void skipTo(long next) {
        count++;
        at = next;
        bytes.seek(next);
        resumed = NOWHERE;
    }

    private void damaged() throws IOException {
        long next = bytes.end();
        if (searches) {
            bytes.stored();
            next = resumed != NOWHERE ? resumed : search().afterDamage(at, bytes.end());
        }
        boolean isDamage = visitor.damaged(at, next, bytes);
        if (isDamage) {
            skipTo(next);
        }
        hasEnded = !isDamage || next == bytes.end();
    }

    /// Ends the stream unless a batch follows its marker, which is damage then. A schema message
    /// begins another stream.
    private void endOfStream() throws IOException {
        markerEnd = bytes.offset();
        if (bytes.isPipe() && bytes.takesOnlyZeros()) {
            hasEnded = true;
            return;
        }
        bytes.stored();
        long next = behindMarker();
        if (next == bytes.end()) {
            hasEnded = true;
            return;
        }
        boolean isStream = count > first && search().isSchema(next, bytes.end());
        if (isStream && !follow(next, true)) {
            return;
        }
        if (isStream || isFile && search().isPadding(at, next)) {
            bytes.seek(next);
        } else {
            report(IpcRules.END_BETWEEN_MESSAGES, next);
        }
        markerEnd = NOWHERE;
    }

    private long behindMarker() {
        long end = bytes.end();
        if (searches) {
            return search().behindEnd(markerEnd, end);
        }
        boolean isMessage = search().isSound(MessagePlace.at(bytes.memory(), markerEnd, end));
        return isMessage ? markerEnd : end;
    }

    /// @return whether to continue with the stream at an offset; else this stream ends
    private boolean follow(long offset, boolean isBehindMarker) throws IOException {
        if (visitor.nextStream(offset, isBehindMarker)) {
            first = count;
            return true;
        }
        bytes.stored();
        nextStream = offset;
        hasEnded = true;
        return false;
    }

    private MessageSearch search() {
        if (search == null) {
            long most = MessageSearch.SEARCHES * (bytes.end() - start);
            search = new MessageSearch(bytes.memory(), most, start);
        }
        search.findLegacy(isLegacy);
        return search;
    }

    // ---- the current place

    /// Offset of the next message, or of damage; after the last message, of the marker or the end.
    public long at() {
        return at;
    }

    /// Number of messages so far, damaged ones and those of other streams included.
    public int count() {
        return count;
    }

    /// Index of the current stream's first message.
    public int first() {
        return first;
    }

    /// Whether the input ends inside the body of the last message.
    public boolean isIncomplete() {
        return isIncomplete;
    }

    /// Offset after the end-of-stream marker; -1 if the stream has not ended by one.
    public long markerEnd() {
        return markerEnd;
    }

    /// Offset of the first message of another stream; -1 if there is none.
    public long nextStream() {
        return nextStream;
    }
}
