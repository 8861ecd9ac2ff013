// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;

/// Memory of a few columns of a file as vectors, in bytes, next to arrow-java, which reads all
/// columns.
///
/// @param heap allocated by Fletch, in the second run
/// @param arrowHeap the same for arrow-java
/// @param offHeap peak of the allocator that Fletch uses
/// @param arrowOffHeap the same for arrow-java
record VectorMemory(long heap, long arrowHeap, long offHeap, long arrowOffHeap) {
    private static final String ONE = "One";

    private interface Task {
        double run() throws IOException;
    }

    /// Measures in this JVM.
    ///
    /// @param columns of the file
    /// @param isOne whether to read one column; otherwise 20
    static VectorMemory of(int columns, boolean isOne) throws IOException {
        VectorSums sums = new VectorSums();
        sums.take(columns);
        return new VectorMemory(
                heap(isOne ? sums::fletchOne : sums::fletchMany),
                heap(isOne ? sums::arrowOne : sums::arrowMany),
                sums.fletchBytes(isOne),
                sums.arrowBytes(isOne));
    }

    private static long heap(Task task) throws IOException {
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        task.run();
        long before = threads.getCurrentThreadAllocatedBytes();
        task.run();
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    static boolean measures(Row row) {
        return row.benchmark() == VectorSums.class;
    }

    /// Measures a row; figures by name.
    static Map<String, Object> figures(Row row) throws IOException {
        VectorMemory memory = of(row.size(), row.way().equals(ONE));
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("task", row.title());
        figures.put("heap", memory.heap);
        figures.put("arrowHeap", memory.arrowHeap);
        figures.put("offHeap", memory.offHeap);
        figures.put("arrowOffHeap", memory.arrowOffHeap);
        return figures;
    }
}
