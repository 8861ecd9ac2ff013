// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.FletchException;
import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BatchLayout;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.Buffer;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.FieldNode;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.scan.FileScan;
import dev.fletch.testdata.TradesSample;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// A wrong number of a batch has the same rule, offset and column in all commands and in the
/// library.
class OneFaultTest {
    @TempDir Path folder;

    private final byte[] stream = TradesSample.stream();
    private final EncapsulatedMessage frame = new EncapsulatedMessage();
    private final Message message = new Message();
    private final RecordBatch batch = new RecordBatch();
    private BatchLayout layout;

    /// Binds the dictionary batch of the column `symbol`.
    private void bind() {
        MemorySegment memory = MemorySegment.ofArray(stream);
        frame.wrap(memory, 0, message);
        Schema schema = new Schema();
        assertTrue(message.header(schema));
        layout = BatchLayout.compile(schema, message.version()).dictionaryLayout(0);
        frame.wrap(memory, frame.nextOffset(), message);
        DictionaryBatch dictionary = new DictionaryBatch();
        assertTrue(message.header(dictionary) && dictionary.data(batch));
    }

    private Map<String, Object> fault(String id) {
        Map<String, Object> verified =
                JsonTree.object(
                        Cli.runWithInput(stream, "verify", "--json", "-").json().getFirst());
        Map<String, Object> fault = JsonTree.object(((List<?>) verified.get("faults")).getFirst());
        assertEquals(id, fault.get("code"));
        return fault;
    }

    private void assertSame(String id, String numbers) throws IOException {
        Map<String, Object> fault = fault(id);
        String at = "message " + fault.get("message") + ": offset " + fault.get("offset") + ": ";
        assertTrue(fault.get("text").toString().contains(numbers + ", column=symbol"), at + fault);
        Path file = Files.write(folder.resolve("a.stream"), stream);
        for (String command : List.of("columns", "count", "map", "convert")) {
            Cli.Run run =
                    command.equals("convert")
                            ? Cli.run(command, file.toString(), folder.resolve("b") + "")
                            : Cli.run(command, file.toString());
            assertEquals(1, run.status(), command);
            assertTrue(run.err().contains(at), at + run.err());
            assertTrue(run.err().contains("column=symbol"), run.err());
            assertTrue(run.err().contains(numbers), run.err());
        }
        var scanned = new FileScan().of(file.toString()).fault();
        assertEquals(fault.get("offset"), scanned.offset());
        assertTrue(scanned.text().contains("column=symbol"), scanned.text());
    }

    private void assertThrown(Rule rule, long offset, String numbers) {
        BatchCursor cursor = new BatchCursor().bind(layout, message).body(frame.bodySlice());
        FletchException e =
                assertThrows(FletchException.class, () -> cursor.buffer(0, 1, new ByteSlice()));
        assertEquals(rule, e.rule());
        assertEquals(offset, e.offset());
        assertTrue(e.getMessage().contains("column=symbol, buffer=1, " + numbers), e.getMessage());
    }

    @Test
    void bufferOutsideTheBodyIsTheSameFaultEverywhere() throws IOException {
        bind();
        var buffer = batch.buffers(1, new Buffer());
        buffer.set(8, 1 << 14);
        String numbers = "offset=8, length=16384, body=56";
        assertSame("buffer-out-of-body", numbers);
        long at = buffer.position() + 8;
        assertEquals(at, fault("buffer-out-of-body").get("offset"));
        assertThrown(MeaningRule.BUFFER_OUT_OF_BODY, at, numbers);
    }

    @Test
    void negativeBufferOffsetIsTheSameFaultEverywhere() throws IOException {
        bind();
        var buffer = batch.buffers(1, new Buffer());
        buffer.set(-8, 24);
        String numbers = "offset=-8, length=24, body=56";
        assertSame("negative-buffer-offset", numbers);
        assertThrown(MeaningRule.NEGATIVE_BUFFER_OFFSET, buffer.position(), numbers);
    }

    @Test
    void wrongColumnLengthIsTheSameFaultEverywhere() throws IOException {
        bind();
        batch.setLength(7);
        assertSame("column-length", "length=5, rows=7");
    }

    @Test
    void wrongNullCountIsTheSameFaultEverywhere() throws IOException {
        bind();
        batch.nodes(0, new FieldNode()).set(5, 6);
        assertSame("null-count-range", "nulls=6, length=5");
    }

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
