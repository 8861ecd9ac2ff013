// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import dev.fletch.ipc.ReadOptions;

import org.HdrHistogram.Histogram;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/// Measures latencies of single messages: the next batch of 10 columns, all numbers. Each side runs
/// in its own JVM, with one kind of memory.
///
/// First it measures the first messages after a start, as the mean of ranges of messages. Then it
/// measures a histogram of many individual messages in compiled code. Times include the timer's
/// own, which is also measured alone. One thread reads messages without pauses (closed loop), so no
/// message waits or is omitted.
final class Tail {
    /// The ranges of the first messages: the keys of their figures.
    static final List<String> FIRST =
            List.of("1st", "to 10th", "to 100th", "to 1,000th", "to 10,000th", "to 100,000th");

    private static final List<String> SIDES =
            List.of("Fletch, verified", "generated classes, unverified", "the timer alone");
    private static final int COLUMNS = 10;
    private static final int SLICE = 1_000;
    private static final int WARMUP_SLICES = 5_000;
    private static final long LONGEST_NANOSECONDS = TimeUnit.SECONDS.toNanos(10);
    private static final int DIGITS = 3;

    /// Number of JVMs per side with a histogram; the result is the median of each percentile.
    private static final int HISTOGRAMS = 3;

    private final LongSupplier side;
    private long sum;

    private Tail(LongSupplier side) {
        this.side = side;
    }

    /// Measures all sides.
    ///
    /// @return the figures of each side by name: nanoseconds, and counts of messages and starts
    static List<Map<String, Object>> measure(BoardOptions.Effort effort)
            throws IOException, InterruptedException {
        Path stream = Files.createTempFile("fletch-bench", ".arrows");
        try {
            Files.write(stream, BenchInputs.batches(COLUMNS));
            List<List<Map<String, Long>>> starts = new ArrayList<>();
            SIDES.forEach(each -> starts.add(new ArrayList<>()));
            for (int i = 0; i < effort.starts(); i++) {
                for (int side = 0; side < SIDES.size(); side++) {
                    // The last starts of each side also measure the histogram.
                    int left = effort.starts() - i;
                    int messages = left <= HISTOGRAMS ? effort.tailMessages() : 0;
                    starts.get(side).add(start(SIDES.get(side), stream, messages));
                }
            }
            return figures(starts);
        } finally {
            Files.delete(stream);
        }
    }

    private static Map<String, Long> start(String side, Path stream, int messages)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(ProcessHandle.current().info().command().orElseThrow());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(Tail.class.getName(), side, stream.toString(), "" + messages));
        Process process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        String printed =
                new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException("latency measurement failed: side=" + side);
        }
        Map<String, Long> figures = new LinkedHashMap<>();
        printed.lines()
                .map(line -> line.split("\t"))
                .forEach(pair -> figures.put(pair[0], Long.parseLong(pair[1])));
        return figures;
    }

    private static List<Map<String, Object>> figures(List<List<Map<String, Long>>> starts) {
        List<Map<String, Object>> all = new ArrayList<>();
        for (int side = 0; side < SIDES.size(); side++) {
            List<Map<String, Long>> own = starts.get(side);
            Map<String, Object> figures = new LinkedHashMap<>();
            figures.put("side", SIDES.get(side));
            figures.put("starts", (long) own.size());
            for (String name : own.getLast().keySet()) {
                long[] values =
                        own.stream()
                                .filter(each -> each.containsKey(name))
                                .mapToLong(each -> each.get(name))
                                .sorted()
                                .toArray();
                figures.put(name, values[values.length / 2]);
            }
            all.add(figures);
        }
        Object read = all.getFirst().get("sum");
        for (int side = 1; side < SIDES.size() - 1; side++) {
            if (!read.equals(all.get(side).get("sum"))) {
                throw new AssertionError("sides read different data: " + all);
            }
        }
        return all;
    }

    // ---- in the JVM of a side

    /// Measures a side in this JVM. Prints a name and a number on each line.
    ///
    /// @param arguments side, stream file, and number of messages to time individually
    public static void main(String[] arguments) throws IOException {
        byte[] stream = Files.readAllBytes(Path.of(arguments[1]));
        int messages = Integer.parseInt(arguments[2]);
        long start = System.nanoTime();
        Tail tail = new Tail(side(arguments[0], stream));
        tail.first(start);
        if (messages > 0) {
            tail.histogram(messages);
        }
        print("sum", tail.sum);
    }

    /// One implementation per JVM, so that C2 compiles a monomorphic call.
    private static LongSupplier side(String side, byte[] stream) {
        ByteBuffer direct = ByteBuffer.allocateDirect(stream.length).put(stream).flip();
        return switch (SIDES.indexOf(side)) {
            case 0 ->
                    new FletchBatches(ReadOptions.DEFAULT).wrap(MemorySegment.ofBuffer(direct))
                            ::numbers;
            case 1 -> {
                ByteBuffer ordered = direct.order(ByteOrder.LITTLE_ENDIAN);
                yield new GeneratedBatches().wrap(ordered)::numbers;
            }
            case 2 -> () -> 0;
            default -> throw new IllegalArgumentException("side: " + side);
        };
    }

    /// @param before start time, so that creating the reader counts for the first message
    private void first(long before) {
        long start = before;
        long done = 0;
        long count = 1;
        for (String range : FIRST) {
            for (long i = done; i < count; i++) {
                sum += side.getAsLong();
            }
            print(range, (System.nanoTime() - start) / (count - done));
            start = System.nanoTime();
            done = count;
            count *= 10;
        }
    }

    private void histogram(int messages) {
        Histogram histogram = new Histogram(LONGEST_NANOSECONDS, DIGITS);
        for (int i = 0; i < WARMUP_SLICES; i++) {
            slice(histogram);
        }
        histogram.reset();
        for (int i = 0; i < messages / SLICE; i++) {
            slice(histogram);
        }
        print("messages", histogram.getTotalCount());
        for (String percentile : List.of("50", "90", "99", "99.9", "99.99")) {
            print("p" + percentile, histogram.getValueAtPercentile(Double.parseDouble(percentile)));
        }
        print("most", histogram.getMaxValue());
    }

    /// Times some messages. Called often, so that it is compiled before the measurement: a single
    /// loop would start in the interpreter, and its first thousand messages would be the slowest
    /// 0.01 percent of ten million.
    private void slice(Histogram into) {
        for (int i = 0; i < SLICE; i++) {
            long start = System.nanoTime();
            long read = side.getAsLong();
            long time = System.nanoTime() - start;
            into.recordValue(Math.clamp(time, 0, LONGEST_NANOSECONDS));
            sum += read;
        }
    }

    private static void print(String name, long value) {
        System.out.println(name + "\t" + value);
    }
}
