// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import com.google.flatbuffers.FlatBufferBuilder;

import dev.fletch.flatbuf.Dialect;
import dev.fletch.flatbuf.FlatBufferWriter;
import dev.fletch.format.BufferEncoder;
import dev.fletch.format.FieldNodeEncoder;
import dev.fletch.format.MessageEncoder;
import dev.fletch.format.MessageHeader;
import dev.fletch.format.MetadataVersion;
import dev.fletch.format.RecordBatchEncoder;
import dev.fletch.format.RecordBatchTemplate;

import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.RecordBatch;
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
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/// Writes the header of a record batch message. Fletch beside the classes that flatc generates, on
/// an official builder that is used again.
///
/// `polluted` means that heap, direct and mapped memory were all written in the same JVM before.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class WriteRecordBatch {
    private static final long ROWS = 1000;

    /// Columns; a batch of n has n nodes and 3n buffers.
    @Param({"10", "1000"})
    public int columns;

    /// Kind of memory.
    @Param({"heap", "direct"})
    public String memory;

    /// Whether all kinds were seen before.
    @Param({"false", "true"})
    public boolean polluted;

    private WriteMemory target;
    private RecordBatchTemplate template;
    private long[] nodes;
    private long[] buffers;
    private long bodyLength;

    /// Prepares the numbers and checks that all ways write the same.
    @Setup
    public void setup() {
        if (polluted) {
            fill(10);
            WriteMemory.pollute(this::compare);
        }
        fill(columns);
        compare(WriteMemory.of(memory));
        if (generatedFresh() != generated()) {
            throw new AssertionError("a fresh builder writes something else");
        }
    }

    private void fill(int count) {
        nodes = new long[2 * count];
        buffers = new long[6 * count];
        for (int i = 0; i < nodes.length; i++) {
            nodes[i] = i % 2 == 0 ? 1000 : i;
        }
        for (int i = 0; i < buffers.length; i++) {
            buffers[i] = i % 2 == 0 ? i * 4096L : 4000;
        }
        bodyLength = buffers.length * 4096L;
        template =
                RecordBatchTemplate.of(
                        Dialect.JAVA, (writer, rows, bytes) -> encode(writer, rows, bytes));
    }

    private void compare(WriteMemory into) {
        target = into;
        generated();
        fletch();
        into.check();
        fletchByElements();
        into.check();
        checkTemplate(into.writer());
    }

    private void checkTemplate(FlatBufferWriter writer) {
        final byte[] expected = writer.toByteArray();
        final byte[] found = new byte[fletchTemplate()];
        MemorySegment.copy(writer.target(), ValueLayout.JAVA_BYTE, 0, found, 0, found.length);
        if (!Arrays.equals(expected, found)) {
            throw new AssertionError("the template writes something else");
        }
    }

    /// Vectors copied from `long[]`.
    @Benchmark
    public int fletch() {
        final FlatBufferWriter writer = target.writer().reset();
        encode(writer, ROWS, bodyLength);
        return writer.length();
    }

    private void encode(FlatBufferWriter writer, long rows, long bytes) {
        final int bufferVector = BufferEncoder.createVector(writer, buffers, 0, buffers.length / 2);
        final int nodeVector = FieldNodeEncoder.createVector(writer, nodes, 0, nodes.length / 2);
        finish(writer, nodeVector, bufferVector, rows, bytes);
    }

    /// The message in the order of a dialect, for a peer to write again.
    byte[] message(Dialect dialect) {
        final FlatBufferWriter writer = FlatBufferWriter.growing(dialect);
        encode(writer, ROWS, bodyLength);
        return writer.toByteArray();
    }

    /// From a template.
    @Benchmark
    public int fletchTemplate() {
        return template.write(target.writer().target(), 0, ROWS, bodyLength, nodes, buffers);
    }

    /// Each node and buffer by itself.
    @Benchmark
    public int fletchByElements() {
        final FlatBufferWriter writer = target.writer().reset();
        BufferEncoder.startVector(writer, buffers.length / 2);
        for (int i = buffers.length - 2; i >= 0; i -= 2) {
            BufferEncoder.push(writer, buffers[i], buffers[i + 1]);
        }
        final int bufferVector = writer.endVector();
        FieldNodeEncoder.startVector(writer, nodes.length / 2);
        for (int i = nodes.length - 2; i >= 0; i -= 2) {
            FieldNodeEncoder.push(writer, nodes[i], nodes[i + 1]);
        }
        finish(writer, writer.endVector(), bufferVector, ROWS, bodyLength);
        return writer.length();
    }

    private static void finish(
            FlatBufferWriter writer, int nodeVector, int bufferVector, long rows, long bytes) {
        final int batch = RecordBatchEncoder.create(writer, rows, nodeVector, bufferVector, 0, 0);
        writer.finish(
                MessageEncoder.create(
                        writer, MetadataVersion.V5, MessageHeader.RECORD_BATCH, batch, bytes, 0));
    }

    /// Through the generated classes, on the builder that is used again.
    @Benchmark
    public int generated() {
        final FlatBufferBuilder builder = target.builder();
        builder.clear();
        return generated(builder);
    }

    /// Through the generated classes, on a builder of its own.
    @Benchmark
    public int generatedFresh() {
        return generated(new FlatBufferBuilder());
    }

    private int generated(FlatBufferBuilder builder) {
        RecordBatch.startBuffersVector(builder, buffers.length / 2);
        for (int i = buffers.length - 2; i >= 0; i -= 2) {
            Buffer.createBuffer(builder, buffers[i], buffers[i + 1]);
        }
        final int bufferVector = builder.endVector();
        RecordBatch.startNodesVector(builder, nodes.length / 2);
        for (int i = nodes.length - 2; i >= 0; i -= 2) {
            FieldNode.createFieldNode(builder, nodes[i], nodes[i + 1]);
        }
        final int nodeVector = builder.endVector();
        final int batch =
                RecordBatch.createRecordBatch(builder, ROWS, nodeVector, bufferVector, 0, 0);
        builder.finish(
                Message.createMessage(
                        builder,
                        org.apache.arrow.flatbuf.MetadataVersion.V5,
                        org.apache.arrow.flatbuf.MessageHeader.RecordBatch,
                        batch,
                        bodyLength,
                        0));
        return builder.offset();
    }
}
