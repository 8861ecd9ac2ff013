// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import java.util.ArrayList;
import java.util.List;

/// The table of what the board measures, and what is aimed at.
final class Workloads {
    private static final List<String> REUSED_AND_FRESH = List.of("generated", "generatedFresh");
    private static final double EQUAL = 1;

    private static final Task READ_BATCH =
            Task.ofColumns(
                    "read-batch",
                    "read a RecordBatch header: every node and buffer",
                    RecordBatchRead.class,
                    "fletchNumbers",
                    REUSED_AND_FRESH,
                    CppTask.READ_BATCH);
    private static final Task CURSOR =
            Task.ofColumns(
                    "cursor",
                    "the same by column, with BatchCursor",
                    CursorRead.class,
                    "fletch",
                    REUSED_AND_FRESH,
                    CppTask.CURSOR);
    private static final Task WALK_SCHEMA =
            Task.ofColumns(
                            "walk-schema",
                            "walk a schema with FieldWalk: names, types, metadata, children",
                            SchemaWalk.class,
                            "fletchWalkEnds",
                            List.of("generatedEnds", "generatedFresh"),
                            CppTask.WALK_SCHEMA)
                    .beside("arrow");
    private static final Task FIND =
            Task.ofColumns(
                    "find",
                    "find a field by name, the last",
                    FindField.class,
                    "fletch",
                    REUSED_AND_FRESH,
                    CppTask.FIND);
    private static final Task VERIFY_SCHEMA =
            Task.ofColumns(
                    "verify-schema",
                    "verify a schema message",
                    Verify.class,
                    "schema",
                    List.of(),
                    CppTask.VERIFY_SCHEMA);
    private static final Task VERIFY_BATCH =
            Task.ofColumns(
                    "verify-batch",
                    "verify a RecordBatch message",
                    Verify.class,
                    "batch",
                    List.of(),
                    CppTask.VERIFY_BATCH);
    private static final Task WRITE_BATCH =
            Task.ofColumns(
                    "write-batch",
                    "write a RecordBatch message from arrays",
                    WriteRecordBatch.class,
                    "fletch",
                    REUSED_AND_FRESH,
                    CppTask.WRITE_BATCH);
    private static final Task TEMPLATE =
            Task.ofColumns(
                    "template",
                    "the same from a template",
                    WriteRecordBatch.class,
                    "fletchTemplate",
                    REUSED_AND_FRESH,
                    CppTask.WRITE_BATCH);
    private static final Task WRITE_SCHEMA =
            Task.ofColumns(
                    "write-schema",
                    "write a schema message",
                    WriteSchema.class,
                    "fletch",
                    REUSED_AND_FRESH,
                    CppTask.WRITE_SCHEMA);
    private static final Task STEP =
            Task.ofStream("step", "step through a mapped stream", "fletch", CppTask.STEP);
    private static final Task STEP_VERIFIED =
            Task.ofStream(
                    "step-verified",
                    "the same, each message verified",
                    "fletchVerified",
                    CppTask.STEP_VERIFIED);
    private static final Task OPEN =
            Task.ofFile("open", "open a file and read its schema", OpenFile.class);

    /// All rows, in the order of the table.
    static final List<Workload> ALL =
            List.of(
                    Workload.of(READ_BATCH, 5, 3, 1.3),
                    Workload.of(READ_BATCH, 10, 3, 1.3),
                    Workload.of(READ_BATCH, 50, 3, 1.3),
                    Workload.of(READ_BATCH, 1000, 7, 1.3),
                    Workload.of(CURSOR, 5, 3, 0),
                    Workload.of(CURSOR, 10, 3, 0),
                    Workload.of(CURSOR, 50, 3, 0),
                    Workload.of(CURSOR, 1000, 3, 0),
                    Workload.of(WALK_SCHEMA, 10, 3, 2),
                    Workload.of(WALK_SCHEMA, 1000, 3, 2),
                    Workload.of(FIND, 10, 5, EQUAL),
                    Workload.of(FIND, 1000, 5, EQUAL),
                    Workload.of(FIND, 100_000, 5, EQUAL),
                    Workload.of(VERIFY_SCHEMA, 10, 0, EQUAL),
                    Workload.of(VERIFY_SCHEMA, 1000, 0, EQUAL),
                    Workload.of(VERIFY_BATCH, 10, 0, EQUAL),
                    Workload.of(VERIFY_BATCH, 1000, 0, EQUAL),
                    Workload.of(WRITE_BATCH, 10, 5, EQUAL),
                    Workload.of(WRITE_BATCH, 1000, 5, EQUAL),
                    Workload.of(TEMPLATE, 10, 7, 0.5),
                    Workload.of(TEMPLATE, 1000, 7, 0.5),
                    Workload.of(WRITE_SCHEMA, 10, 3, 1.5),
                    Workload.of(WRITE_SCHEMA, 1000, 3, 1.5),
                    Workload.of(STEP, 100_000, 5, 1.5),
                    Workload.of(STEP_VERIFIED, 100_000, 5, 1.5),
                    new Workload(OPEN, 100, 0, 20, 0),
                    new Workload(OPEN, 100_000, 0, 100, 0));

    private Workloads() {}

    /// The rows that a name stands for: one, by its id, or all of a task.
    ///
    /// @throws IllegalArgumentException if there are none
    static List<Workload> named(String name) {
        final List<Workload> found = new ArrayList<>();
        for (Workload each : ALL) {
            if (each.id().equals(name) || each.task().name().equals(name)) {
                found.add(each);
            }
        }
        if (found.isEmpty()) {
            throw new IllegalArgumentException("no such workload: " + name);
        }
        return found;
    }
}
