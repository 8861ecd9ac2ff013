// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc.internal;

import dev.fletch.FletchException;
import dev.fletch.flatbuf.Table;
import dev.fletch.format.Message;

import java.lang.foreign.MemorySegment;

/// Reads only the body length of a `Message` whose other fields may be damaged.
public final class BodyLength extends Table {
    private static final long SIZES = (long) Long.BYTES << (Message.BODY_LENGTH_SLOT * Byte.SIZE);

    private long value;

    /// Reads the body length.
    ///
    /// @return false if it is unreadable
    public boolean read(MemorySegment memory, long position, long length) {
        try {
            bind(this, this, wrapRoot(memory, position, length));
            return true;
        } catch (FletchException _) {
            return false; // the verifier reports the reason
        }
    }

    @Override
    protected void decode(byte[] a, MemorySegment s, long reference) {
        open(a, s, reference, SIZES);
        value = int64(a, s, Message.BODY_LENGTH_SLOT, 0);
    }

    public long value() {
        return value;
    }

    /// Position of the body length, or of its table if it is absent.
    public long place() {
        return position(Message.BODY_LENGTH_SLOT);
    }
}
