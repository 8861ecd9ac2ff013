// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.MeaningRule;
import dev.fletch.batch.BatchBuilder;
import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BatchLayout;
import dev.fletch.convert.ConvertOptions;
import dev.fletch.corpus.CaseFile;
import dev.fletch.format.BatchCodec;
import dev.fletch.format.BodyCompression;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.FrameKind;
import dev.fletch.format.KeyValue;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.ids.CompressionType;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.write.CustomMetadata;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.forward.BatchProjector;
import dev.fletch.input.Input;
import dev.fletch.input.InputBytes;
import dev.fletch.input.Need;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.MessageReader;
import dev.fletch.ipc.MessageWriter;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.ReadOptions.Level;
import dev.fletch.remote.CountingSource;
import dev.fletch.remote.SmallRanges;
import dev.fletch.remote.internal.RangeOptions;
import dev.fletch.scan.internal.MapWalk;
import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.schema.ArrowType;
import dev.fletch.schema.DictionaryInfo;
import dev.fletch.testdata.ArrowBytes;
import dev.fletch.testdata.ArrowVectorReading;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.VectorTexts;

import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;

/// Batches of Arrow 0.17, which name their codec in the custom metadata of the message.
class NamedCodecTest {
    private static final int ID = 1;
    private static final ArrowSchema SCHEMA =
            ArrowSchema.of(
                    ArrowField.of("n", new ArrowType.Int(64, true)),
                    ArrowField.of("d", new ArrowType.Int(64, true))
                            .withDictionary(DictionaryInfo.of(ID, new ArrowType.Int(8, true))));
    private static final String VALUES = "7\t2\t\n8\t1\t\n9\t0\t\n10\t2\t\n";
    private static final String[] LZ4 = {BatchCodec.KEY, "LZ4"};

    // ---- inputs

    private static CustomMetadata metadata(String... pairs) {
        CustomMetadata all = new CustomMetadata();
        for (int i = 0; i < pairs.length; i += 2) {
            all.add(pairs[i]).set(i / 2, pairs[i + 1]);
        }
        return all;
    }

    /// A dictionary, a delta, and two batches.
    ///
    /// @param codec of the bytes
    /// @param stated in the metadata, too, or [BatchBuilder#NOT_COMPRESSED]
    private static byte[] input(
            ArrowContainer container, int version, int codec, int stated, String... pairs) {
        StringBuilder metadata = new StringBuilder();
        for (int i = 0; i < pairs.length; i += 2) {
            String value = pairs[i + 1].replace("\n", "\\x0A");
            metadata.append("KeyValue(key=\"%s\" value=\"%s\")".formatted(pairs[i], value));
        }
        boolean isStated = stated != BatchBuilder.NOT_COMPRESSED;
        String text =
                """
                let i8 = Int(bitWidth=8 is_signed=1)
                let i64 = Int(bitWidth=64 is_signed=1)
                CONTAINER <n!:i64 d!:i64{dictionary=DictionaryEncoding(id=1 indexType=i8)}>
                 | dictionary 1 2 [2] [- FRAME(i64(70 80))] STATED
                 | delta 1 1 [1] [- FRAME(i64(90))] STATED
                 | batch 4 [4 4] [- FRAME(i64(7 8 9 10)) - FRAME(i8(2 1 0 2))] STATED
                 | batch 4 [4 4] [- FRAME(i64(7 8 9 10)) - FRAME(i8(2 1 0 2))] STATED
                 => 1.custom_metadata = [PAIRS]; 2.custom_metadata = [PAIRS];
                 3.custom_metadata = [PAIRS]; 4.custom_metadata = [PAIRS]
                """;
        return CaseFile.input(
                text.replace("CONTAINER", container.name().toLowerCase(Locale.ROOT) + " VERSION")
                        .replace("VERSION", version == MetadataVersion.V4 ? "v4" : "")
                        .replace("FRAME", codec == CompressionType.ZSTD ? "zstd" : "lz4")
                        .replace(
                                "STATED",
                                isStated
                                        ? "{compression=BodyCompression(codec=" + stated + ")}"
                                        : "")
                        .replace("PAIRS", metadata));
    }

    private static byte[] lz4(ArrowContainer container) throws IOException {
        return input(
                container,
                MetadataVersion.V4,
                CompressionType.LZ4_FRAME,
                BatchBuilder.NOT_COMPRESSED,
                LZ4);
    }

