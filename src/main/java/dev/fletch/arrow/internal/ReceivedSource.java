// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.arrow.internal;

import dev.fletch.FletchException;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.internal.FrameCheck;

import java.lang.foreign.MemorySegment;
import java.util.function.LongUnaryOperator;

/// A message that the caller has received. Offsets count from the start of its header, or of its
/// body.
public final class ReceivedSource extends Source {
    private MemorySegment header;
    private MemorySegment given;

    public ReceivedSource(ReadOptions options) {
        frame = new EncapsulatedMessage(options);
    }

    public void give(MemorySegment ofMessage, MemorySegment ofBody) {
        if (ofMessage.byteSize() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("header is too long: bytes=" + ofMessage.byteSize());
        }
        header = ofMessage;
        given = ofBody;
    }

    @Override
    public boolean read(int number) {
        try {
            frame.wrapMetadata(header, 0, (int) header.byteSize(), message);
            FrameCheck.bodyInside(
                    0, message.bodyLength(), given.byteSize(), FletchException::raiseInInput);
        } catch (FletchException e) {
            throw e.isInInput() ? e.inMessage(number) : e;
        }
        return true;
    }

    @Override
    public void body(boolean isKept) {
        memory = given;
        if (isKept) {
            int length = Math.toIntExact(message.bodyLength());
            memory = MemorySegment.ofArray(new byte[length]).copyFrom(given.asSlice(0, length));
        }
        bodyAt = 0;
    }

    @Override
    LongUnaryOperator bodyOffsets() {
        return LongUnaryOperator.identity();
    }
}
