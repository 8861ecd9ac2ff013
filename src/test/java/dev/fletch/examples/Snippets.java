// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.examples;

import dev.fletch.FletchException;
import dev.fletch.arrow.Arrow;
import dev.fletch.arrow.BatchReader;
import dev.fletch.arrow.BatchReceiver;
import dev.fletch.arrow.VerifiedChannel;
import dev.fletch.batch.BatchBuilder;
import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BatchLayout;
import dev.fletch.batch.Columns;
import dev.fletch.batch.DecompressedBuffers;
import dev.fletch.batch.ValueType;
import dev.fletch.compression.LibraryDecompressor;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.flatbuf.Utf8Slice;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.Field;
import dev.fletch.format.FrameKind;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.write.BodyLayout;
import dev.fletch.format.write.CustomMetadata;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.format.write.RecordBatchTemplate;
import dev.fletch.format.write.SegmentList;
import dev.fletch.forward.BatchProjector;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.KnownSchemas;
import dev.fletch.ipc.MessageEncoder;
import dev.fletch.ipc.MessageReader;
import dev.fletch.ipc.MessageWriter;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.remote.RangeSource;
import dev.fletch.scan.FileScan;
import dev.fletch.scan.FileSummary;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.schema.SchemaChange;
import dev.fletch.schema.SchemaJson;
import dev.fletch.schema.extension.ExtensionRegistry;
import dev.fletch.schema.extension.ExtensionUse;
import dev.fletch.vectors.VectorOptions;
import dev.fletch.vectors.VectorReader;

import io.grpc.Server;
import io.grpc.ServerInterceptors;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;

import org.apache.arrow.flight.FlightClient;
import org.apache.arrow.flight.FlightGrpcUtils;
import org.apache.arrow.flight.FlightProducer;
import org.apache.arrow.flight.auth.ServerAuthHandler;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.ValueVector;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryEncoder;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.apache.arrow.vector.ipc.ArrowStreamReader;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;

/// The short examples of pages and of the packages' own pages.
public final class Snippets {
    private Snippets() {}

    public static long nextBatch(ReadableByteChannel channel) throws IOException {
        var message = new Message();
        var batch = new RecordBatch();
        long rows = 0;
        try (var reader = MessageReader.of(channel, ReadOptions.DEFAULT)) {
            while (reader.next(message) == FrameKind.MESSAGE) {
                if (message.header(batch)) {
                    rows += batch.length(); // the body is skipped
                }
            }
        }
        return rows;
    }

    public static long untrusted(Path in) throws IOException {
        long rows = 0;
        try (var reader = Arrow.open(in, ReadOptions.UNTRUSTED)) {
            while (reader.next()) {
                rows += reader.rowCount(); // everything of the batch was checked
            }
        }
        return rows;
    }

    public static long verifiedStream(ReadableByteChannel channel, BufferAllocator allocator)
            throws IOException {
        long rows = 0;
        var verified = VerifiedChannel.of(channel, ReadOptions.UNTRUSTED);
        try (var reader = new ArrowStreamReader(verified, allocator)) {
            while (reader.loadNextBatch()) {
                rows += reader.getVectorSchemaRoot().getRowCount();
            }
        }
        return rows;
    }

    public static long verifiedFile(Path path, BufferAllocator allocator) throws IOException {
        long rows = 0;
        var verified = VerifiedChannel.open(path, ReadOptions.UNTRUSTED);
        try (var reader = new ArrowFileReader(verified, allocator)) {
            while (reader.loadNextBatch()) {
                rows += reader.getVectorSchemaRoot().getRowCount();
            }
        }
        return rows;
    }

    @SuppressWarnings("deprecation") // Flight has no other type of handler
    public static Server flightServer(
            BufferAllocator allocator,
            FlightProducer producer,
            ExecutorService executor,
            int port,
            ReadOptions options) {
        var service =
                FlightGrpcUtils.createFlightService(
                        allocator, producer, ServerAuthHandler.NO_OP, executor);
        var streams = ServerInterceptors.useInputStreamMessages(service.bindService());
        return NettyServerBuilder.forPort(port)
                .executor(executor)
                .maxInboundMessageSize(16 << 20)
                .addService(ServerInterceptors.intercept(streams, new VerifyingServer(options)))
                .build();
    }

