// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.command.JsonTree;

import org.junit.jupiter.api.Test;

import java.util.List;

/// The board's arithmetic, on results in the form that JMH writes them.
class RatioTest {
    private static final Row ROW = Rows.named("next-head/10").getFirst();

    private static Figure figure(Double... forks) {
        return Figure.of(List.of(forks).stream().map(List::of).toList(), Double.NaN);
    }

    private static Figures jmh(String memory, String history, String unit) {
        return Figures.of(
                JsonTree.parse(
                        """
                        [{"benchmark": "dev.fletch.bench.NextBatch.fletchHead", "mode": "avgt",
                          "params": {"size": "10", "memory": "%s", "history": "%s"},
                          "primaryMetric": {"rawData": [[10, 90, 12], [14, 11]], "scoreUnit": "%s"},
                          "secondaryMetrics": {"gc.alloc.rate.norm": {"score": "NaN"}}}]
                        """
                                .formatted(memory, history, unit)));
    }

    @Test
    void aTimeIsTheMedianOfTheForksWhoseTimeIsTheMedianOfTheirIterations() {
        Figure figure = jmh("heap", "clean", "ns/op").jvm(ROW, "fletchHead", Setting.HEAP);
        assertEquals(List.of(12.0, 12.5), figure.forks());
        assertEquals(12.25, figure.nanoseconds());
        assertEquals(3.0, figure(3.0, 1.0, 100.0).nanoseconds());
        assertTrue(Double.isNaN(figure.bytes()));
    }

    @Test
    void aTimeBelongsToItsMethodMemoryAndHistory() {
        Figures figures = jmh("mapped", "used", "ns/op");
        for (Setting each : Setting.values()) {
            boolean expected = each == Setting.MAPPED_USED;
            assertEquals(expected, figures.jvm(ROW, "fletchHead", each) != null, each.name());
            assertNull(figures.jvm(ROW, "generatedHead", each));
        }
        assertNull(figures.cpp(ROW));
    }

    @Test
    void otherUnitsAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> jmh("heap", "clean", "s/op"));
    }

    @Test
    void aRatioIsFletchsTimeOverThePeers() {
        Ratio ratio = Ratio.of(figure(20.0), figure(50.0));
        assertEquals(0.4, ratio.value());
        assertEquals("0.40", ratio.text());
        assertNull(Ratio.of(null, figure(1.0)));
        assertNull(Ratio.of(figure(1.0), null));
    }

    @Test
    void aRatioLiesInTheRangeOfItsForks() {
        Ratio ratio = Ratio.of(figure(136.0, 90.0, 91.0), figure(156.0, 62.0, 300.0));
        assertEquals(0.872, ratio.value(), 0.001);
        assertEquals(0.303, ratio.least(), 0.001);
        assertEquals(1.452, ratio.most(), 0.001);
    }

    @Test
    void aRangeIsOfForksThatRanByTurnsAndShownWhereItIsWide() {
        // Both sides were slowed down in the second fork.
        assertEquals("0.50", Ratio.of(figure(10.0, 20.0), figure(20.0, 40.0)).text());
        Ratio wide = Ratio.of(figure(10.0, 20.0), figure(20.0, 20.0));
        assertEquals("0.75 (0.50 to 1.00)", wide.text());
    }

    @Test
    void printsRatiosAtTheirOwnPrecision() {
        assertEquals("0.012", Ratio.of(figure(1.2345), figure(100.0)).text());
        assertEquals("12.3", Ratio.of(figure(12.345), figure(1.0)).text());
        assertEquals("1,234.5", Ratio.of(figure(12_345.0), figure(10.0)).text());
    }

    @Test
    void whatJmhAllocatesIsNoGarbageOfTheOperation() {
        // What JMH was seen to allocate in rows without garbage: 93 bytes in 1.3 ms.
        assertTrue(new Figure(1_300_000, List.of(), 93).isWithoutGarbage());
        // An object of 24 bytes in an operation of 0.1 ms.
        assertFalse(new Figure(100_000, List.of(), 24).isWithoutGarbage());
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
