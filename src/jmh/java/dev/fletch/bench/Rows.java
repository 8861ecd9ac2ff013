// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import static dev.fletch.bench.Setting.FILES;
import static dev.fletch.bench.Setting.WRITING;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// All rows of the board.
final class Rows {
    /// In the order of the table.
    static final List<Row> ALL = all();

    private Rows() {}

    private static List<Row> all() {
        List<Row> rows = new ArrayList<>();
        addBatches(rows);
        addThreads(rows);
        addSchemas(rows);
        addFiles(rows);
        addWholeInputs(rows);
        addValues(rows);
        addVectors(rows);
        addChannel(rows);
        addWriting(rows);
        return List.copyOf(rows);
    }

    private static void addBatches(List<Row> rows) {
        Class<?> next = NextBatch.class;
        for (int n : new int[] {10, 1000}) {
            rows.add(
                    Row.of(
                            "next-head",
                            "next batch, %,d columns: rows and body length",
                            next,
                            n,
                            "Head"));
        }
        for (int n : new int[] {5, 10, 50, 1000}) {
            rows.add(
                    Row.of(
                                    "next-numbers",
                                    "next batch, %,d columns: all numbers",
                                    next,
                                    n,
                                    "Numbers")
                            .beside("generated, vectors", "vectorsNumbers"));
        }
        for (int n : new int[] {5, 10, 50, 1000}) {
            rows.add(
                    Row.of(
                                    "next-columns",
                                    "next batch, %,d columns: column by column",
                                    next,
                                    n,
                                    "Columns")
                            .beside("generated, vectors", "vectorsColumns"));
        }
        for (int n : new int[] {10, 1000}) {
            rows.add(
                    Row.of(
                            "next-roles",
                            "next batch, %,d columns: by column and role",
                            next,
                            n,
                            "Roles"));
        }
        rows.add(Row.of("next-three", "next batch, %,d columns: 3 of them", next, 1000, "Three"));
        rows.add(
                Row.of("first-batch", "first batch of its kind, %,d columns", next, 10, "First")
                        .warmedUpLong());
        for (int shapes : new int[] {64, 1024, BenchInputs.MANY_SHAPES}) {
            rows.add(
                    Row.of(
                                    "changing-shapes",
                                    "every message a different shape, %,d shapes",
                                    ChangingShapes.class,
                                    shapes,
                                    "")
                            .warmedUpLong());
        }
        rows.add(
                Row.of(
                                "recorder",
                                "every message a different shape, no Flight Recorder",
                                RecordedShapes.class,
                                64,
                                "")
                        .withoutCpp()
                        .warmedUpLong()
                        .beside("recording, events off", "recordingOff")
                        .beside("recording, events on", "recordingOn"));
        rows.add(
                Row.of(
                                "step",
                                "step through a mapped stream of %,d messages: one message",
                                StreamStep.class,
                                StreamStep.MESSAGES,
                                "")
                        .in(FILES));
    }

    /// For the growth with the number of threads.
    private static void addThreads(List<Row> rows) {
        for (int n : new int[] {1, 2, 4}) {
            String title =
                    n == 1
                            ? "on 1 thread: next batch, 10 columns"
                            : "on %,d threads: next batch, 10 columns";
            rows.add(
                    Row.of("threads", title, OnThreads.class, n, "")
                            .in(FILES)
                            .withoutCpp()
                            .onThreads());
        }
    }

