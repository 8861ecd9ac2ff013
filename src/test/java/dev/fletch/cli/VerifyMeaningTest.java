// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli;

import static dev.fletch.cli.SchemaTables.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.format.Type;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;
import dev.fletch.testdata.TradesSample;

import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/// `fletch verify` tells what metadata must not say: level, code, message, path, absolute offset.
class VerifyMeaningTest {
    /// Finds the place of a node's null count by its value, changes it, and is told of that place.
    @Test
    void streamsAndFiles() {
        for (byte[] bytes : List.of(TradesSample.stream(), TradesSample.file())) {
            assertEquals(List.of(), Verified.of(bytes).brief());
            OracleMessage batch = OracleListing.list(bytes).recordBatches().getLast();
            long position = batch.offset() + batch.prefixLength();
            ByteBuffer words = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
            int node = firstNode(words, (int) position);
            assertEquals(batch.rows(), words.getLong(node));
            words.putLong(node + 8, -5);
            Finding found = only(Verified.of(bytes));
            assertEquals(Level.MEANING, found.level());
            assertEquals("null-count-range", found.code());
            assertEquals(batch.index(), found.message());
            assertEquals("header.recordBatch.nodes[0].nullCount", found.path());
            assertEquals(node + 8, found.offset());
            assertTrue(found.text().contains("value=-5, column="), found.text());
        }
    }

    /// Follows message, header and nodes by hand.
    private static int firstNode(ByteBuffer words, int root) {
        int batch = follow(words, root + words.getInt(root), 2);
        return follow(words, batch, 1) + 4;
    }

    private static int follow(ByteBuffer words, int table, int slot) {
        int at = table + words.getShort(table - words.getInt(table) + 4 + 2 * slot);
        return at + words.getInt(at);
    }

    private static Finding only(Verified verified) {
        assertEquals(1, verified.findings().size(), () -> verified.brief().toString());
        return verified.findings().getFirst();
    }

    @Test
    void schemas() {
        FbsValue.Table wrong = SchemaTables.field("x", Type.INT, table("Int", "bitWidth", 24));
        byte[] stream = SchemaTables.stream(SchemaTables.schema(SchemaTables.utf8("a"), wrong));
        Finding found = only(Verified.of(stream));
        assertEquals("int-width", found.code());
        assertEquals("header.schema.fields[1].type.bitWidth", found.path());
        assertEquals(24, stream[(int) found.offset()]);
    }

    /// The footer's schema is held against the rules, too, in terms of the footer.
    @Test
    void footers() {
        FbsValue.Table wrong = SchemaTables.field("x", Type.INT, table("Int", "bitWidth", 24));
        byte[] file = Frames.file(table("Footer", "schema", SchemaTables.schema(wrong)));
        List<String> found = Verified.of(file).brief();
        assertTrue(
                found.contains("meaning int-width schema.fields[0].type.bitWidth"),
                found::toString);
    }
}
