// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.examples;

import dev.fletch.arrow.Arrow;

import java.nio.file.Path;

/// Sums a column of a file or stream. Arguments: the file, and the name of an `int64` column.
public class SumColumn {
    public static void main(String[] args) throws Exception {
        long sum = 0;
        try (var reader = Arrow.open(Path.of(args[0]))) {
            var size = reader.column(args[1]);
            while (reader.next()) {
                for (long row = 0; row < size.length(); row++) {
                    sum += size.isNull(row) ? 0 : size.int64(row);
                }
            }
        }
        System.out.println(sum);
    }
}
