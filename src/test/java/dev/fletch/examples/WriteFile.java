// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.examples;

import dev.fletch.arrow.Arrow;
import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.schema.ArrowType;

import java.nio.file.Path;

/// Writes a file of three batches, each with the ids 7, 8, 9 and the names "one", null, "three".
public class WriteFile {
    public static void main(String[] args) throws Exception {
        var id = ArrowField.of("id", new ArrowType.Int(64, true));
        var name = ArrowField.of("name", ArrowType.Simple.UTF8).nullable();
        try (var out = Arrow.writeFile(Path.of(args[0]), ArrowSchema.of(id, name))) {
            for (int i = 0; i < 3; i++) {
                out.begin(3).values(0, 7, 8, 9).texts(1, "one", null, "three").end();
            }
            out.finish();
        }
    }
}
