// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.testdata.OracleFile.Container;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;

/// The sample in the repository is what [TradesSample] writes, and arrow-vector reads it.
class TradesSampleTest {
    private static final int MAX_BYTES = 64 * 1024;

    @Test
    void committedFileIsTheGeneratedOne() throws IOException {
        byte[] committed = Files.readAllBytes(TradesSample.path("trades.arrow"));
        assertArrayEquals(TradesSample.written(true), committed);
        assertTrue(committed.length < MAX_BYTES, () -> "bytes=" + committed.length);
        OracleFile listed = OracleListing.list(committed);
        assertEquals(Container.FILE, listed.container());
        assertEquals(1 + 1 + TradesSample.BATCH_ROWS.size(), listed.messages().size());
    }

    @Test
    void committedStreamIsTheGeneratedOne() throws IOException {
        byte[] committed = Files.readAllBytes(TradesSample.path("trades.stream"));
        assertArrayEquals(TradesSample.written(false), committed);
        assertEquals(Container.STREAM, OracleListing.list(committed).container());
    }
}
