// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import dev.fletch.format.Field;
import dev.fletch.format.FieldWalk;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;

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
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// Finds a column by name in a schema message, with nothing but the message: the last of all, whose
/// name is as long as those of most others. Fletch beside the classes that flatc generates.
///
/// `polluted` means that heap, direct and mapped memory were all read in the same JVM before.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class FindField {
    /// Columns.
    @Param({"10", "1000", "100000"})
    public int columns;

    /// Kind of memory.
    @Param({"heap", "direct"})
    public String memory;

    /// Whether all kinds were seen before.
    @Param({"false", "true"})
    public boolean polluted;

    private final Message message = new Message();
    private final Schema schema = new Schema();
    private final Field field = new Field();
    private final FieldWalk walk = new FieldWalk();

    private final org.apache.arrow.flatbuf.Message genMessage =
            new org.apache.arrow.flatbuf.Message();
    private final org.apache.arrow.flatbuf.Schema genSchema = new org.apache.arrow.flatbuf.Schema();
    private final org.apache.arrow.flatbuf.Field genField = new org.apache.arrow.flatbuf.Field();

    private final Map<String, BenchMemory> used = new HashMap<>();
    private BenchMemory placed;
    private ByteBuffer text;
    private String wanted;
    private byte[] wantedUtf8;
    private ByteBuffer wantedBytes;

    /// Prepares the message and checks that all ways find the same.
    @Setup
    public void setup() {
        if (polluted) {
            final byte[] content = BenchInputs.schema(10);
            for (int i = 0; i < BenchMemory.POLLUTING_CALLS; i++) {
                use(BenchMemory.KINDS[i % 3], 10, content);
                check(9);
            }
        }
        use(memory, columns, BenchInputs.schema(columns));
        check(columns - 1);
    }

    private void use(String kind, int count, byte[] content) {
        placed = used.computeIfAbsent(kind + count, k -> BenchMemory.of(kind, content));
        text = placed.buffer().duplicate().order(placed.buffer().order());
        wanted = BenchInputs.lastColumn(count);
        wantedUtf8 = wanted.getBytes(StandardCharsets.UTF_8);
        wantedBytes = ByteBuffer.wrap(wantedUtf8);
    }

    private void check(int expected) {
        if (fletch() != expected
                || fletchOneByOne() != expected
                || generated() != expected
                || generatedFresh() != expected) {
            throw new AssertionError("the ways to find differ");
        }
    }

    /// Fletch's search for a name.
    @Benchmark
    public int fletch() {
        message.wrap(placed.segment());
        if (!walk.wrap(message)) {
            throw new AssertionError("no schema");
        }
        return walk.find(wantedUtf8);
    }

    /// Fletch: a flyweight bound to one column after the other.
    @Benchmark
    public int fletchOneByOne() {
        message.wrap(placed.segment());
        if (!message.header(schema)) {
            throw new AssertionError("no schema");
        }
        for (int i = 0, n = schema.fieldsCount(); i < n; i++) {
            if (schema.fields(i, field).nameEquals(wanted)) {
                return i;
            }
        }
        return -1;
    }

    /// The generated classes, objects used again and names compared as bytes.
    @Benchmark
    public int generated() {
        org.apache.arrow.flatbuf.Message.getRootAsMessage(placed.buffer(), genMessage);
        genMessage.header(genSchema);
        for (int i = 0, n = genSchema.fieldsLength(); i < n; i++) {
            if (genSchema.fields(genField, i).nameInByteBuffer(text).equals(wantedBytes)) {
                return i;
            }
        }
        return -1;
    }

    /// The generated classes as one writes it: an object and a string for each column.
    @Benchmark
    public int generatedFresh() {
        final var fresh = org.apache.arrow.flatbuf.Message.getRootAsMessage(placed.buffer());
        final var header =
                (org.apache.arrow.flatbuf.Schema)
                        fresh.header(new org.apache.arrow.flatbuf.Schema());
        for (int i = 0; i < header.fieldsLength(); i++) {
            if (header.fields(i).name().equals(wanted)) {
                return i;
            }
        }
        return -1;
    }
}
