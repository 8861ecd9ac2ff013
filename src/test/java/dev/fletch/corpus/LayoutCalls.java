// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static dev.fletch.corpus.CorpusCalls.throwing;
import static dev.fletch.testdata.HandmadeInput.ints;
import static dev.fletch.verify.messages.Meant.INT32;
import static dev.fletch.verify.messages.Meant.INT8;
import static dev.fletch.verify.messages.Meant.field;
import static dev.fletch.verify.messages.Meant.pair;
import static dev.fletch.verify.messages.Meant.schema;
import static dev.fletch.verify.messages.Meant.struct;
import static dev.fletch.verify.messages.Meant.table;
import static dev.fletch.verify.messages.Meant.with;

import dev.fletch.Limits;
import dev.fletch.MeaningRule;
import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BatchLayout;
import dev.fletch.batch.BufferSource;
import dev.fletch.batch.Columns;
import dev.fletch.batch.DecompressedBuffers;
import dev.fletch.batch.Dictionaries;
import dev.fletch.batch.ReceivedBody;
import dev.fletch.batch.ValueType;
import dev.fletch.compression.LibraryDecompressor;
import dev.fletch.corpus.CorpusCalls.Call;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.CompressionType;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.ids.Type;
import dev.fletch.forward.BatchProjector;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.FileBatches;
import dev.fletch.testdata.HandmadeInput;
import dev.fletch.testdata.HandmadeInput.Batch;
import dev.fletch.verify.messages.Meant;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/// Calls of layouts, cursors and values of columns.
final class LayoutCalls {
    private static final byte[] NONE = {};
    private static final int V5 = MetadataVersion.V5;

    private LayoutCalls() {}

    static List<Call> all() {
        List<Call> calls = new ArrayList<>();
        calls.addAll(limits());
        calls.addAll(batches());
        calls.add(otherType());
        calls.addAll(compressed());
        return calls;
    }

    // ---- schemas

    private static List<Call> limits() {
        FbsValue.Table nested = schema(struct(INT8));
        String call = "BatchLayout.compile";
        return List.of(
                throwing(
                        MeaningRule.SCHEMA_TOO_DEEP,
                        call,
                        "limits.depth=1, field in a struct",
                        () -> compile(nested, Limits.DEFAULT.withDepth(1))),
                throwing(
                        MeaningRule.TOO_MANY_FIELDS,
                        call,
                        "limits.fields=1, two fields",
                        () -> compile(nested, Limits.DEFAULT.withFields(1))),
                throwing(
                        MeaningRule.SCHEMA_TOO_LARGE,
                        call,
                        "limits.unfoldedBytes=300, two fields",
                        () -> compile(nested, Limits.DEFAULT.withUnfoldedBytes(300))),
                throwing(
                        MeaningRule.TOO_LONG_NAMES,
                        call,
                        "limits.unfoldedBytes=2^63-1, name of 2^31-8 bytes in a mapped file",
                        LayoutCalls::compileLongName),
                throwing(
                        MeaningRule.NO_COLUMN,
                        "BatchLayout.field",
                        "name that no column has",
                        () -> compile(nested, Limits.DEFAULT).field("absent")));
    }

    private static BatchLayout compile(FbsValue.Table schema, Limits limits) {
        Schema bound = new Schema().wrap(MemorySegment.ofArray(Meant.bytes(schema)));
        return BatchLayout.compile(bound, V5, limits, Columns.all());
    }

    /// The file is sparse, and only its first page is read: it needs neither disk nor memory.
    private static void compileLongName() throws IOException {
        byte[] schema = Meant.bytes(schema(Meant.integer("long", 8)));
        int at = new String(schema, StandardCharsets.ISO_8859_1).indexOf("long");
        ByteBuffer.wrap(schema)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(at - Integer.BYTES, Integer.MAX_VALUE - 7);
        Path path = Files.createTempFile("fletch-corpus-", ".schema");
        Files.delete(path); // a sparse file must be new
        try (Arena arena = Arena.ofConfined();
                FileChannel file =
                        FileChannel.open(
                                path,
                                StandardOpenOption.CREATE_NEW,
                                StandardOpenOption.READ,
                                StandardOpenOption.WRITE,
                                StandardOpenOption.SPARSE,
                                StandardOpenOption.DELETE_ON_CLOSE)) {
            file.write(ByteBuffer.wrap(schema));
            MemorySegment memory = file.map(MapMode.READ_WRITE, 0, at + (1L << 31), arena);
            Limits limits = Limits.DEFAULT.withUnfoldedBytes(Long.MAX_VALUE);
            BatchLayout.compile(new Schema().wrap(memory), V5, limits, Columns.all());
        }
    }

