// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.format.ids.CompressionType;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.write.TemplateShape;
import dev.fletch.format.write.TemplateShape.Numbers;
import dev.fletch.wire.Wire;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;

/// Messages with batches: of each form one after the other, with other numbers and other texts.
public final class BatchMessages {
    /// What such messages have in common.
    ///
    /// @param nodes number of field nodes
    /// @param buffers number of buffers
    /// @param views number of variadic buffer counts, -1 for no vector
    /// @param codec how the body is compressed, -1 for not at all
    /// @param dictionary 0 for a record batch, 1 for a dictionary, 2 for a delta of one
    /// @param pairs number of key/value pairs, -1 for no vector
    /// @param isEmpty whether rows and body length are 0, and so left out
    public record Form(
            int nodes,
            int buffers,
            int views,
            int codec,
            int dictionary,
            int pairs,
            boolean isEmpty) {}

    static final Form[] FORMS = {
        new Form(1, 2, -1, -1, 0, -1, false),
        new Form(10, 30, -1, -1, 0, -1, false),
        new Form(3, 9, -1, CompressionType.ZSTD, 0, -1, false),
        new Form(2, 7, 2, -1, 0, -1, false),
        new Form(1, 3, -1, -1, 1, -1, false),
        new Form(1, 3, -1, CompressionType.LZ4_FRAME, 2, -1, false),
        new Form(4, 8, -1, -1, 0, 2, false),
        new Form(4, 8, -1, -1, 0, 0, true),
        new Form(0, 0, 0, -1, 0, -1, true),
        new Form(1, 3, 1, CompressionType.ZSTD, 1, 1, false),
    };

    private BatchMessages() {}

    /// Returns memory of each kind that a reader of streams meets: a heap array, the end of a long
    /// one, native memory, and a new file that is mapped.
    static List<MemorySegment> memories(Path file, Arena arena, long size) throws IOException {
        try (FileChannel channel =
                FileChannel.open(
                        file,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.CREATE)) {
            int before = MessageParts.LONGEST_IN_PLACE;
            return List.of(
                    MemorySegment.ofArray(new byte[(int) size]),
                    MemorySegment.ofArray(new byte[before + (int) size]).asSlice(before),
                    arena.allocate(size),
                    channel.map(MapMode.READ_WRITE, 0, size, arena));
        }
    }

    /// Writes a message of one of [#FORMS].
    static byte[] message(int form, Random random) {
        return message(FORMS[form], random);
    }

    /// Writes a message.
    public static byte[] message(Form form, Random random) {
        TemplateShape shape =
                new TemplateShape(
                        MetadataVersion.V5,
                        form.nodes,
                        form.buffers,
                        form.views,
                        form.codec,
                        form.pairs,
                        form.dictionary == 0 ? -1 : 1 + random.nextInt(99),
                        form.dictionary == 2);
        Numbers numbers =
                new Numbers(
                        form.isEmpty ? 0 : 1 + number(random),
                        form.isEmpty ? 0 : 1 + number(random),
                        numbers(2 * form.nodes, random),
                        numbers(2 * form.buffers, random),
                        random.longs(Math.max(form.views, 0), 0, 3).toArray());
        byte[] bytes = shape.encoded(numbers, "" + (10_000 + random.nextInt(90_000)));
        return Arrays.copyOf(bytes, bytes.length + 7 & -8);
    }

    /// Puts a message with its prefix into memory.
    static void put(MemorySegment memory, long at, byte[] metadata) {
        memory.set(Wire.INT, at, -1);
        memory.set(Wire.INT, at + Integer.BYTES, metadata.length);
        memory.asSlice(at + 2 * Integer.BYTES).copyFrom(MemorySegment.ofArray(metadata));
    }

    private static long[] numbers(int count, Random random) {
        return LongStream.generate(() -> number(random)).limit(count).toArray();
    }

    private static long number(Random random) {
        return random.nextInt(4) == 0 ? random.nextLong() >>> 1 : random.nextInt(1_000_000);
    }
}
