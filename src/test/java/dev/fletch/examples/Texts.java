// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.examples;

import dev.fletch.arrow.Arrow;

import java.nio.file.Path;
import java.util.TreeMap;

/// Counts the texts of a column, which may be dictionary-encoded or compressed. Arguments: the
/// file, and the column's name.
public class Texts {
    public static void main(String[] args) throws Exception {
        var counts = new TreeMap<String, Integer>();
        try (var reader = Arrow.open(Path.of(args[0]))) {
            var symbol = reader.column(args[1]);
            while (reader.next()) {
                for (long row = 0; row < symbol.length(); row++) {
                    if (!symbol.isNull(row)) {
                        counts.merge(symbol.text(row), 1, Integer::sum);
                    }
                }
            }
        }
        System.out.println(counts);
    }
}
