// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.examples;

import dev.fletch.batch.Columns;
import dev.fletch.batch.ValueType;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.FileBatches;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.ReadOptions.Level;

import java.nio.file.Path;

/// Reads one column of a file with very many. The schema is not verified as a whole, no other
/// column's metadata is decoded, and of each batch only the numbers of this column are copied.
/// Arguments: the file, and the name of an `int64` column.
public class OneOfMany {
    public static void main(String[] args) throws Exception {
        var values = new ByteSlice();
        var valid = new ByteSlice();
        long largest = Long.MIN_VALUE;
        var options = ReadOptions.DEFAULT.withLevel(Level.TOUCHED);
        try (var file = ArrowFile.open(Path.of(args[0]), options)) {
            var batches = FileBatches.of(file, Columns.named(args[1]));
            for (int i = 0; i < batches.count(); i++) {
                var cursor = batches.bind(i); // its layout has one field
                cursor.values(0, ValueType.INT64, values);
                boolean hasNulls = cursor.validity(0, valid);
                for (long row = 0; row < cursor.length(0); row++) {
                    if (!hasNulls || valid.bit(row)) {
                        largest = Math.max(largest, values.int64At(row));
                    }
                }
            }
        }
        System.out.println(largest);
    }
}