    public static FlightClient flightClient(
            BufferAllocator allocator, int port, ReadOptions options) {
        var channel =
                NettyChannelBuilder.forAddress("localhost", port)
                        .usePlaintext()
                        .maxInboundMessageSize(16 << 20)
                        .intercept(new VerifyingClient(options))
                        .build();
        return FlightGrpcUtils.createFlightClient(allocator, channel);
    }

    public static long needed(BatchReader reader, long most) throws IOException {
        long skipped = 0;
        while (reader.nextHeader()) {
            if (reader.loadedBytes() > most) {
                skipped++;
                continue; // nothing was decompressed
            }
            reader.load();
        }
        return skipped;
    }

    public static ReadOptions flightOptions() {
        var options = ReadOptions.UNTRUSTED.withDecompressedBytes(64 << 20);
        return options;
    }

    public static long neededByFlight(
            BatchReceiver receiver, ByteBuffer header, ByteBuffer body, long most) {
        if (receiver.receiveHeader(header, body) && receiver.loadedBytes() <= most) {
            receiver.load(); // decompresses it and checks its values
        }
        return receiver.rowCount();
    }

    public static void faults(Path path) throws IOException {
        try (var file = ArrowFile.open(path)) {
            System.out.println(file.recordBatchCount() + " batches");
        } catch (FletchException e) { // not an Arrow file, or damaged
            System.out.println(e.rule().id() + " at " + e.offset() + ": " + e.getMessage());
        }
    }

    public static int names(Schema schema) {
        var field = new Field();
        var name = new Utf8Slice();
        int bytes = 0;
        for (int i = 0; i < schema.fieldsCount(); i++) {
            schema.fields(i, field).name(name); // binds both again: nothing is allocated
            bytes += name.length();
        }
        return bytes;
    }

    public static byte[] table() {
        var writer = new FlatBufferWriter();
        int name = writer.createString("price");
        writer.startTable();
        writer.addOffset(0, name); // slot 0
        writer.addNumber(1, Integer.BYTES, 7, 0); // slot 1: the value 7, the default 0
        writer.finish(writer.endTable());
        return writer.toByteArray();
    }

    public static void header(MemorySegment metadata) {
        var message = new Message().wrap(metadata); // keep flyweights, and wrap them again
        var batch = new RecordBatch();
        if (message.header(batch)) {
            System.out.println(batch.length() + " rows, " + message.bodyLength() + " bytes");
        }
    }

    public static ArrowSchema json(Schema schema) {
        String text = SchemaJson.text(ArrowSchema.of(schema));
        ArrowSchema same = SchemaJson.parse(text);
        return same;
    }

    public static void changes(ArrowSchema yesterday, ArrowSchema today) {
        for (SchemaChange change : yesterday.diff(today)) {
            System.out.println(change); // such as: size: type int32 → int64
        }
    }

    public static void extensions(ArrowSchema schema) {
        for (ExtensionUse use : ExtensionRegistry.CANONICAL.list(schema)) {
            System.out.println(use.path() + ": " + use.extensionName() + ", ok=" + use.isOk());
        }
    }

    public static void ranges(Path path) throws IOException {
        try (var reader = Arrow.open(RangeSource.open(path), ReadOptions.DEFAULT)) {
            var size = reader.column("size");
            reader.load(1); // reads the footer, the headers and this column of this batch
            System.out.println(size.length() + " values");
        }
    }

    public static void scan(String nameOrLink) {
        var scan = new FileScan(); // for any number of threads
        FileSummary summary = scan.of(nameOrLink);
        System.out.println(summary.rows() + " rows, fault: " + summary.fault());
    }