    /// Visits all batches twice: by the flyweights alone, and as a reader that knows their shape.
    private static int visit(byte[] stream, BiConsumer<Message, RecordBatch> visitor) {
        int count = 0;
        MemorySegment memory = MemorySegment.ofArray(stream);
        EncapsulatedMessage frame = new EncapsulatedMessage();
        Message message = new Message();
        RecordBatch batch = new RecordBatch();
        DictionaryBatch dictionary = new DictionaryBatch();
        Message alone = new Message();
        long at = 0;
        while (frame.wrap(memory, at, message) == FrameKind.MESSAGE) {
            alone.wrap(memory, frame.metadataOffset(), frame.metadataLength());
            for (Message each : List.of(message, alone)) {
                if (each.header(batch) || each.header(dictionary) && dictionary.data(batch)) {
                    visitor.accept(each, batch);
                    count++;
                }
            }
            at = frame.nextOffset();
        }
        return count;
    }

    // ---- the codec

    private static void assertCodec(int expected, int version, int stated, String... pairs)
            throws IOException {
        byte[] stream =
                input(ArrowContainer.STREAM, version, CompressionType.LZ4_FRAME, stated, pairs);
        BatchCodec codec = new BatchCodec();
        BatchLayout layout = BatchLayout.compile(SCHEMA.toTable(), version);
        BatchCursor cursor = new BatchCursor();
        int batches =
                visit(
                        stream,
                        (message, batch) -> {
                            boolean isCompressed = expected >= 0;
                            assertEquals(isCompressed, codec.read(batch));
                            assertEquals(isCompressed ? expected : 0, codec.codec());
                            assertTrue(codec.check(fault -> fail(fault.toString())));
                            boolean isRecord = batch.nodesCount() == 2;
                            cursor.bind(isRecord ? layout : layout.dictionaryLayout(ID), message);
                            assertEquals(isCompressed, cursor.isCompressed());
                            cursor.bind(isRecord ? layout : layout.dictionaryLayout(ID), batch);
                            assertEquals(isCompressed, cursor.isCompressed());
                            assertEquals(isCompressed ? expected : 0, cursor.codec());
                        });
        assertEquals(8, batches);
    }

    @Test
    void codecIsTheOneThatTheFirstPairOfAV4MessageNames() throws IOException {
        int none = BatchBuilder.NOT_COMPRESSED;
        int lz4 = CompressionType.LZ4_FRAME;
        int zstd = CompressionType.ZSTD;
        int v4 = MetadataVersion.V4;
        int count = 0;
        for (String name : List.of("lz4", "LZ4", "Lz4", "lZ4", "LZ4_FRAME", "lz4_frame")) {
            assertCodec(lz4, v4, none, BatchCodec.KEY, name);
            count++;
        }
        for (String name : List.of("zstd", "ZSTD", "Zstd", "zStD")) {
            assertCodec(zstd, v4, none, "a", "", BatchCodec.KEY, name, BatchCodec.KEY, "lz4");
            assertCodec(none, MetadataVersion.V5, none, BatchCodec.KEY, name);
            assertCodec(lz4, v4, lz4, BatchCodec.KEY, name);
            assertCodec(lz4, MetadataVersion.V5, lz4, BatchCodec.KEY, name);
            count += 4;
        }
        assertCodec(none, v4, none);
        assertCodec(none, v4, none, "codec", "LZ4", "arrow:experimental_compression", "LZ4");
        assertCodec(none, v4, none, BatchCodec.KEY, "Uncompressed", BatchCodec.KEY, "lz4");
        assertCodec(none, MetadataVersion.V5, none, BatchCodec.KEY, "lzo");
        assertCodec(zstd, v4, zstd, BatchCodec.KEY, "lzo");
        CaseCount.report("%d combinations of version, compression and names", count + 5);
    }

    @Test
    void unknownNameIsAnErrorThatNamesIt() throws IOException {
        List<String> names =
                List.of("lzo", "gzip", "lz4_raw", "", " lz4", "lz4 ", "LZ\u0130", "a\nb", "zst");
        for (String name : names) {
            byte[] stream =
                    input(
                            ArrowContainer.STREAM,
                            MetadataVersion.V4,
                            CompressionType.LZ4_FRAME,
                            BatchBuilder.NOT_COMPRESSED,
                            BatchCodec.KEY,
                            name);
            BatchLayout layout = BatchLayout.compile(SCHEMA.toTable(), MetadataVersion.V4);
            BatchProjector all = BatchProjector.of(layout, "n", "d");
            var cursor = new BatchCursor();
            visit(
                    stream,
                    (message, batch) -> {
                        boolean isRecord = batch.nodesCount() == 2;
                        var of = isRecord ? layout : layout.dictionaryLayout(ID);
                        assertUnknown(name, () -> cursor.bind(of, message));
                        assertUnknown(name, () -> cursor.bind(of, batch));
                        assertUnknown(name, () -> new BatchProjector(all.layout()).write(message));
                    });
            try (var allocator = new RootAllocator();
                    var vectors = VectorTexts.reader(stream, allocator)) {
                assertUnknown(name, vectors::loadNext);
            }
        }
    }

