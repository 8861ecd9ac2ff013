// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import static dev.fletch.testdata.Refused.assertRule;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.luben.zstd.Zstd;

import dev.fletch.FletchException;
import dev.fletch.MeaningRule;
import dev.fletch.compression.LibraryDecompressor;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.Message;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.ids.CompressionType;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.ipc.Frames;
import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.schema.ArrowType;
import dev.fletch.schema.DictionaryInfo;
import dev.fletch.testdata.Allocations;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.Memories.SegmentBacking;
import dev.fletch.testdata.PlacedSegment;
import dev.fletch.testdata.SegmentBytes;

import org.apache.commons.codec.digest.XXHash32;
import org.apache.commons.compress.compressors.lz4.BlockLZ4CompressorOutputStream;
import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorOutputStream;
import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorOutputStream.BlockSize;
import org.apache.commons.compress.compressors.lz4.FramedLZ4CompressorOutputStream.Parameters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
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
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;

/// Values of compressed buffers, and what is thrown for malformed ones.
class DecompressedBuffersTest {
    private static final int ROWS = 12_000;
    private static final BatchLayout LAYOUT =
            BatchLayout.compile(
                    ArrowSchema.of(ArrowField.of("n", new ArrowType.Int(64, true))).toTable(),
                    MetadataVersion.V5);

    private final byte[] values = values();
    private final BatchCursor cursor = new BatchCursor();
    private final ByteSlice into = new ByteSlice();

    private static byte[] values() {
        long[] values = new Random(1).longs(ROWS).toArray();
        // Long matches, which the library for LZ4 finds quickly.
        System.arraycopy(values, 0, values, ROWS / 2, ROWS / 2);
        ByteBuffer bytes = ByteBuffer.allocate(ROWS * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asLongBuffer().put(values);
        return bytes.array();
    }

    // Of all values, by codec: the library for LZ4 takes long to compress.
    private static final Map<Integer, byte[]> COMPRESSED = new ConcurrentHashMap<>();

    private static byte[] compressed(int codec) {
        return COMPRESSED.computeIfAbsent(codec, of -> compressed(of, values()));
    }

    private static byte[] compressed(int codec, byte[] bytes) {
        return codec == CompressionType.ZSTD ? Zstd.compress(bytes) : lz4(bytes);
    }

    /// Of a frame: the slow default looks for the longest of very many matches.
    private static Parameters parameters(
            boolean hasContentChecksum, boolean hasBlockChecksum, boolean isLinked) {
        var fast = BlockLZ4CompressorOutputStream.createParameterBuilder().tunedForSpeed().build();
        return new Parameters(BlockSize.K64, hasContentChecksum, hasBlockChecksum, isLinked, fast);
    }

    /// Blocks that refer to those before them.
    private static byte[] lz4(byte[] bytes) {
        var out = new ByteArrayOutputStream();
        try (var frame = new FramedLZ4CompressorOutputStream(out, parameters(true, false, true))) {
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
        return cursor.bind(LAYOUT, new Message().wrap(batch.message(), 0, length))
                .body(MemorySegment.ofArray(body));
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
                    new byte[][] {body(values.length, compressed(codec)), body(-1, values)}) {
                bind(codec, body);
                try (PlacedSegment placed = backing.place(body)) {
                    cursor.body(placed.segment(), placed.offset(), placed.length());
                    assertArrayEquals(values, read());
                }
                buffers.release();
            }
        }
    }

    /// Each release forgets only what was decompressed since the last one, not all buffers.
    @Test
    @Timeout(60) // it took minutes
    void releasingEachColumnOfAWideBatchTakesLinearTime() {
        int columns = 100_000;
        ArrowField[] fields = new ArrowField[columns];
        Arrays.fill(fields, ArrowField.of("n", new ArrowType.Int(8, true)));
        BatchLayout wide =
                BatchLayout.compile(ArrowSchema.of(fields).toTable(), MetadataVersion.V5);
        MemorySegment one = MemorySegment.ofArray(body(1, Zstd.compress(new byte[] {7})));
        BatchBuilder batch = new BatchBuilder(wide).compression(CompressionType.ZSTD).begin(1);
        for (int i = 0; i < columns; i++) {
            batch.buffer(i, BufferRole.DATA, one);
        }
        int length = batch.encode();
        MemorySegment body = MemorySegment.ofArray(SegmentBytes.of(batch.body()));
        DecompressedBuffers buffers = buffers(1 << 20);
        cursor.source(buffers)
                .bind(wide, new Message().wrap(batch.message(), 0, length))
                .body(body);
        for (int i = 0; i < columns; i++) {
            assertEquals(7, cursor.values(i, ValueType.INT8, into).int8At(0));
            buffers.release();
        }
        cursor.source(buffers(1 << 20))
                .bind(wide.choose(columns - 1), new Message().wrap(batch.message(), 0, length))
                .body(body);
        Runnable read = () -> cursor.values(0, ValueType.INT8, into);
        long bytes = Allocations.countedBytes(read); // 64 KiB for the values
        assertTrue(bytes < 100_000, () -> bytes + " bytes for one of the columns");
    }

