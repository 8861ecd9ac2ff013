// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.batch.BatchBuilder;
import dev.fletch.batch.BatchLayout;
import dev.fletch.command.Cli;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.MessageWriter;
import dev.fletch.scan.internal.SmallBatches;
import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.schema.ArrowType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// An input of many small batches is named as such, with the same words by each command.
class SmallBatchesTest {
    @TempDir Path folder;

    @Test
    void onlyManyBatchesThatAreMostlyMetadataAreNamed() {
        assertNull(SmallBatches.text(99, 300, 900, 1000));
        assertNull(SmallBatches.text(100, 300, 499, 1000));
        assertEquals(
                "5,000 batches of 3 rows on average: metadata is 65 % of the bytes",
                SmallBatches.text(5_000, 15_400, 650, 1000));
    }

    @Test
    void commandsSayIt() throws IOException {
        String expected = "120 batches of 3 rows on average: metadata is 75 % of the bytes";
        String file = file(120, 3).toString();
        for (List<String> each :
                List.of(List.of("ls"), List.of("columns"), List.of("map", "--totals"))) {
            String[] args = each.toArray(new String[each.size() + 1]);
            args[each.size()] = file;
            assertTrue(Cli.run(args).lines().contains(expected), Cli.run(args).out());
            args[each.size()] = file(2, 3).toString();
            assertFalse(Cli.run(args).out().contains("on average"), each.toString());
        }
    }

    @Test
    void pageOfManyBatchesCountsTheirSizes() throws IOException {
        Path many = file(120, 3);
        String page = Cli.run("map", "--html", "-", many.toString()).out();
        // 2 to 3 rows; a body of 24 bytes.
        assertTrue(page.contains("\"batchSizes\":{\"rows\":[0,0,120,0"), page);
        assertTrue(page.contains("\"bytes\":[0,0,0,0,0,120,0"), page);
        page = Cli.run("map", "--html", "-", file(2, 3).toString()).out();
        assertFalse(page.contains("\"batchSizes\""));
    }

    private Path file(int batches, int rows) throws IOException {
        ArrowSchema schema =
                ArrowSchema.of(ArrowField.of("f", new ArrowType.Int(64, true)).nullable());
        BatchLayout layout = BatchLayout.compile(schema.toTable(), MetadataVersion.V5);
        BatchBuilder builder = new BatchBuilder(layout);
        Path file = folder.resolve(batches + ".arrow");
        try (OutputStream out = Files.newOutputStream(file);
                var writer = MessageWriter.of(ArrowContainer.FILE, out)) {
            writer.write(schema.toMessage(EmissionOrder.ARROW_CPP));
            for (int i = 0; i < batches; i++) {
                builder.begin(rows);
                MemorySegment data = MemorySegment.ofArray(new byte[rows * Long.BYTES]);
                builder.buffer(0, BufferRole.DATA, data);
                writer.write(builder);
            }
            writer.finish();
        }
        return file;
    }
}
