// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify.internal;

import dev.fletch.Fault;
import dev.fletch.FileRule;
import dev.fletch.FrameRule;
import dev.fletch.Rule.Severity;
import dev.fletch.format.FrameKind;
import dev.fletch.ipc.internal.ContainerPart;
import dev.fletch.ipc.internal.FrameCheck;
import dev.fletch.ipc.internal.LeadingSchema;
import dev.fletch.ipc.internal.MessageBytes;
import dev.fletch.ipc.internal.MessageVisitor;
import dev.fletch.ipc.internal.MessageWalk;
import dev.fletch.ipc.internal.Work;

import java.io.IOException;

/// Checks the messages of a stream in order, and of the streams that follow it.
final class StreamCheck implements MessageVisitor {
    private final MessageBytes bytes;
    private final MessageCheck check;
    private final CheckedFrame frame;
    private final Faults faults;
    private final boolean isFile;
    private final boolean checksMarkers;
    private final MessageWalk walk;
    private final LeadingSchema lead = new LeadingSchema();
    // Index of the current message.
    private int index;
    private FrameKind kind;
    // 0 before the first message of a stream.
    private int prefixOfMessages;

    /// @param searches whether messages after damage can be searched: bodies are in memory
    /// @param isFile whether the bytes are the messages of a file, not streams
    StreamCheck(
            MessageBytes bytes,
            MessageCheck check,
            Faults faults,
            boolean searches,
            boolean isFile) {
        this.bytes = bytes;
        this.check = check;
        this.frame = new CheckedFrame(check, faults, true);
        this.faults = faults;
        this.isFile = isFile;
        this.checksMarkers = !isFile && check.refusesMarkers();
        this.walk = new MessageWalk(bytes, 0, searches, isFile, frame, this);
    }

    /// Checks all messages that can be found.
    ///
    /// @param unframedEnd end of a schema message without prefix, which comes first; 0 if there is
    ///     none
    /// @return the number of messages
    int run(long unframedEnd) throws IOException {
        check.beginStream(isFile);
        walk.beginUnframed(unframedEnd);
        while (walk.next()) {
            check.complete();
            Work.reached(bytes.offset(), bytes.end());
        }
        check.endStream();
        if (walk.isIncomplete()) {
            check.incomplete();
        }
        if (!isFile && hasEnded()) {
            markerPrefix();
            bytes.skip(Long.MAX_VALUE);
            GapCheck.behindEnd(faults, walk.markerEnd(), bytes.offset());
        } else if (!isFile && mayBeTruncated()) {
            faults.add(FileRule.NO_END_MARKER, bytes.offset(), "");
        }
        if (walk.count() == 0 && faults.count(Severity.ERROR) == 0) {
            FrameCheck.noMessage(0, "", faults);
        }
        return walk.count();
    }

    private void markerPrefix() {
        if (checksMarkers && kind == FrameKind.END_OF_STREAM && prefixOfMessages != 0) {
            FrameCheck.markerPrefix(frame.offset(), frame.prefixLength(), prefixOfMessages, faults);
        }
        prefixOfMessages = 0;
    }

    /// Whether the stream has ended by an end-of-stream marker, and no other stream follows.
    boolean hasEnded() {
        return walk.markerEnd() >= 0 && walk.nextStream() < 0;
    }

    /// Offset after the end-of-stream marker; -1 if there is none.
    long markerEnd() {
        return walk.markerEnd();
    }

    /// Whether the input ends between two messages. A schema message alone is often stored without
    /// a marker.
    private boolean mayBeTruncated() {
        return kind == FrameKind.END_OF_INPUT
                && walk.count() > walk.first() + 1
                && frame.isBodyComplete();
    }

    // ---- for the walk

    @Override
    public void begin(long position, int number, ContainerPart part) {
        index = number;
    }

    @Override
    public void opened(FrameKind found) {
        kind = found;
        boolean isSound = kind == FrameKind.MESSAGE;
        prefixOfMessages = isSound ? frame.prefixLength() : prefixOfMessages;
        if (!lead.check(frame.offset(), index, isSound ? check.last() : null, faults)) {
            check.excuse(1);
        }
    }

    @Override
    public void damaged(long position, long next) {
        boolean isLast = next == bytes.end();
        boolean isUnknown = frame.kind() == FrameKind.MESSAGE && !frame.hasBody();
        if (isUnknown && isLast && next > frame.bodyOffset()) {
            faults.add(FrameRule.REST_UNREACHABLE, index, frame.bodyOffset(), "");
        }
    }

    @Override
    public boolean nextStream(long position, boolean isBehindMarker) {
        if (isBehindMarker) {
            markerPrefix();
            GapCheck.behindEnd(faults, walk.markerEnd(), position);
            faults.add(FileRule.STREAM_FOLLOWS, position, "");
            check.beginStream(isFile);
        }
        return true;
    }

    @Override
    public void accept(Fault fault) {
        faults.accept(fault);
    }
}