    @Test
    void buffersOfABodyInAnyFormAreDecompressed() {
        byte[] body = body(values.length, compressed(CompressionType.ZSTD));
        int half = body.length / 2;
        ReceivedBody pieces =
                new ReceivedBody()
                        .add(ByteBuffer.wrap(body, 0, half))
                        .add(ByteBuffer.wrap(body, half, body.length - half))
                        .add(ByteBuffer.allocate(Long.BYTES));
        BufferSource own = (_, _, _, to) -> to.wrap(MemorySegment.ofArray(body), 0, body.length);
        for (BufferSource each : List.of(pieces, own)) {
            cursor.source(buffers(values.length));
            bind(CompressionType.ZSTD, body).body(each);
            assertArrayEquals(values, read());
            cursor.buffer(0, BufferRole.DATA, into);
            assertArrayEquals(body, into.toByteArray());
        }
    }

    @Test
    void sourceIsCalledForCompressedBuffersAlone() {
        List<Integer> buffers = new ArrayList<>();
        cursor.source(
                (_, _, buffer, to) -> {
                    buffers.add(buffer);
                    to.wrap(MemorySegment.ofArray(values), 0, values.length);
                });
        bind(CompressionType.ZSTD, body(-1, values));
        assertArrayEquals(values, read());
        assertEquals(List.of(), buffers);
        bind(CompressionType.ZSTD, body(values.length, compressed(CompressionType.ZSTD)));
        assertArrayEquals(values, read());
        assertEquals(List.of(1), buffers);
    }

    @ParameterizedTest
    @ValueSource(ints = {CompressionType.LZ4_FRAME, CompressionType.ZSTD})
    void bufferIsDecompressedOnceAndItsMemoryIsUsedAgainAfterRelease(int codec) {
        DecompressedBuffers buffers = buffers(values.length);
        cursor.source(buffers);
        byte[] body = body(values.length, compressed(codec));
        for (int i = 0; i < 10; i++) {
            bind(codec, body);
            assertArrayEquals(values, read());
            assertArrayEquals(values, read());
            bind(codec, body); // another batch
            assertRule(MeaningRule.TOO_MUCH_MEMORY, this::read);
            buffers.release();
        }
        cursor.source(buffers(values.length - 1));
        var error = assertThrows(FletchException.class, this::read);
        assertEquals(
                "decompressed buffers or dictionaries need too much memory: column=n, role=data,"
                        + " length=96000, used=0, limit=95999",
                error.getMessage());
    }

