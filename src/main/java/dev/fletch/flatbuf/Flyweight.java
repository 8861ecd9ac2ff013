// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import dev.fletch.FletchException;
import dev.fletch.wire.MemoryRange;

import java.lang.foreign.MemorySegment;

/// A reusable view of one object of a FlatBuffer.
///
/// Binding decodes. Accessors read plain fields, so they show the bytes as of binding. A flyweight
/// that was never bound shows zeros and absent fields.
///
/// **Safety.** Nothing is read outside the wrapped range, for any bytes. Binding to an object
/// outside that range throws a [FletchException]. Afterwards the flyweight's content is
/// unspecified until it is bound again.
///
/// **Lifetime.** A flyweight is valid until its root wraps again, even if the root wraps the same
/// memory, or until the memory is freed. An outdated flyweight still shows decoded values; all that
/// needs its memory throws an [IllegalStateException]: following a reference, setting a value,
/// asking for a position or for the buffer. So do setters, positions and the buffer before the
/// first binding.
///
/// **Threads.** A flyweight and all flyweights bound under the same root belong to one thread at a
/// time. Threads that read the same memory each use their own flyweights. Memory of a confined
/// arena throws a [WrongThreadException] in any other thread.
public abstract sealed class Flyweight permits Table, Struct {
    /// Neither an epoch nor a position.
    static final int UNBOUND = -1;

    /// The memory of the root that this is bound under.
    MemoryRange source;

    /// The source's epoch at decoding.
    long epoch = UNBOUND;

    /// First byte, as a position of the source.
    long position;

    Flyweight() {}

    /// {@return the heap bytes to decode from; null if [#segment()] is to be read}
    protected final byte[] array() {
        return source.array;
    }

    /// {@return the segment to decode from; null if [#array()] is to be read}
    protected final MemorySegment segment() {
        return source.array == null ? source.segment() : null;
    }

    /// {@return byte offset of the object's first byte in the wrapped segment or buffer}
    public final long position() {
        return live().offsetOf(position);
    }

    /// {@return length in bytes of the range that this flyweight's root has wrapped}
    public final long bufferLength() {
        MemoryRange memory = live();
        return memory.end - memory.start;
    }

    /// {@return the range that the root has wrapped}
    @SuppressWarnings("exports") // only for flyweights of this module
    protected final MemoryRange live() {
        MemoryRange memory = source;
        if (memory == null || memory.epoch != epoch) {
            throw outOfDate();
        }
        return memory;
    }

    /// Shares the memory of another flyweight. An epoch is valid for one source only.
    final void share(MemoryRange memory) {
        if (source != memory) { // compared before it is stored
            source = memory;
            epoch = UNBOUND;
        }
    }

    private IllegalStateException outOfDate() {
        String why =
                epoch == UNBOUND
                        ? " is not bound to a buffer"
                        : " is out of date: its root has been wrapped again since";
        return new IllegalStateException(getClass().getSimpleName() + why);
    }
}
