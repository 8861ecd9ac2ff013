// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import dev.fletch.differential.CppBuild;
import dev.fletch.testdata.LargeSchemas;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;

/// The official verifier in C++ on the same bytes as [Verify], so that one run shows both: in a
/// process of its own, which verifies so often for each question that the pipes' time does not
/// show. Needs flatc, g++ and the headers of flatbuffers.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class VerifyCpp {
    private static final String SOURCE = "src/jmh/cpp/verify_loop.cpp";
    private static final int SCHEMA_ROUNDS = 10_000;
    private static final int BATCH_ROUNDS = 1_000_000;

    /// Columns; 10 of them have 14 fields.
    @Param({"10", "1000"})
    public int columns;

    private Process schema;
    private Process batch;

    /// Starts a process for each message.
    @Setup
    public void start() throws IOException {
        schema = started(LargeSchemas.schemaMessage(columns));
        batch = started(LargeSchemas.recordBatchMessage(columns));
    }

    private static Process started(byte[] bytes) throws IOException {
        final String program = CppBuild.program(SOURCE, "-O3", "-march=native").toString();
        final Process process = new ProcessBuilder(program).redirectError(Redirect.INHERIT).start();
        send(process, bytes.length);
        process.getOutputStream().write(bytes);
        return process;
    }

    private static void send(Process to, int number) throws IOException {
        final ByteBuffer word = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        to.getOutputStream().write(word.putInt(number).array());
    }

    /// Lets the processes end.
    @TearDown
    public void end() throws IOException {
        schema.getOutputStream().close();
        batch.getOutputStream().close();
    }

    private static boolean verify(Process by, int rounds) throws IOException {
        send(by, rounds);
        final OutputStream questions = by.getOutputStream();
        questions.flush();
        if (by.getInputStream().read() != 1) {
            throw new AssertionError("not accepted");
        }
        return true;
    }

    /// A schema.
    @Benchmark
    @OperationsPerInvocation(SCHEMA_ROUNDS)
    public boolean schema() throws IOException {
        return verify(schema, SCHEMA_ROUNDS);
    }

    /// A record batch.
    @Benchmark
    @OperationsPerInvocation(BATCH_ROUNDS)
    public boolean batch() throws IOException {
        return verify(batch, BATCH_ROUNDS);
    }
}
