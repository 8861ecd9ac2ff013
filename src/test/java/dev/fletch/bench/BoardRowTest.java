// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.cli.JsonTree;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

/// The board's arithmetic, on results in the form that JMH writes them.
class BoardRowTest {
    private static final String READ = "dev.fletch.bench.RecordBatchRead.";

    private final List<String> results = new ArrayList<>();

    private BoardRowTest jmh(String method, String memory, boolean polluted, double time) {
        return jmh(method, memory, polluted, time, "0.0001");
    }

    private BoardRowTest jmh(
            String method, String memory, boolean polluted, double time, String bytes) {
        results.add(
                """
                {"jmhVersion": "1.37", "benchmark": "%s%s", "mode": "avgt",
                 "params": {"columns": "10", "memory": "%s", "polluted": "%s"},
                 "primaryMetric": {"rawData": [[%s]], "scoreUnit": "ns/op"},
                 "secondaryMetrics": {"gc.alloc.rate.norm": {"score": %s, "scoreUnit": "B/op"}}}
                """
                        .formatted(READ, method, memory, polluted, time, bytes));
        return this;
    }

    private BoardRowTest cpp(double time) {
        results.add(
                """
                {"benchmark": "cpp.read-batch/10",
                 "primaryMetric": {"rawData": [[%s]], "scoreUnit": "ns/op"}}
                """
                        .formatted(time));
        return this;
    }

    /// A batch of ten columns: three times the generated classes, 1.3 times C++.
    private BoardRow row() {
        Workload workload = Workloads.named("read-batch/10").getFirst();
        return new BoardRow(workload, Figures.of(JsonTree.parse(results.toString())));
    }

    private BoardRowTest fletch(double heap, double direct) {
        return jmh("fletchNumbers", "heap", false, heap)
                .jmh("fletchNumbers", "direct", false, direct);
    }

    private BoardRowTest polluted(double heap, double direct) {
        return jmh("fletchNumbers", "heap", true, heap)
                .jmh("fletchNumbers", "direct", true, direct);
    }

    private BoardRowTest generated(double heap, double direct, double freshHeap, double fresh) {
        return jmh("generated", "heap", false, heap)
                .jmh("generated", "direct", false, direct)
                .jmh("generatedFresh", "heap", false, freshHeap)
                .jmh("generatedFresh", "direct", false, fresh);
    }

    @Test
    void comparesFletchsSlowerMemoryWithTheBestOfAllPeers() {
        BoardRow row = fletch(20, 25).polluted(22, 30).generated(300, 200, 110, 100).cpp(20).row();
        assertEquals(4.0, row.overGenerated());
        assertEquals(1.25, row.ofCpp());
        assertEquals(1.2, row.polluted(), 1e-9);
        assertEquals(List.of(), row.missed());
        assertEquals(List.of(), row.unjudged());
    }

    @Test
    void namesEachGoalThatIsMissed() {
        BoardRow row = fletch(20, 50).polluted(27, 51).generated(140, 300, 400, 500).cpp(38).row();
        assertEquals(2.8, row.overGenerated(), 1e-9);
        assertEquals(1.35, row.polluted(), 1e-9);
        assertEquals(List.of("generated", "C++", "polluted"), row.missed());
    }

    @Test
    void saysWhatWasNotMeasured() {
        BoardRow row = fletch(20, 25).row();
        assertTrue(row.isMeasured());
        assertTrue(Double.isNaN(row.ofCpp()));
        assertEquals(List.of(), row.missed());
        assertEquals(List.of("generated", "C++", "polluted"), row.unjudged());
        assertFalse(new BoardRowTest().row().isMeasured());
    }

    @Test
    void garbageIsToldFromTheMeasurersOwn() {
        polluted(20, 20).generated(300, 300, 300, 300).cpp(20);
        jmh("fletchNumbers", "heap", false, 20, "0.3");
        assertEquals(
                List.of(), jmh("fletchNumbers", "direct", false, 20, "\"NaN\"").row().missed());
        jmh("fletchNumbers", "direct", false, 20, "16.0");
        assertEquals(List.of("garbage"), row().missed());
        // 100 bytes in ten milliseconds: JMH allocates more.
        assertTrue(new Figure(10_000_000, 0, 100).isWithoutGarbage());
        assertFalse(new Figure(10_000, 0, 24).isWithoutGarbage());
    }

    @Test
    void aTimeIsTheMedianOfAllForks() {
        String results =
                """
                [{"benchmark": "cpp.read-batch/10",
                  "primaryMetric": {"rawData": [[10, 90, 12], [14, 11]], "scoreUnit": "ns/op"}}]
                """;
        Workload workload = Workloads.named("read-batch/10").getFirst();
        Figure figure = Figures.of(JsonTree.parse(results)).cpp(workload);
        assertEquals(12, figure.nanoseconds());
        assertEquals(1.5, figure.spread()); // from 11 to 14
        assertEquals(0.125, figure.uncertainty());
    }

    @Test
    void equalLeavesRoomForTwoRunsOfTheSameOnly() {
        Workload verify = Workloads.named("verify-batch/10").getFirst();
        for (String time : List.of("10.4", "10.6")) {
            String results =
                    """
                    [{"benchmark": "dev.fletch.bench.Verify.batch",
                      "params": {"columns": "10", "memory": "heap", "polluted": "false"},
                      "primaryMetric": {"rawData": [[%1$s]], "scoreUnit": "ns/op"}},
                     {"benchmark": "dev.fletch.bench.Verify.batch",
                      "params": {"columns": "10", "memory": "direct", "polluted": "false"},
                      "primaryMetric": {"rawData": [[%1$s]], "scoreUnit": "ns/op"}},
                     {"benchmark": "cpp.verify-batch/10",
                      "primaryMetric": {"rawData": [[10.0]], "scoreUnit": "ns/op"}}]
                    """
                            .formatted(time);
            BoardRow row = new BoardRow(verify, Figures.of(JsonTree.parse(results)));
            assertEquals(time.equals("10.6") ? List.of("C++") : List.of(), row.missed());
        }
    }

    @Test
    void otherUnitsAreRefused() {
        cpp(1);
        String seconds = results.toString().replace("ns/op", "s/op");
        assertThrows(IllegalArgumentException.class, () -> Figures.of(JsonTree.parse(seconds)));
    }

    @Test
    void printsFiguresAtTheirOwnPrecision() {
        assertEquals("12.3", BoardText.time(12.34));
        assertEquals("100", BoardText.time(99.96));
        assertEquals("1,234,568", BoardText.time(1_234_567.8));
        assertEquals("–", BoardText.time(Double.NaN));
        assertEquals("1.30×", BoardText.ratio(1.3));
        assertEquals("12.3×", BoardText.ratio(12.34));
        assertEquals("1,235×", BoardText.ratio(1234.6));
        assertEquals("–", BoardText.ratio(Double.NaN));
    }

    @Test
    void markdownTablesHaveARowForEachLine() {
        Grid grid = new Grid("a", "b");
        grid.add("long", "1");
        assertEquals("| a | b |\n|---|---|\n| long | 1 |\n", grid.markdown());
        assertEquals("a     b\nlong  1\n", grid.text());
        assertThrows(IllegalArgumentException.class, () -> grid.add("one"));
    }
}
