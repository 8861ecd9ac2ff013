// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.examples;

import dev.fletch.batch.ColumnValues;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.FileBatches;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.TreeMap;

/// Counts the texts of a column, which may be dictionary-encoded. Arguments: the file, and the
/// column's name.
public class Texts {
    public static void main(String[] args) throws Exception {
        var values = new ColumnValues();
        var text = new ByteSlice();
        var counts = new TreeMap<String, Integer>();
        try (var file = ArrowFile.open(Path.of(args[0]))) {
            var batches = FileBatches.of(file);
            var dictionaries = batches.dictionaries();
            int field = batches.layout().field(args[1]);
            for (int i = 0; i < batches.count(); i++) {
                values.bind(batches.bind(i), field, dictionaries);
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
