// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Holds the board's table to what was asked of it, and to the benchmarks that it names.
class WorkloadsTest {
    /// What was asked: id, goal against the generated classes, against arrow-vector, against C++.
    private static final String ASKED =
            """
            read-batch/5 3 0 1.3
            read-batch/10 3 0 1.3
            read-batch/50 3 0 1.3
            read-batch/1000 7 0 1.3
            cursor/5 3 0 0
            cursor/10 3 0 0
            cursor/50 3 0 0
            cursor/1000 3 0 0
            walk-schema/10 3 0 2
            walk-schema/1000 3 0 2
            find/10 5 0 1
            find/1000 5 0 1
            find/100000 5 0 1
            verify-schema/10 0 0 1
            verify-schema/1000 0 0 1
            verify-batch/10 0 0 1
            verify-batch/1000 0 0 1
            write-batch/10 5 0 1
            write-batch/1000 5 0 1
            template/10 7 0 0.5
            template/1000 7 0 0.5
            write-schema/10 3 0 1.5
            write-schema/1000 3 0 1.5
            step/100000 5 0 1.5
            step-verified/100000 5 0 1.5
            open/100 0 20 0
            open/100000 0 100 0
            """;

    @Test
    void everyRowAndSizeAndGoalIsThere() {
        StringBuilder found = new StringBuilder();
        for (Workload each : Workloads.ALL) {
            found.append(each.id());
            for (double goal : List.of(each.overGenerated(), each.overArrow(), each.ofCpp())) {
                found.append(' ').append(goal == Math.rint(goal) ? "" + (int) goal : "" + goal);
            }
            found.append('\n');
        }
        assertEquals(ASKED, found.toString());
    }

    @Test
    void onlyOpeningMayAllocate() {
        for (Workload each : Workloads.ALL) {
            assertEquals(each.task().name().equals("open"), each.task().allocates(), each.id());
        }
    }

    @Test
    void everyRowNamesBenchmarksAndParametersThatExist() throws Exception {
        for (Workload each : Workloads.ALL) {
            Task task = each.task();
            List<String> methods = new ArrayList<>(task.generated());
            methods.add(task.fletch());
            if (task.arrow() != null) {
                methods.add(task.arrow());
            }
            for (String method : methods) {
                var found = task.benchmark().getMethod(method);
                assertTrue(found.isAnnotationPresent(Benchmark.class), each.id() + " " + method);
            }
            Set<String> kinds = Set.of("heap", "direct", "mapped");
            assertTrue(kinds.containsAll(task.memories()), each.id());
            assertParameter(task, task.sizeParameter());
            assertParameter(task, "polluted");
            boolean hasMemory =
                    List.of(task.benchmark().getFields()).stream()
                            .anyMatch(field -> field.getName().equals("memory"));
            assertEquals(hasMemory, !task.memories().isEmpty(), each.id());
        }
    }

    private static void assertParameter(Task task, String name) throws Exception {
        Field field = task.benchmark().getField(name);
        assertTrue(field.isAnnotationPresent(Param.class), task.name() + " " + name);
    }

    @Test
    void everyGoalHasSomethingToBeComparedWith() {
        for (Workload each : Workloads.ALL) {
            Task task = each.task();
            assertTrue(each.ofCpp() == 0 || task.cpp() != null, each.id());
            assertTrue(each.overGenerated() == 0 || !task.generated().isEmpty(), each.id());
            assertTrue(each.overArrow() == 0 || task.arrow() != null, each.id());
        }
    }

    @Test
    void optionsNameTasksAndRowsInTheTablesOrder() {
        BoardOptions options =
                BoardOptions.parse("--workload", "step", "--workload", "read-batch/50");
        assertEquals(
                List.of("read-batch/50", "step/100000"),
                options.workloads().stream().map(Workload::id).toList());
        assertTrue(!options.tail() && !options.cold());
        options = BoardOptions.parse("--quick", "--workload", "tail");
        assertTrue(options.tail() && !options.cold() && options.workloads().isEmpty());
        options = BoardOptions.parse("--full", "--markdown");
        assertEquals(3, options.effort().forks());
        assertTrue(options.tail() && options.cold() && options.markdown());
        assertEquals(Workloads.ALL, options.workloads());
    }

    @Test
    void optionsThatNobodyKnowsAreRefused() {
        for (String[] each :
                List.of(
                        new String[] {"--fast"},
                        new String[] {"read-batch"},
                        new String[] {"--workload"},
                        new String[] {"--json"},
                        new String[] {"--workload", "read-batch/7"})) {
            assertThrows(IllegalArgumentException.class, () -> BoardOptions.parse(each));
        }
    }
}
