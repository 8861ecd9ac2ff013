// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.examples;

import dev.fletch.arrow.Arrow;
import dev.fletch.ipc.ReadOptions;

/// Prints the null counts of each batch of a stream from standard input. Bodies are skipped.
public class NullCounts {
    public static void main(String[] args) throws Exception {
        try (var reader = Arrow.open(System.in, ReadOptions.DEFAULT)) {
            while (reader.nextHeader()) {
                var cursor = reader.cursor(); // of all columns, as none is requested
                var layout = cursor.layout();
                for (int c = 0; c < layout.columnCount(); c++) {
                    int f = layout.columnField(c);
                    System.out.print(layout.nameString(f) + "=" + cursor.nullCount(f) + " ");
                }
                System.out.println();
            }
        }
    }
}
