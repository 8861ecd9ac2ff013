// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.RecordBatch;

/// Writes tables of kind [RecordBatch]: the header of a batch of rows. See [FlatBufferWriter] for
/// errors, lifetime and threads.
///
/// Source: `format/Message.fbs`, table `RecordBatch`.
public final class RecordBatchEncoder {
    private RecordBatchEncoder() {}

    /// Writes a table, its fields in the order of the `createRecordBatch` that flatc generates.
    ///
    /// @param writer nothing is open
    /// @param length number of rows
    /// @param nodes vector of field nodes: see [FieldNodeEncoder]; 0 if absent
    /// @param buffers vector of buffers: see [BufferEncoder]; 0 if absent
    /// @param compression the compression's table; 0 if absent
    /// @param variadicBufferCounts vector of 64-bit numbers, one per field of a view type; 0 if
    ///     absent
    /// @return where the table is
    public static int create(
            FlatBufferWriter writer,
            long length,
            int nodes,
            int buffers,
            int compression,
            int variadicBufferCounts) {
        writer.startTable();
        writer.addInt64(RecordBatch.LENGTH_SLOT, length, 0);
        writer.addOffset(RecordBatch.VARIADIC_BUFFER_COUNTS_SLOT, variadicBufferCounts);
        writer.addOffset(RecordBatch.COMPRESSION_SLOT, compression);
        writer.addOffset(RecordBatch.BUFFERS_SLOT, buffers);
        writer.addOffset(RecordBatch.NODES_SLOT, nodes);
        return writer.endTable();
    }
}