    @ParameterizedTest
    @ValueSource(ints = {CompressionType.LZ4_FRAME, CompressionType.ZSTD})
    void otherLengthThanClaimedIsAnError(int codec) {
        byte[] content = compressed(codec);
        cursor.source(buffers(1 << 20));
        for (long claim : new long[] {values.length - 1, values.length + 1, 0}) {
            bind(codec, body(claim, content));
            FletchException error = assertRule(MeaningRule.DECOMPRESSION, this::read);
            assertTrue(error.getMessage().contains("column=n, role=data, "), error.getMessage());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {CompressionType.LZ4_FRAME, CompressionType.ZSTD})
    void malformedBytesAreAnErrorOrAsLongAsClaimed(int codec) {
        byte[] content = compressed(codec);
        Random random = new Random(codec);
        int errors = 0;
        int count = CaseCount.of(200, 1_000);
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
            } catch (FletchException e) {
                assertEquals(MeaningRule.DECOMPRESSION, e.rule());
                errors++;
            }
        }
        CaseCount.report("%,d damaged buffers, errors: %,d", count, errors);
        assertTrue(errors > count / 10);
    }

    private FletchException failing(int codec, byte[] content) {
        bind(codec, body(values.length, content));
        return assertRule(MeaningRule.DECOMPRESSION, this::read);
    }

    private final byte[] zeros = new byte[values.length];

    /// Frames with each combination of checksums and size.
    private List<byte[]> lz4Frames() throws IOException {
        List<byte[]> frames = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            var out = new ByteArrayOutputStream();
            var parameters = parameters((i & 1) != 0, (i & 2) != 0, (i & 4) != 0);
            try (var frame = new FramedLZ4CompressorOutputStream(out, parameters)) {
                frame.write(zeros); // which commons-compress is fast with
            }
            frames.add(out.toByteArray());
            frames.add(withContentSize(out.toByteArray()));
        }
        return frames;
    }

    /// The same frame with the size of its content in the header.
    private byte[] withContentSize(byte[] frame) {
        byte[] head = {(byte) (frame[4] | 1 << 3), frame[5], 0, 0, 0, 0, 0, 0, 0, 0};
        ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN).putLong(2, values.length);
        XXHash32 hash = new XXHash32();
        hash.update(head, 0, head.length);
        return Frames.join(
                Arrays.copyOf(frame, 4),
                head,
                new byte[] {(byte) (hash.getValue() >> 8)},
                Arrays.copyOfRange(frame, 7, frame.length));
    }

    @Test
    void lz4IsOneFrame() throws IOException {
        cursor.source(buffers(1 << 20));
        byte[] skippable = {0x50, 0x2A, 0x4D, 0x18, 1, 0, 0, 0, 9};
        byte[] empty = lz4(new byte[0]);
        int count = 0;
        for (byte[] frame : lz4Frames()) {
            bind(CompressionType.LZ4_FRAME, body(values.length, frame));
            assertArrayEquals(zeros, read());
            cursor.source(buffers(1 << 20));
            for (byte[] more :
                    List.of(new byte[1], new byte[7], new byte[64], frame, empty, skippable)) {
                byte[] all = Frames.join(frame, more);
                String sizes = "frame=" + frame.length + ", bytes=" + all.length;
                FletchException error = failing(CompressionType.LZ4_FRAME, all);
                assertEquals(
                        "buffer cannot be decompressed: column=n, role=data, codec=LZ4_FRAME,"
                                + " bytes are behind the LZ4 frame: "
                                + sizes,
                        error.getMessage());
                count++;
            }
            for (byte[] before : List.of(new byte[4], skippable)) {
                String text =
                        failing(CompressionType.LZ4_FRAME, Frames.join(before, frame)).getMessage();
                assertTrue(text.contains("do not begin with an LZ4 frame"), text);
            }
            failing(CompressionType.LZ4_FRAME, Frames.join(empty, frame));
            failing(CompressionType.LZ4_FRAME, Arrays.copyOf(frame, frame.length - 1));
        }
        bind(CompressionType.LZ4_FRAME, body(0, Frames.join(empty, new byte[1])));
        assertThrows(FletchException.class, this::read);
        CaseCount.report("%d frames with bytes behind them", count);
    }

    @Test
    void zstandardMayHaveSeveralFrames() {
        cursor.source(buffers(1 << 20));
        byte[] first = Zstd.compress(Arrays.copyOf(values, 1_000));
        byte[] second = Zstd.compress(Arrays.copyOfRange(values, 1_000, values.length));
        bind(CompressionType.ZSTD, body(values.length, Frames.join(first, second)));
        assertArrayEquals(values, read());
        cursor.source(buffers(1 << 20));
        failing(CompressionType.ZSTD, Frames.join(first, second, new byte[1]));
    }

    // ---- dictionaries

    private static final ArrowField TEXT =
            ArrowField.of("text", ArrowType.Simple.UTF8)
                    .withDictionary(DictionaryInfo.of(1, new ArrowType.Int(8, true)));

    /// Adds dictionary 1 of one text, which is compressed.
    private static void add(
            Dictionaries to,
            BatchBuilder batch,
            boolean isDelta,
            String text,
            DecompressedBuffers buffers) {
        batch.beginDictionary(1, 1, isDelta);
        byte[] utf8 = text.getBytes(StandardCharsets.US_ASCII);
        byte[] offsets = {0, 0, 0, 0, (byte) utf8.length, 0, 0, 0};
        batch.buffer(0, BufferRole.OFFSETS, MemorySegment.ofArray(body(8, Zstd.compress(offsets))));
        byte[] data = body(utf8.length, Zstd.compress(utf8));
        batch.buffer(0, BufferRole.DATA, MemorySegment.ofArray(data));
        add(to, batch, buffers);
    }

    private static void add(Dictionaries to, BatchBuilder batch, DecompressedBuffers buffers) {
        int length = batch.encode();
        byte[] message = batch.message().asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
        MemorySegment body = MemorySegment.ofArray(SegmentBytes.of(batch.body()));
        to.add(
                new Message().wrap(MemorySegment.ofArray(message)),
                body,
                0,
                body.byteSize(),
                buffers);
    }

    private String text(DictionaryValues values, long index) {
        assertTrue(values.get(index, into));
        return new String(into.toByteArray(), StandardCharsets.US_ASCII);
    }

    @Test
    void dictionariesReceivedInPiecesAreDecompressed() {
        BatchLayout layout = Bound.layout(TEXT);
        BatchBuilder batch = new BatchBuilder(layout).compression(CompressionType.ZSTD);
        Dictionaries dictionaries = new Dictionaries(layout);
        add(dictionaries, batch, false, "first", buffers(1 << 10));
        int length = batch.encode();
        byte[] header = batch.message().asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
        Message message = new Message().wrap(MemorySegment.ofArray(header));
        byte[] body = SegmentBytes.of(batch.body());
        ReceivedBody pieces = new ReceivedBody().add(ByteBuffer.wrap(body, 0, 9));
        assertRule(
                MeaningRule.INCOMPLETE_BODY,
                () -> dictionaries.add(message, pieces, buffers(1 << 10)));
        dictionaries.remove(1);
        pieces.add(ByteBuffer.wrap(body, 9, body.length - 9));
        dictionaries.add(message, pieces, buffers(1 << 10));
        assertEquals("first", text(dictionaries.values(1), 0));
    }

    @Test
    void bytesOfDictionariesCountUntilTheyAreReplacedOrRemoved() {
        BatchLayout layout = Bound.layout(TEXT);
        BatchBuilder batch = new BatchBuilder(layout).compression(CompressionType.ZSTD);
        Dictionaries dictionaries = new Dictionaries(layout);
        DecompressedBuffers buffers = buffers(90);
        for (int round = 0; round < 10; round++) {
            add(dictionaries, batch, false, "0123456789", buffers);
            for (int i = 0; i < 3; i++) {
                add(dictionaries, batch, true, "0123456789", buffers);
            }
            for (int i = 0; i < 5; i++) { // what fails releases its bytes, too
                var error =
                        assertThrows(
                                FletchException.class,
                                () -> add(dictionaries, batch, true, "0123456789 more", buffers));
                assertEquals(
                        "decompressed buffers or dictionaries need too much memory: column=text,"
                                + " role=data, length=15, used=80, limit=90",
                        error.getMessage());
            }
            assertEquals(4, dictionaries.values(1).length());
            if (round % 3 == 2) {
                buffers.release(); // then they do not count
                assertEquals("0123456789", text(dictionaries.values(1), 3));
                assertThrows(
                        FletchException.class,
                        () ->
                                add(
                                        dictionaries,
                                        batch,
                                        true,
                                        "more than 82 bytes".repeat(5),
                                        buffers));
                add(dictionaries, batch, true, "9876543210", buffers);
                assertEquals("9876543210", text(dictionaries.values(1), 4));
            }
            if (round % 2 == 0) {
                dictionaries.remove(1);
            } else {
                add(dictionaries, batch, false, "x", buffers);
            }
        }
    }

    /// A dictionary of structs, with indices into another one. Their buffers are read again for
    /// each batch.
    @Test
    void buffersOfNestedDictionariesAreDecompressedOnce() {
        ArrowField outer =
                ArrowField.of("s", ArrowType.Simple.STRUCT, TEXT)
                        .withDictionary(DictionaryInfo.of(2, new ArrowType.Int(8, true)));
        BatchLayout layout = Bound.layout(outer);
        BatchBuilder batch = new BatchBuilder(layout).compression(CompressionType.ZSTD);
        Dictionaries dictionaries = new Dictionaries(layout);
        DecompressedBuffers buffers = buffers(1 << 10);
        ColumnValues texts = new ColumnValues();
        for (int i = 0; i < 2_000; i++) {
            add(dictionaries, batch, false, "text " + i, buffers);
            batch.beginDictionary(2, 1, false);
            byte[] index = body(1, Zstd.compress(new byte[1]));
            batch.buffer(1, BufferRole.DATA, MemorySegment.ofArray(index));
            add(dictionaries, batch, buffers);
            for (int read = 0; read < 50; read++) {
                texts.bind(dictionaries.values(2).batch(0), 1, dictionaries);
                assertTrue(texts.get(0, into));
                assertEquals(
                        "text " + i, new String(into.toByteArray(), StandardCharsets.US_ASCII));
            }
        }
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
        var error = assertThrows(FletchException.class, this::read);
        assertEquals(
                "buffer must be decompressed first: column=n, role=data, codec=ZSTD",
                error.getMessage());
        assertFalse(new LibraryDecompressor().knows(2));
    }
}
