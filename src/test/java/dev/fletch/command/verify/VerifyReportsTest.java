// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.verify;

import static dev.fletch.command.SchemaTables.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.command.Cli;
import dev.fletch.command.Cli.Run;
import dev.fletch.command.Frames;
import dev.fletch.command.SchemaTables;
import dev.fletch.flatbuf.VerifierOptions;
import dev.fletch.format.Buffer;
import dev.fletch.format.FieldNode;
import dev.fletch.format.Message;
import dev.fletch.format.MessageHeader;
import dev.fletch.format.MetadataVersion;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Type;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;
import dev.fletch.testdata.Reports;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Collections;
import java.util.List;

/// What `fletch verify` says about inputs like those of public bug reports, in text and JSON.
class VerifyReportsTest {
    // ---- nested dictionaries

    @Test
    void outerDictionariesFirstAreADeviationInStreamsOnly() {
        byte[] stream = ArrowVectorFiles.outerFirst(3).stream();
        assertEquals(
                List.of(
                        "meaning dictionary-late 1 header.dictionaryBatch.data.nodes[1]",
                        "meaning dictionary-late 2 header.dictionaryBatch.data.nodes[1]"),
                Verified.of(stream, VerifierOptions.STRICT).brief());
        Run run = Verified.run(stream);
        assertEquals(0, run.status());
        assertTrue(run.out().contains(": deviation: message 1: meaning: dictionary-late: "));
        assertTrue(run.out().contains(": dictionary=2, column=outer.inside"), run.out());
        assertEquals(1, Verified.run(stream, "--fail-on=deviation").status());
        String json = Verified.run(stream, "--json").out();
        assertTrue(json.contains("\"severity\":\"deviation\",\"code\":\"dictionary-late\""), json);
        byte[] file = ArrowVectorFiles.outerFirst(3).file();
        assertEquals(List.of(), Verified.of(file, VerifierOptions.STRICT).brief());
    }

    @Test
    void anInnerDictionaryThatARecordBatchNeedsIsAnError() {
        byte[] stream = ArrowVectorFiles.outerFirst(2).stream();
        ByteArrayOutputStream cut = new ByteArrayOutputStream();
        for (OracleMessage each : OracleListing.list(stream).messages()) {
            if (each.index() != 2) {
                cut.write(stream, (int) each.offset(), (int) (end(each) - each.offset()));
            }
        }
        Run run = Verified.run(cut.toByteArray());
        assertEquals(1, run.status());
        String error = ": message 2: meaning: dictionary-undefined: ";
        assertTrue(run.out().contains(error), run.out());
        String numbers = "dictionary is not defined: dictionary=2, neededBy=1, column=outer";
        assertTrue(run.out().contains(numbers), run.out());
        String json = Verified.run(cut.toByteArray(), "--json").out();
        assertTrue(json.contains("\"code\":\"dictionary-undefined\""), json);
        assertTrue(json.contains(numbers), json);
    }

    private static long end(OracleMessage message) {
        return message.bodyOffset() + message.bodyLength();
    }

    // ---- compressed sizes

    @Test
    void anImpossibleUncompressedSizeIsAnErrorOfStrictVerification() {
        for (String codec : List.of("lz4", "zstd")) {
            byte[] bytes = ArrowVectorFiles.named(codec).file();
            OracleMessage message = OracleListing.list(bytes).recordBatches().getFirst();
            RecordBatch batch = batch(bytes, message);
            Buffer buffer = batch.buffers(1, new Buffer());
            long limit = (codec.equals("lz4") ? 256 : 32_768) * (buffer.length() - 8);
            ByteBuffer words = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
            int at = (int) (message.bodyOffset() + buffer.offset());
            words.putLong(at, limit);
            assertEquals(0, Verified.run(bytes, "--strict").status());
            for (long claim : new long[] {limit + 1, 1L << 62, Long.MAX_VALUE}) {
                words.putLong(at, claim);
                Run run = Verified.run(bytes, "--strict");
                assertEquals(1, run.status());
                String found = ", uncompressed=" + claim + ", limit=" + limit + ", column=number";
                assertTrue(run.out().contains("uncompressed-length: "), run.out());
                assertTrue(run.out().contains(found), run.out());
                String json = Verified.run(bytes, "--strict", "--json").out();
                assertTrue(json.contains("\"code\":\"uncompressed-length\""), json);
                assertTrue(json.contains(found), json);
                // Bodies are not read otherwise; sizes are listed only if they are possible.
                assertEquals(0, Verified.run(bytes).status());
                Run columns = Cli.runWithInput(bytes, "columns", "-");
                assertEquals(1, columns.status());
                assertTrue(columns.err().contains("limit=" + limit), columns.err());
            }
        }
    }

