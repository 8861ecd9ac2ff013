// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.FieldNode;
import dev.fletch.format.RecordBatch;

/// Writes structs of kind [FieldNode]: length and null count of a field's values in a batch.
/// See [FlatBufferWriter] for errors, lifetime and threads.
///
/// Source: `format/Message.fbs`, struct `FieldNode`.
public final class FieldNodeEncoder {
    private static final int LONGS = FieldNode.BYTES / Long.BYTES;

    private FieldNodeEncoder() {}

    /// Writes a vector, copied in one go.
    ///
    /// @param writer nothing is open
    /// @param numbers two per node: length and null count, as [RecordBatch#copyNodes] gives them
    /// @param from index of the first number
    /// @param nodes how many nodes
    /// @return where the vector is
    /// @throws IndexOutOfBoundsException if the numbers are not inside `numbers`
    public static int createVector(FlatBufferWriter writer, long[] numbers, int from, int nodes) {
        return writer.createStructVector(numbers, from, nodes, LONGS);
    }
}
