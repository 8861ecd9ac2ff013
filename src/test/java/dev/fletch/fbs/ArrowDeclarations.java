// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.fbs;

import dev.fletch.testdata.Goldens;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What the files of the project's `format` folder declare, as flatc has compiled them into
/// `src/test/resources/flatc/compiled.txt`.
public final class ArrowDeclarations {
    /// The files of the folder.
    public static final List<String> FILES =
            List.of("Schema.fbs", "Message.fbs", "File.fbs", "Tensor.fbs", "SparseTensor.fbs");

    private static final Path COMPILED =
            Goldens.repositoryRoot().resolve("src/test/resources/flatc/compiled.txt");

    private ArrowDeclarations() {}

    /// Returns the path of one of the files.
    public static Path file(String name) {
        return Goldens.repositoryRoot().resolve("format").resolve(name);
    }

    /// Returns what all files declare.
    public static FbsDocument all() {
        List<FbsDocument> documents = new ArrayList<>();
        compiled().forEach((name, each) -> documents.add(BfbsReader.read(name, each.bfbs)));
        return FbsDocument.union(documents);
    }

    /// A file's compiled declarations, with those that it includes.
    ///
    /// @param sha256 of the source
    record Compiled(String sha256, byte[] bfbs) {}

    static Map<String, Compiled> compiled() {
        Map<String, Compiled> compiled = new HashMap<>();
        try {
            for (String line : Files.readAllLines(COMPILED)) {
                String[] parts = line.split(" ");
                if (FILES.contains(parts[0])) {
                    byte[] bfbs = Base64.getDecoder().decode(parts[2]);
                    compiled.put(parts[0], new Compiled(parts[1], bfbs));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return compiled;
    }
}
