// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.RecordBatch;

/// Writes tables of kind [RecordBatch]: the header of a batch of rows.
///
/// To add the fields in another order than that of [#create], start the table with
/// [FlatBufferWriter#startTable()], add them one by one, and end it with
/// [FlatBufferWriter#endTable()].
///
/// Errors, lifetime and threads: those of the [FlatBufferWriter].
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
        addLength(writer, length);
        addVariadicBufferCounts(writer, variadicBufferCounts);
        addCompression(writer, compression);
        addBuffers(writer, buffers);
        addNodes(writer, nodes);
        return writer.endTable();
    }

    /// Adds `length`, unless it is the default.
    ///
    /// @param writer a table is open
    /// @param length number of rows
    public static void addLength(FlatBufferWriter writer, long length) {
        writer.addInt64(RecordBatch.LENGTH_SLOT, length, RecordBatch.LENGTH_DEFAULT);
    }

    /// Adds `nodes`.
    ///
    /// @param writer a table is open
    /// @param nodes vector of field nodes: see [FieldNodeEncoder]; 0 if absent
    public static void addNodes(FlatBufferWriter writer, int nodes) {
        writer.addOffset(RecordBatch.NODES_SLOT, nodes);
    }

    /// Adds `buffers`.
    ///
    /// @param writer a table is open
    /// @param buffers vector of buffers: see [BufferEncoder]; 0 if absent
    public static void addBuffers(FlatBufferWriter writer, int buffers) {
        writer.addOffset(RecordBatch.BUFFERS_SLOT, buffers);
    }

    /// Adds `compression`.
    ///
    /// @param writer a table is open
    /// @param compression the compression's table; 0 if absent
    public static void addCompression(FlatBufferWriter writer, int compression) {
        writer.addOffset(RecordBatch.COMPRESSION_SLOT, compression);
    }

    /// Adds `variadicBufferCounts`.
    ///
    /// @param writer a table is open
    /// @param variadicBufferCounts vector of 64-bit numbers, one per field of a view type; 0 if
    ///     absent
    public static void addVariadicBufferCounts(FlatBufferWriter writer, int variadicBufferCounts) {
        writer.addOffset(RecordBatch.VARIADIC_BUFFER_COUNTS_SLOT, variadicBufferCounts);
    }
}
