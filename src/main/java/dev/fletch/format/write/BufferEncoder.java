// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.Buffer;
import dev.fletch.format.RecordBatch;

/// Writes structs of kind [Buffer]: where bytes lie in a body.
/// See [FlatBufferWriter] for errors, lifetime and threads.
///
/// Source: `format/Schema.fbs`, struct `Buffer`.
public final class BufferEncoder {
    private static final int LONGS = Buffer.BYTES / Long.BYTES;

    private BufferEncoder() {}

    /// Writes a vector, copied in one go.
    ///
    /// @param writer nothing is open
    /// @param numbers two per buffer: offset and length, as [RecordBatch#copyBuffers] gives them
    /// @param from index of the first number
    /// @param buffers how many buffers
    /// @return where the vector is
    /// @throws IndexOutOfBoundsException if the numbers are not inside `numbers`
    public static int createVector(FlatBufferWriter writer, long[] numbers, int from, int buffers) {
        return writer.createStructVector(numbers, from, buffers, LONGS);
    }
}
