// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.map;

import static dev.fletch.command.map.MapFrames.batch;
import static dev.fletch.command.map.MapFrames.file;
import static dev.fletch.command.map.MapFrames.int32;
import static dev.fletch.command.map.MapFrames.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.command.Cli;
import dev.fletch.command.Cli.Run;
import dev.fletch.command.SchemaTables;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.Frames;
import dev.fletch.testdata.FbsValue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/// Inputs whose map would be too large. Other odd inputs are in `golden/commands/map.txt`.
@Timeout(120)
class MapLimitsTest {
    @TempDir Path folder;

    /// Each block takes 24 bytes, and would read the same large message again.
    @Test
    void blocksOfTheSameMessageAreLimited() throws IOException {
        FbsValue.Table[] columns = new FbsValue.Table[500];
        Arrays.fill(columns, int32("a"));
        byte[] schema = schema(columns);
        FbsValue.Table footer = SchemaTables.schema(columns);
        long[] buffers = new long[4 * columns.length];
        for (int i = 3; i < buffers.length; i += 4) {
            buffers[i] = 64; // the same bytes
        }
        byte[] batch = batch(columns.length, 64, buffers);
        long[] block = {8 + schema.length, batch.length, 64};
        byte[] messages = Frames.join(schema, batch, new byte[64]);
        Path twice = Files.write(folder.resolve("twice"), file(footer, messages, block, block));
        assertTrue(Cli.run("map", "--json", "" + twice).out().contains("\"columns\":64,"));
        long[][] some = Collections.nCopies(1_000, block).toArray(long[][]::new);
        Path repeated = Files.write(folder.resolve("repeated"), file(footer, messages, some));
        assertTrue(Cli.run("columns", repeated.toString()).out().contains("1000 rows"));
        long[][] many = Collections.nCopies(10_000, block).toArray(long[][]::new);
        Path path = Files.write(folder.resolve("often"), file(footer, messages, many));
        Run run = Cli.run("map", "--totals", path.toString());
        assertEquals(1, run.status());
        long size = ArrowFile.of(MemorySegment.ofArray(Files.readAllBytes(path))).footerOffset();
        long limit = 16 * (size + 24L * many.length) + (64 << 20);
        long message = block[1] + block[2];
        long again = (limit / message + 1) * message;
        String text = "blocks refer to the same bytes too often: bytes=%d, limit=%d;";
        assertTrue(run.err().contains(text.formatted(again, limit)), run.err());
    }

    @Test
    void sharedTextsAreLimited() {
        FbsValue.Table[] fields = new FbsValue.Table[20_000];
        Arrays.fill(fields, SchemaTables.utf8("x".repeat(100_000)));
        assertTooLarge(SchemaTables.schema(fields));
        // Each path repeats those above it.
        FbsValue.Table nested = SchemaTables.utf8("y".repeat(10_000));
        for (int i = 0; i < 100; i++) {
            nested = SchemaTables.struct("x".repeat(10_000), nested);
        }
        assertTooLarge(SchemaTables.schema(nested));
    }

    private static void assertTooLarge(FbsValue.Table schema) {
        for (String option : List.of("--json", "--totals")) {
            Run run = Cli.runWithInput(SchemaTables.stream(schema), "map", option, "-");
            assertEquals(1, run.status());
            assertTrue(run.err().contains(": schema is too large for its bytes"), run.err());
        }
    }
}
