// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import com.google.flatbuffers.FlatBufferBuilder;

import dev.fletch.flatbuf.write.FlatBufferWriter;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;

/// A target in one kind of memory: a Fletch writer and a `FlatBufferBuilder`.
record WriteMemory(FlatBufferWriter writer, FlatBufferBuilder builder) {
    private static final int BYTES = 1 << 20;

    static WriteMemory of(String kind) {
        FlatBufferWriter writer = new FlatBufferWriter().alignEmptyVectors(true);
        writer.wrap(
                kind.equals("mapped")
                        ? MemorySegment.ofBuffer(mapped())
                        : BenchMemory.of(kind, new byte[BYTES]).segment());
        ByteBuffer buffer =
                switch (kind) {
                    case "heap" -> ByteBuffer.allocate(BYTES);
                    case "direct" -> ByteBuffer.allocateDirect(BYTES);
                    default -> mapped();
                };
        return new WriteMemory(writer, new FlatBufferBuilder(buffer));
    }

    private static ByteBuffer mapped() {
        try {
            Path file = Files.createTempFile("fletch-bench", ".bin");
            try (FileChannel channel =
                    FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                return channel.map(MapMode.READ_WRITE, 0, BYTES);
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// A target in each kind of memory.
    static List<WriteMemory> all() {
        return BenchMemory.KINDS.stream().map(WriteMemory::of).toList();
    }

    /// Checks that both wrote the same bytes.
    void check() {
        if (!Arrays.equals(writer.toByteArray(), builder.sizedByteArray())) {
            throw new AssertionError("sides read or write different data");
        }
    }
}
