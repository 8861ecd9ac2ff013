// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify.messages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.ValueRule;
import dev.fletch.WorkMonitor;
import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BatchLayout;
import dev.fletch.batch.Dictionaries;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.InputBatches;
import dev.fletch.testdata.RealInput;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// The values of files by the Arrow project, other producers and arrow-java have no faults, but for
/// some old ones: the integration tests of Arrow exempt the same from their checks.
class ValueVerifierAgreesTest {
    private static int batches;
    private static int fields;
    private static int unchecked;

    private final List<String> faults = new ArrayList<>();

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.RealInput#all")
    void valuesAreSound(RealInput input) throws IOException {
        verify(input.bytes());
        if (input.name().contains("js-lz4")) {
            // arrow-js claims the compressed length; no other reader can read it.
            assertEquals(2, faults.size(), faults::toString);
        }
        List<Rule> exempt = exempt(input.name());
        faults.removeIf(each -> exempt.stream().anyMatch(rule -> each.startsWith(rule.id() + ":")));
        assertEquals(List.of(), faults);
    }

    private static List<Rule> exempt(String name) {
        boolean isOld = name.contains("0.14.1") || name.contains("1.0.0");
        if (isOld && name.contains("_decimal")) {
            return List.of(ValueRule.VALUE_DECIMAL_PRECISION);
        }
        if (isOld && name.contains("_datetime")) {
            return List.of(ValueRule.VALUE_DATE_PARTIAL, ValueRule.VALUE_TIME_RANGE);
        }
        return name.contains("js-lz4") ? List.of(MeaningRule.DECOMPRESSION) : List.of();
    }

    @AfterAll
    static void allFilesHaveBatches() {
        CaseCount.report(
                "values of %,d batches with %,d fields; not checked: %,d",
                batches, fields, unchecked);
        assertTrue(batches > 0);
        assertEquals(0, unchecked);
    }

    private void verify(byte[] content) throws IOException {
        InputBatches.visit(
                content,
                new InputBatches.Visitor() {
                    private ValueVerifier verifier;
                    private ArrowSchema schema;

                    @Override
                    public void schema(ArrowSchema model, BatchLayout layout) {
                        schema = model;
                        verifier =
                                new ValueVerifier(
                                        InputBatches.table(model),
                                        layout,
                                        WorkMonitor.NONE,
                                        InputBatches.decompressed());
                    }

                    @Override
                    public void batch(BatchCursor cursor, Dictionaries dictionaries) {
                        int before = faults.size();
                        verifier.verify(cursor, dictionaries, each -> faults.add(each.toString()));
                        count(cursor);
                        boolean isReadable =
                                faults.stream().noneMatch(each -> each.startsWith("decompr"));
                        if (verifier.unchecked() == 0 && isReadable) {
                            compare(
                                    before,
                                    ReferenceValues.faults(schema.fields(), cursor, dictionaries));
                        }
                    }

                    @Override
                    public void dictionary(long id, BatchCursor cursor) {
                        int before = faults.size();
                        verifier.verifyDictionary(id, cursor, each -> faults.add(each.toString()));
                        count(cursor);
                        if (verifier.unchecked() == 0) {
                            compare(
                                    before,
                                    ReferenceValues.faultsOfDictionary(
                                            InputBatches.values(schema.fields(), id), cursor));
                        }
                    }

                    private void count(BatchCursor cursor) {
                        batches++;
                        fields += cursor.layout().fieldCount();
                        unchecked += verifier.unchecked();
                    }

                    private void compare(int before, List<String> reference) {
                        assertEquals(
                                reference.isEmpty(),
                                faults.size() == before,
                                () -> reference + " " + faults);
                    }
                });
    }
}
