// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.examples;

import dev.fletch.format.FrameKind;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.ipc.EncapsulatedMessage;

import java.lang.foreign.MemorySegment;

/// The reading end of a ring: see [RingWriter]. A writer that is not trusted may change bytes after
/// they were verified: copy a message then before you wrap it.
public class RingReader {
    private final EncapsulatedMessage frame = new EncapsulatedMessage(); // verifies what it binds
    private final Message message = new Message();
    private final RecordBatch batch = new RecordBatch();

    /// Reads all messages that are complete, without an allocation, and returns their rows.
    public long poll(MemorySegment ring) {
        long rows = 0;
        long size = ring.byteSize() - RingWriter.DATA;
        long read = (long) RingWriter.POSITION.get(ring, RingWriter.READ);
        long written = (long) RingWriter.POSITION.getAcquire(ring, RingWriter.WRITTEN);
        while (read < written) {
            long at = RingWriter.DATA + read % size;
            long end = Math.min(ring.byteSize(), at + written - read);
            if (frame.wrap(ring, at, end, message) == FrameKind.MESSAGE) {
                rows += message.header(batch) ? batch.length() : 0;
                read += frame.nextOffset() - at;
            } else {
                read += ring.byteSize() - at; // wraps around to the start of the ring
            }
        }
        RingWriter.POSITION.setRelease(ring, RingWriter.READ, read); // gives the room back
        return rows;
    }
}
