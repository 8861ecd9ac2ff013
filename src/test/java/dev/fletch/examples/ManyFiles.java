// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.examples;

import dev.fletch.scan.FileScan;
import dev.fletch.scan.FileSummary;

import java.nio.file.Files;
import java.nio.file.Path;

/// Sums up the files of a folder, several at a time, and names those that are damaged.
public class ManyFiles {
    public static void main(String[] args) throws Exception {
        var scan = new FileScan(); // for any number of threads
        try (var paths = Files.list(Path.of(args[0]))) {
            var names = paths.map(Path::toString).sorted().toList();
            var all = names.parallelStream().map(scan::of).toList();
            long rows = all.stream().mapToLong(FileSummary::rows).sum();
            long schemas = all.stream().map(FileSummary::schemaDigest).distinct().count();
            System.out.println(all.size() + " files, " + rows + " rows, " + schemas + " schemas");
            all.stream()
                    .filter(file -> file.fault() != null)
                    .forEach(file -> System.out.println(file.name() + ": " + file.fault()));
        }
    }
}