    // ---- messages

    private static List<Call> batches() {
        FbsValue.Table union = field("union", Type.UNION, table("Union"), INT8);
        return List.of(
                throwing(
                        MeaningRule.NO_BATCH,
                        "BatchCursor.bind",
                        "schema message",
                        () -> bind(compile(schema(INT8), Limits.DEFAULT), schema(INT8))),
                throwing(
                        MeaningRule.OTHER_VERSION,
                        "BatchCursor.bind",
                        "layout of version V4 with a union, batch of version V5",
                        () -> bind(compileV4(schema(union)), new Batch(0).table())),
                throwing(
                        MeaningRule.INCOMPLETE_BODY,
                        "BatchCursor.body",
                        "body of which no byte was received",
                        () -> bind(layout(INT32), numbers().table()).body(new ReceivedBody())),
                throwing(
                        MeaningRule.SHARED_BYTES,
                        "BatchProjector.write",
                        "two columns with one buffer",
                        LayoutCalls::project),
                throwing(
                        MeaningRule.NO_DICTIONARY_BATCH,
                        "Dictionaries.add",
                        "record batch message",
                        () -> define(layout(INT32), numbers())));
    }

    private static BatchLayout layout(FbsValue.Table... columns) {
        return compile(schema(columns), Limits.DEFAULT);
    }

    private static BatchLayout compileV4(FbsValue.Table schema) {
        Schema bound = new Schema().wrap(MemorySegment.ofArray(Meant.bytes(schema)));
        return BatchLayout.compile(bound, MetadataVersion.V4);
    }

    /// A message with a body of 8 bytes.
    private static Message message(FbsValue.Table header) {
        return Meant.bound(Meant.bytes(Meant.message(header, 8)));
    }

    private static BatchCursor bind(BatchLayout layout, FbsValue.Table header) {
        return new BatchCursor().bind(layout, message(header));
    }

    /// A batch of one column of two numbers.
    private static Batch numbers() {
        return new Batch(2).node(2, 0, NONE, ints(1, 2));
    }

    private static void define(BatchLayout layout, Batch batch) {
        MemorySegment body = MemorySegment.ofArray(batch.body());
        new Dictionaries(layout).add(message(batch.table()), body);
    }

    private static void project() {
        FbsValue.Table batch =
                table(
                        "RecordBatch",
                        "length",
                        2,
                        "nodes",
                        List.of(pair(2, 0), pair(2, 0)),
                        "buffers",
                        List.of(pair(0, 0), pair(0, 8), pair(0, 0), pair(0, 8)));
        BatchLayout layout = layout(Meant.integer("a", 32), Meant.integer("b", 32));
        BatchProjector.of(layout, "a", "b").write(message(batch));
    }

    // ---- buffers

    private static Call otherType() {
        return throwing(
                MeaningRule.OTHER_TYPE,
                "BatchCursor.values",
                "type=INT64, column of 32 bits",
                () ->
                        batches(new HandmadeInput(schema(INT32)).batch(numbers()))
                                .bind(0)
                                .values(0, ValueType.INT64, new ByteSlice()));
    }

    private static FileBatches batches(HandmadeInput input) {
        return FileBatches.of(ArrowFile.of(MemorySegment.ofArray(input.file())));
    }

    private static List<Call> compressed() {
        String call = "BatchCursor.values";
        return List.of(
                throwing(
                        MeaningRule.COMPRESSED_BUFFER,
                        call,
                        "source=null, buffer compressed with ZSTD",
                        () -> readCompressed(null)),
                throwing(
                        MeaningRule.TOO_MUCH_MEMORY,
                        call,
                        "source=DecompressedBuffers, most=7, two values of 32 bits",
                        () ->
                                readCompressed(
                                        new DecompressedBuffers(new LibraryDecompressor(), 7))));
    }

    /// Reads two numbers from a buffer that claims to be compressed.
    ///
    /// @param source null for the body
    private static void readCompressed(BufferSource source) {
        Batch batch = new Batch(2).node(2, 0, NONE, HandmadeInput.longs(8, 0));
        FbsValue.Table zstd = table("BodyCompression", "codec", CompressionType.ZSTD);
        FbsValue.Table header = with(batch.table(), "compression", zstd);
        HandmadeInput input = new HandmadeInput(schema(INT32)).add(header, batch.body());
        batches(input).bind(0).source(source).values(0, ValueType.INT32, new ByteSlice());
    }
}
