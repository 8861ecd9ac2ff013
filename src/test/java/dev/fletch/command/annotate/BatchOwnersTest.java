// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.annotate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.util.stream.Collectors.toSet;

import dev.fletch.command.Cli;
import dev.fletch.command.JsonTree;
import dev.fletch.testdata.ArrowCase;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;
import dev.fletch.testdata.TradesSample;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/// Nodes and buffers have the owners that `fletch map` gives them, which other tests compare with
/// arrow-java.
class BatchOwnersTest {
    // Offset of the dictionary batch in the sample's stream, after the schema.
    private static final int FIRST_BATCH = 872;

    private static int owned;

    /// Message, path and role of each node and buffer, from `fletch map`.
    private static List<String> mapped(byte[] input) {
        List<String> owners = new ArrayList<>();
        Object map = Cli.runWithInput(input, "map", "--json", "-").json().getFirst();
        for (Map<String, Object> batch : JsonTree.objects(JsonTree.object(map).get("batches"))) {
            for (String key : List.of("nodes", "buffers")) {
                int node = 0;
                for (Map<String, Object> each : JsonTree.objects(batch.get(key))) {
                    Object index = each.getOrDefault("index", node++);
                    if (each.get("path") != null) {
                        String element = "[" + index + "]";
                        owners.add(owner(batch, element, each.get("path"), each.get("role")));
                    }
                }
            }
        }
        owners.sort(null);
        return owners;
    }

    private static List<String> annotated(byte[] input) {
        List<String> owners = new ArrayList<>();
        Object page = Cli.runWithInput(input, "annotate", "--json", "-").json().getFirst();
        for (Map<String, Object> each : JsonTree.objects(JsonTree.object(page).get("regions"))) {
            String name = (String) each.get("name");
            boolean isFirst = name.endsWith(each.get("role") == null ? ".length" : ".offset");
            if (each.get("column") != null && isFirst) {
                String element = name.substring(0, name.indexOf('.'));
                owners.add(owner(each, element, each.get("column"), each.get("role")));
            }
        }
        owners.sort(null);
        return owners;
    }

    private static String owner(Map<String, Object> in, String element, Object path, Object role) {
        return in.get("message") + element + " " + path + " " + role;
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.ArrowVectorFiles#cases")
    void nodesAndBuffersHaveTheOwnersOfTheMap(ArrowCase each) throws IOException {
        List<String> expected = mapped(each.stream());
        owned += expected.size();
        assertEquals(expected, annotated(each.stream()));
        if (each.hasFile()) {
            assertEquals(mapped(each.file()), annotated(each.file()));
        }
    }

    @AfterAll
    static void printCount() {
        System.out.printf("Owners of nodes and buffers: %d agree%n", owned);
        assertTrue(owned > 1_000);
    }

    @Test
    void batchWithoutItsSchemaHasNoOwners() {
        byte[] stream = TradesSample.stream();
        OracleMessage found = OracleListing.list(stream).recordBatches().getFirst();
        byte[] batch = Arrays.copyOfRange(stream, (int) found.offset(), (int) found.endOffset());
        assertEquals(List.of(), annotated(batch));
    }

    @Test
    void damagedBatchesHaveNoOwnersOrTheirs() {
        Set<String> all = withoutMessages(annotated(TradesSample.stream()));
        Random random = new Random(1);
        int count = annotated(TradesSample.stream()).size();
        int lost = 0;
        int cases = CaseCount.of(40, 500);
        for (int i = 0; i < cases; i++) {
            byte[] stream = TradesSample.stream().clone();
            for (int n = 0; n <= i % 3; n++) {
                // In the first batches: the schema before them gives the names.
                stream[random.nextInt(FIRST_BATCH, FIRST_BATCH + 800)] = (byte) random.nextInt();
            }
            List<String> found = annotated(stream);
            assertTrue(all.containsAll(withoutMessages(found)), found.toString());
            lost += found.size() < count ? 1 : 0;
        }
        assertTrue(lost > cases / 25 && lost < cases - cases / 25, lost + " of " + cases);
    }

    /// Damage may change the number of a message.
    private static Set<String> withoutMessages(List<String> owners) {
        return owners.stream().map(each -> each.substring(each.indexOf('['))).collect(toSet());
    }
}
