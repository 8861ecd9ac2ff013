// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.vectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.fletch.FletchException;
import dev.fletch.arrow.Arrow;
import dev.fletch.arrow.BatchReader;
import dev.fletch.batch.Columns;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.ReadOptions.Level;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.RealInput;
import dev.fletch.testdata.VectorTexts;

import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/// Fields, values, null counts and dictionaries are those that arrow-java's own readers find: of
/// all columns, of each column alone, and of random choices.
class VectorsAgreeTest {
    private static final int CHOICES = CaseCount.of(1, 5);

    private static int inputs;
    private static int readings;
    private static int batches;
    private static int columns;
    private static int refused;

    @TempDir Path folder;

    /// Where arrow-java refuses, this must refuse too.
    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.RealInput#all")
    void vectorsAreThoseOfArrowJava(RealInput input) throws IOException {
        byte[] bytes = input.bytes();
        String name = input.name();
        inputs++;
        VectorTexts expected;
        try {
            expected = VectorTexts.ofArrow(bytes);
        } catch (IOException | RuntimeException e) {
            refused++;
            FletchException ours =
                    assertThrows(FletchException.class, () -> read(bytes, Columns.all()), name);
            System.out.printf("%s: arrow-java: %s%n    fletch: %s%n", name, e, ours.getMessage());
            return;
        }
        int count = expected.fields().size();
        List<Integer> all = IntStream.range(0, count).boxed().toList();
        compare(bytes, Columns.all(), expected, name);
        compareVerified(bytes, expected, name);
        if (count == 0) {
            return;
        }
        for (int i = 0; i < Math.min(count, CaseCount.of(8, 100)); i++) {
            compare(bytes, Columns.at(i), expected.only(List.of(i)), name);
            compareNamed(bytes, List.of(i), expected, name);
        }
        Random random = new Random(count);
        for (int i = 0; i < CHOICES; i++) {
            List<Integer> choice = new ArrayList<>(all);
            Collections.shuffle(choice, random);
            List<Integer> some = choice.subList(0, 1 + random.nextInt(count));
            compare(
                    bytes,
                    Columns.at(some.stream().mapToInt(each -> each).toArray()),
                    expected.only(some),
                    name);
            compareNamed(bytes, some, expected, name);
        }
    }

    /// At the level of values, Fletch decompresses, and wrong null counts are refused, as by the
    /// reader of columns.
    private void compareVerified(byte[] bytes, VectorTexts expected, String name)
            throws IOException {
        ReadOptions options = ReadOptions.DEFAULT.withLevel(Level.VALUES);
        try {
            VectorOptions verified = VectorOptions.DEFAULT.withReadOptions(options);
            assertEquals(expected, read(bytes, Columns.all(), verified), name);
        } catch (FletchException e) {
            try (BatchReader reader = Arrow.open(MemorySegment.ofArray(bytes), options)) {
                FletchException other = assertThrows(FletchException.class, () -> all(reader));
                assertEquals(e.rule(), other.rule(), name);
                assertEquals(e.offset(), other.offset(), name);
            }
        }
    }

    private static void all(BatchReader reader) throws IOException {
        while (reader.next()) {}
    }

    /// Compares columns by their names, if no others have these.
    private void compareNamed(byte[] bytes, List<Integer> choice, VectorTexts expected, String name)
            throws IOException {
        List<String> all = expected.fields().stream().map(Field::getName).toList();
        List<String> names = choice.stream().map(all::get).toList();
        boolean areUnique =
                names.stream()
                        .map(each -> each == null ? "" : each)
                        .allMatch(each -> !each.isEmpty() && Collections.frequency(all, each) == 1);
        if (areUnique) {
            Columns named = Columns.named(names.toArray(String[]::new));
            compare(bytes, named, expected.only(choice), name);
        }
    }

    private void compare(byte[] bytes, Columns choice, VectorTexts expected, String name)
            throws IOException {
        assertEquals(expected, read(bytes, choice), name + " " + choice);
        readings++;
        batches += expected.batches().size();
        columns += expected.fields().size();
    }

    private VectorTexts read(byte[] bytes, Columns choice) throws IOException {
        return read(bytes, choice, VectorOptions.DEFAULT);
    }

    private VectorTexts read(byte[] bytes, Columns choice, VectorOptions options)
            throws IOException {
        try (RootAllocator allocator = new RootAllocator()) {
            if (!OracleListing.isFile(bytes)) {
                try (var vectors =
                        VectorReader.open(
                                new ByteArrayInputStream(bytes), allocator, choice, options)) {
                    return VectorTexts.of(vectors);
                }
            }
            Path file = folder.resolve("file.arrow");
            Files.write(file, bytes);
            try (var vectors = VectorReader.open(file, allocator, choice, options)) {
                return VectorTexts.of(vectors);
            }
        }
    }

    @AfterAll
    static void printCounts() {
        System.out.printf(
                "Same as arrow-java: %d inputs, %d refused by both, %d choices, %d batches, %d"
                        + " columns%n",
                inputs, refused, readings, batches, columns);
    }
}
