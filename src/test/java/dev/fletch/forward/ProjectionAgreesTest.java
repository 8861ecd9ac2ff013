// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.forward;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.batch.BatchLayout;
import dev.fletch.testdata.ArrowCase;
import dev.fletch.testdata.ArrowVectorReading;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.Goldens;
import dev.fletch.testdata.Producers;
import dev.fletch.testdata.Reports;

import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
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

    /// A column: its field, and for each batch its rows, its nulls and all values. A value of an
    /// encoded column is that of its dictionary.
    record Column(Field field, List<String> batches) {}

    private static List<Column> read(byte[] content) throws IOException {
        return read(content, List::copyOf);
    }

    /// Reads all fields in pre-order.
    private static List<Column> readFields(byte[] content) throws IOException {
        return read(content, ProjectionAgreesTest::inPreOrder);
    }

    private static List<FieldVector> inPreOrder(List<FieldVector> vectors) {
        List<FieldVector> all = new ArrayList<>();
        for (FieldVector each : vectors) {
            all.add(each);
            all.addAll(inPreOrder(each.getChildrenFromFields()));
        }
        return all;
    }

    private static List<Column> read(byte[] content, UnaryOperator<List<FieldVector>> fields)
            throws IOException {
        try (RootAllocator allocator = new RootAllocator();
                ArrowReader reader = ArrowVectorReading.reader(content, allocator)) {
            List<Column> found = new ArrayList<>();
            for (FieldVector vector :
                    fields.apply(reader.getVectorSchemaRoot().getFieldVectors())) {
                found.add(new Column(vector.getField(), new ArrayList<>()));
            }
            while (reader.loadNextBatch()) {
                List<FieldVector> vectors =
                        fields.apply(reader.getVectorSchemaRoot().getFieldVectors());
                for (int i = 0; i < found.size(); i++) {
                    found.get(i).batches.add(text(vectors.get(i), reader));
                }
            }
            return found;
        }
    }

    private static String text(FieldVector vector, ArrowReader reader) throws IOException {
        var encoding = vector.getField().getDictionary();
        FieldVector values =
                encoding == null
                        ? null
                        : reader.getDictionaryVectors().get(encoding.getId()).getVector();
        StringBuilder text = new StringBuilder();
        text.append(vector.getValueCount()).append(" rows, ").append(vector.getNullCount());
        for (int row = 0; row < vector.getValueCount(); row++) {
            Object value = vector.getObject(row);
            if (values != null && value instanceof Number index) {
                value = values.getObject(index.intValue());
            }
            text.append('\n').append(value instanceof byte[] b ? Arrays.toString(b) : value);
        }
        return text.toString();
    }

    // ---- inputs

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Goldens#parameters")
    void columnsOfGoldensAgree(Path golden) throws IOException {
        byte[] content = Goldens.read(golden);
        Goldens.assumeReadByArrowJava(golden);
        compare(content);
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Producers#parameters")
    void columnsOfOtherProducersAgree(Path file) throws IOException {
        Producers.assumeReadByArrowJava(file);
        compare(Files.readAllBytes(file));
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

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.ArrowVectorFiles#cases")
    void columnsOfArrowVectorFilesAgree(ArrowCase each) throws IOException {
        each.assumeReadByArrowJava();
        compare(each.stream());
        if (each.hasFile()) {
            compare(each.file());
        }
    }

    // ---- choices

    private void compare(byte[] content) throws IOException {
        List<Column> all = read(content);
        for (int column = 0; column < Math.min(40, all.size()); column++) {
            compare(content, all, List.of(column));
        }
        List<Integer> shuffled = new ArrayList<>(IntStream.range(0, all.size()).boxed().toList());
        for (int i = 0; i < SUBSETS; i++) {
            Collections.shuffle(shuffled, random);
            int most = Math.min(50, all.size());
            compare(content, all, List.copyOf(shuffled.subList(0, random.nextInt(most + 1))));
        }
        compare(content, all, IntStream.range(0, all.size()).boxed().toList());
        List<Column> fields = readFields(content);
        for (int i = 0; i < SUBSETS; i++) {
            compareNested(content, fields);
        }
        files++;
    }

    /// Random fields of any depth. A struct or list with a part of its descendants has the same
    /// rows and nulls.
    private void compareNested(byte[] content, List<Column> all) throws IOException {
        Forwarded forwarded = new Forwarded(layout -> new BatchProjector(chosen(layout)));
        List<Column> found = readFields(forwarded.all(content));
        BatchLayout layout = forwarded.projection.layout();
        assertEquals(layout.fieldCount(), found.size());
        for (int field = 0; field < found.size(); field++) {
            int source = layout.sourceField(field);
            if (isUnchanged(layout, field)) {
                assertEquals(all.get(source), found.get(field));
            } else {
                assertEquals(all.get(source).field.getName(), found.get(field).field.getName());
                assertEquals(heads(all.get(source)), heads(found.get(field)));
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

    private static List<String> heads(Column column) {
        return column.batches.stream().map(each -> each.lines().findFirst().orElseThrow()).toList();
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

    private static void compare(byte[] content, List<Column> all, List<Integer> chosen)
            throws IOException {
        Forwarded forwarded =
                new Forwarded(layout -> new BatchProjector(layout.choose(fields(layout, chosen))));
        List<Column> found = read(forwarded.all(content));
        assertEquals(chosen.size(), found.size());
        for (int i = 0; i < chosen.size(); i++) {
            assertEquals(all.get(chosen.get(i)), found.get(i));
        }
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