    private static void addSchemas(List<Row> rows) {
        Class<?> first = FirstSchema.class;
        for (int n : new int[] {10, 1000}) {
            rows.add(
                    Row.of(
                                    "first-schema",
                                    "first schema, %,d columns: verify, walk, layout",
                                    first,
                                    n,
                                    "")
                            .warmedUpLong());
        }
        rows.add(
                Row.of(
                                "verify-schema",
                                "first schema, %,d columns: verify alone",
                                first,
                                1000,
                                "Verify")
                        .warmedUpLong());
        rows.add(
                Row.of("walk-schema", "first schema, %,d columns: walk alone", first, 1000, "Walk")
                        .warmedUpLong());
        rows.add(
                Row.of(
                                "plan-schema",
                                "first schema, %,d columns: layout alone",
                                first,
                                1000,
                                "Plan")
                        .warmedUpLong());
        for (int n : new int[] {10, 1000}) {
            rows.add(
                    Row.of("same-schema", "the same schema again, %,d columns", first, n, "Again")
                            .warmedUpLong());
        }
    }

    private static void addFiles(List<Row> rows) {
        Class<?> column = OneColumn.class;
        int many = 100_000;
        rows.add(
                Row.of("find-column", "one column of %,d: nothing known", column, many, "Scan")
                        .in(FILES));
        rows.add(
                Row.of("place-column", "one column of %,d: layout at hand", column, many, "Plan")
                        .in(FILES));
        rows.add(
                Row.of("plan-columns", "layout of %,d columns", column, many, "Compile").in(FILES));
        rows.add(
                Row.of(
                                "sum-values",
                                "sum of %,d nullable float64 values",
                                SumValues.class,
                                1_000_000,
                                "Sum")
                        .in(FILES)
                        .withoutCpp()
                        .beside("MemorySegment", "segmentSum"));
        for (int n : new int[] {1000, many}) {
            rows.add(
                    Row.of(
                                    "open",
                                    "open a file of %,d columns, walk its schema",
                                    OpenFile.class,
                                    n,
                                    "")
                            .in(FILES)
                            .warmedUpLong());
        }
        rows.add(
                Row.of(
                                "open-column",
                                "open a file of %,d columns, one column",
                                column,
                                many,
                                "Open")
                        .in(FILES)
                        .warmedUpLong()
                        .beside("as a vector", "vectorOpen"));
        for (int n : new int[] {10, 1000}) {
            rows.add(
                    Row.of(
                                    "small-file",
                                    "open a file of %,d columns, read its 4 batch headers",
                                    SmallFile.class,
                                    n,
                                    "")
                            .in(FILES)
                            .warmedUpLong()
                            .beside("by a channel", "channel"));
        }
        rows.add(
                Row.of(
                                "open-known",
                                "open a file of %,d columns, layout at hand",
                                OpenFile.class,
                                1000,
                                "Known")
                        .in(FILES)
                        .withoutCpp()
                        .warmedUpLong()
                        .beside("map and touch", "touch"));
    }

    /// What programs do with a file or stream, from opening to closing it.
    private static void addWholeInputs(List<Row> rows) {
        for (int n : new int[] {10, 1000}) {
            rows.add(
                    Row.of(
                                    "read-column",
                                    "open a file of %,d columns, sum one",
                                    ReadColumn.class,
                                    n,
                                    "")
                            .in(FILES)
                            .warmedUpLong()
                            .withoutCpp());
        }
        for (int n : new int[] {1, 10, 100, 1000}) {
            String batches = n == 1 ? "%,d batch" : "%,d batches";
            rows.add(
                    Row.of(
                                    "read-stream",
                                    "open a stream of " + batches + ", sum one of 10 columns",
                                    ReadStream.class,
                                    n,
                                    "Read")
                            .in(FILES)
                            .warmedUpLong()
                            .withoutCpp());
        }
        rows.add(
                Row.of(
                                "read-verified",
                                "open a stream of %,d batches, verify all values, sum one of 10"
                                        + " columns",
                                ReadStream.class,
                                100,
                                "Verified")
                        .in(FILES)
                        .warmedUpLong()
                        .withoutCpp());
        for (int n : new int[] {1, 10, 100, 1000}) {
            String files = n == 1 ? "%,d file" : "%,d files";
            rows.add(
                    Row.of(
                                    "files",
                                    "open "
                                            + files
                                            + " of 10 columns, read 4 batch headers of each",
                                    ManyFiles.class,
                                    n,
                                    "")
                            .in(FILES)
                            .withoutCpp());
        }
    }

