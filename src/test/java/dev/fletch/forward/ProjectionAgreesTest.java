// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.forward;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.batch.BatchLayout;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.RealInput;
import dev.fletch.testdata.Reports;
import dev.fletch.testdata.VectorTexts;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/// arrow-java reads the same fields, values and null counts from chosen columns that were forwarded
/// as from the whole: each single column, and random subsets in random order.
class ProjectionAgreesTest {
    private static final int SUBSETS = CaseCount.of(3, 40);

    private static int files;
    private static int streams;
    private static int columns;
    private static int reduced;
    private static int dictionariesLeftOut;

    private final Random random = new Random(7);

    // ---- inputs

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.RealInput#readByArrowJava")
    void columnsAgree(RealInput input) throws IOException {
        compare(input.bytes());
    }

    /// Inputs of public reports that arrow-java reads.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "rs6311-real.arrow",
                "swift91-nopad.arrow",
                "nested-java12.arrow",
                "footer-repeats.arrow"
            })
    void columnsOfReportedFilesAgree(String name) throws IOException {
        compare(Files.readAllBytes(Reports.folder().resolve(name)));
    }

    // ---- choices

    private void compare(byte[] content) throws IOException {
        VectorTexts all = VectorTexts.ofArrow(content);
        int count = all.fields().size();
        for (int column = 0; column < Math.min(40, count); column++) {
            compare(content, all, List.of(column));
        }
        List<Integer> shuffled = new ArrayList<>(IntStream.range(0, count).boxed().toList());
        for (int i = 0; i < SUBSETS; i++) {
            Collections.shuffle(shuffled, random);
            int most = Math.min(50, count);
            compare(content, all, List.copyOf(shuffled.subList(0, random.nextInt(most + 1))));
        }
        compare(content, all, IntStream.range(0, count).boxed().toList());
        VectorTexts fields = VectorTexts.ofArrowFields(content);
        for (int i = 0; i < SUBSETS; i++) {
            compareNested(content, fields);
        }
        files++;
    }

    /// Random fields of any depth. A struct or list with a part of its descendants has the same
    /// rows and nulls.
    private void compareNested(byte[] content, VectorTexts all) throws IOException {
        Forwarded forwarded = new Forwarded(layout -> new BatchProjector(chosen(layout)));
        VectorTexts found = VectorTexts.ofArrowFields(forwarded.all(content));
        BatchLayout layout = forwarded.projection.layout();
        assertEquals(layout.fieldCount(), found.fields().size());
        for (int field = 0; field < layout.fieldCount(); field++) {
            int source = layout.sourceField(field);
            if (isUnchanged(layout, field)) {
                assertEquals(all.only(List.of(source)), found.only(List.of(field)));
            } else {
                String name = found.fields().get(field).getName();
                assertEquals(all.fields().get(source).getName(), name);
                assertEquals(heads(all, source), heads(found, field));
                reduced++;
            }
        }
        streams++;
    }

    private static boolean isUnchanged(BatchLayout layout, int field) {
        int source = layout.sourceField(field);
        boolean isUnchanged = layout.end(field) - field == layout.source().end(source) - source;
        for (int i = 0; isUnchanged && i < layout.end(field) - field; i++) {
            isUnchanged = layout.sourceField(field + i) == source + i;
        }
        return isUnchanged;
    }

    /// Rows and nulls of each batch.
    private static List<String> heads(VectorTexts of, int column) {
        return of.batches().stream().map(each -> each.get(column).lines().toList().get(0)).toList();
    }

    private BatchLayout chosen(BatchLayout layout) {
        List<Integer> wanted = new ArrayList<>();
        for (int tries = 0; tries < 12 && layout.fieldCount() > 0; tries++) {
            wanted.add(random.nextInt(layout.fieldCount()));
            try {
                layout.choose(wanted.stream().mapToInt(Integer::intValue).toArray());
            } catch (IllegalArgumentException e) { // chosen before, or below a map
                wanted.removeLast();
            }
        }
        return layout.choose(wanted.stream().mapToInt(Integer::intValue).toArray());
    }

    private static void compare(byte[] content, VectorTexts all, List<Integer> chosen)
            throws IOException {
        Forwarded forwarded =
                new Forwarded(layout -> new BatchProjector(layout.choose(fields(layout, chosen))));
        assertEquals(all.only(chosen), VectorTexts.ofArrow(forwarded.all(content)));
        streams++;
        columns += chosen.size();
        dictionariesLeftOut += forwarded.dropped;
    }

    private static int[] fields(BatchLayout layout, List<Integer> chosen) {
        return chosen.stream().mapToInt(layout::columnField).toArray();
    }

    @AfterAll
    static void printCounts() {
        System.out.printf(
                "Projections: %d inputs, %d streams of %d columns, %d dictionary batches left"
                        + " out%n",
                files, streams, columns, dictionariesLeftOut);
        assertTrue(streams > 5 * files);
    }
}
