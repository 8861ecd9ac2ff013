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
    void fileIsWhatIsWritten() throws IOException {
        byte[] committed = Files.readAllBytes(TradesSample.path("trades.arrow"));
        assertArrayEquals(TradesSample.file(), committed);
        assertTrue(committed.length < MAX_BYTES, () -> "bytes=" + committed.length);
        OracleFile listed = OracleListing.list(committed);
        assertEquals(Container.FILE, listed.container());
        assertEquals(1 + 1 + TradesSample.BATCH_ROWS.size(), listed.messages().size());
    }

    @Test
    void streamIsWhatIsWritten() throws IOException {
        byte[] committed = Files.readAllBytes(TradesSample.path("trades.stream"));
        assertArrayEquals(TradesSample.stream(), committed);
        assertEquals(Container.STREAM, OracleListing.list(committed).container());
    }

    @Test
    void bothAreReadable() throws IOException {
        ArrowVectorReading file =
                ArrowVectorReading.read(Files.readAllBytes(TradesSample.path("trades.arrow")));
        ArrowVectorReading stream =
                ArrowVectorReading.read(Files.readAllBytes(TradesSample.path("trades.stream")));
        assertEquals(TradesSample.BATCH_ROWS, file.batchRows());
        assertEquals(7, file.schema().getFields().size());
        assertEquals(file.schema(), stream.schema());
        assertEquals(file.values(), stream.values());
    }
}
