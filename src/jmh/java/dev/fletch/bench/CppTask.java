// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import dev.fletch.flatbuf.Dialect;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.IntFunction;

/// A task of the peer in C++, `src/jmh/cpp/peer.cpp`: what it is given and what it must answer, both
/// by the benchmarks' own code.
///
/// @param name as the program knows it
/// @param input the bytes for a size
/// @param checksum what Fletch makes of them, as an unsigned number of 64 bits
record CppTask(String name, Input input, Checksum checksum) {
    static final CppTask READ_BATCH =
            new CppTask("read-batch", bytes(BenchInputs::recordBatch), CppTask::readBatch);
    static final CppTask CURSOR =
            new CppTask("cursor", bytes(BenchInputs::recordBatch), CppTask::cursor);
    static final CppTask WALK_SCHEMA =
            new CppTask("walk-schema", bytes(BenchInputs::schema), CppTask::walkSchema);
    static final CppTask FIND = new CppTask("find", bytes(BenchInputs::schema), CppTask::find);
    static final CppTask VERIFY_SCHEMA =
            new CppTask(
                    "verify", bytes(BenchInputs::schema), size -> accepts(verify(size).schema()));
    static final CppTask VERIFY_BATCH =
            new CppTask(
                    "verify",
                    bytes(BenchInputs::recordBatch),
                    size -> accepts(verify(size).batch()));
    static final CppTask WRITE_BATCH =
            new CppTask(
                    "write-batch", bytes(CppTask::writtenBatch), size -> hash(writtenBatch(size)));
    static final CppTask WRITE_SCHEMA =
            new CppTask(
                    "write-schema",
                    bytes(CppTask::writtenSchema),
                    size -> hash(writtenSchema(size)));
    static final CppTask STEP =
            new CppTask("step", CppTask::stream, size -> streamStep(size).fletch());
    static final CppTask STEP_VERIFIED =
            new CppTask(
                    "step-verified", CppTask::stream, size -> streamStep(size).fletchVerified());

    /// Puts the bytes for a size into a file.
    @FunctionalInterface
    interface Input {
        Path file(Path folder, int size) throws IOException;
    }

    /// Does the task with Fletch.
    @FunctionalInterface
    interface Checksum {
        long of(int size) throws IOException;
    }

    private static Input bytes(IntFunction<byte[]> content) {
        return (folder, size) ->
                Files.write(Files.createTempFile(folder, "input", null), content.apply(size));
    }

    private static Path stream(Path folder, int size) throws IOException {
        return BenchInputs.streamFile(size);
    }

    private static long readBatch(int size) {
        final RecordBatchRead benchmark = new RecordBatchRead();
        benchmark.columns = size;
        benchmark.memory = "heap";
        benchmark.setup();
        return benchmark.fletchBulk();
    }

    private static long cursor(int size) {
        final CursorRead benchmark = new CursorRead();
        benchmark.columns = size;
        benchmark.memory = "heap";
        benchmark.setup();
        return benchmark.fletch();
    }

    private static long walkSchema(int size) {
        final SchemaWalk benchmark = new SchemaWalk();
        benchmark.columns = size;
        benchmark.memory = "heap";
        benchmark.setup();
        return benchmark.fletchEnds();
    }

    private static long find(int size) {
        final FindField benchmark = new FindField();
        benchmark.columns = size;
        benchmark.memory = "heap";
        benchmark.setup();
        return benchmark.fletch();
    }

    private static Verify verify(int size) {
        final Verify benchmark = new Verify();
        benchmark.columns = size;
        benchmark.memory = "heap";
        benchmark.setup();
        return benchmark;
    }

    private static long accepts(boolean accepted) {
        return accepted ? 1 : 0;
    }

    private static StreamStep streamStep(int size) throws IOException {
        final StreamStep benchmark = new StreamStep();
        benchmark.messages = size;
        benchmark.setup();
        return benchmark;
    }

    private static byte[] writtenBatch(int size) {
        final WriteRecordBatch benchmark = new WriteRecordBatch();
        benchmark.columns = size;
        benchmark.memory = "heap";
        benchmark.setup();
        return benchmark.message(Dialect.CPP);
    }

    private static byte[] writtenSchema(int size) {
        final WriteSchema benchmark = new WriteSchema();
        benchmark.columns = size;
        benchmark.memory = "heap";
        benchmark.setup();
        return benchmark.message(Dialect.CPP);
    }

    /// FNV-1a.
    private static long hash(byte[] bytes) {
        long found = 0xcbf29ce484222325L;
        for (byte each : bytes) {
            found = (found ^ (each & 0xFF)) * 0x100000001b3L;
        }
        return found;
    }
}
