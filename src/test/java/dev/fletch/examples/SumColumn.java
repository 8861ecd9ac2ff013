// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.examples;

import dev.fletch.batch.ValueType;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.FileBatches;

import java.nio.file.Path;

/// Sums a column of a mapped file. Arguments: the file, and the name of an `int64` column.
public class SumColumn {
    public static void main(String[] args) throws Exception {
        var values = new ByteSlice();
        var valid = new ByteSlice();
        long sum = 0;
        try (var file = ArrowFile.open(Path.of(args[0]))) {
            var batches = FileBatches.of(file);
            int field = batches.layout().field(args[1]);
            for (int i = 0; i < batches.count(); i++) {
                var cursor = batches.bind(i);
                cursor.values(field, ValueType.INT64, values);
                boolean hasNulls = cursor.validity(field, valid);
                for (long row = 0; row < cursor.length(field); row++) {
                    sum += hasNulls && !valid.bit(row) ? 0 : values.int64At(row);
                }
            }
        }
        System.out.println(sum);
    }
}
