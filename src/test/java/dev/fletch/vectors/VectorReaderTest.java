// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.vectors;

import static dev.fletch.testdata.Refused.assertRule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.luben.zstd.Zstd;

import dev.fletch.FletchException;
import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.UnreadableFileException;
import dev.fletch.ValueRule;
import dev.fletch.batch.BatchBuilder;
import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BatchLayout;
import dev.fletch.batch.Columns;
import dev.fletch.convert.ConvertOptions;
import dev.fletch.corpus.CaseFile;
import dev.fletch.format.Block;
import dev.fletch.format.FieldNode;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.ids.CompressionType;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.KnownSchemas;
import dev.fletch.ipc.MessageWriter;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.schema.ArrowType;
import dev.fletch.schema.DictionaryInfo;
import dev.fletch.testdata.ArrowBytes;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.Producers;
import dev.fletch.testdata.VectorTexts;

import org.apache.arrow.compression.CommonsCompressionFactory;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.DenseUnionVector;
import org.apache.arrow.vector.compression.NoCompressionCodec;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.ipc.ArrowFileWriter;
import org.apache.arrow.vector.types.Types;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Names, errors, dictionaries, compression and options.
class VectorReaderTest {
    @TempDir Path folder;

    private Path file(byte[] bytes) throws IOException {
        return Files.write(folder.resolve("a.arrow"), bytes);
    }

    private Path file(String name) throws IOException {
        return file(ArrowVectorFiles.named(name).file());
    }

    private interface Reading {
        void read(RootAllocator allocator) throws IOException;
    }

    /// The allocator finds what a failure leaves behind.
    private static <T extends Throwable> T fails(Class<T> type, Reading reading) {
        try (RootAllocator allocator = new RootAllocator()) {
            return assertThrows(type, () -> reading.read(allocator));
        }
    }

    private static VectorReader open(Path path, RootAllocator allocator) throws IOException {
        return VectorReader.open(path, allocator, Columns.all(), VectorOptions.DEFAULT);
    }

    private FletchException opening(Path path, Columns columns) {
        return fails(
                FletchException.class,
                allocator ->
                        VectorReader.open(path, allocator, columns, VectorOptions.DEFAULT).close());
    }

    private static void assertError(Rule rule, String message, FletchException found) {
        assertEquals(rule, found.rule());
        assertEquals(message, found.getMessage());
    }

    /// Without unions, the buffers are the same in both versions.
    @Test
    void aBatchOfAnotherVersionThanTheSchemaIsRead() throws IOException {
        Path stream = Path.of("src/test/resources/corpus/meaning/version-3-of-batch.sound.arrows");
        try (RootAllocator allocator = new RootAllocator();
                VectorReader vectors =
                        VectorReader.open(Files.newInputStream(stream), allocator, "int8")) {
            assertTrue(vectors.loadNext());
            assertEquals("[1, 2]", vectors.root().getVector(0).toString());
        }
    }

    // ---- columns

    @Test
    void missingAndAmbiguousColumnsAreErrorsThatNameFileAndColumn() throws IOException {
        Path path = file("names");
        assertError(
                MeaningRule.NO_COLUMN,
                path + ": no such column: name=price, columns=11",
                opening(path, Columns.named("price")));
        assertError(
                MeaningRule.COLUMN_AMBIGUOUS,
                path
                        + ": several columns have this name; choose by number: column=twice,"
                        + " numbers=7 and 8",
                opening(path, Columns.named("twice")));
        Columns many = Columns.named("a.b", "Größe", "名前", "🙂", "twice");
        assertEquals(MeaningRule.COLUMN_AMBIGUOUS, opening(path, many).rule());
        Columns missing = Columns.named("a.b", "Größe", "名前", "🙂", "s.名");
        assertEquals(MeaningRule.NO_COLUMN, opening(path, missing).rule());
        assertEquals(MeaningRule.NO_COLUMN, opening(path, Columns.at(11)).rule());
        assertEquals(MeaningRule.NO_COLUMN, opening(path, Columns.at(0, -1)).rule());
    }

