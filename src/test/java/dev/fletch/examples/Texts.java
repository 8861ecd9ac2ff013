// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.examples;

import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.layout.BatchCursor;
import dev.fletch.layout.BatchLayout;
import dev.fletch.layout.ColumnValues;
import dev.fletch.layout.Dictionaries;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.TreeMap;

/// Counts the texts of a column, which may be dictionary-encoded. Arguments: the file, and the column's name.
public class Texts {
    public static void main(String[] args) throws Exception {
        var cursor = new BatchCursor();
        var values = new ColumnValues();
        var text = new ByteSlice();
        var counts = new TreeMap<String, Integer>();
        try (var file = ArrowFile.open(Path.of(args[0]))) {
            var layout = BatchLayout.of(file);
            var dictionaries = Dictionaries.of(layout, file);
            for (int i = 0; i < file.recordBatchCount(); i++) {
                values.bind(cursor.bind(layout, file, i).column(args[1]), dictionaries);
                for (long row = 0; row < values.length(); row++) {
                    if (values.get(row, text)) { // not null
                        var key = new String(text.toByteArray(), StandardCharsets.UTF_8);
                        counts.merge(key, 1, Integer::sum);
                    }
                }
            }
        }
        System.out.println(counts);
    }
}
