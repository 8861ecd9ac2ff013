// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import dev.fletch.FletchException;
import dev.fletch.flatbuf.ByteSlice;

/// Gives a [BatchCursor] the bytes of buffers that it cannot read in the body as they are, such as
/// compressed ones: see [BatchCursor#source].
///
/// **Threads.** Belongs to one thread at a time, like the cursor.
public interface BufferSource {
    /// Binds to the bytes of a buffer, not compressed and without a prefix. Never called for a buffer
    /// of length 0.
    ///
    /// @param cursor bound to the batch
    /// @param field number of the field in the cursor's layout
    /// @param buffer index of the field's buffer: see [BatchCursor#role]
    /// @param into bound to the bytes
    /// @throws FletchException if the buffer cannot be read
    void bytes(BatchCursor cursor, int field, int buffer, ByteSlice into);
}
