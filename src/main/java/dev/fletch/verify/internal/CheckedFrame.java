// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify.internal;

import dev.fletch.Fault;
import dev.fletch.FaultSink;
import dev.fletch.format.FrameKind;
import dev.fletch.format.Message;
import dev.fletch.input.SchemaFit;
import dev.fletch.ipc.internal.FrameCheck;
import dev.fletch.ipc.internal.MessageBytes;
import dev.fletch.ipc.internal.MessageOpener;
import dev.fletch.ipc.internal.MessageRules;
import dev.fletch.wire.MessagePrefix;

import java.io.IOException;

/// Opens encapsulated messages and reports all that is wrong with them: prefix, metadata and body,
/// in this order.
final class CheckedFrame implements MessageOpener {
    private final MessageCheck check;
    private final Faults faults;
    private final FaultSink sink = this::add;
    private final boolean isAligned;

    private FrameKind kind;
    private int index;
    private int prefixLength;
    private int metadataLength;
    private long offset;
    private boolean isBodyComplete;

    /// @param isAligned whether metadata must be aligned
    CheckedFrame(MessageCheck check, Faults faults, boolean isAligned) {
        this.check = check;
        this.faults = faults;
        this.isAligned = isAligned;
    }

    @Override
    public FrameKind open(MessageBytes bytes, int unframed, int number) throws IOException {
        index = number;
        offset = bytes.offset();
        check.beginMessage(index, offset);
        prefixLength = 0;
        metadataLength = unframed;
        kind = FrameKind.MESSAGE;
        if (unframed > 0) {
            bytes.take(unframed);
        } else {
            kind = framed(bytes);
        }
        if (kind == null) {
            check.skip();
        }
        if (kind != FrameKind.MESSAGE) {
            return kind;
        }
        check.message(bytes, metadataLength, index, metadataOffset());
        return check.isReadable() ? kind : null;
    }

    private FrameKind framed(MessageBytes bytes) throws IOException {
        long prefix = bytes.takePrefix();
        prefixLength = MessagePrefix.bytes(prefix);
        metadataLength = MessagePrefix.metadataLength(prefix);
        FrameKind found = FrameCheck.prefix(offset, prefix, bytes.offset() - offset, sink);
        if (found != FrameKind.MESSAGE) {
            return found;
        }
        if (isAligned) {
            FrameCheck.metadataAligned(offset, prefixLength, metadataLength, sink);
        }
        long limit = check.limits().metadataBytes();
        if (metadataLength > limit) {
            bytes.stored(); // where a pipe ends is known only then
        }
        int there = bytes.take(metadataLength);
        boolean isWhole =
                FrameCheck.metadataInside(metadataOffset(), metadataLength, there, sink)
                        && FrameCheck.metadataLimit(metadataOffset(), metadataLength, limit, sink);
        return isWhole ? found : null;
    }

    @Override
    public Message message() {
        return check.last();
    }

    @Override
    public MessageRules rules() {
        return new SchemaFit();
    }

    /// What was opened last: a message, if its metadata is there, even if that is damaged.
    FrameKind kind() {
        return kind;
    }

    /// Whether it is a message of which the length of its body is known.
    boolean hasBody() {
        return kind == FrameKind.MESSAGE && check.hasBodyLength() && check.bodyLength() >= 0;
    }

    @Override
    public void damaged(MessageBytes bytes) throws IOException {
        if (hasBody()) {
            bytes.seek(bodyOffset() + check.bodyTaken());
            skipBody(bytes);
        }
    }

    @Override
    public boolean skipBody(MessageBytes bytes) throws IOException {
        long length = check.bodyLength();
        long taken = check.bodyTaken();
        long there = taken + bytes.skip(length - taken);
        isBodyComplete = FrameCheck.bodyInside(bodyOffset(), length, there, sink);
        return isBodyComplete;
    }

    /// Whether the body of the last message is complete.
    boolean isBodyComplete() {
        return isBodyComplete;
    }

    @Override
    public int prefixLength() {
        return prefixLength;
    }

    /// Length of the message's metadata, by its prefix.
    int metadataLength() {
        return metadataLength;
    }

    /// Offset of the message in the input.
    long offset() {
        return offset;
    }

    private long metadataOffset() {
        return offset + prefixLength;
    }

    @Override
    public long bodyOffset() {
        return metadataOffset() + metadataLength;
    }

    private void add(Fault fault) {
        faults.accept(fault.inMessage(index));
    }
}
