// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

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

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// Walks a schema: every field's name, nullability, type with its parameters, metadata and children.
/// Fletch beside the classes that flatc generates, whose objects are used again. Of strings the
/// length is taken; with `Ends` their first and last byte too, which all sides can be compared by,
/// the one in C++ included; with `Hash` all bytes, each by the content hash that its side offers.
///
/// `polluted` means that heap, direct and mapped memory were all read in the same JVM before.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class SchemaWalk {
    /// Columns; 10 of them have 14 fields.
    @Param({"10", "1000"})
    public int columns;

    /// Kind of memory.
    @Param({"heap", "direct"})
    public String memory;

    /// Whether all kinds were seen before.
    @Param({"false", "true"})
    public boolean polluted;

    private final FletchWalk fletch = new FletchWalk();
    private final FletchFieldWalk fletchWalk = new FletchFieldWalk();
    private final GeneratedWalk generated = new GeneratedWalk();
    private final Map<String, BenchMemory> used = new HashMap<>();
    private BenchMemory placed;
    private ByteBuffer scratch;

    /// Prepares the message and checks that both sides read the same.
    @Setup
    public void setup() {
        if (polluted) {
            final byte[] content = LargeSchemas.schemaMessage(10);
            for (int i = 0; i < BenchMemory.POLLUTING_CALLS; i++) {
                use(BenchMemory.KINDS[i % 3], content);
                check();
            }
        }
        use(memory, LargeSchemas.schemaMessage(columns));
        check();
        if (generatedFresh() != fletchEnds() || arrow() != fletchEnds()) {
            throw new AssertionError("fresh objects or arrow-vector differ");
        }
    }

    private void use(String kind, byte[] content) {
        placed = used.computeIfAbsent(kind + content.length, k -> BenchMemory.of(kind, content));
        scratch = placed.buffer().duplicate().order(placed.buffer().order());
    }

    private void check() {
        if (fletch() != generated()
                || fletchEnds() != generatedEnds()
                || fletchWalk() != generated()
                || fletchWalkEnds() != generatedEnds()
                || fletchWalkHash() != fletchHash()) {
            throw new AssertionError("the sides differ");
        }
        generatedHash();
    }

    /// Fletch, lengths of strings only.
    @Benchmark
    public long fletch() {
        return fletch.walk(placed.segment(), Strings.LENGTHS);
    }

    /// Fletch, with the strings' ends.
    @Benchmark
    public long fletchEnds() {
        return fletch.walk(placed.segment(), Strings.ENDS);
    }

    /// The generated classes, with the strings' ends.
    @Benchmark
    public long generatedEnds() {
        return generated.walk(placed.buffer(), scratch, Strings.ENDS);
    }

    /// The generated classes as one writes it: an object for each table and string; with ends.
    @Benchmark
    public long generatedFresh() {
        return FreshWalk.walk(placed.buffer());
    }

    /// arrow-vector: the schema as its objects, and these walked; with ends.
    @Benchmark
    public long arrow() {
        return ArrowWalk.walk(placed.buffer());
    }

    /// Fletch, with the strings' bytes.
    @Benchmark
    public long fletchHash() {
        return fletch.walk(placed.segment(), Strings.HASH);
    }

    /// Fletch's walk through fields, lengths of strings only.
    @Benchmark
    public long fletchWalk() {
        return fletchWalk.walk(placed.segment(), Strings.LENGTHS);
    }

    /// Fletch's walk through fields, with the strings' ends.
    @Benchmark
    public long fletchWalkEnds() {
        return fletchWalk.walk(placed.segment(), Strings.ENDS);
    }

    /// Fletch's walk through fields, with the strings' bytes.
    @Benchmark
    public long fletchWalkHash() {
        return fletchWalk.walk(placed.segment(), Strings.HASH);
    }

    /// The generated classes, lengths of strings only.
    @Benchmark
    public long generated() {
        return generated.walk(placed.buffer(), scratch, Strings.LENGTHS);
    }

    /// The generated classes, with the strings' bytes.
    @Benchmark
    public long generatedHash() {
        return generated.walk(placed.buffer(), scratch, Strings.HASH);
    }
}