    private static void addValues(List<Row> rows) {
        for (String way : List.of("Numbers", "Offsets", "Text", "Views", "Indices")) {
            String name = way.toLowerCase(Locale.ROOT);
            String title = way.equals("Numbers") ? "nullable int64" : name;
            rows.add(
                    Row.of(
                                    "values-" + name,
                                    "verify %,d values: " + title,
                                    VerifyValues.class,
                                    1_000_000,
                                    way)
                            .in(FILES)
                            .withoutCpp()
                            .beside("copy", "copy" + way));
        }
        for (String way : List.of("Numbers", "Text", "Mixed")) {
            String name = way.toLowerCase(Locale.ROOT);
            String title = way.equals("Mixed") ? "numbers and text" : name;
            rows.add(
                    Row.of(
                                    "batch-" + name,
                                    "verify a batch, 10 columns of %,d rows: " + title,
                                    VerifyBatch.class,
                                    1_000,
                                    way)
                            .in(FILES)
                            .withoutCpp());
        }
    }

    private static void addVectors(List<Row> rows) {
        Class<?> sums = VectorSums.class;
        for (int n : new int[] {100, 20_000}) {
            rows.add(
                    Row.of("vector", "one column of %,d as a vector, sum", sums, n, "One")
                            .in(FILES)
                            .withoutCpp()
                            .warmedUpLong());
        }
        rows.add(
                Row.of("vectors", "20 columns of %,d as vectors, sum", sums, 20_000, "Many")
                        .in(FILES)
                        .withoutCpp()
                        .beside("schema seen before", "fletchManyKnown"));
    }

    /// arrow-java's reader behind a channel that verifies, and without it.
    private static void addChannel(List<Row> rows) {
        for (String source : List.of("File", "Socket")) {
            for (String way : List.of("Numbers", "Text", "Views", "Zstd")) {
                String name = way.toLowerCase(Locale.ROOT);
                String from = source.toLowerCase(Locale.ROOT);
                String title = way.equals("Zstd") ? "numbers and text, zstd" : name;
                rows.add(
                        Row.of(
                                        from + "-" + name,
                                        "arrow-java behind a verified channel, 10 columns of %,d"
                                                + " rows, "
                                                + from
                                                + ": "
                                                + title,
                                        BehindChannel.class,
                                        10_000,
                                        way + source)
                                .in(FILES)
                                .withoutCpp()
                                .warmedUpLong());
            }
        }
    }

    private static void addWriting(List<Row> rows) {
        for (int n : new int[] {10, 1000}) {
            rows.add(
                    Row.of(
                                    "write-batch",
                                    "write a batch, %,d columns: from arrays",
                                    WriteBatch.class,
                                    n,
                                    "")
                            .in(WRITING));
            rows.add(
                    Row.of(
                                    "write-template",
                                    "write a batch, %,d columns: from a template",
                                    WriteBatch.class,
                                    n,
                                    "Template")
                            .in(WRITING));
        }
        for (int n : new int[] {10, 1000}) {
            String text = n == 10 ? "forward 3 of %,d columns" : "forward 5 of %,d columns";
            rows.add(Row.of("project", text, Project.class, n, "").withoutCpp());
        }
        for (int n : new int[] {10, 1000}) {
            rows.add(
                    Row.of("write-schema", "write a schema, %,d columns", WriteSchema.class, n, "")
                            .in(WRITING)
                            .warmedUpLong());
        }
    }

    /// The row with this id, or all rows of this task.
    ///
    /// @throws IllegalArgumentException if there are none
    static List<Row> named(String name) {
        List<Row> found =
                ALL.stream()
                        .filter(each -> each.id().equals(name) || each.task().equals(name))
                        .toList();
        if (found.isEmpty()) {
            throw new IllegalArgumentException("no such row: " + name);
        }
        return found;
    }
}
