// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import dev.fletch.batch.BatchLayout;
import dev.fletch.format.FrameKind;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.forward.BatchProjector;
import dev.fletch.ipc.EncapsulatedMessage;

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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/// Reads the next batch of a stream in memory, and writes its message with some of its columns: 3
/// of 10, 5 of 1,000. Lists the ranges of the body. Target and stream are in the same kind of
/// memory. arrow-java writes to a new array.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class Project {
    private static final int USED_COLUMNS = 10;

    /// Columns of the stream.
    @Param({"10", "1000"})
    public int size;

    /// Kind of memory.
    @Param({"heap", "direct", "mapped"})
    public String memory;

    /// Whether the JVM has used other kinds of memory before.
    @Param({Setting.CLEAN, Setting.USED})
    public String history;

    private final EncapsulatedMessage frame = new EncapsulatedMessage();
    private final Message message = new Message();
    private final GeneratedBatches generated = new GeneratedBatches();
    private final ArrowBatches arrow = new ArrowBatches();
    private byte[] content;
    private int[] chosen;
    private BatchProjector projector;
    private BenchMemory stream;
    private WriteMemory target;
    private MemorySegment written;
    private long at;

    /// Prepares the stream and checks that all sides write the same numbers.
    ///
    /// @param running the benchmark to measure
    @Setup
    public void setup(BenchmarkParams running) throws IOException {
        if (!history.equals(Setting.CLEAN)) {
            plan(USED_COLUMNS);
            into(WriteMemory.of("heap"));
            BenchMemory.useAll(this, running, BenchMemory.all(content, history), this::take);
        }
        plan(size);
        into(WriteMemory.of(memory));
        take(BenchMemory.of(memory, content));
        check();
        take(stream);
        // arrow-java uses other kinds of memory.
        if (BenchMemory.measuresArrow(running)) {
            checkArrow();
            take(stream);
        }
    }

    private void into(WriteMemory given) {
        target = given;
        written = target.writer().target();
    }

    private void plan(int columns) {
        content = BenchInputs.batches(columns);
        chosen =
                columns == USED_COLUMNS
                        ? new int[] {1, 5, 8}
                        : new int[] {1, columns / 4, columns / 2, 3 * columns / 4, columns - 2};
        Schema schema = new Schema();
        new Message().wrap(MemorySegment.ofArray(BenchInputs.texts(columns))).header(schema);
        BatchLayout layout = BatchLayout.compile(schema, MetadataVersion.V5);
        projector =
                new BatchProjector(
                        layout.choose(IntStream.of(chosen).map(layout::columnField).toArray()));
        generated.plan(columns);
    }

    private void take(BenchMemory given) {
        stream = given;
        generated.wrap(stream.buffer());
        arrow.wrap(stream.buffer());
        at = 0;
    }

    /// Fletch, verified.
    @Benchmark
    public long fletch() {
        if (frame.wrap(stream.segment(), at, message) != FrameKind.MESSAGE) {
            throw new AssertionError("message is not a record batch");
        }
        long next = frame.nextOffset();
        at = next == stream.segment().byteSize() ? 0 : next;
        return projector.write(message, written, 0) + projector.bodyLength();
    }

    /// The generated classes and a reused builder, with the ranges in an array.
    @Benchmark
    public long generated() {
        return generated.project(chosen, target.builder());
    }

    /// arrow-java: deserializes the batch, and serializes another one of some of its nodes and
    /// buffers.
    @Benchmark
    public int arrow() throws IOException {
        return arrow.project(chosen).remaining();
    }

    private void checkArrow() throws IOException {
        for (int i = 0; i < 4; i++) {
            fletch();
            long expected = sum(new Message().wrap(written));
            if (sum(new Message().wrap(arrow.project(chosen))) != expected) {
                throw new AssertionError("arrow-java writes different numbers");
            }
        }
    }

    /// Frees arrow-java's memory.
    @TearDown
    public void tearDown() {
        arrow.close();
    }

    private void check() {
        for (int i = 0; i < 4; i++) {
            if (fletch() != generated()) {
                throw new AssertionError("sides write messages of different lengths");
            }
            Message found = new Message().wrap(written);
            Message expected = new Message().wrap(target.builder().dataBuffer());
            if (sum(found) != sum(expected) || projector.rangeCount() != generated.rangeCount()) {
                throw new AssertionError("sides write different numbers");
            }
            for (int r = 0; r < projector.rangeCount(); r++) {
                if (projector.rangeOffset(r) != generated.rangeOffset(r)
                        || projector.rangeLength(r) != generated.rangeLength(r)) {
                    throw new AssertionError("sides list different ranges");
                }
            }
        }
    }

    /// All numbers of a record batch message.
    static long sum(Message of) {
        var batch = new RecordBatch();
        of.header(batch);
        long sum = of.bodyLength() + 31 * batch.length();
        for (int i = 0; i < batch.nodesCount(); i++) {
            sum = 31 * sum + batch.nodesLength(i) + 7 * batch.nodesNullCount(i);
        }
        for (int i = 0; i < batch.buffersCount(); i++) {
            sum = 31 * sum + batch.buffersOffset(i) + 7 * batch.buffersLength(i);
        }
        return sum;
    }
}
