// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.arrow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.fletch.Checks;
import dev.fletch.FletchException;
import dev.fletch.Rule;
import dev.fletch.convert.ConvertOptions;
import dev.fletch.corpus.CaseFile;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.ReadOptions.Level;
import dev.fletch.testdata.ArrowBytes;
import dev.fletch.testdata.VectorTexts;

import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// Children of run-end encoded fields that are longer or shorter than needed: what verifies and
/// converts agrees with what reads.
class RunLengthsTest {
    private static final String FIELDS =
            """
            let i8 = Int(bitWidth=8 is_signed=1)
            let i32 = Int(bitWidth=32 is_signed=1)
            let runs = runs:RunEndEncoded<run_ends!:i32 values:i8>
            let struct = struct:Struct_<runs>
            let list = list:List<runs>
            let encoded = struct:Struct_<runs>{dictionary=DictionaryEncoding(id=1 indexType=i8)}
            """;
    private static final int[] ENDS = {2, 4, 6, 8};
    private static final int[] VALUES = {10, 20, 30, 40};

    /// Bytes of the first numbers.
    private static String first(String type, int count, int... numbers) {
        return IntStream.of(numbers)
                .limit(count)
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(" ", type + "(", ")"));
    }

    /// A file for each place of the field: a column, below a struct, a list, a dictionary.
    private static List<byte[]> files(int length, int ends, int values) {
        String nodes = length + " " + ends + " " + values + "] [";
        String buffers =
                "- " + first("i32", ends, ENDS) + " - " + first("i8", values, VALUES) + "]";
        String inStruct = length + " [" + length + " " + nodes + "- " + buffers;
        List<String> files = new ArrayList<>();
        files.add("file <runs> | batch " + length + " [" + nodes + buffers);
        files.add("file <struct> | batch " + inStruct);
        files.add("file <list> | batch 1 [1 " + nodes + "- i32(0 " + length + ") " + buffers);
        if (length > 0) {
            String batch = " | batch 1 [1] [- i8(" + (length - 1) + ")]";
            files.add("file <encoded> | dictionary 1 " + inStruct + batch);
        }
        return files.stream().map(each -> CaseFile.input(FIELDS + each)).toList();
    }

    private static List<String> findings(byte[] file) {
        ReadOptions strict =
                ReadOptions.VERIFY.withChecks(Checks.STRICT.enabled()).withLevel(Level.VALUES);
        return ArrowBytes.rules(file, strict).stream()
                .map(rule -> severity(rule) + " " + rule.id())
                .filter(each -> !each.contains("values-unchecked"))
                .toList();
    }

    private static String severity(Rule rule) {
        return rule.severity().name().toLowerCase(Locale.ROOT);
    }

    private static boolean isConverted(byte[] file) throws IOException {
        try {
            ArrowBytes.converted(
                    file,
                    ConvertOptions.DEFAULT.withReading(
                            ReadOptions.DEFAULT.withLevel(Level.VALUES)));
            return true;
        } catch (FletchException e) {
            return false;
        }
    }

    /// The values of the first column, as arrow-java shows them; null if it is refused.
    private static List<String> vectors(byte[] file) throws IOException {
        List<String> values = new ArrayList<>();
        try (var allocator = new RootAllocator();
                var vectors = VectorTexts.reader(file, allocator)) {
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
