// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.vectors;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.ForeignAllocation;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;

/// A file in memory, released when its readers and all buffers that refer to it are closed, in any
/// order and on any thread.
///
/// Each buffer is a separate allocation: the allocator accounts for the buffers in use, not for the
/// rest of the file.
final class Mapping {
    private final MemorySegment memory;
    private final Runnable whenUnused;
    // Number of readers and buffers.
    private final AtomicInteger users = new AtomicInteger(1);

    /// @param memory valid until `whenUnused` runs
    /// @param whenUnused runs once, on the thread that closes the last reader or buffer
    Mapping(MemorySegment memory, Runnable whenUnused) {
        this.memory = memory;
        this.whenUnused = whenUnused;
    }

    MemorySegment memory() {
        return memory;
    }

    /// {@return whether buffers may refer to it: native and writable, as vectors are}
    boolean isShareable() {
        return memory.isNative() && !memory.isReadOnly();
    }

    /// Adds a reader or buffer.
    void retain() {
        if (users.getAndUpdate(count -> count == 0 ? 0 : count + 1) == 0) {
            throw new IllegalStateException("reader is closed");
        }
    }

    /// Removes a reader or buffer.
    void release() {
        if (users.decrementAndGet() == 0) {
            whenUnused.run();
        }
    }

    /// {@return a buffer that refers to a part of the memory}
    ArrowBuf buffer(BufferAllocator allocator, MemorySegment bytes) {
        retain();
        Piece piece = new Piece(bytes);
        try {
            return allocator.wrapForeignAllocation(piece);
        } catch (RuntimeException | Error e) {
            piece.release0(); // a second call does nothing
            throw e;
        }
    }

    private final class Piece extends ForeignAllocation {
        private boolean isReleased;

        Piece(MemorySegment bytes) {
            super(bytes.byteSize(), bytes.address());
        }

        @Override
        protected void release0() {
            if (!isReleased) {
                isReleased = true;
                release();
            }
        }
    }
}