    /// Bound to the batch of a message in the bytes: its setters change them.
    private static RecordBatch batch(byte[] bytes, OracleMessage message) {
        int at = (int) (message.offset() + message.prefixLength());
        RecordBatch batch = new RecordBatch();
        MemorySegment memory = MemorySegment.ofArray(bytes);
        Message bound = new Message().wrap(memory, at, message.bodyOffset() - at);
        assertTrue(bound.header(batch));
        return batch;
    }

    // ---- tensors

    @Test
    void tensorsWithNonsensicalNumbersAreErrors() {
        FbsValue.Table type = table("Int", "bitWidth", 64, "is_signed", 1);
        FbsValue.Table tensor =
                table(
                        "Tensor",
                        "type_type",
                        Type.INT,
                        "type",
                        type,
                        "shape",
                        List.of(table("TensorDim", "size", -2)),
                        "strides",
                        new FbsValue.Vector(List.of(new FbsValue.Number(-8))),
                        "data",
                        SchemaTables.struct(0, 72));
        assertTensor(
                tensor,
                MessageHeader.TENSOR,
                List.of(
                        "tensor-dimension 0 header.tensor.shape[0].size",
                        "tensor-stride 0 header.tensor.strides[0]",
                        "buffer-out-of-body 0 header.tensor.data.length"));
        FbsValue.Table index =
                table(
                        "SparseTensorIndexCOO",
                        "indicesType",
                        type,
                        "indicesBuffer",
                        SchemaTables.struct(0, 8));
        FbsValue.Table sparse =
                table(
                        "SparseTensor",
                        "type_type",
                        Type.INT,
                        "type",
                        type,
                        "shape",
                        List.of(table("TensorDim", "size", 9)),
                        "non_zero_length",
                        3,
                        "sparseIndex_type",
                        1,
                        "sparseIndex",
                        index,
                        "data",
                        SchemaTables.struct(8, 16));
        assertTensor(
                sparse,
                MessageHeader.SPARSE_TENSOR,
                List.of(
                        "sparse-index-size 0 header.sparseTensor.sparseIndex.indicesBuffer.length",
                        "tensor-size 0 header.sparseTensor.data.length"));
    }

    private static void assertTensor(FbsValue.Table tensor, int kind, List<String> faults) {
        FbsValue.Table message =
                table(
                        "Message",
                        "version",
                        MetadataVersion.V5,
                        "header_type",
                        kind,
                        "header",
                        tensor,
                        "bodyLength",
                        64);
        byte[] stream =
                Frames.joined(Frames.encapsulated(SchemaTables.bytes(message)), new byte[64]);
        assertEquals(
                faults.stream().map(each -> "meaning " + each).toList(),
                Verified.of(stream).brief());
        Run run = Verified.run(stream);
        assertEquals(1, run.status());
        String json = Verified.run(stream, "--json").out();
        for (String each : faults) {
            String code = each.split(" ")[0];
            assertTrue(run.out().contains(": message 0: meaning: " + code + ": "), run.out());
            assertTrue(json.contains("\"code\":\"" + code + "\""), json);
        }
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

    // ---- offsets of empty columns

    @Test
    void anEmptyColumnWithoutOffsetIsANoteOfStrictVerification() {
        FbsValue.Table schema = SchemaTables.schema(SchemaTables.utf8("a"), SchemaTables.utf8("b"));
        FbsValue.Table batch =
                table(
                        "RecordBatch",
                        "nodes",
                        List.of(SchemaTables.struct(0, 0), SchemaTables.struct(0, 0)),
                        "buffers",
                        Collections.nCopies(6, SchemaTables.struct(0, 0)));
        FbsValue.Table message =
                table(
                        "Message",
                        "version",
                        MetadataVersion.V5,
                        "header_type",
                        MessageHeader.RECORD_BATCH,
                        "header",
                        batch);
        byte[] stream =
                Frames.joined(
                        SchemaTables.stream(schema),
                        Frames.encapsulated(SchemaTables.bytes(message)),
                        Frames.endOfStream());
        Run run = Verified.run(stream, "--strict");
        assertEquals(0, run.status());
        assertEquals(1, run.out().lines().filter(each -> each.contains("no-offset")).count());
        assertTrue(run.out().contains(": note: message 1: meaning: no-offset: "), run.out());
        assertTrue(run.out().contains("arrow-java before 19, arrow-rs before 58.2"), run.out());
        assertTrue(run.out().contains(": value=0, needed=4, column=a"), run.out());
        String json = Verified.run(stream, "--strict", "--json").out();
        assertTrue(json.contains("\"severity\":\"note\",\"code\":\"no-offset\""), json);
        assertEquals(List.of(), Verified.of(stream).brief());
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
    void reportedInputs() throws IOException {
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
