// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.scan.FileScan;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Batches without a schema are the same for all commands.
class OneFaultTest {
    @TempDir Path folder;

    /// A batch in front of the schema is complete, and all that is wrong is where it is.
    @Test
    void batchesWithoutSchemaAreCompleteForAllCommands() throws IOException {
        for (String name : List.of("no-leading-schema", "no-leading-schema-dictionaries")) {
            Path file = Path.of("src/test/resources/corpus/file", name + ".arrows");
            int rows = name.endsWith("dictionaries") ? 3 : 4;
            String complete = "2 record batches complete, " + rows + " rows";
            String fault = "first message is not a schema: kind=";
            for (String command : List.of("ls", "count", "columns", "map")) {
                String err = Cli.run(command, file.toString()).err();
                String expected = ".*: message 0: offset 0: " + fault + "\\w+; " + complete + "\n";
                assertTrue(err.matches(expected), command + ": " + err);
            }
            List<String> verified = Cli.run("verify", file.toString()).lines();
            assertTrue(
                    verified.getFirst().contains("message 0: file: no-leading-schema: offset=0"));
            assertEquals(2, verified.size(), verified.toString());
            assertTrue(verified.getLast().endsWith(": " + complete), verified.toString());
            var scanned = new FileScan().of(file.toString());
            assertEquals("no-leading-schema", scanned.fault().code());
            Path out = folder.resolve("out");
            Cli.Run run = Cli.run("convert", "--salvage", file.toString(), out.toString());
            assertEquals(1, run.status());
            assertTrue(run.err().contains("message 0: offset 0: " + fault), run.err());
            assertTrue(Files.notExists(out));
        }
    }
}
