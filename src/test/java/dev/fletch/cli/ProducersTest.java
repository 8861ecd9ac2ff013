// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.cli.Cli.Run;
import dev.fletch.cli.io.Input;
import dev.fletch.cli.io.InputBytes;
import dev.fletch.format.Field;
import dev.fletch.format.MetadataVersion;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.format.Type;
import dev.fletch.layout.BatchCursor;
import dev.fletch.layout.BatchLayout;
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
    void rowsBatchesColumnsAndNullsAreTheProducers() throws IOException {
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
        assertEquals(truth.get("container"), count.get("container"), name);
        if (truth.get("batches") != null) {
            assertEquals(truth.get("batches"), count.get("batches"), name);
        }
        Map<String, Object> verdict = json("verify", name);
        assertEquals(0, Cli.run("verify", name).status(), name);
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

    private void columns(Path file, Map<String, Object> truth) throws IOException {
        try (InputBytes bytes = InputBytes.open(file.toString())) {
            Input input = Input.of(bytes);
            Schema schema = input.schema();
            List<Object> names = new ArrayList<>();
            List<Integer> types = new ArrayList<>();
            Field field = new Field();
            for (int i = 0; i < schema.fieldsCount(); i++) {
                names.add(
                        String.valueOf(
                                schema.fields(i, field).nameString())); // arrow-js says "null"
                types.add(field.typeType());
            }
            assertEquals(truth.get("cols"), names, file.toString());
            if (truth.get("nulls") == null) {
                return;
            }
            List<Object> nulls = JsonTree.array(truth.get("nulls"));
            BatchLayout layout = BatchLayout.compile(schema, MetadataVersion.V5);
            long[] sums = nulls(input, layout);
            for (int i = 0; i < sums.length; i++) {
                if (types.get(i) != Type.UNION) { // which has no nulls of its own
                    assertEquals(nulls.get(i), sums[i], file + ": " + names.get(i));
                    nullCounts++;
                }
            }
        }
    }

    private static long[] nulls(Input input, BatchLayout layout) throws IOException {
        RecordBatch batch = new RecordBatch();
        BatchCursor cursor = new BatchCursor();
        long[] sums = new long[layout.columnCount()];
        while (input.next()) {
            if (input.message.header(batch)) {
                cursor.bind(layout, batch);
                for (int i = 0; i < sums.length; i++) {
                    sums[i] += cursor.column(i).nullCount();
                }
            }
        }
        return sums;
    }
}
