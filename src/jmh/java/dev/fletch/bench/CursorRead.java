// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import dev.fletch.format.Message;
import dev.fletch.format.MetadataVersion;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.layout.BatchCursor;
import dev.fletch.layout.BatchLayout;

import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.FieldNode;
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

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// Reads a record batch message column by column: of each its node and its buffers, by a plan of
/// the schema made once. Fletch's [BatchCursor] beside the classes that flatc generates, which find
/// a column's buffers by the same numbers in an array.
///
/// `polluted` means that heap, direct and mapped memory were all read in the same JVM before.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class CursorRead {
    private static final int BUFFERS_PER_COLUMN = 3;

    /// Columns, all of texts: a batch of n has n nodes and 3n buffers.
    @Param({"5", "10", "50", "1000"})
    public int columns;

    /// Kind of memory.
    @Param({"heap", "direct"})
    public String memory;

    /// Whether all kinds were seen before.
    @Param({"false", "true"})
    public boolean polluted;

    private final Message message = new Message();
    private final RecordBatch batch = new RecordBatch();
    private final BatchCursor cursor = new BatchCursor();
    private final Map<Integer, BatchLayout> layouts = new HashMap<>();
    private BatchLayout layout;

    private final org.apache.arrow.flatbuf.Message genMessage =
            new org.apache.arrow.flatbuf.Message();
    private final org.apache.arrow.flatbuf.RecordBatch genBatch =
            new org.apache.arrow.flatbuf.RecordBatch();
    private final FieldNode genNode = new FieldNode();
    private final Buffer genBuffer = new Buffer();
    // Where the buffers of each column start; behind the last where they end.
    private int[] firstBuffer;

    private final Map<String, BenchMemory> used = new HashMap<>();
    private MemorySegment segment;
    private ByteBuffer bytes;

    /// Prepares the message and checks that all ways read the same.
    @Setup
    public void setup() {
        if (polluted) {
            final byte[] content = BenchInputs.recordBatch(10);
            for (int i = 0; i < BenchMemory.POLLUTING_CALLS; i++) {
                use(BenchMemory.KINDS[i % 3], 10, content);
                check();
            }
        }
        use(memory, columns, BenchInputs.recordBatch(columns));
        check();
    }

    private void use(String kind, int count, byte[] content) {
        final BenchMemory placed =
                used.computeIfAbsent(kind + count, k -> BenchMemory.of(kind, content));
        segment = placed.segment();
        bytes = placed.buffer();
        layout = layouts.computeIfAbsent(count, CursorRead::layout);
        if (firstBuffer == null || firstBuffer.length != count + 1) {
            firstBuffer = new int[count + 1];
            Arrays.setAll(firstBuffer, i -> i * BUFFERS_PER_COLUMN);
        }
    }

    private static BatchLayout layout(int columns) {
        final Message plan = new Message().wrap(MemorySegment.ofArray(BenchInputs.texts(columns)));
        final Schema schema = new Schema();
        plan.header(schema);
        return BatchLayout.compile(schema, MetadataVersion.V5);
    }

    private void check() {
        final long expected = generated();
        if (fletch() != expected || generatedFresh() != expected) {
            throw new AssertionError("the ways to read differ");
        }
    }

    /// Fletch. The numbers are read as they stand, so the body may be missing.
    @Benchmark
    public long fletch() {
        message.wrap(segment);
        if (!message.header(batch)) {
            throw new AssertionError("no record batch");
        }
        cursor.bind(layout, batch, segment, 0, 0);
        long sum = batch.length();
        for (int i = 0, n = layout.columnCount(); i < n; i++) {
            cursor.column(i);
            sum += cursor.length() + cursor.nullCount();
            for (int b = 0, count = cursor.bufferCount(); b < count; b++) {
                sum += cursor.bufferOffset(b) + cursor.bufferLength(b);
            }
        }
        return sum;
    }

    /// The generated classes, objects used again.
    @Benchmark
    public long generated() {
        org.apache.arrow.flatbuf.Message.getRootAsMessage(bytes, genMessage);
        genMessage.header(genBatch);
        long sum = genBatch.length();
        for (int i = 0, n = firstBuffer.length - 1; i < n; i++) {
            genBatch.nodes(genNode, i);
            sum += genNode.length() + genNode.nullCount();
            for (int b = firstBuffer[i], end = firstBuffer[i + 1]; b < end; b++) {
                genBatch.buffers(genBuffer, b);
                sum += genBuffer.offset() + genBuffer.length();
            }
        }
        return sum;
    }

    /// The generated classes, an object for each node and buffer.
    @Benchmark
    public long generatedFresh() {
        final var fresh = org.apache.arrow.flatbuf.Message.getRootAsMessage(bytes);
        final var header =
                (org.apache.arrow.flatbuf.RecordBatch)
                        fresh.header(new org.apache.arrow.flatbuf.RecordBatch());
        long sum = header.length();
        for (int i = 0, n = firstBuffer.length - 1; i < n; i++) {
            final FieldNode node = header.nodes(i);
            sum += node.length() + node.nullCount();
            for (int b = firstBuffer[i], end = firstBuffer[i + 1]; b < end; b++) {
                final Buffer buffer = header.buffers(b);
                sum += buffer.offset() + buffer.length();
            }
        }
        return sum;
    }
}
