// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.examples;

import dev.fletch.arrow.Arrow;
import dev.fletch.batch.ValueType;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.ids.BufferRole;

import java.nio.file.Path;

/// Prints the lists of a `list<utf8>` column, a line for each. Arguments: the file, and the
/// column's name.
public class ListItems {
    public static void main(String[] args) throws Exception {
        var offsets = new ByteSlice();
        try (var reader = Arrow.open(Path.of(args[0]))) {
            var lists = reader.column(args[1]);
            var items = reader.column(args[1] + ".item");
            while (reader.next()) {
                reader.cursor().array(lists.field(), BufferRole.OFFSETS, ValueType.INT32, offsets);
                for (long row = 0; row < lists.length(); row++) {
                    boolean isNull = lists.isNull(row);
                    int end = isNull ? 0 : offsets.int32At(row + 1);
                    for (long item = isNull ? 0 : offsets.int32At(row); item < end; item++) {
                        System.out.print((items.isNull(item) ? "" : items.text(item)) + ";");
                    }
                    System.out.println();
                }
            }
        }
    }
}
