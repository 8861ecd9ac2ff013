// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import dev.fletch.Limits;
import dev.fletch.batch.BatchLayout;
import dev.fletch.format.FrameKind;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.Verifier;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.KnownSchemas;
import dev.fletch.ipc.ReadOptions;

import org.apache.arrow.flatbuf.MessageHeader;
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
import org.openjdk.jmh.infra.BenchmarkParams;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/// Reads the schema message of a stream in memory: decodes the prefix, verifies and walks the
/// schema, and compiles a layout; for a new schema, and for a known one. The generated classes
/// verify nothing, and decode the prefix by hand.
///
/// Verifying, walking and compiling are also separate benchmarks.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class FirstSchema implements Peered {
    private static final int USED_COLUMNS = 10;

    /// Columns of ten types; 10 columns have 14 fields.
    @Param({"10", "1000"})
    public int size;

    /// Kind of memory.
    @Param({"heap", "direct", "mapped"})
    public String memory;

    /// Whether the JVM has used other kinds of memory before.
    @Param({Setting.CLEAN, Setting.USED})
    public String history;

    private MemorySegment segment;
    private ByteBuffer bytes;
    private byte[] framed;

    private final EncapsulatedMessage frame = new EncapsulatedMessage();
    private final Message message = new Message();
    private final Schema schema = new Schema();
    private final FletchWalk walk = new FletchWalk();
    private final Verifier verifier = new Verifier();
    // With a set that contains the schema.
    private EncapsulatedMessage again;
    // Handle of the known schema.
    private BatchLayout layout;
    private long walked;

    private final org.apache.arrow.flatbuf.Message genMessage =
            new org.apache.arrow.flatbuf.Message();
    private final org.apache.arrow.flatbuf.Schema genSchema = new org.apache.arrow.flatbuf.Schema();
    private final GeneratedWalk genWalk = new GeneratedWalk();
    private ByteBuffer text;

    /// Prepares the message and checks that both sides read the same.
    ///
    /// @param running the benchmark to measure
    @Setup
    public void setup(BenchmarkParams running) {
        if (!history.equals(Setting.CLEAN)) {
            know(USED_COLUMNS);
            BenchMemory.useAll(this, running, BenchMemory.all(framed, history), this::take);
        }
        know(size);
        if (fletch() != generated()
                || fletchAgain() != generatedAgain()
                || fletchWalk() != generatedWalk()
                || fletchPlan() != generatedPlan()
                || !fletchVerify()) {
            throw new AssertionError("sides read or write different data");
        }
    }

    private void know(int columns) {
        framed = BenchInputs.frame(BenchInputs.schema(columns), 0);
        again = new EncapsulatedMessage(ReadOptions.DEFAULT.withKnownSchemas(new KnownSchemas()));
        take(BenchMemory.of(memory, framed));
        for (int i = 0; i < 2; i++) { // it is learned when it is seen twice
            bind(again);
        }
        layout = knownLayout();
        walked = walk.schema(schema);
    }

    /// Sets the memory, and binds the schema for later steps.
    private void take(BenchMemory placed) {
        segment = placed.segment();
        bytes = placed.buffer();
        text = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN);
        bind();
        generatedBind();
    }

    @Override
    public Path input(Path folder) throws IOException {
        return Files.write(folder.resolve("schema"), framed);
    }

    private void bind() {
        bind(frame);
    }

    private void bind(EncapsulatedMessage with) {
        if (with.wrap(segment, 0, message) != FrameKind.MESSAGE || !message.header(schema)) {
            throw new AssertionError("no schema");
        }
    }

    private BatchLayout knownLayout() {
        return BatchLayout.of(again.knownSchema(), schema, MetadataVersion.V5, Limits.DEFAULT);
    }

    private void generatedBind() {
        GeneratedBatches.length(bytes, 0);
        bytes.position(GeneratedBatches.PREFIX_BYTES);
        org.apache.arrow.flatbuf.Message.getRootAsMessage(bytes, genMessage);
        if (genMessage.headerType() != MessageHeader.Schema) {
            throw new AssertionError("no schema");
        }
        genMessage.header(genSchema);
    }

    // ---- the first schema

    /// Fletch: frame, verify, walk, compile a layout.
    @Benchmark
    public long fletch() {
        bind();
        return walk.schema(schema) + fletchPlan();
    }

    /// The generated classes: frame, walk, build a plan.
    @Benchmark
    public long generated() {
        generatedBind();
        return genWalk.schema(genSchema, text) + generatedPlan();
    }

    // ---- the same schema again

    /// Fletch: frame, recognize the schema, return its layout, which replaces the walk.
    @Benchmark
    public long fletchAgain() {
        bind(again);
        if (knownLayout() != layout) {
            throw new AssertionError("schema is not the known one");
        }
        return walked;
    }

    /// The generated classes cannot recognize a schema: frame, walk.
    @Benchmark
    public long generatedAgain() {
        generatedBind();
        return genWalk.schema(genSchema, text);
    }

    // ---- the steps

    /// Fletch's verifier on the message.
    @Benchmark
    public boolean fletchVerify() {
        return verifier.verify(
                Verifier.Root.MESSAGE,
                segment,
                GeneratedBatches.PREFIX_BYTES,
                segment.byteSize() - GeneratedBatches.PREFIX_BYTES);
    }

    /// Fletch's walk through the fields of a bound schema.
    @Benchmark
    public long fletchWalk() {
        return walk.schema(schema);
    }

    /// The same walk through the generated classes.
    @Benchmark
    public long generatedWalk() {
        return genWalk.schema(genSchema, text);
    }

    /// Fletch's layout of a bound schema.
    @Benchmark
    public int fletchPlan() {
        return BatchLayout.compile(schema, MetadataVersion.V5).bufferCount();
    }

    /// The same plan through the generated classes.
    @Benchmark
    public int generatedPlan() {
        return GeneratedPlan.of(genSchema).bufferCount();
    }
}
