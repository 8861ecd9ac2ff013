// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.examples;

import dev.fletch.arrow.Arrow;
import dev.fletch.ipc.ReadOptions;

import java.nio.file.Path;

/// Reads one column of a file with very many: the schema is not verified as a whole, and no other
/// column is laid out. Arguments: the file, and the name of an `int64` column.
public class OneOfMany {
    public static void main(String[] args) throws Exception {
        long largest = Long.MIN_VALUE;
        var options = ReadOptions.DEFAULT.withLevel(ReadOptions.Level.TOUCHED);
        try (var reader = Arrow.open(Path.of(args[0]), options)) {
            var column = reader.column(args[1]);
            while (reader.next()) {
                for (long row = 0; row < column.length(); row++) {
                    largest = column.isNull(row) ? largest : Math.max(largest, column.int64(row));
                }
            }
        }
        System.out.println(largest);
    }
}
