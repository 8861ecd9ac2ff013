// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import com.google.flatbuffers.FlatBufferBuilder;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.Message;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.write.BodyLayout;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.format.write.MetadataWriter;
import dev.fletch.format.write.RecordBatchTemplate;
import dev.fletch.format.write.TableEncoder;
import dev.fletch.testdata.GeneratedTables;

import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.FieldNode;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.ipc.message.IpcOption;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
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
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Writes a record batch message: from arrays with the encoders, or from a template. The generated
/// classes use a reused `FlatBufferBuilder`; arrow-java makes a new one for each message.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class WriteBatch implements Peered {
    private static final int ROWS = 1000;

    /// Distance of buffers in the body, and their length: arrow-java computes offsets from lengths.
    private static final int BUFFER_DISTANCE = 8192;

    private static final int BUFFER_BYTES = 8190;

    /// Columns; n columns have n nodes and 3n buffers.
    @Param({"10", "1000"})
    public int size;

    /// Kind of memory.
    @Param({"heap", "direct"})
    public String memory;

    /// Whether the JVM has used other kinds of memory before.
    @Param({Setting.CLEAN, Setting.USED})
    public String history;

    private WriteMemory target;
    private RecordBatchTemplate template;
    private BodyLayout layout;
    private long[] nodes;
    private long[] buffers;
    private long bodyLength;
    private final BufferAllocator allocator = new RootAllocator();
    private ArrowBuf arrowBuffer;

    /// Prepares the numbers and checks that all sides write the same.
    ///
    /// @param running the benchmark to measure
    @Setup
    public void setup(BenchmarkParams running) {
        if (history.equals(Setting.USED)) {
            fill(10);
            BenchMemory.useAll(this, running, WriteMemory.all(), this::take);
        }
        fill(size);
        take(WriteMemory.of(memory));
        compare();
        // arrow-java uses other kinds of memory.
        if (BenchMemory.measuresArrow(running)) {
            arrowBuffer = allocator.buffer(BUFFER_BYTES).writerIndex(BUFFER_BYTES);
            fletchTemplate();
            Message expected = new Message().wrap(target.writer().target());
            if (Project.sum(new Message().wrap(message())) != Project.sum(expected)) {
                throw new AssertionError("arrow-java writes different numbers");
            }
        }
    }

    /// Frees arrow-java's memory.
    @TearDown
    public void tearDown() {
        if (arrowBuffer != null) {
            arrowBuffer.close();
        }
        allocator.close();
    }

    private void fill(int count) {
        nodes = new long[2 * count];
        buffers = new long[6 * count];
        for (int i = 0; i < nodes.length; i++) {
            nodes[i] = i % 2 == 0 ? 1000 : i;
        }
        for (int i = 0; i < buffers.length; i++) {
            buffers[i] = i % 2 == 0 ? i / 2L * BUFFER_DISTANCE : BUFFER_BYTES;
        }
        bodyLength = buffers.length / 2L * BUFFER_DISTANCE;
        template =
                RecordBatchTemplate.of(
                        EmissionOrder.ARROW_JAVA, MetadataVersion.V5, count, 3 * count, 0);
        layout = new BodyLayout().endAt(bodyLength);
        for (int i = 0; i < nodes.length; i += 2) {
            layout.addNode(nodes[i], nodes[i + 1]);
        }
        for (int i = 0; i < buffers.length; i += 2) {
            layout.addPlaced(buffers[i], buffers[i + 1]);
        }
    }

    private void take(WriteMemory into) {
        target = into;
    }

    private void compare() {
        generated();
        fletch();
        target.check();
        checkTemplate(target.writer());
    }

    private void checkTemplate(FlatBufferWriter writer) {
        var message = new Message().wrap(MemorySegment.ofArray(writer.toByteArray()));
        var ordered = EmissionOrder.ARROW_JAVA.newWriter();
        new MetadataWriter(EmissionOrder.ARROW_JAVA, ordered).message(message);
        byte[] expected = ordered.toByteArray();
        byte[] found = new byte[fletchTemplate()];
        MemorySegment.copy(writer.target(), ValueLayout.JAVA_BYTE, 0, found, 0, found.length);
        if (!Arrays.equals(expected, found)) {
            throw new AssertionError("template writes different bytes");
        }
    }

    /// Fletch, from arrays.
    @Benchmark
    public int fletch() {
        FlatBufferWriter writer = target.writer().reset();
        encode(writer, ROWS, bodyLength);
        return writer.length();
    }

    private void encode(FlatBufferWriter writer, long rows, long bytes) {
        int bufferVector = writer.createVector(buffers, 0, buffers.length / 2, 2);
        int nodeVector = writer.createVector(nodes, 0, nodes.length / 2, 2);
        finish(writer, nodeVector, bufferVector, rows, bytes);
    }

    @Override
    public Path input(Path folder) throws IOException {
        return Files.write(folder.resolve("batch"), inCpp());
    }

    @Override
    public long answer(long sum) {
        return Peered.hash(inCpp());
    }

    private byte[] inCpp() {
        FlatBufferWriter writer = new FlatBufferWriter();
        encode(writer, ROWS, bodyLength);
        return writer.toByteArray();
    }

    /// Fletch, from a template.
    @Benchmark
    public int fletchTemplate() {
        return template.write(target.writer().target(), 0, ROWS, layout, null);
    }

    private static void finish(
            FlatBufferWriter writer, int nodeVector, int bufferVector, long rows, long bytes) {
        int batch = TableEncoder.createRecordBatch(writer, rows, nodeVector, bufferVector, 0, 0);
        writer.finish(
                TableEncoder.createMessage(
                        writer, MetadataVersion.V5, MessageHeader.RECORD_BATCH, batch, bytes, 0));
    }

    /// Through the generated classes, which have no templates.
    @Benchmark
    public int generatedTemplate() {
        return generated();
    }

    /// Through the generated classes, from arrays.
    @Benchmark
    public int generated() {
        FlatBufferBuilder builder = target.builder();
        builder.clear();
        RecordBatch.startBuffersVector(builder, buffers.length / 2);
        for (int i = buffers.length - 2; i >= 0; i -= 2) {
            Buffer.createBuffer(builder, buffers[i], buffers[i + 1]);
        }
        int bufferVector = builder.endVector();
        RecordBatch.startNodesVector(builder, nodes.length / 2);
        for (int i = nodes.length - 2; i >= 0; i -= 2) {
            FieldNode.createFieldNode(builder, nodes[i], nodes[i + 1]);
        }
        int nodeVector = builder.endVector();
        int batch = GeneratedTables.recordBatch(builder, ROWS, nodeVector, bufferVector, 0, 0);
        builder.finish(
                GeneratedTables.message(
                        builder,
                        org.apache.arrow.flatbuf.MessageHeader.RecordBatch,
                        batch,
                        bodyLength));
        return builder.offset();
    }

    /// arrow-java, from arrays. All columns share one buffer, as no body is written.
    @Benchmark
    public int arrow() {
        return message().remaining();
    }

    private ByteBuffer message() {
        List<ArrowFieldNode> fieldNodes = new ArrayList<>(nodes.length / 2);
        for (int i = 0; i < nodes.length; i += 2) {
            fieldNodes.add(new ArrowFieldNode(nodes[i], nodes[i + 1]));
        }
        List<ArrowBuf> shared = Collections.nCopies(buffers.length / 2, arrowBuffer);
        try (ArrowRecordBatch batch = new ArrowRecordBatch(ROWS, fieldNodes, shared)) {
            return MessageSerializer.serializeMetadata(batch, IpcOption.DEFAULT);
        }
    }
}
