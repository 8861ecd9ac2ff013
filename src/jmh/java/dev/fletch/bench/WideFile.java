// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import dev.fletch.flatbuf.Dialect;
import dev.fletch.flatbuf.FlatBufferWriter;
import dev.fletch.format.BodyLayout;
import dev.fletch.format.EmptyTypeEncoder;
import dev.fletch.format.Endianness;
import dev.fletch.format.FieldEncoder;
import dev.fletch.format.Message;
import dev.fletch.format.MessageEncoder;
import dev.fletch.format.MessageHeader;
import dev.fletch.format.MetadataVersion;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.format.SchemaEncoder;
import dev.fletch.format.Type;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.ArrowFileWriter;
import dev.fletch.ipc.BodyParts;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.Verification;
import dev.fletch.layout.BatchCursor;
import dev.fletch.layout.BatchLayout;
import dev.fletch.layout.ColumnIndex;
import dev.fletch.layout.ColumnLayout;
import dev.fletch.layout.ColumnScan;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// Three questions to a mapped file of very many columns: open it; find its last column by name and
/// locate that column's buffers in one batch; sum all rows from the headers. Fletch beside the
/// classes that flatc generates, which read the same mapping, and beside arrow-java's
/// `ArrowFileReader`, which has no way to locate a column but to load the batch.
///
/// `locate` asks a file that is open already, `open` is the file anew. Without an index Fletch
/// reads the schema from its start; `fletchCompile` is what a layout of all columns takes, and the
/// task `locate` of `peer.cpp` finds the same place in C++, without the batch.
///
/// Fletch verifies what it opens: all of footer and schema (`FULL`), or with `Touched` the footer's
/// own tables, and the column when it is found. The generated classes verify nothing, neither here
/// nor anywhere. `Views` is another file, of views, every other one with a variadic buffer.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class WideFile {
    private static final int BATCH = 1;

    /// Columns.
    @Param({"100", "10000", "100000"})
    public int columns;

    private final EncapsulatedMessage frame = new EncapsulatedMessage();
    private final Message message = new Message();
    private final RecordBatch batch = new RecordBatch();
    private final Schema schema = new Schema();
    private final ColumnScan scan = new ColumnScan();
    // Of files that were verified when they were opened, and of one whose columns were not.
    private final ColumnLayout column = ColumnLayout.ofVerified();
    private final ColumnLayout touched = new ColumnLayout();
    private final BatchCursor cursor = new BatchCursor();

    private static final ReadOptions TOUCHED =
            ReadOptions.DEFAULT.withVerification(Verification.TOUCHED);

    private Path path;
    private Path indexPath;
    private ArrowFile views;
    private ColumnIndex viewsIndex;
    private final Schema viewsSchema = new Schema();
    private int next;
    private String wanted;
    private ArrowFile file;
    private Arena arena;
    private MemorySegment saved;
    private ColumnIndex index;
    private WideGenerated generated;
    private BufferAllocator allocator;

    /// Writes the file if it is not there, and checks that all sides answer the same.
    @Setup
    public void setup() throws IOException {
        path = WideFileGenerator.file(columns);
        wanted = "column_" + (columns - 1);
        file = ArrowFile.open(path);
        file.footer().schema(schema);
        arena = Arena.ofConfined();
        saved = arena.allocate(ColumnIndex.bytesFor(columns));
        index = ColumnIndex.build(schema, MetadataVersion.V5, saved);
        indexPath = path.resolveSibling(path.getFileName() + ".index");
        index.saveTo(indexPath);
        final Path viewsPath = path.resolveSibling("wide-views-" + columns + ".arrow");
        writeViews(viewsPath);
        views = ArrowFile.open(viewsPath);
        views.footer().schema(viewsSchema);
        final MemorySegment memory = arena.allocate(ColumnIndex.bytesFor(columns));
        viewsIndex = ColumnIndex.build(viewsSchema, MetadataVersion.V5, memory);
        generated = WideGenerated.open(path);
        final long expected = generatedLocate();
        if (fletchLocateScan() != expected
                || fletchLocateIndex() != expected
                || generatedLocateReusing() != expected
                || fletchOpenTouchedLocateIndex() != expected) {
            throw new AssertionError("the sides differ in the column's place");
        }
        checked(fletchRows());
        checked(generatedRows());
    }

    private static long checked(long rows) {
        if (rows != WideFileGenerator.BATCHES * WideFileGenerator.ROWS) {
            throw new AssertionError("the sides differ in rows: " + rows);
        }
        return rows;
    }

    /// Writes a file of one batch without a body, all of whose columns are views.
    private void writeViews(Path to) throws IOException {
        if (Files.exists(to)) {
            return;
        }
        final FlatBufferWriter writer = FlatBufferWriter.growing(Dialect.CPP);
        final int[] fields = new int[columns];
        final int type = EmptyTypeEncoder.create(writer);
        for (int i = 0; i < columns; i++) {
            final int name = writer.createString("column_" + i);
            fields[i] = FieldEncoder.create(writer, name, true, Type.UTF8_VIEW, type, 0, 0, 0);
        }
        final int all = writer.createOffsetVector(fields, 0, columns);
        final int header = SchemaEncoder.create(writer, Endianness.LITTLE, all, 0, 0);
        writer.finish(
                MessageEncoder.create(
                        writer, MetadataVersion.V5, MessageHeader.SCHEMA, header, 0, 0));
        final BodyLayout layout = new BodyLayout();
        for (int i = 0; i < columns; i++) {
            layout.addNode(0, 0).addVariadicCount(i & 1);
            for (int b = 0; b < 2 + (i & 1); b++) {
                layout.addBuffer(0);
            }
        }
        try (ArrowFileWriter out = ArrowFileWriter.of(new FileOutputStream(to.toFile()))) {
            out.write(writer, new BodyParts());
            final FlatBufferWriter batchWriter = FlatBufferWriter.growing(Dialect.CPP);
            final int body = layout.createHeader(batchWriter, 0, 0);
            batchWriter.finish(
                    MessageEncoder.create(
                            batchWriter,
                            MetadataVersion.V5,
                            MessageHeader.RECORD_BATCH,
                            body,
                            0,
                            0));
            out.write(batchWriter, new BodyParts());
            out.finish();
        }
    }

    /// Unmaps.
    @TearDown
    public void tearDown() {
        file.close();
        views.close();
        arena.close();
        Optional.ofNullable(allocator).ifPresent(BufferAllocator::close);
    }

    // ---- Open

    /// Fletch: maps, and binds the footer and its schema.
    @Benchmark
    public int fletchOpen() throws IOException {
        try (ArrowFile opened = ArrowFile.open(path)) {
            final Schema found = new Schema();
            opened.footer().schema(found);
            return found.fieldsCount();
        }
    }

    /// The same, without the columns: they are verified when they are touched.
    @Benchmark
    public int fletchOpenTouched() throws IOException {
        try (ArrowFile opened = ArrowFile.open(path, TOUCHED)) {
            final Schema found = new Schema();
            opened.footer().schema(found);
            return found.fieldsCount();
        }
    }

    /// Generated classes: map, and bind the footer and its schema. Nothing is verified.
    @Benchmark
    public int generatedOpen() throws IOException {
        try (Arena own = Arena.ofConfined();
                FileChannel channel = FileChannel.open(path)) {
            return WideGenerated.of(channel, own).columns();
        }
    }

    /// arrow-java: opens, and makes vectors for the schema.
    @Benchmark
    public int arrowOpen() throws IOException {
        try (ArrowFileReader reader = reader()) {
            return reader.getVectorSchemaRoot().getFieldVectors().size();
        }
    }

    // ---- Find and locate

    /// Fletch, with nothing but the file.
    @Benchmark
    public long fletchLocateScan() {
        scan.wrap(schema, MetadataVersion.V5);
        if (!scan.find(wanted, column)) {
            throw new AssertionError(wanted);
        }
        return located();
    }

    /// Fletch, with the index at hand.
    @Benchmark
    public long fletchLocateIndex() {
        if (!index.find(schema, wanted, column)) {
            throw new AssertionError(wanted);
        }
        return located();
    }

    /// Fletch, with the file opened for it without its columns, and the saved index mapped.
    @Benchmark
    public long fletchOpenTouchedLocateIndex() throws IOException {
        try (ArrowFile opened = ArrowFile.open(path, TOUCHED);
                Arena own = Arena.ofConfined();
                FileChannel channel = FileChannel.open(indexPath)) {
            final MemorySegment mapped =
                    channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), own);
            opened.footer().schema(schema);
            final ColumnIndex quick = ColumnIndex.openQuick(mapped, schema, MetadataVersion.V5);
            quick.find(schema, wanted, touched);
            return located(opened, touched);
        } finally {
            file.footer().schema(schema);
        }
    }

    /// Fletch, with the index at hand, and the column verified each time.
    @Benchmark
    public long fletchLocateIndexVerifying() {
        index.find(schema, wanted, touched);
        return located(file, touched);
    }

    /// Fletch, with the index at hand, where all columns are of a view type.
    @Benchmark
    public long fletchLocateIndexViews() {
        viewsIndex.find(viewsSchema, wanted, column);
        views.recordBatch(0, frame, message);
        message.header(batch);
        cursor.bind(column, batch, views.memory(), frame.bodyOffset(), frame.bodyLength());
        return cursor.column(0).bufferIndex(0);
    }

    /// The same for one column after another of a batch that stays bound.
    @Benchmark
    public long fletchLocateNextViews() {
        if (next == 0) {
            fletchLocateIndexViews();
        }
        viewsIndex.column(viewsSchema, next, column);
        next = next + 1 == columns ? 0 : next + 1;
        return cursor.rebind(column).column(0).bufferIndex(0);
    }

    private long located() {
        return located(file, column);
    }

    private long located(ArrowFile of, ColumnLayout plan) {
        of.recordBatch(BATCH, frame, message);
        message.header(batch);
        cursor.bind(plan, batch, of.memory(), frame.bodyOffset(), frame.bodyLength()).column(0);
        long sum = cursor.length();
        for (int i = 0; i < cursor.bufferCount(); i++) {
            sum += cursor.bufferOffset(i) + cursor.bufferLength(i);
        }
        return sum;
    }

    /// Fletch: the layout of all columns.
    @Benchmark
    public int fletchCompile() {
        return BatchLayout.compile(schema, MetadataVersion.V5).fieldCount();
    }

    /// Fletch: the saved index taken for a file that it is not bound to: all bytes compared.
    @Benchmark
    public int fletchOpenIndex() {
        return ColumnIndex.open(saved, schema, MetadataVersion.V5).columnCount();
    }

    /// Fletch: the index of all columns.
    @Benchmark
    public int fletchBuildIndex() {
        return ColumnIndex.build(schema, MetadataVersion.V5, saved).columnCount();
    }

    /// Generated classes as one writes it, unverified: an object and a string for each column.
    @Benchmark
    public long generatedLocate() {
        return generated.locate(wanted, BATCH);
    }

    /// Generated classes, unverified, with objects used again, and names compared as bytes.
    @Benchmark
    public long generatedLocateReusing() {
        return generated.locateReusing(wanted, BATCH);
    }

    /// arrow-java: the file opened, the batch loaded, the vector asked for by name.
    @Benchmark
    public int arrowLocate() throws IOException {
        try (ArrowFileReader reader = reader()) {
            reader.loadRecordBatch(reader.getRecordBlocks().get(BATCH));
            return reader.getVectorSchemaRoot().getVector(wanted).getValueCount();
        }
    }

    // ---- Rows

    /// Fletch: from each batch's header.
    @Benchmark
    public long fletchRows() {
        long rows = 0;
        for (int i = 0; i < file.recordBatchCount(); i++) {
            file.recordBatch(i, frame, message);
            message.header(batch);
            rows += batch.length();
        }
        return rows;
    }

    /// Generated classes: from each batch's header.
    @Benchmark
    public long generatedRows() {
        return generated.rows();
    }

    /// arrow-java: each batch loaded.
    @Benchmark
    public long arrowRows() throws IOException {
        try (ArrowFileReader reader = reader()) {
            long rows = 0;
            while (reader.loadNextBatch()) {
                rows += reader.getVectorSchemaRoot().getRowCount();
            }
            return checked(rows);
        }
    }

    private ArrowFileReader reader() throws IOException {
        if (allocator == null) {
            allocator = new RootAllocator();
        }
        return new ArrowFileReader(FileChannel.open(path), allocator);
    }
}
