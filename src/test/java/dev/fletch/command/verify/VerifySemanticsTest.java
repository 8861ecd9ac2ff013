// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.verify;

import static dev.fletch.command.SchemaTables.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Rule.Level;
import dev.fletch.check.Finding;
import dev.fletch.command.Frames;
import dev.fletch.command.SchemaTables;
import dev.fletch.flatbuf.VerifierOptions;
import dev.fletch.format.Buffer;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Type;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.Goldens;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;
import dev.fletch.testdata.TradesSample;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;

/// `fletch verify` tells what metadata must not say: level, code, message, path, absolute offset.
class VerifySemanticsTest {
    /// Finds the place of a node's null count by its value, changes it, and is told of that place.
    @Test
    void faultOfABatchHasItsOffsetInStreamsAndFiles() {
        for (byte[] bytes : List.of(TradesSample.stream(), TradesSample.file())) {
            assertEquals(List.of(), Verified.of(bytes).brief());
            OracleMessage batch = OracleListing.list(bytes).recordBatches().getLast();
            long position = batch.offset() + batch.prefixLength();
            ByteBuffer words = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
            int node = firstNode(words, (int) position);
            assertEquals(batch.rows(), words.getLong(node));
            words.putLong(node + 8, -5);
            Finding found = only(Verified.of(bytes));
            assertEquals(Level.MEANING, found.rule().level());
            assertEquals("null-count-range", found.rule().id());
            assertEquals(batch.index(), found.message());
            assertEquals("header.recordBatch.nodes[0].nullCount", found.path());
            assertEquals(node + 8, found.offset());
            assertTrue(found.text().contains("nulls=-5, length=150, column="), found.text());
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

    private static byte[] bytesOf(OracleMessage message) {
        ByteBuffer metadata = message.metadata().duplicate();
        byte[] bytes = new byte[metadata.remaining()];
        metadata.get(bytes);
        return bytes;
    }

    private static Finding only(Verified verified) {
        assertEquals(1, verified.findings().size(), () -> verified.brief().toString());
        return verified.findings().getFirst();
    }

    @Test
    void faultOfASchemaHasItsPathAndOffset() {
        FbsValue.Table wrong = SchemaTables.field("x", Type.INT, table("Int", "bitWidth", 24));
        byte[] stream = SchemaTables.stream(SchemaTables.schema(SchemaTables.utf8("a"), wrong));
        Finding found = only(Verified.of(stream));
        assertEquals("int-width", found.rule().id());
        assertEquals("header.schema.fields[1].type.bitWidth", found.path());
        assertEquals(24, stream[(int) found.offset()]);
    }

    /// What compressed buffers say of their size is in the body; strictly, that is read, too.
    @Test
    void uncompressedLengthsAreCheckedStrictly() throws IOException {
        for (String sample : List.of("lz4.stream", "zstd.stream", "lz4.arrow", "zstd.arrow")) {
            byte[] bytes =
                    Files.readAllBytes(
                            Goldens.repositoryRoot()
                                    .resolve("src/test/resources/arrow-cpp")
                                    .resolve(sample));
            assertEquals(List.of(), Verified.of(bytes, VerifierOptions.STRICT).brief());
            OracleMessage message = OracleListing.list(bytes).recordBatches().getFirst();
            RecordBatch batch = new RecordBatch();
            assertTrue(new Message().wrap(MemorySegment.ofArray(bytesOf(message))).header(batch));
            int last = batch.buffersCount() - 1;
            Buffer buffer = batch.buffers(last, new Buffer());
            assertTrue(buffer.length() > 8);
            ByteBuffer words = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
            int at = (int) (message.bodyOffset() + buffer.offset());
            String path = " " + message.index() + " header.recordBatch.buffers[" + last + "]";
            words.putLong(at, -2);
            assertEquals(
                    List.of("meaning uncompressed-length" + path),
                    Verified.of(bytes, VerifierOptions.STRICT).brief());
            assertEquals(List.of(), Verified.of(bytes).brief());
            assertEquals(1, Verified.run(bytes, "--strict").status());
            assertEquals(
                    Verified.of(bytes, VerifierOptions.STRICT).brief(),
                    Verified.piped(bytes, VerifierOptions.STRICT).brief());
            for (int i = 0; i <= last; i++) {
                if (batch.buffers(i, buffer).length() > 0) {
                    words.putLong((int) (message.bodyOffset() + buffer.offset()), 0);
                }
            }
            List<Finding> small = Verified.of(bytes, VerifierOptions.STRICT).findings();
            assertFalse(small.isEmpty());
            small.forEach(each -> assertTrue(each.rule().id().endsWith("-size"), each.rule().id()));
            String sizes = ".*: uncompressed=0, needed=[1-9][0-9]*, column=.*";
            small.forEach(each -> assertTrue(each.text().matches(sizes), each.text()));
            String json = Verified.run(bytes, "--strict", "--json").out();
            small.forEach(each -> assertTrue(json.contains(each.text()), json));
            assertEquals(small, Verified.piped(bytes, VerifierOptions.STRICT).findings());
            // What has been taken of a body that ends too early counts as its rest.
            byte[] cut = Arrays.copyOf(bytes, (int) message.bodyOffset() + 9);
            if (sample.endsWith("stream")) {
                assertEquals(
                        Verified.of(cut).findings(),
                        Verified.piped(cut, VerifierOptions.STRICT).findings());
            }
        }
    }

    /// The footer's schema is held against the rules, too, in terms of the footer.
    @Test
    void schemaOfAFooterIsChecked() {
        FbsValue.Table wrong = SchemaTables.field("x", Type.INT, table("Int", "bitWidth", 24));
        byte[] file = Frames.file(table("Footer", "schema", SchemaTables.schema(wrong)));
        List<String> found = Verified.of(file).brief();
        assertTrue(
                found.contains("meaning int-width schema.fields[0].type.bitWidth"),
                found::toString);
    }
}
