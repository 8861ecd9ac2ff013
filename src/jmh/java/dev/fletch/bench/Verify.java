// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import dev.fletch.flatbuf.VerifierOptions;
import dev.fletch.format.Verifier;
import dev.fletch.testdata.LargeSchemas;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// Verifies a schema message, and a record batch message of as many nodes as the schema has
/// columns: officially and strictly.
///
/// `polluted` means that heap, direct and mapped memory were all verified in the same JVM before.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class Verify {
    /// Columns; 10 of them have 14 fields.
    @Param({"10", "1000"})
    public int columns;

    /// Kind of memory.
    @Param({"heap", "direct"})
    public String memory;

    /// Whether all kinds were seen before.
    @Param({"false", "true"})
    public boolean polluted;

    private final Verifier official = new Verifier();
    private final Verifier strict = new Verifier(VerifierOptions.STRICT);
    private final Map<String, BenchMemory> used = new HashMap<>();
    private BenchMemory schema;
    private BenchMemory batch;

    /// Prepares the messages and checks that they are accepted.
    @Setup
    public void setup() {
        if (polluted) {
            for (int i = 0; i < BenchMemory.POLLUTING_CALLS; i++) {
                use(BenchMemory.KINDS[i % BenchMemory.KINDS.length], 10);
                check();
            }
        }
        use(memory, columns);
        check();
    }

    private void use(String kind, int size) {
        schema = placed("schema " + kind, size);
        batch = placed("batch " + kind, size);
    }

    private BenchMemory placed(String name, int size) {
        return used.computeIfAbsent(name + " " + size, key -> of(name, size));
    }

    private static BenchMemory of(String name, int size) {
        final String kind = name.substring(name.indexOf(' ') + 1);
        final byte[] content =
                name.startsWith("schema")
                        ? LargeSchemas.schemaMessage(size)
                        : LargeSchemas.recordBatchMessage(size);
        return BenchMemory.of(kind, content);
    }

    private void check() {
        if (!schema() || !schemaStrictly() || !batch() || !batchStrictly()) {
            throw new AssertionError(official.fault() + ", " + strict.fault());
        }
    }

    /// A schema, by the official rules.
    @Benchmark
    public boolean schema() {
        return official.message(schema.segment());
    }

    /// A schema, with every stricter check.
    @Benchmark
    public boolean schemaStrictly() {
        return strict.message(schema.segment());
    }

    /// A record batch, by the official rules.
    @Benchmark
    public boolean batch() {
        return official.message(batch.segment());
    }

    /// A record batch, with every stricter check.
    @Benchmark
    public boolean batchStrictly() {
        return strict.message(batch.segment());
    }
}