    private static void assertUnknown(String name, Executable call) {
        FletchException e = assertThrows(FletchException.class, call);
        String text = e.getMessage();
        assertEquals(MeaningRule.UNKNOWN_CODEC_NAME, e.rule());
        assertTrue(text.contains("key=" + BatchCodec.KEY + ", value="), text);
        assertTrue(text.contains(name.strip().replace("\n", "\\n")), text);
    }

    /// The shape of a message does not have the bytes of its texts.
    @Test
    void codecIsReadAgainInMessagesOfOneShape() throws IOException {
        BatchLayout layout = BatchLayout.compile(SCHEMA.toTable(), MetadataVersion.V4);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int count = 2_000;
        try (MessageWriter out = MessageWriter.of(ArrowContainer.STREAM, bytes)) {
            MemorySegment schema = SCHEMA.toMessage(EmissionOrder.ARROW_CPP);
            new Message().wrap(schema).setVersion(MetadataVersion.V4);
            out.set(it -> it.missingDictionaries(true)).write(schema);
            BatchBuilder batch = new BatchBuilder(layout);
            for (int i = 0; i < count; i++) {
                String name = i % 3 == 0 ? "zstd" : i % 3 == 1 ? "ZSTD" : "lzox";
                String key = i % 5 == 4 ? BatchCodec.KEY.replace('l', 'L') : BatchCodec.KEY;
                batch.begin(0).metadata(metadata(key, name));
                batch.buffer(0, BufferRole.DATA, MemorySegment.ofArray(new byte[0]));
                batch.buffer(1, BufferRole.DATA, MemorySegment.ofArray(new byte[0]));
                out.write(batch);
            }
            out.finish();
        }
        BatchCursor cursor = new BatchCursor();
        Message message = new Message();
        try (var reader =
                MessageReader.of(
                        new ByteArrayInputStream(bytes.toByteArray()), ReadOptions.DEFAULT)) {
            reader.next(message);
            for (int i = 0; i < count; i++) {
                assertEquals(FrameKind.MESSAGE, reader.next(message));
                if (i % 5 != 4 && i % 3 == 2) {
                    assertThrows(FletchException.class, () -> cursor.bind(layout, message));
                } else {
                    assertEquals(i % 5 != 4, cursor.bind(layout, message).isCompressed());
                }
            }
        }
    }

    // ---- values

    /// Those of cursors are in `golden/commands/map.txt`.
    @Test
    void vectorsHaveTheValuesBeforeCompression() throws IOException {
        for (int codec = 0; codec <= CompressionType.ZSTD; codec++) {
            String[] pair = {BatchCodec.KEY, codec == 0 ? "LZ4" : "ZSTD"};
            int none = BatchBuilder.NOT_COMPRESSED;
            byte[] stream = input(ArrowContainer.STREAM, MetadataVersion.V4, codec, none, pair);
            byte[] modern = ArrowBytes.converted(stream, ConvertOptions.DEFAULT);
            try (var allocator = new RootAllocator();
                    var vectors = VectorTexts.reader(stream, allocator)) {
                assertEquals(VectorTexts.ofArrow(modern), VectorTexts.of(vectors));
            }
        }
    }

    /// Of a remote file, the prefixes of the buffers are read, but not their other bytes.
    @Test
    void sizesOfRemoteFilesAreThoseBeforeCompression() throws IOException {
        RangeOptions few = SmallRanges.OF.endBytes(1 << 10).mergeBytes(0).options();
        var remote = new CountingSource(lz4(ArrowContainer.FILE));
        try (InputBytes bytes = InputBytes.open(remote, Need.HEADERS, few, Limits.DEFAULT)) {
            bytes.loadPrefixes();
            MapWalk walk = new MapWalk(Input.of(bytes), true);
            walk.run(_ -> {});
            assertEquals(64, walk.totals().columns().getFirst().uncompressed());
        }
    }

