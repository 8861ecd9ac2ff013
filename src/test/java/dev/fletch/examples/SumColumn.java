// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.examples;

import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.layout.BatchCursor;
import dev.fletch.layout.BatchLayout;

import java.nio.file.Path;

/// Sums a column of a mapped file. Arguments: the file, and the name of an `int64` column.
public class SumColumn {
    public static void main(String[] args) throws Exception {
        var cursor = new BatchCursor();
        var values = new ByteSlice();
        var valid = new ByteSlice();
        long sum = 0;
        try (var file = ArrowFile.open(Path.of(args[0]))) {
            var layout = BatchLayout.of(file);
            for (int i = 0; i < file.recordBatchCount(); i++) {
                cursor.bind(layout, file, i).column(args[1]).int64Values(values);
                boolean hasNulls = cursor.validity(valid);
                for (long row = 0; row < cursor.length(); row++) {
                    sum += hasNulls && !valid.bit(row) ? 0 : values.int64At(row);
                }
            }
        }
        System.out.println(sum);
    }
}
