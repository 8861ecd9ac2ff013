// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.verify;

import static dev.fletch.command.SchemaTables.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.command.Cli;
import dev.fletch.command.Cli.Run;
import dev.fletch.command.SchemaTables;
import dev.fletch.flatbuf.VerifierOptions;
import dev.fletch.format.FieldNode;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Type;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;
import dev.fletch.testdata.Reports;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// What `fletch verify` says about inputs like those of public bug reports, in text and JSON.
class VerifyReportsTest {

    // ---- compressed sizes

    /// Bound to the batch of a message in the bytes: its setters change them.
    private static RecordBatch batch(byte[] bytes, OracleMessage message) {
        int at = (int) (message.offset() + message.prefixLength());
        RecordBatch batch = new RecordBatch();
        MemorySegment memory = MemorySegment.ofArray(bytes);
        Message bound = new Message().wrap(memory, at, message.bodyOffset() - at);
        assertTrue(bound.header(batch));
        return batch;
    }

    // ---- null counts

    @Test
    void nullCountsWithoutValidityAreADeviation() {
        for (String name : List.of("sparse_unions", "dense_unions", "run_end_encoded")) {
            byte[] file = ArrowVectorFiles.named(name).file();
            assertEquals(List.of(), Verified.of(file, VerifierOptions.STRICT).brief());
            List<OracleMessage> batches = OracleListing.list(file).recordBatches();
            FieldNode node = batch(file, batches.getFirst()).nodes(0, new FieldNode());
            node.set(node.length(), 1);
            Run run = Verified.run(file);
            assertEquals(0, run.status());
            assertTrue(
                    run.out()
                            .contains(
                                    ": deviation: message 1: meaning:"
                                            + " null-count-without-validity: "),
                    run.out());
            String json = Verified.run(file, "--json").out();
            assertTrue(json.contains("\"code\":\"null-count-without-validity\""), json);
            assertTrue(json.contains(": value=1, column="), json);
            // Its page: such columns have no nulls of their own.
            String columns = Cli.runWithInput(file, "columns", "--json", "-").out();
            assertTrue(columns.contains("\"rows\":15,\"nulls\":0,"), columns);
            String text = Cli.runWithInput(file, "columns", "-").out();
            assertTrue(text.lines().skip(1).findFirst().orElseThrow().matches(".* 15 +0 .*"), text);
        }
    }

    // ---- types without their table

    @Test
    void aTypeWithoutParametersMayLackItsTable() {
        for (boolean isEmpty : new boolean[] {true, false}) {
            FbsValue.Table field =
                    table("Field", "name", "x", "type_type", isEmpty ? Type.UTF8 : Type.INT);
            byte[] stream = SchemaTables.stream(SchemaTables.schema(field));
            String code = isEmpty ? "no-empty-type-table" : "no-type-table";
            String path = " 0 header.schema.fields[0].type";
            assertEquals(List.of("meaning " + code + path), Verified.of(stream).brief());
            assertEquals(
                    List.of("structure union-tag-without-value" + path, "meaning " + code + path),
                    Verified.of(stream, VerifierOptions.STRICT).brief());
            assertEquals(isEmpty ? 0 : 1, Verified.run(stream, "--strict").status());
        }
        // Other commands read it, too.
        byte[] stream =
                SchemaTables.stream(
                        SchemaTables.schema(table("Field", "name", "x", "type_type", Type.UTF8)));
        Run schema = Cli.runWithInput(stream, "schema", "-");
        assertEquals(0, schema.status());
        assertTrue(schema.out().contains("x: utf8"), schema.out());
    }

    // ---- the reported inputs themselves

    @Test
    void reportedInputsHaveTheDocumentedFault() throws IOException {
        Object[][] cases = {
            {"nested-java12.arrow", 0, ""},
            {"nested-java12.arrows", 0, "deviation: message 1: meaning: dictionary-late"},
            {"zstd-huge.arrow", 1, "message 1: meaning: uncompressed-length"},
            {"tensor-neg.bin", 1, "message 0: meaning: tensor-dimension"},
            {"ree-nullcount.arrow", 0, "deviation: message 1: meaning: null-count-without-validity"}
        };
        for (Object[] each : cases) {
            String path = Reports.folder().resolve((String) each[0]).toString();
            Run run = Cli.run("verify", "--strict", path);
            assertEquals(each[1], run.status(), run.out());
            List<String> lines =
                    run.out().lines().filter(line -> !line.contains(": ok: ")).toList();
            assertEquals(((String) each[2]).isEmpty() ? 0 : 1, lines.size(), run.out());
            lines.forEach(line -> assertTrue(line.contains(path + ": " + each[2] + ": "), line));
        }
    }
}
