// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.Buffer;
import dev.fletch.format.RecordBatch;

/// Writes structs of kind [Buffer]: where bytes lie in a body.
///
/// Errors, lifetime and threads: those of the [FlatBufferWriter].
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

    /// Begins a vector; then the buffers are pushed, the last one first.
    ///
    /// @param writer nothing is open
    /// @param buffers how many there will be
    public static void startVector(FlatBufferWriter writer, int buffers) {
        writer.startVector(Buffer.BYTES, buffers, Long.BYTES);
    }

    /// Pushes a buffer.
    ///
    /// @param writer a vector is open
    /// @param offset offset in the body
    /// @param length length in bytes
    public static void push(FlatBufferWriter writer, long offset, long length) {
        writer.pushInt64(length);
        writer.pushInt64(offset);
    }

    /// Adds a buffer as a field.
    static void add(FlatBufferWriter writer, int slot, long offset, long length) {
        writer.startStruct(Buffer.BYTES, Long.BYTES);
        push(writer, offset, length);
        writer.endStruct(slot);
    }
}
