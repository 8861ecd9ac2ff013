// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.examples;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/// The writing end of a ring in memory that two processes have mapped. Messages lie in it with
/// their frames, one after the other. Two positions in front tell how far each side has come.
public class RingWriter {
    static final VarHandle POSITION = ValueLayout.JAVA_LONG.varHandle();
    static final long WRITTEN = 0, READ = 64, DATA = 128; // each in its cache line; then messages

    /// Puts a message with its frame into the ring: a multiple of 8 bytes, at most half of the
    /// ring. The reader sees the new position only after the bytes: it is stored with release.
    public static boolean offer(MemorySegment message, MemorySegment ring) {
        long size = ring.byteSize() - DATA;
        long written = (long) POSITION.get(ring, WRITTEN); // no other thread writes it
        long left = size - written % size;
        long skipped = left < message.byteSize() ? left : 0; // a message lies in one piece
        long next = written + skipped + message.byteSize();
        if (next - (long) POSITION.getAcquire(ring, READ) > size) {
            return false; // the ring is full
        }
        if (skipped > 0) { // an end mark sends the reader to the front
            ring.set(ValueLayout.JAVA_LONG_UNALIGNED, DATA + size - left, 0xFFFF_FFFFL);
        }
        MemorySegment.copy(message, 0, ring, DATA + (written + skipped) % size, message.byteSize());
        POSITION.setRelease(ring, WRITTEN, next); // after the bytes
        return true;
    }
}
