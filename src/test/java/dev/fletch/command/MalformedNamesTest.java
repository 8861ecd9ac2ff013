// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static dev.fletch.testdata.HandmadeInput.bytes;
import static dev.fletch.testdata.HandmadeInput.longs;
import static dev.fletch.verify.messages.Meant.field;
import static dev.fletch.verify.messages.Meant.integer;
import static dev.fletch.verify.messages.Meant.schema;
import static dev.fletch.verify.messages.Meant.table;
import static dev.fletch.verify.messages.Meant.with;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.command.Cli.Run;
import dev.fletch.format.ids.Type;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.HandmadeInput;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;

/// Commands that show or compare a schema show each byte of its texts that is not UTF-8 as an escape.
class MalformedNamesTest {
    @TempDir Path folder;

    /// Replaces the letter before a dot by a byte.
    private static UnaryOperator<byte[]> malformed(int value) {
        return bytes -> {
            String all = new String(bytes, StandardCharsets.ISO_8859_1);
            byte[] changed = bytes.clone();
            for (int at = all.indexOf("Q."); at >= 0; at = all.indexOf("Q.", at + 1)) {
                changed[at] = (byte) value;
            }
            return changed;
        };
    }

    /// Name, time zone, key and value of metadata, and an extension have such a byte.
    private String file(String name, int value) throws IOException {
        FbsValue.Table zoned = table("Timestamp", "unit", 0, "timezone", "zQ.");
        List<FbsValue.Table> metadata =
                List.of(
                        table("KeyValue", "key", "ARROW:extension:name", "value", "eQ."),
                        table("KeyValue", "key", "kQ.", "value", "vQ."));
        FbsValue.Table column = with(integer("nQ.", 8), "custom_metadata", metadata);
        HandmadeInput input =
                new HandmadeInput(schema(column, field("t", Type.TIMESTAMP, zoned)))
                        .batch(
                                new HandmadeInput.Batch(1)
                                        .node(1, 0, bytes(), bytes(1))
                                        .node(1, 0, bytes(), longs(1)));
        return Files.write(
                        folder.resolve(name), input.edit(malformed(value), malformed(value)).file())
                .toString();
    }

    @Test
    void extensionsAreListed() throws IOException {
        Run run = Cli.run("ext", file("a.arrow", 0xFF));
        assertEquals(new Run(0, "unknown  \"n\\\\xff.\": \"e\\\\xff.\"\n", ""), run);
    }

    @Test
    void jsonHasEscapes() throws IOException {
        Run run = Cli.run("json", file("a.arrow", 0xFF));
        assertEquals(0, run.status(), run.err());
        for (String text : List.of("n", "z", "k", "v", "e")) {
            String escaped = "\"" + text + "\\\\xff.\"";
            assertTrue(run.out().contains(escaped), () -> escaped + ": " + run.out());
        }
    }

    @Test
    void differentBytesAreDifferences() throws IOException {
        String first = file("a.arrow", 0xFF);
        assertEquals(new Run(0, "", ""), Cli.run("diff", first, file("b.arrow", 0xFF)));
        Run other = Cli.run("diff", first, file("c.arrow", 0xFE));
        assertEquals(1, other.status());
        assertEquals("", other.err());
        assertTrue(other.out().contains("xff"), other.out());
        assertTrue(other.out().contains("xfe"), other.out());
        Run grouped = Cli.run("schema", "--group", first, file("d.arrow", 0xFE));
        assertTrue(grouped.out().contains("group 2: "), grouped.out());
    }

    /// Two malformed texts are compared as well.
    @Test
    void footerAndSchemaMessageAreCompared() throws IOException {
        byte[] file =
                new HandmadeInput(schema(integer("nQ.", 8)))
                        .batch(new HandmadeInput.Batch(1).node(1, 0, bytes(), bytes(1)))
                        .edit(malformed(0xFF), malformed(0xFE))
                        .file();
        Run run = Cli.runWithInput(file, "verify", "-");
        assertTrue(run.out().contains(": schema-differs: "), run.out());
    }
}
