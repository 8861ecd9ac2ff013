// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;

import org.HdrHistogram.Histogram;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.FieldNode;

import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntToLongFunction;

/// How long single messages take: the histogram of decoding a batch message of ten columns, every
/// node and buffer, over very many messages; each side in a JVM of its own with the same small
/// heap, so that its garbage and nobody else's is collected while it is measured.
///
/// Each message is timed by itself, so a time has the timer's own in it; its histogram stands
/// beside the others as `timer`. One thread decodes the next message as soon as it has the last one
/// (a closed loop): nothing arrives while it is held up, so there are no waiting messages to be
/// counted too, and no omission of such to be corrected.
final class Tail {
    /// The sides, as the arguments of [#main] name them.
    static final List<String> SIDES = List.of("timer", "fletch", "reused", "fresh");

    private static final int COLUMNS = 10;
    private static final int MESSAGES = 1024;
    private static final int WARMUP_SHARE = 10;
    private static final long LONGEST_NANOSECONDS = TimeUnit.SECONDS.toNanos(10);
    private static final int DIGITS = 3;
    private static final List<String> JVM = List.of("-Xms256m", "-Xmx256m", "-XX:+UseG1GC");

    private final BenchMemory memory;
    private final int messageBytes;
    private long sum;

    private final Message message = new Message();
    private final RecordBatch batch = new RecordBatch();
    private final long[] numbers = new long[6 * COLUMNS];
    private final org.apache.arrow.flatbuf.Message genMessage =
            new org.apache.arrow.flatbuf.Message();
    private final org.apache.arrow.flatbuf.RecordBatch genBatch =
            new org.apache.arrow.flatbuf.RecordBatch();
    private final FieldNode genNode = new FieldNode();
    private final Buffer genBuffer = new Buffer();

    private Tail() {
        final byte[] one = BenchInputs.recordBatch(COLUMNS);
        messageBytes = (one.length + 7) & -8;
        final byte[] all = new byte[messageBytes * MESSAGES];
        for (int i = 0; i < MESSAGES; i++) {
            System.arraycopy(one, 0, all, i * messageBytes, one.length);
        }
        memory = BenchMemory.of("direct", all);
    }

    /// Runs a side and returns its figures by name: nanoseconds, but for the collector's.
    static Map<String, Object> measure(String side, int messages)
            throws IOException, InterruptedException {
        final List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElseThrow());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(JVM);
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(Tail.class.getName(), side, "" + messages));
        final Process process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        final String printed =
                new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException("the tail could not be measured: side=" + side);
        }
        final Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("side", side);
        printed.lines()
                .map(line -> line.split(" "))
                .forEach(pair -> figures.put(pair[0], Long.parseLong(pair[1])));
        return figures;
    }

    /// Measures a side in this JVM, and prints a name and a number on each line.
    public static void main(String[] arguments) {
        final Tail tail = new Tail();
        final String side = arguments[0];
        final int messages = Integer.parseInt(arguments[1]);
        tail.run(side, Math.max(MESSAGES, messages / WARMUP_SHARE));
        final long[] before = collections();
        final Histogram histogram = tail.run(side, messages);
        final long[] after = collections();
        print("messages", histogram.getTotalCount());
        print("p50", histogram.getValueAtPercentile(50));
        print("p90", histogram.getValueAtPercentile(90));
        print("p99", histogram.getValueAtPercentile(99));
        print("p99.9", histogram.getValueAtPercentile(99.9));
        print("p99.99", histogram.getValueAtPercentile(99.99));
        print("max", histogram.getMaxValue());
        print("collections", after[0] - before[0]);
        print("collectionMilliseconds", after[1] - before[1]);
        print("checksum", tail.sum);
    }

    private static void print(String name, long value) {
        System.out.println(name + " " + value);
    }

    /// How often the collector has run, and for how many milliseconds.
    private static long[] collections() {
        long count = 0;
        long time = 0;
        for (GarbageCollectorMXBean each : ManagementFactory.getGarbageCollectorMXBeans()) {
            count += each.getCollectionCount();
            time += each.getCollectionTime();
        }
        return new long[] {count, time};
    }

    /// Each JVM runs one side, so that none is compiled together with another.
    private Histogram run(String side, int messages) {
        final Histogram histogram = new Histogram(1, LONGEST_NANOSECONDS, DIGITS);
        final IntToLongFunction decode =
                switch (side) {
                    case "timer" -> at -> at;
                    case "fletch" -> this::fletch;
                    case "reused" -> this::reused;
                    case "fresh" -> this::fresh;
                    default -> throw new IllegalArgumentException(side);
                };
        sum = 0;
        for (int i = 0; i < messages; i++) {
            final int at = i % MESSAGES * messageBytes;
            final long start = System.nanoTime();
            final long read = decode.applyAsLong(at);
            final long time = System.nanoTime() - start;
            histogram.recordValue(Math.clamp(time, 0, LONGEST_NANOSECONDS));
            sum += read;
        }
        return histogram;
    }

    private long fletch(int at) {
        message.wrap(memory.segment(), at, messageBytes);
        message.header(batch);
        long read = message.bodyLength() + batch.length();
        for (int i = 0, n = batch.copyNodes(numbers, 0); i < n; i++) {
            read += numbers[i];
        }
        for (int i = 0, n = batch.copyBuffers(numbers, 0); i < n; i++) {
            read += numbers[i];
        }
        return read;
    }

    private long reused(int at) {
        memory.buffer().position(at);
        org.apache.arrow.flatbuf.Message.getRootAsMessage(memory.buffer(), genMessage);
        genMessage.header(genBatch);
        long read = genMessage.bodyLength() + genBatch.length();
        for (int i = 0, n = genBatch.nodesLength(); i < n; i++) {
            genBatch.nodes(genNode, i);
            read += genNode.length() + genNode.nullCount();
        }
        for (int i = 0, n = genBatch.buffersLength(); i < n; i++) {
            genBatch.buffers(genBuffer, i);
            read += genBuffer.offset() + genBuffer.length();
        }
        return read;
    }

    private long fresh(int at) {
        memory.buffer().position(at);
        final var own = org.apache.arrow.flatbuf.Message.getRootAsMessage(memory.buffer());
        final var header =
                (org.apache.arrow.flatbuf.RecordBatch)
                        own.header(new org.apache.arrow.flatbuf.RecordBatch());
        long read = own.bodyLength() + header.length();
        for (int i = 0; i < header.nodesLength(); i++) {
            final FieldNode node = header.nodes(i);
            read += node.length() + node.nullCount();
        }
        for (int i = 0; i < header.buffersLength(); i++) {
            final Buffer buffer = header.buffers(i);
            read += buffer.offset() + buffer.length();
        }
        return read;
    }
}