    @Test
    void emptyAndRepeatedChoicesAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> Columns.named());
        assertThrows(IllegalArgumentException.class, () -> Columns.named("a", "a"));
        assertThrows(IllegalArgumentException.class, () -> Columns.named("\uD800"));
        assertThrows(IllegalArgumentException.class, () -> Columns.at());
        assertThrows(IllegalArgumentException.class, () -> Columns.at(3, 3));
    }

    @Test
    void fileThatCannotBeOpenedIsNamed() throws IOException {
        fails(
                NoSuchFileException.class,
                allocator -> VectorReader.open(folder.resolve("none"), allocator, "a"));
        FileSystemException directory =
                fails(
                        FileSystemException.class,
                        allocator -> VectorReader.open(folder, allocator, "a"));
        assertTrue(directory.getMessage().contains(folder.toString()));
        Path text = Files.writeString(folder.resolve("a.txt"), "no Arrow file, but long enough");
        FletchException noFile = opening(text, Columns.all());
        assertEquals(text.toString(), noFile.file());
        Path empty = Files.createFile(folder.resolve("empty"));
        opening(empty, Columns.all());
    }

    @Test
    void knownSchemaGivesTheSameVectors() throws IOException {
        byte[] bytes = ArrowVectorFiles.named("all_types").file();
        Path path = file(bytes);
        VectorTexts expected = VectorTexts.ofArrow(bytes);
        var readOptions = VectorOptions.DEFAULT.readOptions();
        VectorOptions options =
                VectorOptions.DEFAULT.withReadOptions(
                        readOptions.withKnownSchemas(new KnownSchemas()));
        int last = expected.fields().size() - 1;
        for (int i = 0; i < 4; i++) {
            try (RootAllocator allocator = new RootAllocator();
                    VectorReader all = VectorReader.open(path, allocator, Columns.all(), options);
                    VectorReader two =
                            VectorReader.open(path, allocator, Columns.at(last, 3), options)) {
                assertEquals(expected, VectorTexts.of(all));
                assertEquals(expected.only(List.of(last, 3)), VectorTexts.of(two));
            }
        }
    }

    // ---- damaged values

    /// Changes an offset of the texts of the first batch.
    private Path withOffset(int index, int value) throws IOException {
        byte[] bytes = ArrowVectorFiles.named("several_batches").file();
        MemorySegment memory = MemorySegment.ofArray(bytes);
        ArrowFile file = ArrowFile.of(memory);
        EncapsulatedMessage frame = new EncapsulatedMessage();
        Message message = new Message();
        RecordBatch batch = new RecordBatch();
        Schema schema = new Schema();
        file.footer().schema(schema);
        file.recordBatch(0, frame, message);
        message.header(batch);
        long offset =
                new BatchCursor()
                        .bind(BatchLayout.compile(schema, MetadataVersion.V5), batch)
                        .bufferOffset(1, BufferRole.OFFSETS);
        ByteBuffer.wrap(bytes)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt((int) (frame.bodyOffset() + offset) + Integer.BYTES * index, value);
        return file(bytes);
    }

    private static FletchException failsToLoad(Path path, Columns columns, VectorOptions options) {
        return fails(
                FletchException.class,
                allocator -> {
                    try (var vectors = VectorReader.open(path, allocator, columns, options)) {
                        vectors.loadNext();
                    }
                });
    }

    @Test
    void aDamagedOffsetIsAnErrorThatNamesFileColumnBufferValueAndLimit() throws IOException {
        Path path = withOffset(1, 1000);
        FletchException e = failsToLoad(path, Columns.named("text"), VectorOptions.DEFAULT);
        String expected =
                path
                        + ": offset 452: offset is outside the data or the child: row=0,"
                        + " value=1000, limit=9, column=text, buffer=offsets,"
                        + " batch=recordBatches[0]";
        assertEquals(expected, e.getMessage());
        assertEquals(ValueRule.VALUE_OFFSET_RANGE, e.rule());
    }

    @Test
    void otherColumnsAndBatchesOfADamagedFileCanBeRead() throws IOException {
        Path path = withOffset(0, -1);
        try (RootAllocator allocator = new RootAllocator();
                VectorReader text = VectorReader.open(path, allocator, "text");
                VectorReader number = VectorReader.open(path, allocator, "number")) {
            assertTrue(number.loadNext());
            assertThrows(FletchException.class, text::loadNext);
            assertEquals(0, text.root().getRowCount());
            assertTrue(text.loadNext());
            assertEquals(7, text.root().getRowCount());
        }
    }

    @Test
    void withoutChecksArrowJavaChecksTheAccess() throws IOException {
        Path path = withOffset(1, 1 << 20);
        try (RootAllocator allocator = new RootAllocator();
                VectorReader vectors =
                        VectorReader.open(
                                path,
                                allocator,
                                Columns.named("text"),
                                VectorOptions.DEFAULT.withChecksValues(false))) {
            assertTrue(vectors.loadNext());
            FieldVector text = vectors.root().getVector("text");
            assertThrows(IndexOutOfBoundsException.class, () -> text.getObject(0));
        }
    }

    /// arrow-java writes the type id -1 for nulls of dense unions, which the format does not have.
    @Test
    void nullsOfUnionsInDictionariesAreThoseOfArrowJava() throws IOException {
        var encoding = new DictionaryEncoding(1, false, null);
        var file = new ByteArrayOutputStream();
        try (RootAllocator allocator = new RootAllocator();
                DenseUnionVector values = DenseUnionVector.empty("values", allocator);
                IntVector indices = new IntVector("coded", allocator)) {
            byte id =
                    values.registerNewTypeId(
                            Field.nullable("number", Types.MinorType.INT.getType()));
            values.addVector(id, new IntVector("number", allocator));
            IntVector numbers = (IntVector) values.getVectorByType(id);
            numbers.setSafe(0, 7);
            numbers.setValueCount(1);
            values.setTypeId(0, id);
            values.setOffset(0, 0);
            values.setTypeId(1, (byte) -1);
            values.setValueCount(2);
            indices.setSafe(0, 1);
            indices.setSafe(1, 0);
            indices.setValueCount(2);
            Field field =
                    new Field(
                            "coded",
                            new FieldType(true, indices.getField().getType(), encoding),
                            List.of());
            var dictionaries =
                    new DictionaryProvider.MapDictionaryProvider(new Dictionary(values, encoding));
            try (VectorSchemaRoot root = new VectorSchemaRoot(List.of(field), List.of(indices), 2);
                    var writer =
                            new ArrowFileWriter(root, dictionaries, Channels.newChannel(file))) {
                writer.writeBatch();
            }
        }
        Path path = file(file.toByteArray());
        try (RootAllocator allocator = new RootAllocator();
                VectorReader vectors = VectorReader.open(path, allocator, "coded")) {
            assertTrue(vectors.loadNext());
            FieldVector values = vectors.lookup(1).getVector();
            assertEquals(7, values.getObject(0));
            assertNull(values.getObject(1));
        }
    }

    @Test
    void replacedDictionariesReleaseTheirMemory() throws IOException {
        ArrowSchema schema =
                ArrowSchema.of(
                        ArrowField.of("n", new ArrowType.Int(64, true))
                                .withDictionary(DictionaryInfo.of(1, new ArrowType.Int(8, true))));
        ByteBuffer compressed = ByteBuffer.allocate(100).order(ByteOrder.LITTLE_ENDIAN);
        compressed.putLong(800).put(Zstd.compress(new byte[800])).flip();
        MemorySegment values = MemorySegment.ofBuffer(compressed);
        ByteBuffer index = ByteBuffer.allocate(9).order(ByteOrder.LITTLE_ENDIAN).putLong(-1);
        int count = 5_000;
        var stream = new ByteArrayOutputStream();
        try (MessageWriter out = MessageWriter.of(ArrowContainer.STREAM, stream)) {
            out.write(schema.toMessage(EmissionOrder.ARROW_CPP));
            BatchLayout layout = BatchLayout.compile(schema.toTable(), MetadataVersion.V5);
            BatchBuilder batch = new BatchBuilder(layout).compression(CompressionType.ZSTD);
            for (int i = 0; i < count; i++) {
                for (boolean isDelta : new boolean[] {false, true}) {
                    batch.beginDictionary(1, 100, isDelta);
                    out.write(batch.buffer(0, BufferRole.DATA, values));
                }
                batch.begin(1);
                batch.buffer(0, BufferRole.DATA, MemorySegment.ofArray(index.array()));
                out.write(batch);
            }
            out.finish();
        }
        var options = VectorOptions.DEFAULT.withCodecs(CommonsCompressionFactory.INSTANCE);
        for (VectorOptions each :
                List.of(options, options.withReadOptions(ReadOptions.UNTRUSTED))) {
            try (var allocator = new RootAllocator(1 << 20);
                    var vectors =
                            VectorReader.open(
                                    new ByteArrayInputStream(stream.toByteArray()),
                                    allocator,
                                    Columns.all(),
                                    each)) {
                for (int i = 0; i < count; i++) {
                    assertTrue(vectors.loadNext());
                    assertEquals(200, vectors.lookup(1).getVector().getValueCount());
                }
                assertFalse(vectors.loadNext());
            }
        }
    }

    /// A vector with a buffer for each delta would take longer for each.
    @Test
    void smallDeltasOfViewsShareABuffer() throws IOException {
        ArrowSchema schema =
                ArrowSchema.of(
                        ArrowField.of("t", ArrowType.Simple.UTF8_VIEW)
                                .withDictionary(DictionaryInfo.of(1, new ArrowType.Int(8, true))));
        List<String> texts = new ArrayList<>();
        var stream = new ByteArrayOutputStream();
        try (MessageWriter out = MessageWriter.of(ArrowContainer.STREAM, stream)) {
            out.write(schema.toMessage(EmissionOrder.ARROW_CPP));
            BatchBuilder batch =
                    new BatchBuilder(BatchLayout.compile(schema.toTable(), MetadataVersion.V5));
            for (int i = 0; i < 2_000; i++) {
                boolean isLarge = i == 1_000;
                String text = ("text " + i + " ").repeat(isLarge ? 10_000 : 3);
                // A text behind others, one of its first bytes, and a null with a view of no text.
                byte[] data = ("others" + text).getBytes(StandardCharsets.UTF_8);
                ByteBuffer views = ByteBuffer.allocate(48).order(ByteOrder.LITTLE_ENDIAN);
                views.putInt(text.length()).put(data, 6, 4).putInt(0).putInt(6);
                views.putInt(4).put(data, 6, 4).putLong(0);
                views.putLong(-1L >>> 1).putLong(-1L >>> 1).flip();
                batch.beginDictionary(1, 3, i > 0);
                batch.buffer(0, BufferRole.VALIDITY, MemorySegment.ofArray(new byte[] {3}));
                batch.buffer(0, BufferRole.VIEWS, MemorySegment.ofBuffer(views));
                out.write(batch.buffer(0, BufferRole.VARIADIC, MemorySegment.ofArray(data)));
                texts.addAll(Arrays.asList(text, text.substring(0, 4), null));
            }
            batch.begin(1);
            out.write(batch.buffer(0, BufferRole.DATA, MemorySegment.ofArray(new byte[1])));
            out.finish();
        }
        try (var allocator = new RootAllocator();
                var vectors =
                        VectorReader.open(
                                new ByteArrayInputStream(stream.toByteArray()), allocator, "t")) {
            assertTrue(vectors.loadNext());
            FieldVector values = vectors.lookup(1).getVector();
            assertEquals(texts.size(), values.getValueCount());
            for (int i = 0; i < texts.size(); i++) {
                String found = values.isNull(i) ? null : values.getObject(i).toString();
                assertEquals(texts.get(i), found);
            }
            // Validity, views, copied data, and that of the large delta.
            assertEquals(4, values.getFieldBuffers().size());
        }
    }

    /// arrow-java counts nulls itself.
    @Test
    @Timeout(20)
    void wrongNullCountsOfManyColumnsAreReadInLinearTime() throws IOException {
        int columns = 30_000;
        byte[] stream =
                CaseFile.input(
                        "stream <u:Utf8 many(%d \"c\":Int(bitWidth=8 is_signed=1))> | batch 1 [1"
                                        .replace("%d", "" + columns)
                                + " 1/1".repeat(columns)
                                + "] [- i32(0 1) \"a\""
                                + " i8(1) i8(7)".repeat(columns)
                                + "]");
        try (RootAllocator allocator = new RootAllocator();
                VectorReader vectors =
                        VectorReader.open(
                                new ByteArrayInputStream(stream),
                                allocator,
                                Columns.all(),
                                VectorOptions.DEFAULT)) {
            assertTrue(vectors.loadNext());
            assertEquals((byte) 7, vectors.root().getVector(columns).getObject(0));
        }
    }

    /// A null count without a validity buffer changes no value, here and in arrow-java.
    @Test
    void nullCountsWithoutValidityChangeNoValue() throws IOException {
        for (String name : List.of("sparse_unions", "dense_unions", "run_end_encoded")) {
            byte[] bytes = ArrowVectorFiles.named(name).file();
            VectorTexts expected = VectorTexts.ofArrow(bytes);
            for (var message : OracleListing.list(bytes).recordBatches()) {
                int metadata = (int) (message.offset() + message.prefixLength());
                RecordBatch batch = new RecordBatch();
                new Message()
                        .wrap(
                                MemorySegment.ofArray(bytes),
                                metadata,
                                message.bodyOffset() - metadata)
                        .header(batch);
                FieldNode node = batch.nodes(0, new FieldNode());
                node.set(node.length(), 2);
            }
            assertEquals(expected, VectorTexts.ofArrow(bytes));
            try (RootAllocator allocator = new RootAllocator();
                    VectorReader vectors = open(file(bytes), allocator)) {
                assertEquals(expected, VectorTexts.of(vectors));
            }
        }
    }

    // ---- dictionaries

    /// arrow-java's reader of files takes no deltas; that of streams does.
    @Test
    void deltasOfAFileAreAppended() throws IOException {
        byte[] stream = Files.readAllBytes(Producers.folder().resolve("js-delta.arrows"));
        ConvertOptions options = ConvertOptions.DEFAULT.withTarget(ArrowContainer.FILE);
        Path path = file(ArrowBytes.converted(stream, options));
        VectorTexts streamed;
        try (RootAllocator allocator = new RootAllocator();
                VectorReader vectors = open(path, allocator)) {
            streamed = VectorTexts.ofArrow(stream);
            List<List<String>> found = VectorTexts.of(vectors).batches();
            assertEquals(streamed.batches().getLast(), found.getLast());
            assertEquals(streamed.batches().size(), found.size());
        }
    }

    @Test
    void aDeltaWithoutADictionaryIsAnError() throws IOException {
        byte[] stream = Files.readAllBytes(Producers.folder().resolve("js-delta.arrows"));
        byte[] without = OracleListing.only(stream, each -> each.index() != 1);
        try (RootAllocator allocator = new RootAllocator();
                var vectors = VectorTexts.reader(without, allocator)) {
            assertRule(MeaningRule.DICTIONARY_UNDEFINED, vectors::loadNext);
            assertRule(MeaningRule.DELTA_WITHOUT_DICTIONARY, vectors::loadNext);
        }
    }

    @Test
    void aDeltaListedBeforeItsDictionaryIsAnErrorOfItsBlock() {
        Path path = Path.of("src/test/resources/corpus/meaning/delta-first-in-file.arrow");
        FletchException delta = opening(path, Columns.all());
        assertEquals("dictionaries[0]", delta.fault().path());
        assertEquals("" + path, delta.file());
    }

    @Test
    void onlyDictionariesOfChosenColumnsAreLoaded() throws IOException {
        Path path = file("dictionaries");
        try (RootAllocator allocator = new RootAllocator();
                VectorReader numbers = VectorReader.open(path, allocator, "number");
                VectorReader struct = VectorReader.open(path, allocator, "struct")) {
            assertEquals(java.util.Set.of(2L), numbers.getDictionaryIds());
            assertEquals(40, numbers.lookup(2).getVector().getValueCount());
            assertEquals(java.util.Set.of(1L), struct.getDictionaryIds());
        }
    }

    // ---- what arrow-java does not have

    @Test
    void missingCodecIsAnErrorThatNamesTheDependency() throws IOException {
        var options = VectorOptions.DEFAULT.withCodecs(NoCompressionCodec.Factory.INSTANCE);
        FletchException e = failsToLoad(file("zstd"), Columns.named("text"), options);
        assertEquals(MeaningRule.VECTOR_UNSUPPORTED, e.rule());
        assertTrue(e.getMessage().contains("codec=ZSTD"), e.getMessage());
        assertTrue(e.getMessage().contains("arrow-compression"), e.getMessage());
    }

    // ---- places in a file

    /// A hole of 3 GiB before the messages takes no space on disk. The odd 4 bytes leave all
    /// numbers unaligned.
    @Test
    void aColumnBehindThreeGigabytesIsMappedAndOnlyItsBytesCount() throws IOException {
        byte[] bytes = ArrowVectorFiles.named("several_batches").file();
        long hole = (3L << 30) + 4;
        ArrowFile file = ArrowFile.of(MemorySegment.ofArray(bytes));
        Block block = new Block();
        for (int i = 0; i < file.recordBatchCount(); i++) {
            file.footer().recordBatches(i, block);
            block.set(block.offset() + hole, block.metaDataLength(), block.bodyLength());
        }
        Path path = folder.resolve("large.arrow");
        try (FileChannel out =
                FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            out.write(ByteBuffer.wrap(bytes, 0, 8));
            out.write(ByteBuffer.wrap(bytes, 8, bytes.length - 8), 8 + hole);
        }
        VectorTexts expected =
                VectorTexts.ofArrow(ArrowVectorFiles.named("several_batches").file());
        try (RootAllocator allocator = new RootAllocator(1 << 20);
                VectorReader vectors = open(path, allocator)) {
            assertEquals(expected, VectorTexts.of(vectors));
            vectors.load(5);
            assertTrue(allocator.getAllocatedMemory() < bytes.length);
        }
    }

    // ---- sources that end early

    @Test
    void hugeBufferLengthAllocatesLittle() throws IOException {
        byte[] stream = ArrowVectorFiles.named("several_batches").stream();
        MemorySegment memory = MemorySegment.ofArray(stream);
        EncapsulatedMessage frame = new EncapsulatedMessage();
        Message message = new Message();
        frame.wrap(memory, 0, message);
        frame.wrap(memory, frame.nextOffset(), message);
        RecordBatch batch = new RecordBatch();
        message.header(batch);
        var buffer = new dev.fletch.format.Buffer();
        batch.buffers(1, buffer).set(0, 1L << 40);
        message.setBodyLength(1L << 41);
        try (RootAllocator allocator = new RootAllocator();
                var vectors =
                        VectorReader.open(new ByteArrayInputStream(stream), allocator, "number")) {
            long open = allocator.getAllocatedMemory();
            assertThrows(FletchException.class, vectors::loadNext);
            assertTrue(allocator.getPeakMemoryAllocation() <= 32 << 20);
            assertEquals(open, allocator.getAllocatedMemory());
        }
    }

    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "a mapped file cannot be shortened there")
    @Test
    void aFileThatIsShortenedIsAnErrorThatNamesIt() throws IOException {
        Path path = file("several_batches");
        try (RootAllocator allocator = new RootAllocator();
                VectorReader vectors = VectorReader.open(path, allocator, "number")) {
            try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
                channel.truncate(0);
            }
            UnreadableFileException e =
                    assertThrows(UnreadableFileException.class, vectors::loadNext);
            assertEquals(path.toString(), e.file());
        }
    }
}
