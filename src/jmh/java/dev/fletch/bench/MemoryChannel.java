// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/// The bytes of a buffer, from its position to its limit, for readers that take channels. Needs no
/// system calls.
///
/// @param bytes read by moving its position
record MemoryChannel(ByteBuffer bytes) implements ReadableByteChannel {
    @Override
    public int read(ByteBuffer into) {
        int count = Math.min(into.remaining(), bytes.remaining());
        if (count == 0) {
            return into.hasRemaining() ? -1 : 0;
        }
        into.put(into.position(), bytes, bytes.position(), count);
        into.position(into.position() + count);
        bytes.position(bytes.position() + count);
        return count;
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    /// Does nothing: the memory belongs to the caller.
    @Override
    public void close() {}
}
