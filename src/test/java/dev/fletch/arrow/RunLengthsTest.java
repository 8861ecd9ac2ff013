// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.arrow;

import static dev.fletch.testdata.HandmadeInput.bytes;
import static dev.fletch.testdata.HandmadeInput.ints;
import static dev.fletch.verify.messages.Meant.encoded;
import static dev.fletch.verify.messages.Meant.field;
import static dev.fletch.verify.messages.Meant.integer;
import static dev.fletch.verify.messages.Meant.required;
import static dev.fletch.verify.messages.Meant.schema;
import static dev.fletch.verify.messages.Meant.struct;
import static dev.fletch.verify.messages.Meant.table;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.fletch.Checks;
import dev.fletch.FletchException;
import dev.fletch.Rule;
import dev.fletch.batch.Columns;
import dev.fletch.convert.ConvertOptions;
import dev.fletch.format.ids.Type;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.ReadOptions.Level;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.HandmadeInput;
import dev.fletch.testdata.HandmadeInput.Batch;
import dev.fletch.vectors.VectorOptions;
import dev.fletch.vectors.VectorReader;

import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/// Children of run-end encoded fields that are longer or shorter than needed: what verifies and
/// converts agrees with what reads.
class RunLengthsTest {
    private static final byte[] NONE = {};
    private static final FbsValue.Table RUNS =
            field(
                    "r",
                    Type.RUN_END_ENCODED,
                    table("RunEndEncoded"),
                    required(integer("run_ends", 32)),
                    integer("values", 8));
    private static final int[] ENDS = {2, 4, 6, 8};
    private static final int[] VALUES = {10, 20, 30, 40};

    @TempDir Path folder;

    private static Batch runs(Batch to, int length, int ends, int values) {
        byte[] all = ints(ENDS);
        return to.node(length, 0)
                .node(ends, 0, NONE, java.util.Arrays.copyOf(all, ends * Integer.BYTES))
                .node(values, 0, NONE, java.util.Arrays.copyOf(bytes(VALUES), values));
    }

    /// A file for each place of the field: a column, below a struct, a list, a dictionary.
    private static List<byte[]> files(int length, int ends, int values) {
        List<byte[]> files = new ArrayList<>();
        Batch plain = runs(new Batch(length), length, ends, values);
        files.add(new HandmadeInput(schema(RUNS)).batch(plain).file());
        Batch inStruct = runs(new Batch(length).node(length, 0, NONE), length, ends, values);
        files.add(new HandmadeInput(schema(struct(RUNS))).batch(inStruct).file());
        Batch inList = runs(new Batch(1).node(1, 0, NONE, ints(0, length)), length, ends, values);
        FbsValue.Table list = field("l", Type.LIST, table("List"), RUNS);
        files.add(new HandmadeInput(schema(list)).batch(inList).file());
        Batch indices = new Batch(1).node(1, 0, NONE, bytes(Math.max(0, length - 1)));
        if (length > 0) {
            files.add(
                    new HandmadeInput(schema(encoded(struct(RUNS), 1)))
                            .dictionary(1, false, inStruct)
                            .batch(indices)
                            .file());
        }
        return files;
    }

    private static List<String> findings(byte[] file) {
        List<String> found = new ArrayList<>();
        Arrow.verify(
                MemorySegment.ofArray(file),
                ReadOptions.VERIFY.withChecks(Checks.STRICT.enabled()).withLevel(Level.VALUES),
                each -> found.add(severity(each.rule()) + " " + each.rule().id()));
        return found;
    }

    private static String severity(Rule rule) {
        return rule.severity().name().toLowerCase(Locale.ROOT);
    }

    private static boolean isConverted(byte[] file) throws IOException {
        try {
            Arrow.convert(
                    MemorySegment.ofArray(file),
                    Channels.newChannel(new ByteArrayOutputStream()),
                    ConvertOptions.DEFAULT.withReading(
                            ReadOptions.DEFAULT.withLevel(Level.VALUES)));
            return true;
        } catch (FletchException e) {
            return false;
        }
    }

    /// The values of the first column, as arrow-java shows them; null if it is refused.
    private List<String> vectors(byte[] file) throws IOException {
        Path path = Files.write(folder.resolve("file.arrow"), file);
        List<String> values = new ArrayList<>();
        try (var allocator = new RootAllocator();
                var vectors =
                        VectorReader.open(path, allocator, Columns.all(), VectorOptions.DEFAULT)) {
            while (vectors.loadNext()) {
                var column = vectors.root().getVector(0);
                for (int row = 0; row < column.getValueCount(); row++) {
                    values.add(String.valueOf(column.getObject(row)));
                }
            }
            return values;
        } catch (FletchException e) {
            return null;
        }
    }

    @ParameterizedTest
    @CsvSource({
        "4, 2, 2, ''",
        "3, 2, 2, ''",
        "4, 3, 3, ''",
        "4, 2, 3, deviation run-child-longer",
        "4, 2, 4, deviation run-child-longer",
        "4, 3, 4, deviation run-child-longer",
        "2, 3, 3, deviation run-child-longer",
        "1, 4, 4, deviation run-child-longer",
        "0, 0, 0, ''",
        "0, 0, 2, deviation run-child-longer",
        "0, 2, 2, deviation run-child-longer",
        "4, 2, 1, error run-count",
        "4, 3, 2, error run-count",
        "4, 2, 0, error run-count",
        "4, 0, 0, error run-count",
        "4, 1, 1, error value-run-end-range",
        "4, 1, 2, error value-run-end-range"
    })
    void readersAndChecksAgree(int length, int ends, int values, String expected)
            throws IOException {
        List<String> right =
                IntStream.range(0, length).mapToObj(row -> "" + VALUES[row / 2]).toList();
        List<byte[]> files = files(length, ends, values);
        for (byte[] file : files) {
            List<String> found = findings(file);
            found.removeIf(each -> each.contains("values-unchecked"));
            boolean isError = expected.startsWith("error");
            assertEquals(!isError, isConverted(file), found::toString);
            List<String> read = vectors(file);
            assertEquals(!isError, read != null, found::toString);
            if (file == files.getFirst() && !isError) {
                assertEquals(right, read);
            }
            if (expected.isEmpty()) {
                assertEquals(List.of(), found);
            } else {
                assertEquals(true, found.contains(expected), found::toString);
            }
        }
    }
}
