// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/// Builds a FlatBuffer from its end to its start, in memory that the caller supplies and uses again.
///
/// **Bytes.** The same calls in the same order give the bytes of the official builder, in one of its
/// two dialects: [Dialect]. Children are written first: a string, vector or table is finished before
/// the table or vector that holds an offset to it is begun. Writing an object returns where it is, as
/// its distance from the buffer's end. That is never 0, so 0 stands for an absent object.
///
/// ```java
/// writer.wrap(memory);
/// int name = writer.createString("price");
/// writer.startTable();
/// writer.addOffset(0, name);
/// writer.addInt8(1, nullable, 0);
/// writer.finish(writer.endTable());
/// …(memory, writer.offset(), writer.length())…
/// ```
///
/// **Allocation.** None, once the writer has written a buffer with as many slots and distinct vtables,
/// to the same memory.
///
/// **Errors.** What does not fit is a [TargetTooSmallException]; no byte outside the target's range is
/// written. Calls that are out of order are an [IllegalStateException], and so is a buffer that would
/// have more than 2^31 - 2 bytes. A slot that no vtable can have is an [IndexOutOfBoundsException].
/// After any of them, [#reset()] or [#wrap] begins anew.
///
/// **Lifetime and threads.** What was written is valid until the target is written to again. A writer
/// belongs to one thread at a time.
public final class FlatBufferWriter extends WriterWholes {
    /// Length of a file identifier in bytes.
    public static final int IDENTIFIER_BYTES = 4;

    /// Creates a writer that has no target yet.
    ///
    /// @param dialect whose bytes to write
    public FlatBufferWriter(Dialect dialect) {
        super(dialect);
    }

    /// Creates a writer with heap memory of its own, which grows with what is written to it:
    /// [#target()] and [#segment()] show it.
    ///
    /// @param dialect whose bytes to write
    /// @return the writer
    public static FlatBufferWriter growing(Dialect dialect) {
        return new FlatBufferWriter(dialect)
                .growWith((bytes, _) -> MemorySegment.ofArray(new byte[Math.toIntExact(bytes)]));
    }

    // ---- the whole

    /// Pads what was written so far to an alignment, and has the whole buffer aligned to it. flatc
    /// does so when it reads a struct that it only stores later.
    ///
    /// @param alignment a power of two
    /// @throws IllegalStateException if anything is open
    /// @throws IllegalArgumentException if `alignment` is not a power of two
    public void align(int alignment) {
        requireIdle("align");
        checkAlignment(alignment);
        align(alignment, 0);
    }

    /// Finishes the buffer. Then [#offset()], [#length()] and [#segment()] tell where it is.
    ///
    /// @param root where its root table is
    /// @throws IllegalArgumentException if it is not a multiple of 4, or nothing was written there.
    ///     That a table begins there is not checked
    /// @throws IllegalStateException if anything is open, or the buffer was finished before
    public void finish(int root) {
        finish(root, null, false);
    }

    /// Finishes the buffer with a file identifier after the root offset: see [#finish(int)].
    ///
    /// @param root where its root table is
    /// @param identifier four characters of one byte each
    /// @throws IllegalArgumentException if the identifier has other characters, or more or fewer
    public void finish(int root, String identifier) {
        finish(root, Objects.requireNonNull(identifier, "identifier"), false);
    }

    /// Finishes the buffer with its size before it, in a word of 32 bits that does not count itself:
    /// see [#finish(int)].
    ///
    /// @param root where its root table is
    public void finishSizePrefixed(int root) {
        finish(root, null, true);
    }

    /// Finishes the buffer with its size before it and a file identifier: see [#finish(int)].
    ///
    /// @param root where its root table is
    /// @param identifier four characters of one byte each
    /// @throws IllegalArgumentException if the identifier has other characters, or more or fewer
    public void finishSizePrefixed(int root, String identifier) {
        finish(root, Objects.requireNonNull(identifier, "identifier"), true);
    }

    private void finish(int root, String identifier, boolean sizePrefixed) {
        requireIdle("finish");
        checkObject(root, size());
        if (identifier != null) {
            checkIdentifier(identifier);
        }
        final int head =
                Wire.OFFSET_BYTES
                        + (identifier == null ? 0 : IDENTIFIER_BYTES)
                        + (sizePrefixed ? Integer.BYTES : 0);
        align(largestAlignment, head);
        if (identifier != null) {
            for (int i = IDENTIFIER_BYTES - 1; i >= 0; i--) {
                put8(identifier.charAt(i));
            }
        }
        put32(size() - root + Wire.OFFSET_BYTES);
        if (sizePrefixed) {
            put32(size());
        }
        state = WriterState.FINISHED;
    }

    private static void checkIdentifier(String identifier) {
        boolean fits = identifier.length() == IDENTIFIER_BYTES;
        for (int i = 0; fits && i < IDENTIFIER_BYTES; i++) {
            fits = identifier.charAt(i) <= 0xFF;
        }
        if (!fits) {
            throw new IllegalArgumentException("no file identifier: " + identifier);
        }
    }
}
