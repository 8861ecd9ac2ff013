// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify.messages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Rule;
import dev.fletch.ValueRule;
import dev.fletch.WorkMonitor;
import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BatchLayout;
import dev.fletch.batch.Dictionaries;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.testdata.ArrowCase;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.Goldens;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
    @MethodSource("dev.fletch.testdata.Goldens#parameters")
    void valuesOfGoldensAreSound(Path golden) {
        verify(Goldens.read(golden));
        String name = Goldens.title(golden);
        boolean isOld = name.contains("0.14.1") || name.contains("1.0.0");
        List<Rule> exempt =
                isOld && name.contains("_decimal")
                        ? List.of(ValueRule.VALUE_DECIMAL_PRECISION)
                        : isOld && name.contains("_datetime")
                                ? List.of(ValueRule.VALUE_DATE_PARTIAL, ValueRule.VALUE_TIME_RANGE)
                                : List.of();
        faults.removeIf(each -> exempt.stream().anyMatch(rule -> each.startsWith(rule.id() + ":")));
        assertEquals(List.of(), faults);
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Producers#parameters")
    void valuesOfOtherProducersAreSound(Path file) throws IOException {
        Goldens.assumePresent();
        verify(Files.readAllBytes(file));
        if (file.endsWith("js-lz4.arrows")) {
            // arrow-js claims the compressed length; no other reader can read it.
            assertEquals(2, faults.size(), faults::toString);
            faults.removeIf(each -> each.startsWith("decompression: "));
        }
        assertEquals(List.of(), faults);
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.ArrowVectorFiles#cases")
    void valuesOfArrowVectorFilesAreSound(ArrowCase each) throws IOException {
        verify(each.stream());
        if (each.hasFile()) {
            verify(each.file());
        }
        assertEquals(List.of(), faults);
    }

    @AfterAll
    static void allFilesHaveBatches() {
        CaseCount.report(
                "values of %,d batches with %,d fields; not checked: %,d",
                batches, fields, unchecked);
        assertTrue(batches > 0);
        assertEquals(0, unchecked);
    }

    private void verify(byte[] content) {
        Batches.visit(
                content,
                new Batches.Visitor() {
                    private ValueVerifier verifier;
                    private ArrowSchema schema;

                    @Override
                    public void schema(ArrowSchema model, BatchLayout layout) {
                        schema = model;
                        verifier =
                                new ValueVerifier(
                                        Batches.table(model),
                                        layout,
                                        WorkMonitor.NONE,
                                        Batches.decompressed());
                    }

                    @Override
                    public void batch(BatchCursor cursor, Dictionaries dictionaries) {
                        int before = faults.size();
                        verifier.collect(
                                cursor, dictionaries, each -> faults.add(each.toString()), 10);
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
                        verifier.collectDictionary(
                                id, cursor, each -> faults.add(each.toString()), 10);
                        count(cursor);
                        if (verifier.unchecked() == 0) {
                            compare(
                                    before,
                                    ReferenceValues.faultsOfDictionary(
                                            Batches.values(schema.fields(), id), cursor));
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
