// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.command.Cli;
import dev.fletch.command.Cli.Run;
import dev.fletch.command.JsonTree;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.MessageWriter;
import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.schema.ArrowType;
import dev.fletch.schema.Metadata;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;

/// `fletch schema --group`.
class SchemaGroupsTest {
    private static final ArrowSchema USUAL =
            ArrowSchema.of(
                    ArrowField.of("id", new ArrowType.Int(64, true)),
                    ArrowField.of("price", new ArrowType.Int(32, true)));
    private static final ArrowSchema WIDER =
            ArrowSchema.of(
                    ArrowField.of("id", new ArrowType.Int(64, true)),
                    ArrowField.of("price", new ArrowType.Int(64, true)));

    @TempDir Path folder;

    private void write(String name, ArrowSchema schema, EmissionOrder order) throws IOException {
        try (FileChannel channel =
                        FileChannel.open(
                                folder.resolve(name),
                                StandardOpenOption.CREATE,
                                StandardOpenOption.WRITE);
                MessageWriter writer = MessageWriter.of(ArrowContainer.FILE, channel)) {
            writer.write(schema.toMessage(order));
            writer.finish();
        }
    }

    private Run group(String... options) {
        String[] call = new String[options.length + 4];
        call[0] = "schema";
        call[1] = "--group";
        call[2] = "-r";
        System.arraycopy(options, 0, call, 3, options.length);
        call[call.length - 1] = folder.toString();
        return Cli.run(call);
    }

    @Test
    void groupsAreListedWithTheirDifferences() throws IOException {
        write("a.arrow", WIDER, EmissionOrder.ARROW_CPP);
        write("b.arrow", USUAL, EmissionOrder.ARROW_CPP);
        write("c.arrow", USUAL, EmissionOrder.ARROW_JAVA); // other bytes, the same schema
        write("d.arrow", USUAL.withMetadata(Metadata.of("rows", "7")), EmissionOrder.ARROW_CPP);
        Files.writeString(folder.resolve("e.arrow"), "no Arrow file");
        Run run = group();
        assertEquals(1, run.status());
        String expected =
                """
                group 1: 2 files, 2 columns
                  F/b.arrow
                  F/c.arrow
                group 2: 1 file, 2 columns
                  price: type int32 → int64
                  F/a.arrow
                group 3: 1 file, 2 columns
                  schema: metadata rows added 7
                  F/d.arrow
                in no group, because unreadable: 1 file
                """;
        assertEquals(expected, run.out().replace(folder.toString(), "F"));
        assertEquals(1, run.err().lines().count());

        List<String> lines = group("--json").lines();
        assertEquals(4, lines.size());
        Map<String, Object> second = JsonTree.object(JsonTree.parse(lines.get(2)));
        assertEquals(2L, second.get("group"));
        assertEquals(1L, second.get("count"));
        Map<String, Object> change =
                JsonTree.object(JsonTree.array(second.get("changes")).getFirst());
        assertEquals("price", change.get("path"));
        assertEquals("int64", change.get("after"));
        // The words of diff.
        Run diff =
                Cli.run(
                        "diff",
                        folder.resolve("b.arrow").toString(),
                        folder.resolve("a.arrow").toString());
        assertTrue(run.out().contains("  " + diff.out()), diff.out());
    }

    @Test
    void metadataCanBeIgnored() throws IOException {
        for (int i = 0; i < 30; i++) {
            write(
                    i + ".arrow",
                    USUAL.withMetadata(Metadata.of("rows", "" + i)),
                    EmissionOrder.ARROW_CPP);
        }
        assertEquals(30 * 3 - 1, group().lines().size());
        Run run = group("--ignore-metadata");
        assertEquals(0, run.status());
        assertEquals("group 1: 30 files, 2 columns", run.lines().getFirst());
        assertEquals("  … and 20 more files", run.lines().getLast());
        assertEquals(2, Cli.run("schema", "--ignore-metadata", "x").status());
        assertEquals(2, Cli.run("schema", "--group", "--column", "a", "x").status());
    }
}
