// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import dev.fletch.FlatBufferFormatException;
import dev.fletch.wire.MemoryRange;

import java.lang.foreign.MemorySegment;

/// A view of one object of a FlatBuffer, which its owner binds again and again.
///
/// Binding decodes; accessors read plain fields, so they show the bytes as they were when it was
/// bound. One that has never been bound shows zeros and absent fields.
///
/// **Safety.** Whatever the bytes, nothing is read outside the wrapped range: binding to what leads
/// out of it throws a [FlatBufferFormatException]. After that the flyweight's content is unspecified
/// until it is bound again.
///
/// **Lifetime.** A flyweight is valid until the root that it was bound under wraps again, even if it
/// wraps the same memory, or until its memory is freed. One that is out of date still shows what it
/// has decoded; to follow or to set anything then throws an [IllegalStateException].
///
/// **Threads.** A flyweight and all that are bound under the same root belong to one thread at a time.
/// Threads that read the same memory each use flyweights of their own. Memory of a confined arena
/// answers any other thread with a [WrongThreadException].
public abstract sealed class Flyweight permits Table, Struct {
    /// No epoch and no position is this.
    static final int UNBOUND = -1;

    /// The memory of the root that this is bound under.
    MemoryRange source;

    /// The wrap that this was decoded in.
    long epoch = UNBOUND;

    /// First byte, as the source counts.
    long position;

    Flyweight() {}

    /// The heap bytes to decode from, or null where [#segment()] is to be read.
    ///
    /// @return the bytes, or null
    protected final byte[] array() {
        return source.array;
    }

    /// The segment to decode from where [#array()] is null, else null.
    ///
    /// @return the segment, or null
    protected final MemorySegment segment() {
        return source.array == null ? source.segment() : null;
    }

    /// Where the object is.
    ///
    /// @return byte offset of its first byte in the segment or buffer that was wrapped
    /// @throws IllegalStateException if this is not bound, or out of date
    public final long position() {
        return live().offsetOf(position);
    }

    /// The size of the buffer that this is bound in: of what its root has wrapped.
    ///
    /// @return length in bytes
    /// @throws IllegalStateException if this is not bound, or out of date
    public final long bufferLength() {
        final MemoryRange memory = live();
        return memory.end - memory.start;
    }

    /// The memory, if this still shows it.
    ///
    /// @return the range that the root has wrapped
    @SuppressWarnings("exports") // only for flyweights of this module
    protected final MemoryRange live() {
        final MemoryRange memory = source;
        if (memory == null || memory.epoch != epoch) {
            throw outOfDate();
        }
        return memory;
    }

    /// Shares the memory of another flyweight. An epoch counts for one source only.
    final void share(MemoryRange memory) {
        if (source != memory) { // compared first: storing a reference costs a barrier
            source = memory;
            epoch = UNBOUND;
        }
    }

    private IllegalStateException outOfDate() {
        final String why =
                epoch == UNBOUND
                        ? " is not bound to a buffer"
                        : " is out of date: its root has been wrapped again since";
        return new IllegalStateException(getClass().getSimpleName() + why);
    }
}
