// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

/// A row of the board: a task of some size, and what is aimed at.
///
/// @param task what is done
/// @param size number of columns or messages
/// @param overGenerated how many times as fast as the generated classes it should be, 0 if nothing
///     is aimed at
/// @param overArrow how many times as fast as arrow-vector, 0 if nothing is aimed at
/// @param ofCpp how many times the time of C++ it may take, 0 if nothing is aimed at
record Workload(Task task, int size, double overGenerated, double overArrow, double ofCpp) {
    /// How much slower it may be in a JVM that has used all kinds of memory.
    static final double POLLUTED = 1.3;

    static Workload of(Task task, int size, double overGenerated, double ofCpp) {
        return new Workload(task, size, overGenerated, 0, ofCpp);
    }

    /// What the command line calls it.
    String id() {
        return task.name() + "/" + size;
    }

    String title() {
        return "%s, %,d %s".formatted(task.title(), size, task.unit());
    }
}
