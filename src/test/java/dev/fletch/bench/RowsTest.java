// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.command.GoldenOutput;
import dev.fletch.testdata.Goldens;

import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;

import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// Checks that the board has the rows it should have, and that both sides of each are comparable.
class RowsTest {
    /// Generated classes neither verify nor know schemas or values, so they have no side there.
    @Test
    void boardHasExactlyTheseRows() {
        String rows = Rows.ALL.stream().map(RowsTest::line).collect(Collectors.joining());
        GoldenOutput.assertIs("RowsTest.boardHasExactlyTheseRows.txt", rows);
    }

    private static String line(Row row) {
        return row.id()
                + (row.arrow() == null ? "" : ", arrow-java")
                + (row.generated() == null ? "" : ", generated classes")
                + (row.hasCpp() ? ", C++" : "")
                + (row.threads() == 1 ? "" : ", threads=" + row.threads())
                + "\n";
    }

    @Test
    void everyRowNamesBenchmarksThatExist() throws Exception {
        for (Row row : Rows.ALL) {
            List<String> methods = new ArrayList<>(List.of(row.fletch()));
            for (String side : new String[] {row.arrow(), row.generated()}) {
                if (side != null) {
                    methods.add(side);
                }
            }
            row.others().forEach(other -> methods.add(other.method()));
            for (String each : methods) {
                Method method = row.benchmark().getMethod(each);
                assertTrue(method.isAnnotationPresent(Benchmark.class), row.id() + " " + each);
            }
            assertTrue(!row.hasCpp() || Peered.class.isAssignableFrom(row.benchmark()), row.id());
        }
    }

    @Test
    void everyRowSetsEachParameterOfItsBenchmark() throws Exception {
        for (Row row : Rows.ALL) {
            Set<String> given = row.parameters(row.nativeSetting()).keySet();
            for (var field : row.benchmark().getFields()) {
                assertTrue(field.isAnnotationPresent(Param.class), row.id() + " " + field);
                assertTrue(given.contains(field.getName()), row.id() + " " + field);
            }
            assertEquals(given.size(), row.benchmark().getFields().length, row.id());
        }
    }

    @Test
    void allSidesReturnSomethingAndCountTheSameOperations() throws Exception {
        for (Row row : Rows.ALL) {
            Method fletch = row.benchmark().getMethod(row.fletch());
            assertNotEquals(void.class, fletch.getReturnType(), row.id());
            for (String side : new String[] {row.arrow(), row.generated()}) {
                if (side != null) {
                    Method other = row.benchmark().getMethod(side);
                    assertNotEquals(void.class, other.getReturnType(), row.id());
                    assertEquals(operations(fletch), operations(other), row.id());
                }
            }
        }
    }

    private static int operations(Method method) {
        var many = method.getAnnotation(OperationsPerInvocation.class);
        return many == null ? 1 : many.value();
    }

    @Test
    void everyRowIsMeasuredInAJvmThatHasUsedOneKindOfMemoryAndInOneThatHasUsedAll() {
        for (Row row : Rows.ALL) {
            for (String history : List.of(Setting.CLEAN, Setting.USED)) {
                List<String> memories =
                        row.settings().stream()
                                .filter(each -> each.history.equals(history))
                                .map(each -> each.memory)
                                .toList();
                assertFalse(memories.isEmpty(), row.id());
                assertEquals(row.settings() != Setting.FILES, memories.contains("heap"), row.id());
            }
            long columns = row.settings().stream().map(Setting::column).distinct().count();
            assertEquals(row.settings().size(), columns, row.id());
            assertTrue(row.settings().contains(row.nativeSetting()), row.id());
        }
    }

    @Test
    void everyTaskIsInTheDocumentThatSaysHowItsSidesAreMadeComparable() throws Exception {
        Path page = Goldens.repositoryRoot().resolve(BoardPages.FIGURES);
        String tasks =
                Files.readAllLines(page).stream()
                        .filter(line -> line.startsWith("| `"))
                        .map(line -> line.substring(0, line.indexOf(" | ")))
                        .collect(Collectors.joining("\n"));
        for (Row row : Rows.ALL) {
            assertTrue(tasks.contains("`" + row.task() + "`"), row.task());
        }
    }

    @Test
    void usedMemoryIsOfThreeClasses() {
        byte[] content = new byte[64];
        List<BenchMemory> all = BenchMemory.all(content, Setting.USED);
        assertEquals(3, all.stream().map(each -> each.segment().getClass()).distinct().count());
        assertEquals(3, all.stream().map(each -> each.buffer().getClass()).distinct().count());
        BenchMemory more = BenchMemory.all(content, Setting.READ_ONLY).getLast();
        assertTrue(more.segment().isReadOnly() && !more.segment().isNative());
        assertTrue(more.buffer().isReadOnly() && !more.buffer().isDirect());
    }

    @Test
    void optionsNameTasksAndRowsInTheTablesOrder() {
        BoardOptions options =
                BoardOptions.parse("--workload", "step", "--workload", "next-numbers/50");
        assertEquals(
                List.of("next-numbers/50", "step/100000"),
                options.rows().stream().map(Row::id).toList());
        assertTrue(!options.tail() && !options.cold());
        options = BoardOptions.parse("--quick", "--workload", "tail");
        assertTrue(options.tail() && !options.cold() && options.rows().isEmpty());
        options = BoardOptions.parse("--forks", "10", "--markdown");
        assertEquals(10, options.effort().forks());
        assertTrue(options.tail() && options.cold() && options.markdown());
        assertEquals(Rows.ALL, options.rows());
        assertFalse(options.commands(), "they write gigabytes");
        assertTrue(BoardOptions.parse("--quick").commands());
        options = BoardOptions.parse("--workload", "commands");
        assertTrue(options.commands() && !options.cold() && options.rows().isEmpty());
    }

    @Test
    void unknownOptionsAndMissingValuesAreRefused() {
        for (String[] each :
                List.of(
                        new String[] {"--fast"},
                        new String[] {"next-numbers"},
                        new String[] {"--workload"},
                        new String[] {"--json"},
                        new String[] {"--forks", "0"},
                        new String[] {"--forks", "many"},
                        new String[] {"--pages"},
                        new String[] {"--workload", "next-numbers/7"})) {
            assertThrows(IllegalArgumentException.class, () -> BoardOptions.parse(each));
        }
    }
}
