// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import dev.fletch.format.FrameKind;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.ipc.EncapsulatedMessage;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ReadChannel;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.ipc.message.MessageMetadataResult;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
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
import org.openjdk.jmh.infra.BenchmarkParams;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/// Steps through a mapped stream of about 100 MB, and reads kind, lengths and rows of each message.
/// Fletch verifies each message, its default. The generated classes verify nothing, and prefixes
/// are decoded by hand. arrow-java verifies nothing, and copies metadata and bodies. One operation
/// is one message.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class StreamStep implements Peered {
    /// Messages of the stream.
    static final int MESSAGES = 100_000;

    private static final int USED_MESSAGES = 10;

    /// [#MESSAGES] as the parameter `size` that all benchmarks have.
    @Param({"" + MESSAGES})
    public int size;

    /// Whether the JVM has used other kinds of memory before.
    @Param({Setting.CLEAN, Setting.USED})
    public String history;

    private final EncapsulatedMessage frame = new EncapsulatedMessage();
    private final Message message = new Message();
    private final RecordBatch batch = new RecordBatch();

    private final org.apache.arrow.flatbuf.Message genMessage =
            new org.apache.arrow.flatbuf.Message();
    private final org.apache.arrow.flatbuf.RecordBatch genBatch =
            new org.apache.arrow.flatbuf.RecordBatch();

    private final BufferAllocator allocator = new RootAllocator();

    private MemorySegment segment;
    private ByteBuffer bytes;

    /// Maps the stream and checks that all sides read the same.
    ///
    /// @param running the benchmark to measure
    @Setup
    public void setup(BenchmarkParams running) throws IOException {
        if (!history.equals(Setting.CLEAN)) {
            byte[] some = BenchInputs.stream(USED_MESSAGES);
            BenchMemory.useAll(this, running, BenchMemory.all(some, history), this::take);
        }
        try (FileChannel channel = FileChannel.open(BenchInputs.streamFile(size))) {
            ByteBuffer mapped =
                    channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size())
                            .order(ByteOrder.LITTLE_ENDIAN);
            take(new BenchMemory(MemorySegment.ofBuffer(mapped), mapped));
        }
        long expected = generated();
        if (fletch() != expected) {
            throw new AssertionError("sides read or write different data");
        }
        // arrow-java uses other kinds of memory.
        if (BenchMemory.measuresArrow(running) && arrow() != expected) {
            throw new AssertionError("arrow-java reads different data");
        }
    }

    private void take(BenchMemory placed) {
        segment = placed.segment();
        bytes = placed.buffer();
    }

    /// Closes the allocator.
    @TearDown
    public void tearDown() {
        allocator.close();
    }

    @Override
    public Path input(Path folder) throws IOException {
        return BenchInputs.streamFile(size);
    }

    /// Fletch.
    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public long fletch() {
        long sum = 0;
        long at = 0;
        while (frame.wrap(segment, at, message) == FrameKind.MESSAGE) {
            sum += message.headerType() + frame.metadataLength() + frame.bodyLength();
            if (message.headerType() == MessageHeader.RECORD_BATCH && message.header(batch)) {
                sum += batch.length();
            }
            at = frame.nextOffset();
        }
        return sum;
    }

    /// The generated classes.
    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public long generated() {
        long sum = 0;
        int at = 0;
        ByteBuffer in = bytes;
        for (int length = GeneratedBatches.length(in, at);
                length != 0;
                length = GeneratedBatches.length(in, at)) {
            in.position(at + GeneratedBatches.PREFIX_BYTES);
            org.apache.arrow.flatbuf.Message.getRootAsMessage(in, genMessage);
            int kind = genMessage.headerType();
            long bodyLength = genMessage.bodyLength();
            sum += kind + length + bodyLength;
            if (kind == MessageHeader.RECORD_BATCH) {
                genMessage.header(genBatch);
                sum += genBatch.length();
            }
            at += GeneratedBatches.PREFIX_BYTES + length + Math.toIntExact(bodyLength);
        }
        in.position(0);
        return sum;
    }

    /// arrow-java.
    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public long arrow() throws IOException {
        ReadChannel in = new ReadChannel(new MemoryChannel(bytes.duplicate().rewind()));
        long sum = 0;
        MessageMetadataResult next;
        while ((next = MessageSerializer.readMessage(in)) != null) {
            long bodyLength = next.getMessageBodyLength();
            sum += next.headerType() + next.getMessageLength() + bodyLength;
            if (next.headerType() == MessageHeader.RECORD_BATCH) {
                ArrowBuf body = MessageSerializer.readMessageBody(in, bodyLength, allocator);
                try (ArrowRecordBatch each = MessageSerializer.deserializeRecordBatch(next, body)) {
                    sum += each.getLength();
                }
            }
        }
        return sum;
    }
}
