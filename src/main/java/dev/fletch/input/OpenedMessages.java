// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

import dev.fletch.Fault;
import dev.fletch.FaultSink;
import dev.fletch.FletchException;
import dev.fletch.format.FrameKind;
import dev.fletch.format.Message;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.MessageReader;
import dev.fletch.ipc.internal.MessageBytes;
import dev.fletch.ipc.internal.MessageOpener;
import dev.fletch.ipc.internal.MessageRules;
import dev.fletch.wire.Growth;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Opens the messages of an input by their frames: in memory, or from a pipe as long as it is not
/// stored.
public final class OpenedMessages implements MessageOpener {
    /// Longest body of a pipe that is kept: an array.
    static final long MOST_KEPT_BYTES = 1L << 30;

    private static final int FIRST_KEPT_BYTES = 1 << 16;

    // Reads from a pipe as long as it is not stored; null for memory.
    private final MessageReader reader;
    private final EncapsulatedMessage frame;
    private final Message message;
    private final FaultSink damages;
    private int index;
    // Whether bodies of a pipe are kept, and the last one; null if there is none.
    private boolean keepsBodies;
    private MemorySegment body;
    // What is wrong with the damaged message that was opened last.
    private Fault fault;

    /// @param reader of a pipe, whose frame is given, too; null for memory
    /// @param frame bound to each message's place
    /// @param message bound to each message's metadata
    /// @param damages receives damaged messages, and bodies that are not complete
    public OpenedMessages(
            MessageReader reader, EncapsulatedMessage frame, Message message, FaultSink damages) {
        this.reader = reader;
        this.frame = frame;
        this.message = message;
        this.damages = damages;
    }

    @Override
    public FrameKind open(MessageBytes bytes, int unframed, int number) throws IOException {
        index = number;
        try {
            if (unframed > 0) {
                frame.wrapMetadata(bytes.memory(), bytes.offset(), unframed, message);
                return FrameKind.MESSAGE;
            }
            FrameKind kind =
                    bytes.isPipe()
                            ? reader.next(message)
                            : frame.wrap(bytes.memory(), bytes.offset(), bytes.end(), message);
            bytes.seek(frame.bodyOffset());
            return kind;
        } catch (RuntimeException e) {
            fault = InputFaults.ofMessage(e, frame, index);
            if (bytes.isPipe()) { // where the input ends is known only then
                bytes.stored();
                return open(bytes, unframed, number);
            }
            return null;
        }
    }

    @Override
    public void damaged(MessageBytes bytes) {
        damages.accept(fault);
    }

    @Override
    public Message message() {
        return message;
    }

    @Override
    public int prefixLength() {
        return frame.prefixLength();
    }

    @Override
    public long bodyOffset() {
        return frame.bodyOffset();
    }

    @Override
    public boolean skipBody(MessageBytes bytes) throws IOException {
        try {
            if (bytes.isPipe()) {
                bytes.pipe().record(false);
                body = keepsBodies ? readBody() : null;
                reader.skipBody();
            }
            bytes.seek(frame.nextOffset());
            return true;
        } catch (FletchException e) {
            damages.accept(InputFaults.ofMessage(e, frame, index));
            return false;
        }
    }

    /// Reads the body to [Input#bodyPosition] of memory that grows with the bytes that arrive.
    /// Returns null if it is too long.
    private MemorySegment readBody() throws IOException {
        long length = frame.bodyLength();
        if (length > MOST_KEPT_BYTES) {
            return null;
        }
        int start = (int) (frame.bodyOffset() - frame.inputOffset(0));
        byte[] kept = new byte[start];
        for (int read = 0; read < length; read = kept.length - start) {
            kept = Arrays.copyOf(kept, start + (int) Growth.size(read, length, FIRST_KEPT_BYTES));
            reader.readBodyPart(read, MemorySegment.ofArray(kept).asSlice(start + read));
        }
        return MemorySegment.ofArray(kept);
    }

    /// Keeps the bodies of messages from a pipe: see [Input#keepBodies].
    void keepBodies() {
        keepsBodies = true;
    }

    /// Memory with the body of the current message of a pipe; null if it was not kept.
    MemorySegment body() {
        return body;
    }

    @Override
    public MessageRules rules() {
        return new SchemaFit();
    }

    /// What is wrong with the damaged message that was opened last.
    Fault fault() {
        return fault;
    }
}
