// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.examples;

import dev.fletch.batch.ColumnValues;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.FileBatches;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/// Prints the lists of a `list<utf8>` column, a line for each. Arguments: the file, and the
/// column's name.
public class ListItems {
    public static void main(String[] args) throws Exception {
        var offsets = new ByteSlice();
        var valid = new ByteSlice();
        var items = new ColumnValues();
        var text = new ByteSlice();
        try (var file = ArrowFile.open(Path.of(args[0]))) {
            var batches = FileBatches.of(file);
            var layout = batches.layout();
            int list = layout.field(args[1]);
            for (int i = 0; i < batches.count(); i++) {
                var cursor = batches.bind(i);
                items.bind(cursor, list + 1); // a child is the next field
                boolean hasNulls = cursor.validity(list, valid);
                cursor.offsets32(list, offsets);
                for (long row = 0; row < cursor.length(list); row++) {
                    boolean isNull = hasNulls && !valid.bit(row);
                    int end = isNull ? 0 : offsets.int32At(row + 1);
                    for (long item = isNull ? 0 : offsets.int32At(row); item < end; item++) {
                        boolean isThere = items.get(item, text);
                        byte[] utf8 = isThere ? text.toByteArray() : new byte[0];
                        System.out.print(new String(utf8, StandardCharsets.UTF_8) + ";");
                    }
                    System.out.println();
                }
            }
        }
    }
}
