// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.command.Cli.Run;
import dev.fletch.testdata.Producers;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Files of other implementations, compared with what their producers say of them.
class ProducersTest {
    private int nullCounts;

    @Test
    void rowsColumnsAndNullsAreThoseOfTheProducers() throws IOException {
        Path folder = Producers.folder();
        Map<String, Object> truth =
                JsonTree.object(JsonTree.parse(Files.readString(folder.resolve("truth.json"))));
        for (Map.Entry<String, Object> each : truth.entrySet()) {
            Path file = folder.resolve(each.getKey());
            check(file, JsonTree.object(each.getValue()));
        }
        System.out.printf(
                "Producers: %d files, %d null counts of columns%n", truth.size(), nullCounts);
        assertTrue(truth.size() >= 22);
    }

    private void check(Path file, Map<String, Object> truth) throws IOException {
        String name = file.toString();
        Map<String, Object> count = json("count", name);
        assertEquals(truth.get("rows"), count.get("rows"), name);
        if (truth.get("container") != null) {
            assertEquals(truth.get("container"), count.get("container"), name);
        }
        if (truth.get("batches") != null) {
            assertEquals(truth.get("batches"), count.get("batches"), name);
        }
        Map<String, Object> verdict = json("verify", name);
        assertEquals(0, Cli.run("verify", name).status(), name);
        String strict = Cli.run("verify", "--strict", name).out();
        assertFalse(strict.contains("structure: "), strict);
        assertEquals(count.get("batches"), verdict.get("recordBatches"), name);
        Map<String, Object> listing = json("ls", name);
        assertEquals(
                verdict.get("messages"),
                (long) JsonTree.array(listing.get("messages")).size(),
                name);
        assertEquals(0, Cli.run("map", "--json", name).status(), name);
        columns(file, truth);
    }

    private static Map<String, Object> json(String command, String file) {
        Run run = Cli.run(command, "--json", file);
        assertEquals("", run.err());
        return JsonTree.object(run.json().getFirst());
    }

    /// Unions have no nulls of their own.
    private void columns(Path file, Map<String, Object> truth) {
        Map<String, Object> told = json("columns", file.toString());
        List<Object> names = new ArrayList<>();
        List<Object> nulls = new ArrayList<>();
        for (Object each : JsonTree.array(told.get("columns"))) {
            Map<String, Object> column = JsonTree.object(each);
            String name = (String) column.get("name");
            names.add(name.isEmpty() ? "null" : name); // what arrow-js says of a missing name
            boolean isUnion = column.get("type").toString().startsWith("union");
            nulls.add(isUnion ? null : column.get("nulls"));
        }
        assertEquals(truth.get("rows"), told.get("rows"), file.toString());
        assertEquals(truth.get("cols"), names, file.toString());
        if (truth.get("nulls") != null) {
            List<Object> expected = new ArrayList<>(JsonTree.array(truth.get("nulls")));
            for (int i = 0; i < expected.size(); i++) {
                if (nulls.get(i) == null) {
                    expected.set(i, null);
                } else {
                    nullCounts++;
                }
            }
            assertEquals(expected, nulls, file.toString());
        }
    }
}
