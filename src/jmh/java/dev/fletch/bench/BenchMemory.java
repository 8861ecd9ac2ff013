// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import org.openjdk.jmh.infra.BenchmarkParams;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// The same bytes for both sides of a benchmark: a segment for Fletch, a buffer for the generated
/// classes, in the same kind of memory.
record BenchMemory(MemorySegment segment, ByteBuffer buffer) {
    static final List<String> KINDS = List.of("heap", "direct", "mapped");

    /// Number of calls with all kinds of memory before a measurement: enough for C2 to compile the
    /// method for all of them. A smoke run needs fewer.
    private static final int CALLS = Integer.getInteger("fletch.bench.calls", 20_000);

    static BenchMemory of(String kind, byte[] content) {
        MemorySegment segment;
        ByteBuffer buffer;
        switch (kind) {
            case "heap" -> {
                segment = MemorySegment.ofArray(content);
                buffer = ByteBuffer.wrap(content);
            }
            case "direct" -> {
                segment = Arena.ofAuto().allocate(content.length, Long.BYTES);
                segment.asByteBuffer().put(content);
                buffer = ByteBuffer.allocateDirect(content.length).put(content).flip();
            }
            case "mapped" -> {
                buffer = mapped(content);
                segment = MemorySegment.ofBuffer(buffer);
            }
            case Setting.READ_ONLY -> {
                segment = MemorySegment.ofArray(content).asReadOnly();
                buffer = ByteBuffer.wrap(content).asReadOnlyBuffer();
            }
            default -> throw new IllegalArgumentException("unknown kind of memory: " + kind);
        }
        return new BenchMemory(segment, buffer.order(ByteOrder.LITTLE_ENDIAN));
    }

    private static ByteBuffer mapped(byte[] content) {
        try {
            Path file = Files.createTempFile("fletch-bench", ".bin");
            try (FileChannel channel = FileChannel.open(Files.write(file, content))) {
                return channel.map(FileChannel.MapMode.READ_ONLY, 0, content.length);
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Returns whether a method is the one to be measured.
    ///
    /// @param running null if none is
    static boolean measures(BenchmarkParams running, String method) {
        return running != null && running.getBenchmark().endsWith("." + method);
    }

    /// Returns whether the method to be measured uses arrow-java.
    ///
    /// @param running null if none is
    static boolean measuresArrow(BenchmarkParams running) {
        return running != null && running.getBenchmark().contains(".arrow");
    }

    /// The same bytes in each kind of memory that the JVM is to use before.
    static List<BenchMemory> all(byte[] content, String history) {
        Stream<String> more =
                history.equals(Setting.READ_ONLY) ? Stream.of(Setting.READ_ONLY) : Stream.empty();
        return Stream.concat(KINDS.stream(), more).map(kind -> of(kind, content.clone())).toList();
    }

    /// Calls the method to be measured with all kinds of memory.
    ///
    /// @param values one per kind of memory
    /// @param take passes a value to the benchmark, before each call
    static <T> void useAll(
            Object benchmark, BenchmarkParams running, List<T> values, Consumer<T> take) {
        String name = running.getBenchmark();
        try {
            Method method =
                    benchmark.getClass().getMethod(name.substring(name.lastIndexOf('.') + 1));
            for (int i = 0; i < CALLS; i++) {
                take.accept(values.get(i % values.size()));
                method.invoke(benchmark);
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("benchmark failed: " + name, e);
        }
    }
}
