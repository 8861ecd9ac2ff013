// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.luben.zstd.Zstd;

import dev.fletch.compression.LibraryDecompressor;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.BufferRole;
import dev.fletch.format.CompressionType;
import dev.fletch.format.Message;
import dev.fletch.format.MetadataVersion;
import dev.fletch.model.ArrowField;
import dev.fletch.model.ArrowSchema;
import dev.fletch.model.ArrowType;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.Memories.SegmentBacking;
import dev.fletch.testdata.PlacedSegment;

import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorOutputStream;
import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorOutputStream.BlockSize;
import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorOutputStream.Parameters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;

/// Values of compressed buffers, and what is thrown for malformed ones.
class DecompressedBuffersTest {
    private static final int ROWS = 30_000;
    private static final BatchLayout LAYOUT =
            BatchLayout.compile(
                    ArrowSchema.of(ArrowField.of("n", new ArrowType.Int(64, true))).toTable(),
                    MetadataVersion.V5);

    private final byte[] values = values();
    private final BatchCursor cursor = new BatchCursor();
    private final ByteSlice into = new ByteSlice();

    private static byte[] values() {
        ByteBuffer values = ByteBuffer.allocate(ROWS * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        Random random = new Random(1);
        for (int i = 0; i < ROWS; i++) {
            values.putLong(random.nextInt(100));
        }
        return values.array();
    }

    private static byte[] compressed(int codec, byte[] bytes) {
        return codec == CompressionType.ZSTD ? Zstd.compress(bytes) : lz4(bytes);
    }

    /// Blocks that refer to those before them.
    private static byte[] lz4(byte[] bytes) {
        var out = new ByteArrayOutputStream();
        var linked = new Parameters(BlockSize.K64, true, false, true);
        try (var frame = new FramedLZ4CompressorOutputStream(out, linked)) {
            frame.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    private static byte[] body(long claim, byte[] content) {
        return ByteBuffer.allocate(Long.BYTES + content.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(claim)
                .put(content)
                .array();
    }

    /// Binds to a batch with one compressed buffer.
    private BatchCursor bind(int codec, byte[] body) {
        BatchBuilder batch = new BatchBuilder(LAYOUT).compression(codec).begin(ROWS);
        batch.buffer(0, BufferRole.DATA, MemorySegment.ofArray(body));
        int length = batch.encode();
        return cursor.bind(
                LAYOUT,
                new Message().wrap(batch.message(), 0, length),
                MemorySegment.ofArray(body));
    }

    private static DecompressedBuffers buffers(long most) {
        return new DecompressedBuffers(new LibraryDecompressor(), most);
    }

    private byte[] read() {
        return cursor.values(0, ValueType.INT64, into).asSlice().toArray(ValueLayout.JAVA_BYTE);
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Memories#segments")
    void valuesAreThoseBeforeCompression(SegmentBacking backing) {
        DecompressedBuffers buffers = buffers(values.length);
        cursor.source(buffers);
        for (int codec = 0; codec <= CompressionType.ZSTD; codec++) {
            for (byte[] body :
                    new byte[][] {
                        body(values.length, compressed(codec, values)), body(-1, values)
                    }) {
                bind(codec, body);
                try (PlacedSegment placed = backing.place(body)) {
                    cursor.body(placed.segment(), placed.offset(), placed.length());
                    assertArrayEquals(values, read());
                }
                buffers.release();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {CompressionType.LZ4_FRAME, CompressionType.ZSTD})
    void memoryIsUsedAgainAfterRelease(int codec) {
        DecompressedBuffers buffers = buffers(values.length);
        cursor.source(buffers);
        bind(codec, body(values.length, compressed(codec, values)));
        for (int i = 0; i < 10; i++) {
            assertArrayEquals(values, read());
            var error = assertThrows(LayoutException.class, this::read);
            assertEquals(LayoutRules.TOO_MUCH_MEMORY, error.rule());
            buffers.release();
        }
        cursor.source(buffers(values.length - 1));
        var error = assertThrows(LayoutException.class, this::read);
        assertEquals(
                "decompressed buffers need too much memory: column=n, role=data, length=240000,"
                        + " used=0, limit=239999",
                error.getMessage());
    }

    @ParameterizedTest
    @ValueSource(ints = {CompressionType.LZ4_FRAME, CompressionType.ZSTD})
    void otherLengthThanClaimedIsAnError(int codec) {
        byte[] content = compressed(codec, values);
        cursor.source(buffers(1 << 20));
        for (long claim : new long[] {values.length - 1, values.length + 1, 0}) {
            bind(codec, body(claim, content));
            var error = assertThrows(LayoutException.class, this::read);
            assertEquals(LayoutRules.DECOMPRESSION, error.rule());
            assertTrue(error.getMessage().contains("column=n, role=data, "), error.getMessage());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {CompressionType.LZ4_FRAME, CompressionType.ZSTD})
    void malformedBytesAreAnErrorOrAsLongAsClaimed(int codec) {
        byte[] content = compressed(codec, values);
        Random random = new Random(codec);
        int errors = 0;
        int count = 2_000;
        for (int i = 0; i < count; i++) {
            byte[] damaged = content.clone();
            for (int flips = random.nextInt(3); flips >= 0; flips--) {
                int end = random.nextBoolean() ? 32 : damaged.length;
                damaged[random.nextInt(end)] ^= (byte) (1 << random.nextInt(8));
            }
            cursor.source(buffers(1 << 20));
            bind(codec, body(values.length, damaged));
            try {
                assertEquals(values.length, read().length);
            } catch (LayoutException e) {
                assertEquals(LayoutRules.DECOMPRESSION, e.rule());
                errors++;
            }
        }
        CaseCount.report("%,d damaged buffers, errors: %,d", count, errors);
        assertTrue(errors > count / 10);
    }

    @Test
    void codecThatTheLibraryDoesNotKnowCannotBeRead() {
        byte[] content = compressed(CompressionType.ZSTD, values);
        bind(CompressionType.ZSTD, body(values.length, content));
        cursor.source(
                new DecompressedBuffers(
                        new Decompressor() {
                            @Override
                            public boolean knows(int codec) {
                                return codec == CompressionType.LZ4_FRAME;
                            }

                            @Override
                            public int decompress(
                                    int codec, MemorySegment from, byte[] to, int at, int length) {
                                throw new AssertionError();
                            }
                        },
                        1 << 20));
        var error = assertThrows(LayoutException.class, this::read);
        assertEquals(
                "buffer must be decompressed first: column=n, role=data, codec=ZSTD",
                error.getMessage());
        assertFalse(new LibraryDecompressor().knows(2));
    }
}