    // ---- what is written

    @ParameterizedTest
    @EnumSource(ArrowContainer.class)
    void conversionWritesTheCompressionWhereNewReadersExpectIt(ArrowContainer from)
            throws IOException {
        String[] pairs = {
            "first", "1", BatchCodec.KEY, "LZ4", "last", "\u00e9", BatchCodec.KEY, "x"
        };
        int none = BatchBuilder.NOT_COMPRESSED;
        int lz4 = CompressionType.LZ4_FRAME;
        assertBecomesModern(
                input(from, MetadataVersion.V4, lz4, none, pairs),
                MetadataVersion.V4,
                List.of("first=1", "last=\u00e9"));
    }

    /// The last batch has a later version, which all get.
    @Test
    void codecIsAlsoMovedInBatchesThatGetALaterVersion() throws IOException {
        int lz4 = CompressionType.LZ4_FRAME;
        byte[] old = lz4(ArrowContainer.STREAM);
        byte[] later = input(ArrowContainer.STREAM, MetadataVersion.V5, lz4, lz4);
        ByteArrayOutputStream mixed = new ByteArrayOutputStream();
        mixed.write(old, 0, lastBatch(old));
        mixed.write(later, lastBatch(later), later.length - lastBatch(later));
        assertBecomesModern(mixed.toByteArray(), MetadataVersion.V5, List.of());
    }

    /// @param pairs of each batch's metadata
    private static void assertBecomesModern(byte[] input, int version, List<String> pairs)
            throws IOException {
        var withValues = ReadOptions.DEFAULT.withLevel(Level.VALUES).withDecompressedBytes(1 << 20);
        BodyCompression compression = new BodyCompression();
        for (ArrowContainer to : ArrowContainer.values()) {
            for (ConvertOptions each :
                    List.of(
                            ConvertOptions.DEFAULT,
                            ConvertOptions.DEFAULT.salvaging(),
                            ConvertOptions.DEFAULT.withReading(withValues),
                            ConvertOptions.DEFAULT.withColumns("n", "d"),
                            ConvertOptions.DEFAULT.salvaging().withColumns("n", "d"))) {
                byte[] written = ArrowBytes.converted(input, each.withTarget(to));
                if (to == ArrowContainer.STREAM) {
                    int batches =
                            visit(
                                    written,
                                    (message, batch) -> {
                                        assertEquals(version, message.version());
                                        assertTrue(batch.compression(compression));
                                        int codec = compression.codec();
                                        assertEquals(CompressionType.LZ4_FRAME, codec);
                                        assertEquals(pairs, pairs(message));
                                    });
                    assertEquals(8, batches);
                }
                var read = ArrowVectorReading.read(written);
                assertEquals(List.of(VALUES, VALUES), read.values());
            }
        }
    }

    private static List<String> pairs(Message message) {
        KeyValue pair = new KeyValue();
        return IntStream.range(0, message.customMetadataCount())
                .mapToObj(i -> message.customMetadata(i, pair))
                .map(each -> each.keyString() + "=" + each.valueString())
                .toList();
    }

    /// Offset of the last batch of a stream.
    private static int lastBatch(byte[] stream) {
        return (int) OracleListing.list(stream).recordBatches().getLast().offset();
    }

    @Test
    void projectionWritesTheCompressionAlsoWithOtherMetadata() throws IOException {
        byte[] stream = lz4(ArrowContainer.STREAM);
        BatchLayout layout = BatchLayout.compile(SCHEMA.toTable(), MetadataVersion.V4);
        BodyCompression compression = new BodyCompression();
        RecordBatch written = new RecordBatch();
        DictionaryBatch dictionary = new DictionaryBatch();
        Message message = new Message();
        for (CustomMetadata pairs : new CustomMetadata[] {null, metadata("a", "b")}) {
            BatchProjector projector = BatchProjector.of(layout, "d");
            projector.metadata(pairs);
            visit(
                    stream,
                    (source, _) -> {
                        int length = projector.write(source);
                        message.wrap(projector.written(), 0, length);
                        assertEquals(pairs == null ? 0 : 1, message.customMetadataCount());
                        assertTrue(
                                message.header(written)
                                        || message.header(dictionary) && dictionary.data(written));
                        assertTrue(written.compression(compression));
                        assertEquals(CompressionType.LZ4_FRAME, compression.codec());
                    });
        }
    }
}
