// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import dev.fletch.FletchException;
import dev.fletch.flatbuf.ByteSlice;

/// Gives a [BatchCursor] the bytes of a batch's buffers, where they are not in one range of memory
/// as the cursor needs them:
///
/// - as [BatchCursor#body], the buffers as they were written: a [ReceivedBody], or one of a
///   program, such as buffers that were fetched each on its own
/// - as [BatchCursor#source], the decompressed bytes of compressed buffers: [DecompressedBuffers],
///   which read the compressed bytes from the cursor
///
/// **Threads.** Belongs to one thread at a time, like the cursor.
public interface BufferSource {
    /// Binds to the bytes of a buffer. Never called for a buffer of length 0, nor for one outside
    /// of the first [#length] bytes of the body.
    ///
    /// @param cursor bound to the batch
    /// @param field number of the field in the cursor's layout
    /// @param buffer index of the field's buffer: see [BatchCursor#role]
    /// @param into bound to the bytes
    /// @throws FletchException if the buffer cannot be read
    void bytes(BatchCursor cursor, int field, int buffer, ByteSlice into);

    /// {@return number of bytes of the body; the greatest number if this is not a body, or has all
    /// buffers of its batch}
    default long length() {
        return Long.MAX_VALUE;
    }
}
