// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package consumer;

import dev.fletch.Checks;
import dev.fletch.arrow.Arrow;
import dev.fletch.compression.LibraryDecompressor;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.CompressionType;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.schema.SchemaJson;

import java.nio.file.Path;

/// Prints what a file has, and which of the optional libraries are there.
public final class Main {
    private Main() {}

    /// @param args the file
    public static void main(String[] args) throws Exception {
        Path path = Path.of(args[0]);
        ArrowSchema schema;
        try (ArrowFile file = ArrowFile.open(path)) {
            Schema table = new Schema();
            file.footer().schema(table);
            schema = ArrowSchema.of(table);
        }
        var report =
                Arrow.verify(path, ReadOptions.VERIFY.withChecks(Checks.STRICT.enabled()), _ -> {});
        LibraryDecompressor libraries = new LibraryDecompressor();
        System.out.printf(
                "columns=%d batches=%d errors=%d json=%b lz4=%b zstd=%b%n",
                schema.fields().size(),
                report.recordBatches(),
                report.errors(),
                isJsonWritten(schema),
                libraries.knows(CompressionType.LZ4_FRAME),
                libraries.knows(CompressionType.ZSTD));
    }

    private static boolean isJsonWritten(ArrowSchema schema) {
        try {
            return SchemaJson.text(schema).contains("fields");
        } catch (IllegalStateException e) { // jackson-core is missing
            return false;
        }
    }
}
