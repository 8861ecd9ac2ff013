// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import dev.fletch.format.Buffer;
import dev.fletch.format.FieldNode;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
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

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/// Reads the header of a record batch message: kind, version, body length, rows, and every node and
/// buffer. Fletch beside the classes that flatc generates, whose objects are used again.
///
/// `polluted` means that heap, direct and mapped memory were all read in the same JVM before.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class RecordBatchRead {
    /// Columns; a batch of n has n nodes and 3n buffers.
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
    private final FieldNode node = new FieldNode();
    private final Buffer buffer = new Buffer();
    private long[] numbers;

    private final org.apache.arrow.flatbuf.Message genMessage =
            new org.apache.arrow.flatbuf.Message();
    private final org.apache.arrow.flatbuf.RecordBatch genBatch =
            new org.apache.arrow.flatbuf.RecordBatch();
    private final org.apache.arrow.flatbuf.FieldNode genNode =
            new org.apache.arrow.flatbuf.FieldNode();
    private final org.apache.arrow.flatbuf.Buffer genBuffer = new org.apache.arrow.flatbuf.Buffer();

    private MemorySegment segment;
    private ByteBuffer bytes;

    /// Prepares the message and checks that all ways read the same.
    @Setup
    public void setup() {
        numbers = new long[6 * 1000];
        if (polluted) {
            final byte[] content = LargeSchemas.recordBatchMessage(10);
            for (int i = 0; i < BenchMemory.POLLUTING_CALLS; i++) {
                use(BenchMemory.KINDS[i % 3], content);
                check();
            }
        }
        use(memory, LargeSchemas.recordBatchMessage(columns));
        check();
    }

    private final java.util.Map<String, BenchMemory> used = new java.util.HashMap<>();

    private void use(String kind, byte[] content) {
        final BenchMemory placed =
                used.computeIfAbsent(kind + content.length, k -> BenchMemory.of(kind, content));
        segment = placed.segment();
        bytes = placed.buffer();
    }

    private void check() {
        final long expected = generated();
        if (fletch() != expected
                || fletchBulk() != expected
                || generatedFresh() != expected
                || fletchNumbers() != expected
                || fletchHead() != generatedHead()) {
            throw new AssertionError("the ways to read differ");
        }
    }

    /// Every node and buffer through flyweights of the two structs.
    @Benchmark
    public long fletch() {
        long sum = fletchHead();
        for (int i = 0, n = batch.nodesCount(); i < n; i++) {
            batch.nodes(i, node);
            sum += node.length() + node.nullCount();
        }
        for (int i = 0, n = batch.buffersCount(); i < n; i++) {
            batch.buffers(i, buffer);
            sum += buffer.offset() + buffer.length();
        }
        return sum;
    }

    /// Every node and buffer through bulk copies.
    @Benchmark
    public long fletchBulk() {
        long sum = fletchHead();
        final long[] into = numbers;
        for (int i = 0, n = batch.copyNodes(into, 0); i < n; i++) {
            sum += into[i];
        }
        for (int i = 0, n = batch.copyBuffers(into, 0); i < n; i++) {
            sum += into[i];
        }
        return sum;
    }

    /// Every node and buffer, number by number, without a flyweight for each.
    @Benchmark
    public long fletchNumbers() {
        long sum = fletchHead();
        for (int i = 0, n = batch.nodesCount(); i < n; i++) {
            sum += batch.nodesLength(i) + batch.nodesNullCount(i);
        }
        for (int i = 0, n = batch.buffersCount(); i < n; i++) {
            sum += batch.buffersOffset(i) + batch.buffersLength(i);
        }
        return sum;
    }

    /// The header alone.
    @Benchmark
    public long fletchHead() {
        message.wrap(segment);
        if (!message.header(batch)) {
            throw new AssertionError("no record batch");
        }
        return message.version()
                + message.bodyLength()
                + batch.length()
                + batch.nodesCount()
                + batch.buffersCount();
    }

    /// Every node and buffer through the generated classes.
    @Benchmark
    public long generated() {
        long sum = generatedHead();
        for (int i = 0, n = genBatch.nodesLength(); i < n; i++) {
            genBatch.nodes(genNode, i);
            sum += genNode.length() + genNode.nullCount();
        }
        for (int i = 0, n = genBatch.buffersLength(); i < n; i++) {
            genBatch.buffers(genBuffer, i);
            sum += genBuffer.offset() + genBuffer.length();
        }
        return sum;
    }

    /// Every node and buffer through the generated classes, each an object of its own.
    @Benchmark
    public long generatedFresh() {
        final var fresh = org.apache.arrow.flatbuf.Message.getRootAsMessage(bytes);
        if (fresh.headerType() != org.apache.arrow.flatbuf.MessageHeader.RecordBatch) {
            throw new AssertionError("no record batch");
        }
        final var header =
                (org.apache.arrow.flatbuf.RecordBatch)
                        fresh.header(new org.apache.arrow.flatbuf.RecordBatch());
        long sum =
                fresh.version()
                        + fresh.bodyLength()
                        + header.length()
                        + header.nodesLength()
                        + header.buffersLength();
        for (int i = 0, n = header.nodesLength(); i < n; i++) {
            final var each = header.nodes(i);
            sum += each.length() + each.nullCount();
        }
        for (int i = 0, n = header.buffersLength(); i < n; i++) {
            final var each = header.buffers(i);
            sum += each.offset() + each.length();
        }
        return sum;
    }

    /// The header alone through the generated classes.
    @Benchmark
    public long generatedHead() {
        org.apache.arrow.flatbuf.Message.getRootAsMessage(bytes, genMessage);
        if (genMessage.headerType() != org.apache.arrow.flatbuf.MessageHeader.RecordBatch) {
            throw new AssertionError("no record batch");
        }
        genMessage.header(genBatch);
        return genMessage.version()
                + genMessage.bodyLength()
                + genBatch.length()
                + genBatch.nodesLength()
                + genBatch.buffersLength();
    }
}
