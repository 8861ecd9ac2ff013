// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import dev.fletch.arrow.BatchReader;
import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BufferSource;
import dev.fletch.batch.ColumnValues;
import dev.fletch.batch.DecompressedBuffers;
import dev.fletch.batch.Dictionaries;
import dev.fletch.batch.ValueType;
import dev.fletch.compression.LibraryDecompressor;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.testdata.FileBatches;
import dev.fletch.vectors.VectorOptions;
import dev.fletch.vectors.VectorReader;

import org.apache.arrow.compression.CommonsCompressionFactory;
import org.apache.arrow.vector.FieldVector;

import java.io.IOException;

/// Reads all values of an input, with each of the two ways to read them.
public final class AllValuesOf {
    /// Reads compressed batches, too.
    public static final VectorOptions OPTIONS =
            VectorOptions.DEFAULT.withCodecs(CommonsCompressionFactory.INSTANCE);

    static final long MOST_BYTES = 64 << 20;

    private AllValuesOf() {}

    /// Reads the values of all fields of a file that [ColumnValues] has.
    ///
    /// @return the number of batches
    public static long file(ArrowFile file) {
        FileBatches batches = FileBatches.of(file);
        BufferSource source = new DecompressedBuffers(new LibraryDecompressor(), MOST_BYTES);
        Dictionaries dictionaries = batches.dictionaries(source);
        ColumnValues values = new ColumnValues();
        ByteSlice bytes = new ByteSlice();
        for (int i = 0; i < batches.count(); i++) {
            BatchCursor cursor = batches.bind(i).source(source);
            for (int field = 0; field < batches.layout().fieldCount(); field++) {
                values.bind(cursor, field, dictionaries);
                read(values, bytes);
            }
        }
        return batches.count();
    }

    /// Reads the values of all fields of all batches that [ColumnValues] has.
    ///
    /// @param reader without requested columns, which checks values
    /// @return the number of batches
    public static long batches(BatchReader reader) throws IOException {
        ColumnValues values = new ColumnValues();
        ByteSlice bytes = new ByteSlice();
        long batches = 0;
        while (reader.next()) {
            BatchCursor cursor = reader.cursor();
            for (int field = 0; field < cursor.layout().fieldCount(); field++) {
                values.bind(cursor, field, reader.dictionaries());
                read(values, bytes);
            }
            batches++;
        }
        return batches;
    }

    private static void read(ColumnValues values, ByteSlice bytes) {
        ValueType type = values.valueType();
        for (long row = 0; row < values.length() && type != ValueType.NONE; row++) {
            if (values.isNull(row)) {
                continue;
            }
            if (type == ValueType.BOOL) {
                values.integer(row);
            } else {
                values.get(row, bytes);
            }
        }
    }

    /// Loads all batches of a file or stream as vectors, and reads their values.
    ///
    /// @return the number of batches
    public static long vectors(VectorReader vectors) throws IOException {
        long batches = 0;
        while (vectors.loadNext()) {
            batches++;
            for (FieldVector each : vectors.root().getFieldVectors()) {
                for (int row = 0; row < each.getValueCount(); row++) {
                    each.getObject(row);
                }
            }
        }
        return batches;
    }
}
