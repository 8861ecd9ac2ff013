// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.command.Cli;
import dev.fletch.command.Cli.Run;
import dev.fletch.corpus.CaseFile;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;

/// Inputs whose map would be too large. Other odd inputs are in `golden/commands/map.txt`.
@Timeout(120)
class MapLimitsTest {
    @TempDir Path folder;

    /// Each block takes 24 bytes, and would read the same large message again.
    @Test
    void blocksOfTheSameMessageAreLimited() throws IOException {
        Path twice = Files.write(folder.resolve("twice"), repeating(2));
        assertTrue(Cli.run("map", "--json", "" + twice).out().contains("\"columns\":64,"));
        Path repeated = Files.write(folder.resolve("repeated"), repeating(1_000));
        assertTrue(Cli.run("columns", repeated.toString()).out().contains("1000 rows"));
        byte[] many = repeating(10_000);
        Run run = Cli.run("map", "--totals", "" + Files.write(folder.resolve("often"), many));
        assertEquals(1, run.status());
        OracleMessage batch = OracleListing.list(repeating(1)).recordBatches().getFirst();
        long size = ArrowFile.of(MemorySegment.ofArray(many)).footerOffset();
        long limit = 16 * (size + 24L * 10_000) + (64 << 20);
        long message = batch.endOffset() - batch.offset();
        long again = (limit / message + 1) * message;
        String text = "blocks refer to the same bytes too often: bytes=%d, limit=%d;";
        assertTrue(run.err().contains(text.formatted(again, limit)), run.err());
    }

    /// A file of a batch, whose buffers have the same bytes, and so many blocks of it.
    private static byte[] repeating(int blocks) {
        return CaseFile.input(
                """
                let i32 = Int(bitWidth=32 is_signed=1)
                file blocks %s<a:i32*500>
                 | header RecordBatch(length=1 nodes=[(1 0)*500] buffers=[%s]) zeros(64)
                """
                        .formatted("1 ".repeat(blocks), "(0 0) (0 64) ".repeat(500)));
    }
}
