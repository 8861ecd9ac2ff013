// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import dev.fletch.format.Message;
import dev.fletch.format.MessageHeader;
import dev.fletch.format.RecordBatch;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.FrameKind;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.Verification;

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

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.util.concurrent.TimeUnit;

/// Steps through a mapped stream: of each message its kind, its sizes and its rows. Fletch, which
/// verifies each message or does not, beside the classes that flatc generates, which cannot verify.
/// One operation is the whole stream.
///
/// `polluted` means that streams in heap, direct and mapped memory were stepped through in the same
/// JVM before.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class StreamStep {
    private static final int POLLUTING_MESSAGES = 100;
    private static final int PREFIX_BYTES = 8;

    /// Messages of the stream.
    @Param({"100000"})
    public int messages;

    /// Whether all kinds of memory were seen before.
    @Param({"false", "true"})
    public boolean polluted;

    private final EncapsulatedMessage trusted =
            new EncapsulatedMessage(ReadOptions.DEFAULT.withVerification(Verification.NONE));
    private final EncapsulatedMessage verified = new EncapsulatedMessage(ReadOptions.DEFAULT);
    private final Message message = new Message();
    private final RecordBatch batch = new RecordBatch();

    private final org.apache.arrow.flatbuf.Message genMessage =
            new org.apache.arrow.flatbuf.Message();
    private final org.apache.arrow.flatbuf.RecordBatch genBatch =
            new org.apache.arrow.flatbuf.RecordBatch();

    private MemorySegment segment;
    private ByteBuffer bytes;

    /// Maps the stream and checks that all ways see the same.
    @Setup
    public void setup() throws IOException {
        if (polluted) {
            final byte[] content = BenchInputs.stream(POLLUTING_MESSAGES);
            final BenchMemory[] kinds = new BenchMemory[BenchMemory.KINDS.length];
            for (int i = 0; i < kinds.length; i++) {
                kinds[i] = BenchMemory.of(BenchMemory.KINDS[i], content);
            }
            for (int i = 0; i < BenchMemory.POLLUTING_CALLS / POLLUTING_MESSAGES; i++) {
                segment = kinds[i % kinds.length].segment();
                bytes = kinds[i % kinds.length].buffer();
                check();
            }
        }
        try (FileChannel channel = FileChannel.open(BenchInputs.streamFile(messages))) {
            bytes =
                    channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size())
                            .order(ByteOrder.LITTLE_ENDIAN);
        }
        segment = MemorySegment.ofBuffer(bytes);
        check();
    }

    private void check() {
        final long expected = generated();
        if (fletch() != expected || fletchVerified() != expected || generatedFresh() != expected) {
            throw new AssertionError("the ways to step differ");
        }
    }

    /// Fletch, without verifying.
    @Benchmark
    public long fletch() {
        return step(trusted);
    }

    /// Fletch, each message verified, as by default.
    @Benchmark
    public long fletchVerified() {
        return step(verified);
    }

    private long step(EncapsulatedMessage frame) {
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

    /// The generated classes, objects and buffer used again.
    @Benchmark
    public long generated() {
        long sum = 0;
        int at = 0;
        final ByteBuffer in = bytes;
        for (int size = size(in, at); size != 0; size = size(in, at)) {
            in.position(at + PREFIX_BYTES);
            org.apache.arrow.flatbuf.Message.getRootAsMessage(in, genMessage);
            final int kind = genMessage.headerType();
            final long bodyLength = genMessage.bodyLength();
            sum += kind + size + bodyLength;
            if (kind == MessageHeader.RECORD_BATCH) {
                genMessage.header(genBatch);
                sum += genBatch.length();
            }
            at += PREFIX_BYTES + size + Math.toIntExact(bodyLength);
        }
        in.position(0);
        return sum;
    }

    /// The generated classes as one writes it: a slice and its objects for each message.
    @Benchmark
    public long generatedFresh() {
        long sum = 0;
        int at = 0;
        final ByteBuffer in = bytes;
        for (int size = size(in, at); size != 0; size = size(in, at)) {
            final var fresh =
                    org.apache.arrow.flatbuf.Message.getRootAsMessage(
                            in.slice(at + PREFIX_BYTES, size).order(ByteOrder.LITTLE_ENDIAN));
            sum += fresh.headerType() + size + fresh.bodyLength();
            if (fresh.headerType() == MessageHeader.RECORD_BATCH) {
                final var header =
                        (org.apache.arrow.flatbuf.RecordBatch)
                                fresh.header(new org.apache.arrow.flatbuf.RecordBatch());
                sum += header.length();
            }
            at += PREFIX_BYTES + size + Math.toIntExact(fresh.bodyLength());
        }
        return sum;
    }

    private static int size(ByteBuffer in, int at) {
        if (in.getInt(at) != EncapsulatedMessage.CONTINUATION) {
            throw new AssertionError("no continuation word");
        }
        return in.getInt(at + Integer.BYTES);
    }
}
