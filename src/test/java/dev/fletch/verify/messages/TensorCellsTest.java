// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify.messages;

import static dev.fletch.verify.messages.Meant.bound;
import static dev.fletch.verify.messages.Meant.bytes;
import static dev.fletch.verify.messages.Meant.message;
import static dev.fletch.verify.messages.Meant.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Checks;
import dev.fletch.MeaningRule;
import dev.fletch.format.ids.Type;
import dev.fletch.format.internal.tables.TypeFacts;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.FirstFault;
import dev.fletch.testdata.TypeVariants;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// The types of the cells of tensors.
class TensorCellsTest {
    @Test
    void tensorsOfArrowCppHaveNoFault() throws IOException {
        int count = 0;
        try (Stream<Path> all = Files.list(Path.of("src/test/resources/arrow-cpp"))) {
            for (Path each : all.sorted().toList()) {
                if (each.getFileName().toString().matches("(tensor_|coo_|cs).*[.]stream")) {
                    byte[] stream = Files.readAllBytes(each);
                    assertEquals(List.of(), SemanticRun.found(stream, Checks.STRICT));
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
            SemanticVerifier ofColumns = new SemanticVerifier(Checks.DEFAULT, new FirstFault());
            if (!ofColumns.message(bound(bytes(message(Meant.schema(each.field()), 0))))) {
                continue; // parameters that no column may have
            }
            boolean isFixed =
                    TypeFacts.of(each.type()).width() != TypeFacts.Width.VARIABLE
                            && each.type() != Type.BOOL;
            var parameters = (FbsValue.Table) each.field().fields().get("type");
            byte[] bytes = bytes(message(tensor(each.type(), parameters, 2), 1 << 10));
            FirstFault first = new FirstFault();
            SemanticVerifier meaning = new SemanticVerifier(Checks.DEFAULT, first);
            assertEquals(isFixed, meaning.message(bound(bytes)), each.what());
            if (!isFixed) {
                assertEquals(MeaningRule.TENSOR_TYPE, first.fault().rule(), each.what());
            }
            accepted += isFixed ? 1 : 0;
        }
        assertTrue(accepted > 10, "accepted: " + accepted);
    }
}