    public static void kinds(MessageReader reader, Message message) throws IOException {
        while (reader.next(message) == FrameKind.MESSAGE) {
            System.out.println(MessageHeader.NAMES.name(message.headerType())); // RecordBatch
        }
    }

    public static VectorReader chosenVectors(Path path, BufferAllocator allocator)
            throws IOException {
        var options = VectorOptions.DEFAULT.withChecksValues(false); // for a file that you trust
        var columns = Columns.named("price", "size");
        var vectors = VectorReader.open(path, allocator, columns, options);
        return vectors;
    }

    public static void located(
            Schema schema,
            Message message,
            MemorySegment body,
            BatchCursor cursor,
            ByteSlice values) {
        var layout = BatchLayout.compile(schema, message.version());
        int size = layout.field("size");
        cursor.bind(layout, message).body(body); // for each batch
        cursor.values(size, ValueType.INT64, values);
    }

    public static void compressedColumns(BatchCursor cursor) {
        var buffers = new DecompressedBuffers(new LibraryDecompressor(), 1L << 30); // at most 1 GiB
        cursor.source(buffers);
        // for each batch: bind it, read values, and then
        buffers.release();
    }

    public static ArrowFile shared(Path path, Arena sharedArena, ReadOptions options)
            throws IOException {
        MemorySegment memory = ArrowFile.map(path, sharedArena, options).memory(); // once
        ArrowFile mine = ArrowFile.of(memory, options); // in each thread
        return mine;
    }

    public static long knownSchemas(List<Path> files) throws IOException {
        var options = ReadOptions.DEFAULT.withKnownSchemas(new KnownSchemas());
        long recognized = 0;
        for (Path path : files) {
            try (var file = ArrowFile.open(path, options)) {
                recognized += file.schemasRecognized(); // from the third file on
            }
        }
        return recognized;
    }

    public static ValueVector decoded(VectorReader vectors) {
        FieldVector symbols = vectors.root().getVector("symbol");
        long id = symbols.getField().getDictionary().getId();
        Dictionary dictionary = vectors.lookup(id);
        ValueVector texts = DictionaryEncoder.decode(symbols, dictionary);
        return texts;
    }

    public static BatchProjector projector(BatchLayout layout) {
        var projector = BatchProjector.of(layout, "symbol", "price");
        return projector;
    }

    public static long forwarded(
            MemorySegment input,
            EncapsulatedMessage frame,
            Message message,
            BatchProjector projector,
            MessageWriter out)
            throws IOException {
        var metadata = MemorySegment.ofArray(new byte[1 << 10]);
        var parts = new SegmentList();
        int length = projector.write(message, metadata, 0);
        out.write(metadata, 0, length, projector.body(input, frame.bodyOffset(), parts));
        return projector.bodyLength();
    }

    public static void encode(
            MemorySegment schema, List<BatchBuilder> batches, GatheringByteChannel channel)
            throws IOException {
        var encoder = new MessageEncoder(ArrowContainer.STREAM);
        send(encoder.encode(schema), channel);
        for (var batch : batches) {
            send(encoder.encode(batch), channel);
        }
        send(encoder.finish(), channel);
    }

    static void send(SegmentList parts, GatheringByteChannel channel) throws IOException {
        var buffers = new ByteBuffer[parts.count()]; // or one for all messages
        int count = parts.buffers(buffers);
        for (long left = parts.length(); left > 0; ) {
            left -= channel.write(buffers, 0, count); // may take only some
        }
    }

    public static void number(BatchBuilder batch, CustomMetadata sequence, byte[] digits) {
        batch.metadata(sequence.set(0, digits)); // made by new CustomMetadata("sequence")
    }

    public static void repeated(MessageWriter out, EmissionOrder order, BodyLayout layout)
            throws IOException {
        var template = RecordBatchTemplate.of(order, MetadataVersion.V5, 1, 2, 0);
        var header = MemorySegment.ofArray(new byte[template.maxLength()]); // for each batch
        out.write(header, 0, template.write(header, 0, 3, layout, null), layout.body());
    }
}
