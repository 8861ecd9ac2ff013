// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.command.Cli;
import dev.fletch.command.Cli.Run;
import dev.fletch.command.JsonTree;
import dev.fletch.corpus.CaseFile;
import dev.fletch.testdata.Goldens;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// What `fletch columns` says of goldens, against what [MapOracle] finds by the generated classes
/// and arrow-vector.
@Timeout(120)
class ColumnsCommandTest {
    private static Map<String, Object> json(String... command) {
        Run run = Cli.run(command);
        assertEquals("", run.err());
        assertEquals(0, run.status());
        return JsonTree.object(run.json().getFirst());
    }

    private static List<Map<String, Object>> columns(Map<String, Object> object) {
        return JsonTree.objects(object.get("columns"));
    }

    private static List<Object> values(Map<String, Object> object, String key) {
        return columns(object).stream().map(each -> each.get(key)).toList();
    }

    // ---- sums

    /// Each column's dictionary needs that of the column before it, which needs all before; or
    /// those of two columns before it. The sums of the last ones are not known.
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void chainOfDictionariesIsAddedUpInTime(int needed, @TempDir Path folder) throws IOException {
        int count = 5_000;
        StringBuilder schema = new StringBuilder("let i = Int(bitWidth=8 is_signed=1)\nstream <");
        StringBuilder batches = new StringBuilder();
        for (int id = 1; id <= count; id++) {
            boolean isPlain = id <= needed;
            String second = needed == 1 ? "" : " y:i" + encoded(id - 2);
            String values = isPlain ? "i" : "Struct_<x:i" + encoded(id - 1) + second + ">";
            schema.append(" c").append(id).append(':').append(values).append(encoded(id));
            batches.append(" | dictionary ").append(id);
            batches.append(
                    isPlain ? " 1 [1] [- i8(7)]" : " 1 [1 1" + " 1".repeat(needed - 1) + "]");
            batches.append(isPlain ? "" : " [-" + " - i8(0)".repeat(needed) + "]");
        }
        byte[] made = CaseFile.input(schema + ">" + batches);
        Path file = Files.write(folder.resolve("chain"), made);
        Map<String, Object> found =
                assertTimeoutPreemptively(
                        Duration.ofSeconds(15), () -> json("columns", "--json", "" + file));
        List<Object> bytes = values(found, "dictionaryBytes");
        assertTrue(bytes.indexOf(null) > 1_000);
        for (int i = 0; i < count && bytes.get(i) != null; i++) {
            long sum = i < needed ? 1 : (i + 1L) * needed - 2 * (needed - 1);
            assertEquals(sum, bytes.get(i));
        }
    }

    private static String encoded(int id) {
        return "{dictionary=DictionaryEncoding(id=" + id + " indexType=i)}";
    }

    @Test
    void sumsOfAllGoldensAgree() {
        for (Path golden : Goldens.all()) {
            byte[] bytes = Goldens.read(golden);
            Map<String, Object> oracle = MapOracle.of(golden.toString(), bytes);
            Map<String, Object> found = json("columns", "--json", "--depth=99", golden.toString());
            assertEquals((long) bytes.length, found.get("size"));
            List<Object> byColumn =
                    JsonTree.array(JsonTree.object(oracle.get("totals")).get("byColumn"));
            assertEquals((long) byColumn.size(), found.get("columnCount"));
            for (int i = 0; i < byColumn.size(); i++) {
                Map<String, Object> column = columns(found).get(i);
                Map<String, Object> expected = JsonTree.object(byColumn.get(i));
                assertEquals(expected.get("path"), column.get("name"), golden::toString);
                assertEquals(expected.get("bytes"), column.get("bytes"), golden::toString);
                assertEquals(expected.get("padding"), column.get("padding"), golden::toString);
            }
        }
    }
}
