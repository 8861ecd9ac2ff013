// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/// One content in one kind of memory, as both sides of a benchmark take it.
record BenchMemory(MemorySegment segment, ByteBuffer buffer) {
    /// Kinds of memory that a process may have used before it is measured.
    static final String[] KINDS = {"heap", "direct", "mapped"};

    /// How often the kinds are used in turn before a polluted benchmark: so often that everything
    /// is compiled for all of them. A smoke run, which measures nothing, sets it lower.
    static final int POLLUTING_CALLS = Integer.getInteger("fletch.bench.pollution", 60_000);

    static BenchMemory of(String kind, byte[] content) {
        final ByteBuffer buffer =
                switch (kind) {
                    case "heap" -> ByteBuffer.wrap(content);
                    case "direct" -> ByteBuffer.allocateDirect(content.length).put(content).flip();
                    case "mapped" -> mapped(content);
                    default -> throw new IllegalArgumentException("kind of memory: " + kind);
                };
        final MemorySegment segment =
                kind.equals("mapped")
                        ? MemorySegment.ofBuffer(buffer)
                        : kind.equals("heap")
                                ? MemorySegment.ofArray(content)
                                : nativeSegment(content);
        return new BenchMemory(segment, buffer.order(ByteOrder.LITTLE_ENDIAN));
    }

    private static MemorySegment nativeSegment(byte[] content) {
        final MemorySegment segment = Arena.ofAuto().allocate(content.length, Long.BYTES);
        return segment.copyFrom(MemorySegment.ofArray(content));
    }

    private static ByteBuffer mapped(byte[] content) {
        try {
            final Path file = Files.createTempFile("fletch-bench", ".bin");
            try (FileChannel channel = FileChannel.open(Files.write(file, content))) {
                return channel.map(FileChannel.MapMode.READ_ONLY, 0, content.length);
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
