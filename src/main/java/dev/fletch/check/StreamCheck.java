// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.check;

import dev.fletch.format.MessageHeader;
import dev.fletch.input.MessageSearch;
import dev.fletch.input.WorkDone;
import dev.fletch.ipc.FrameKind;
import dev.fletch.ipc.IpcRules;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Checks the messages of a stream in order, and of the streams that follow it. Continues after damage as
/// [dev.fletch.input.MessageWalk] does.
final class StreamCheck {
    private static final long NOWHERE = -1;

    private final ForwardBytes bytes;
    private final MessageCheck check;
    private final FrameCheck frame;
    private final Findings findings;
    // Whether messages after damage can be searched: bodies are in memory.
    private final boolean searches;
    // Offset of the first message, to which messages are aligned.
    private final long start;
    private MessageSearch search;
    // Whether the last complete message has no continuation word.
    private boolean isLegacy;
    private int messages;
    // Index of the first message of the current stream.
    private int first;
    private boolean hasEnded;
    // Where the message after the current one begins if that is damaged.
    private long resumed = NOWHERE;

    StreamCheck(ForwardBytes bytes, MessageCheck check, Findings findings, boolean searches) {
        this.bytes = bytes;
        this.check = check;
        this.frame = new FrameCheck(check, findings);
        this.findings = findings;
        this.searches = searches;
        this.start = bytes.offset();
    }

    /// Checks all messages that can be found.
    ///
    /// @param isWhole whether the bytes contain only streams
    /// @return the number of messages
    int run(boolean isWhole) throws IOException {
        check.beginStream();
        boolean goesOn = true;
        while (goesOn) {
            FrameKind kind = frame.metadata(bytes, messages);
            goesOn =
                    switch (kind) {
                        case MESSAGE -> message();
                        case END_OF_STREAM -> endOfStream(isWhole);
                        case END_OF_INPUT -> end(isWhole);
                        case null -> damaged(frame.offset());
                    };
        }
        if (messages == 0 && findings.count() == 0) {
            findings.add(InputRules.NO_MESSAGE, 0, "");
        }
        return messages;
    }

    /// Whether an end-of-stream marker was read; the next byte follows it.
    boolean hasEnded() {
        return hasEnded;
    }

    /// A schema message alone is often stored without a marker.
    private boolean end(boolean isWhole) {
        if (isWhole && messages > first + 1 && frame.isBodyComplete()) {
            findings.add(InputRules.NO_END_MARKER, bytes.offset(), "");
        }
        return false;
    }

    /// @return whether there is a next message
    private boolean message() throws IOException {
        int index = messages++;
        WorkDone.reached(bytes.offset(), bytes.end());
        if (check.isSound()) {
            place(index);
        }
        if (!frame.body(bytes)) {
            return unreachable(index);
        }
        isLegacy = !frame.isCurrent();
        if (bytes.isPipe() || !searches) {
            return true;
        }
        if (!frame.isBodyComplete()) {
            bytes.seek(search().resume(frame.bodyOffset(), bytes.end(), bytes.end()));
            return true;
        }
        long next = bytes.offset();
        resumed =
                search().mayFollow(next, bytes.end(), !frame.isCurrent())
                        ? NOWHERE
                        : search().resume(frame.bodyOffset(), next, bytes.end());
        if (resumed != NOWHERE && resumed < next) {
            String details = "next=" + resumed;
            findings.add(InputRules.MESSAGE_OVERLAP, index, null, frame.offset(), details);
            bytes.seek(resumed);
            resumed = NOWHERE;
        }
        return true;
    }

    /// Checks that the only schema comes first; another one begins another stream. Tensors need no schema.
    private void place(int index) {
        int kind = check.kind();
        boolean isBatch =
                kind == MessageHeader.RECORD_BATCH || kind == MessageHeader.DICTIONARY_BATCH;
        if (index > first && kind == MessageHeader.SCHEMA) {
            findings.add(InputRules.REPEATED_SCHEMA, index, null, frame.offset(), "");
            first = index;
        } else if (index == first && isBatch) {
            String found = "kind=" + check.kindName();
            findings.add(IpcRules.NO_LEADING_SCHEMA, index, null, frame.offset(), found);
        }
    }

    // ---- damage, and the end of a stream

    private MessageSearch search() {
        if (search == null) {
            long most = MessageSearch.SEARCHES * (bytes.end() - frame.offset());
            search = new MessageSearch(bytes.memory(), most, start);
            if (isLegacy) {
                search.findLegacy();
            }
        }
        return search;
    }

    /// Continues after a message whose body length is unknown.
    private boolean unreachable(int index) throws IOException {
        boolean hasMore = bytes.isPipe() || bytes.offset() < bytes.end();
        messages--; // counted again as damaged
        boolean goesOn = damaged(frame.offset());
        if (!goesOn && hasMore && bytes.end() > frame.bodyOffset()) {
            findings.add(InputRules.REST_UNREACHABLE, index, null, frame.bodyOffset(), "");
        }
        return goesOn;
    }

    /// Continues after damage.
    ///
    /// @return whether a message was found
    private boolean damaged(long at) throws IOException {
        messages++;
        if (!searches) {
            return false;
        }
        MemorySegment memory = bytes.stored();
        long next = resumed != NOWHERE ? resumed : search().afterDamage(at, bytes.end());
        resumed = NOWHERE;
        bytes.seek(next);
        return next < memory.byteSize() && next < bytes.end();
    }

    /// Continues behind an end-of-stream marker, if a message follows.
    ///
    /// @param isWhole whether only streams follow
    private boolean endOfStream(boolean isWhole) throws IOException {
        long at = frame.offset();
        long behind = bytes.offset();
        hasEnded = true;
        if (searches && !(bytes.isPipe() && bytes.takesOnlyZeros())) {
            bytes.stored();
            long next = search().behindEnd(behind, bytes.end());
            if (next < bytes.end()) {
                hasEnded = false;
                follow(at, next);
                return true;
            }
        }
        if (isWhole) {
            bytes.skip(Long.MAX_VALUE);
            if (bytes.offset() > behind) {
                String details = "bytes=" + (bytes.offset() - behind);
                findings.add(InputRules.BYTES_BEHIND_END, behind, details);
            }
        }
        return false;
    }

    private void follow(long marker, long next) {
        if (messages > first && search().isSchema(next, bytes.end())) {
            findings.add(InputRules.STREAM_FOLLOWS, next, "");
            check.beginStream();
            first = messages;
        } else if (!search().isPadding(marker, next)) {
            String details = "next=" + next;
            findings.add(InputRules.END_BETWEEN_MESSAGES, marker, details);
            messages++;
        }
        bytes.seek(next);
    }
}
