// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import org.apache.arrow.compression.CommonsCompressionFactory;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.message.ArrowBlock;
import org.apache.arrow.vector.types.pojo.Schema;
import org.apache.arrow.vector.util.ByteArrayReadableSeekableByteChannel;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/// What arrow-vector's own readers find in a file or a stream.
///
/// @param schema encoded fields have the type of their indexes
/// @param batchRows rows of each record batch
/// @param values of each record batch: one line a row, indexes where a field is encoded
/// @param dictionaryBlocks of a file, otherwise empty
/// @param recordBlocks of a file, otherwise empty
public record ArrowVectorReading(
        Schema schema,
        List<Integer> batchRows,
        List<String> values,
        List<ArrowBlock> dictionaryBlocks,
        List<ArrowBlock> recordBlocks) {

    /// Reads a file or a stream, whichever it is.
    public static ArrowVectorReading read(byte[] bytes) {
        try (BufferAllocator allocator = new RootAllocator();
                ArrowReader reader = reader(bytes, allocator)) {
            return reader instanceof ArrowFileReader file
                    ? readBatches(file, file.getDictionaryBlocks(), file.getRecordBlocks())
                    : read(reader);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Opens a file or a stream, whichever it is.
    public static ArrowReader reader(byte[] bytes, BufferAllocator allocator) {
        return OracleListing.isFile(bytes)
                ? new ArrowFileReader(
                        new ByteArrayReadableSeekableByteChannel(bytes),
                        allocator,
                        CommonsCompressionFactory.INSTANCE)
                : new ArrowStreamReader(
                        new ByteArrayInputStream(bytes),
                        allocator,
                        CommonsCompressionFactory.INSTANCE);
    }

    /// Reads what any of arrow-vector's readers reads.
    public static ArrowVectorReading read(ArrowReader reader) throws IOException {
        return readBatches(reader, List.of(), List.of());
    }

    private static ArrowVectorReading readBatches(
            ArrowReader reader, List<ArrowBlock> dictionaries, List<ArrowBlock> records)
            throws IOException {
        VectorSchemaRoot root = reader.getVectorSchemaRoot();
        List<Integer> rows = new ArrayList<>();
        List<String> values = new ArrayList<>();
        while (reader.loadNextBatch()) {
            rows.add(root.getRowCount());
            values.add(print(root));
        }
        return new ArrowVectorReading(root.getSchema(), rows, values, dictionaries, records);
    }

    private static String print(VectorSchemaRoot root) {
        StringBuilder text = new StringBuilder();
        for (int row = 0; row < root.getRowCount(); row++) {
            for (FieldVector vector : root.getFieldVectors()) {
                Object value = vector.getObject(row);
                boolean binary = value instanceof byte[];
                text.append(binary ? HexFormat.of().formatHex((byte[]) value) : value).append('\t');
            }
            text.append('\n');
        }
        return text.toString();
    }
}
