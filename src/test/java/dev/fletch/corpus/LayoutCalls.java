// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import dev.fletch.Limits;
import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BatchLayout;
import dev.fletch.batch.BufferSource;
import dev.fletch.batch.Columns;
import dev.fletch.batch.DecompressedBuffers;
import dev.fletch.batch.Dictionaries;
import dev.fletch.batch.ReceivedBody;
import dev.fletch.batch.ValueType;
import dev.fletch.compression.LibraryDecompressor;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.forward.BatchProjector;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.testdata.FileBatches;
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

/// Calls of layouts, cursors and values of columns.
final class LayoutCalls {
    private static final String INT8 = "int8:Int(bitWidth=8 is_signed=1)";
    private static final String INT32 = "<int32:Int(bitWidth=32 is_signed=1)>";
    private static final int V5 = MetadataVersion.V5;

    private LayoutCalls() {}

    static void addTo(CorpusCalls calls) {
        limits(calls);
        batches(calls);
        calls.throwing(
                "BatchCursor.values | type=INT64, column of 32 bits",
                () ->
                        batch(" | batch 2 [2] [- i32(1 2)]")
                                .values(0, ValueType.INT64, new ByteSlice()));
        calls.throwing(
                "BatchCursor.values | source=null, buffer compressed with ZSTD",
                () -> readCompressed(null));
        calls.throwing(
                "BatchCursor.values | source=DecompressedBuffers, most=7, two values of 32 bits",
                () -> readCompressed(new DecompressedBuffers(new LibraryDecompressor(), 7)));
    }

    // ---- schemas

    private static void limits(CorpusCalls calls) {
        String nested = "<struct:Struct_<" + INT8 + ">>";
        calls.throwing(
                "BatchLayout.compile | limits.depth=1, field in a struct",
                () -> compile(nested, Limits.DEFAULT.withDepth(1)));
        calls.throwing(
                "BatchLayout.compile | limits.fields=1, two fields",
                () -> compile(nested, Limits.DEFAULT.withFields(1)));
        calls.throwing(
                "BatchLayout.compile | limits.unfoldedBytes=300, two fields",
                () -> compile(nested, Limits.DEFAULT.withUnfoldedBytes(300)));
        calls.throwing(
                "BatchLayout.compile | limits.unfoldedBytes=2^63-1, name of 2^31-8 bytes in a"
                        + " mapped file",
                LayoutCalls::compileLongName);
        calls.throwing(
                "BatchLayout.field | name that no column has",
                () -> compile(nested, Limits.DEFAULT).field("absent"));
    }

    private static BatchLayout compile(String schema, Limits limits) {
        return BatchLayout.compile(schema(schema), V5, limits, Columns.all());
    }

    private static Schema schema(String schema) {
        return new Schema().wrap(MemorySegment.ofArray(CaseFile.input("flatbuffer " + schema)));
    }

    /// The file is sparse, and only its first page is read: it needs neither disk nor memory.
    private static void compileLongName() throws IOException {
        byte[] schema = CaseFile.input("flatbuffer <long:Int(bitWidth=8)>");
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

    private static void batches(CorpusCalls calls) {
        String numbers = "3 header=RecordBatch(length=2 nodes=[(2 0)] buffers=[(0 0) (0 8)])";
        BatchLayout layout = compile(INT32, Limits.DEFAULT);
        calls.throwing(
                "BatchCursor.bind | schema message", () -> bind(layout, "1 header=" + INT32));
        calls.throwing(
                "BatchCursor.bind | layout with a union, batch of version V3",
                () -> new BatchCursor().bind(union(), messageOfV3()));
        calls.throwing(
                "BatchCursor.body | body of which no byte was received",
                () -> bind(layout, numbers).body(new ReceivedBody()));
        calls.throwing("BatchProjector.write | two columns with one buffer", LayoutCalls::project);
        calls.throwing(
                "Dictionaries.add | record batch message",
                () -> {
                    MemorySegment body = MemorySegment.ofArray(new byte[8]);
                    new Dictionaries(layout).add(message(numbers), body);
                });
    }

    private static BatchLayout union() {
        return compile("<union:Union<" + INT8 + ">>", Limits.DEFAULT);
    }

    private static Message messageOfV3() {
        Message message = message("3 header=RecordBatch()");
        message.setVersion(MetadataVersion.V3);
        return message;
    }

    /// A message with a body of 8 bytes.
    private static Message message(String header) {
        String message = "flatbuffer Message(version=4 bodyLength=8 header_type=" + header + ")";
        return Meant.bound(CaseFile.input(message));
    }

    private static BatchCursor bind(BatchLayout layout, String header) {
        return new BatchCursor().bind(layout, message(header));
    }

    private static void project() {
        BatchLayout layout = compile("<a:Int(bitWidth=32) b:Int(bitWidth=32)>", Limits.DEFAULT);
        String batch =
                "3 header=RecordBatch(length=2 nodes=[(2 0)*2] buffers=[(0 0) (0 8) (0 0) (0 8)])";
        BatchProjector.of(layout, "a", "b").write(message(batch));
    }

    // ---- buffers

    private static BatchCursor batch(String messages) {
        byte[] file = CaseFile.input("file " + INT32 + messages);
        return FileBatches.of(ArrowFile.of(MemorySegment.ofArray(file))).bind(0);
    }

    /// Reads two numbers from a buffer that claims to be compressed.
    ///
    /// @param source null for the body
    private static void readCompressed(BufferSource source) {
        batch(" | batch 2 [2] [- i64(8 0)] {compression=BodyCompression(codec=1)}")
                .source(source)
                .values(0, ValueType.INT32, new ByteSlice());
    }
}
