// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify.messages;

import static dev.fletch.verify.messages.Meant.bound;
import static dev.fletch.verify.messages.Meant.bytes;
import static dev.fletch.verify.messages.Meant.message;
import static dev.fletch.verify.messages.Meant.pair;
import static dev.fletch.verify.messages.Meant.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Checks;
import dev.fletch.MeaningRule;
import dev.fletch.corpus.Corpus;
import dev.fletch.format.Message;
import dev.fletch.format.SparseTensor;
import dev.fletch.format.Tensor;
import dev.fletch.format.ids.Type;
import dev.fletch.format.internal.tables.TypeFacts;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleListing.MalformedException;
import dev.fletch.testdata.OracleMessage;
import dev.fletch.testdata.TypeVariants;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Tensors outside of messages, whose body is not known.
class TensorRootsTest {
    private static List<String> found(Predicate verified, String prefix) {
        List<String> found = new ArrayList<>();
        SemanticVerifier meaning = new SemanticVerifier(Checks.STRICT);
        meaning.collect(
                fault ->
                        found.add(
                                fault.rule()
                                        + " "
                                        + fault.path().replace(prefix, "")
                                        + " "
                                        + fault.details().replaceFirst(", body=-?\\d+", "")),
                20);
        assertEquals(verified.test(meaning), found.isEmpty());
        return found;
    }

    private interface Predicate {
        boolean test(SemanticVerifier meaning);
    }

    private static boolean isAccepted(SemanticVerifier meaning, Message message) {
        SparseTensor sparse = new SparseTensor();
        Tensor dense = new Tensor();
        return message.header(sparse)
                ? meaning.sparseTensor(sparse)
                : message.header(dense) && meaning.tensor(dense);
    }

    private static List<Message> tensors(byte[] stream) {
        try {
            return OracleListing.list(stream).messages().stream()
                    .map(TensorRootsTest::wrapped)
                    .filter(each -> each.header(new Tensor()) || each.header(new SparseTensor()))
                    .toList();
        } catch (MalformedException e) {
            return List.of();
        }
    }

    private static Message wrapped(OracleMessage of) {
        return new Message().wrap(MemorySegment.ofArray(SemanticRun.bytesOf(of)));
    }

    /// All but that a buffer is not inside the body.
    @Test
    void aRootHasTheFaultsOfItsMessage() throws IOException {
        int faults = 0;
        int sound = 0;
        for (Map<String, Object> row : Corpus.index().values()) {
            if (!row.get("level").equals("meaning") || !row.get("container").equals("stream")) {
                continue;
            }
            for (String file : List.of((String) row.get("file"), (String) row.get("base"))) {
                for (Message each : tensors(Files.readAllBytes(Corpus.FOLDER.resolve(file)))) {
                    String prefix =
                            each.header(new Tensor()) ? "header.tensor." : "header.sparseTensor.";
                    List<String> ofMessage = found(meaning -> meaning.message(each), prefix);
                    ofMessage.removeIf(
                            fault -> fault.startsWith(MeaningRule.BUFFER_OUT_OF_BODY.id()));
                    assertEquals(
                            ofMessage, found(meaning -> isAccepted(meaning, each), prefix), file);
                    faults += ofMessage.size();
                    sound += ofMessage.isEmpty() ? 1 : 0;
                }
            }
        }
        assertTrue(faults > 50 && sound > 50, faults + ", " + sound);
        CaseCount.report("Tensors as roots: %d faults, %d sound", faults, sound);
    }

    @Test
    void tensorsOfArrowCppHaveNoFault() throws IOException {
        int count = 0;
        try (Stream<Path> all = Files.list(Path.of("src/test/resources/arrow-cpp"))) {
            for (Path each : all.sorted().toList()) {
                if (each.getFileName().toString().matches("(tensor_|coo_|cs).*[.]stream")) {
                    byte[] stream = Files.readAllBytes(each);
                    assertEquals(List.of(), SemanticRun.found(stream, Checks.STRICT));
                    Message message = tensors(stream).getFirst();
                    assertEquals(List.of(), found(meaning -> isAccepted(meaning, message), ""));
                    count++;
                }
            }
        }
        assertEquals(10, count);
    }

    private static FbsValue.Table tensor(int type, FbsValue.Table parameters, long size) {
        return table(
                "Tensor",
                "type_type",
                type,
                "type",
                parameters,
                "shape",
                List.of(table("TensorDim", "size", size)),
                "data",
                new long[] {0, 1 << 10});
    }

    @Test
    void cellsHaveTypesOfWholeBytes() {
        int accepted = 0;
        for (TypeVariants each : TypeVariants.all()) {
            SemanticVerifier ofColumns = new SemanticVerifier();
            if (!ofColumns.message(bound(bytes(message(Meant.schema(each.field()), 0))))) {
                continue; // parameters that no column may have
            }
            boolean isFixed =
                    TypeFacts.of(each.type()).width() != TypeFacts.Width.VARIABLE
                            && each.type() != Type.BOOL;
            var parameters = (FbsValue.Table) each.field().fields().get("type");
            byte[] bytes = bytes(message(tensor(each.type(), parameters, 2), 1 << 10));
            SemanticVerifier meaning = new SemanticVerifier();
            assertEquals(isFixed, meaning.message(bound(bytes)), each.what());
            if (!isFixed) {
                assertEquals(MeaningRule.TENSOR_TYPE, meaning.fault().rule(), each.what());
            }
            accepted += isFixed ? 1 : 0;
        }
        assertTrue(accepted > 10, "accepted: " + accepted);
    }

    /// A tensor outside of a message leaves the stream as it is.
    @Test
    void tensorOutsideAMessageDoesNotChangeTheStream() {
        SemanticVerifier meaning = new SemanticVerifier();
        assertTrue(meaning.message(bound(bytes(message(Meant.schema(Meant.INT8), 0)))));
        byte[] negative = bytes(tensor(Type.INT, table("Int", "bitWidth", 32), -3));
        assertFalse(meaning.tensor(new Tensor().wrap(MemorySegment.ofArray(negative))));
        assertEquals("shape[0].size", meaning.fault().path());
        FbsValue.Table batch = Meant.batch(List.of(pair(3, 0)), List.of(pair(0, 0), pair(0, 3)));
        assertTrue(meaning.message(bound(bytes(message(batch, 8)))));
    }
}
