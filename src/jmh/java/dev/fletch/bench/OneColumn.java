// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import dev.fletch.Limits;
import dev.fletch.arrow.Arrow;
import dev.fletch.arrow.BatchReader;
import dev.fletch.arrow.Column;
import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BatchLayout;
import dev.fletch.batch.Columns;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.vectors.VectorReader;

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
import org.openjdk.jmh.infra.BenchmarkParams;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Finds the last column of a mapped file by name, and reads its length and the offsets of its
/// buffers in a record batch: without prior knowledge, or with a layout of all columns. Compiling
/// that layout is a separate benchmark.
///
/// The file is already open. Fletch has verified its footer, and verifies the batch's message each
/// time. The generated classes verify nothing. Opening the file for one column is a separate
/// benchmark, too.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class OneColumn implements Peered {
    private static final int BATCH = 1;
    private static final int USED_COLUMNS = 20;
    private static final ReadOptions TOUCHED =
            ReadOptions.DEFAULT.withLevel(ReadOptions.Level.TOUCHED);

    /// Columns.
    @Param({"100000"})
    public int size;

    /// Whether the JVM has used other kinds of memory before.
    @Param({Setting.CLEAN, Setting.USED})
    public String history;

    private final Arena arena = Arena.ofConfined();
    private final BufferAllocator allocator = new RootAllocator();
    private Path path;
    private String wanted;
    private ArrowFile file;
    private GeneratedFile generated;

    private final Schema schema = new Schema();
    private final EncapsulatedMessage frame = new EncapsulatedMessage();
    private final Message message = new Message();
    private final RecordBatch batch = new RecordBatch();
    private final BatchCursor cursor = new BatchCursor();
    private BatchLayout layout;
    private BatchLayout chosen;
    private GeneratedPlan plan;

    /// A file opened by both sides.
    private record Opened(ArrowFile fletch, GeneratedFile generated) {
        static Opened of(BenchMemory memory) {
            return new Opened(ArrowFile.of(memory.segment()), new GeneratedFile(memory.buffer()));
        }
    }

    /// Writes the file if it does not exist, and checks that all sides read the same.
    ///
    /// @param running the benchmark to measure
    @Setup
    public void setup(BenchmarkParams running) throws IOException {
        if (!history.equals(Setting.CLEAN)) {
            path = WideFile.of(USED_COLUMNS);
            List<Opened> all =
                    BenchMemory.all(Files.readAllBytes(path), history).stream()
                            .map(Opened::of)
                            .toList();
            plan(all.getFirst(), USED_COLUMNS);
            boolean isOpened =
                    BenchMemory.measures(running, "fletchOpen")
                            || BenchMemory.measures(running, "generatedOpen");
            BenchMemory.useAll(this, running, all, isOpened ? this::read : this::take);
        }
        path = WideFile.of(size);
        plan(new Opened(ArrowFile.open(path), GeneratedFile.map(path, arena)), size);
        long expected = generatedScan();
        if (fletchScan() != expected
                || fletchPlan() != expected
                || generatedPlan() != expected
                || fletchOpen() != expected
                || generatedOpen() != expected
                || fletchCompile() != generatedCompile()) {
            throw new AssertionError("sides read or write different data");
        }
        // arrow-java uses other kinds of memory, and the generated classes too.
        if (BenchMemory.measuresArrow(running) && arrowScan() != WideFile.ROWS) {
            throw new AssertionError("arrow-java reads different data");
        }
        if (BenchMemory.measures(running, "vectorOpen") && vectorOpen() != WideFile.ROWS) {
            throw new AssertionError("vectors read different data");
        }
    }

    /// Reads the same bytes in other kinds of memory: what opens a path uses mapped memory only.
    private void read(Opened opened) {
        take(opened);
        try (BatchReader reader = Arrow.open(file.memory(), TOUCHED)) {
            if (numbers(reader) != generatedScan()) {
                throw new AssertionError("sides read or write different data");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void take(Opened opened) {
        file = opened.fletch();
        file.footer().schema(schema);
        generated = opened.generated();
    }

    private void plan(Opened opened, int columns) {
        take(opened);
        wanted = "column_" + (columns - 1);
        layout = BatchLayout.compile(schema, MetadataVersion.V5);
        chosen = layout.choose(layout.field(wanted));
        plan = GeneratedPlan.of(generated.schema());
    }

    /// Unmaps.
    @TearDown
    public void tearDown() {
        file.close();
        arena.close();
        allocator.close();
    }

    @Override
    public Path input(Path folder) {
        return path;
    }

    // ---- without prior knowledge

    /// Fletch.
    @Benchmark
    public long fletchScan() {
        Columns columns = Columns.named(wanted);
        bind();
        bind(BatchLayout.compile(schema, MetadataVersion.V5, Limits.DEFAULT, columns));
        return numbers(cursor, 0);
    }

    /// The generated classes.
    @Benchmark
    public long generatedScan() {
        return generated.column(wanted, BATCH);
    }

    /// arrow-java: opens the file, loads the batch, gets the vector by name.
    @Benchmark
    public int arrowScan() throws IOException {
        try (ArrowFileReader reader = new ArrowFileReader(FileChannel.open(path), allocator)) {
            reader.loadRecordBatch(reader.getRecordBlocks().get(BATCH));
            return reader.getVectorSchemaRoot().getVector(wanted).getValueCount();
        }
    }

    // ---- with a layout of all columns

    /// Fletch, by the name and a layout of this column, which was chosen from that of all.
    @Benchmark
    public long fletchPlan() {
        bind();
        bind(chosen);
        return numbers(cursor, chosen.field(wanted));
    }

    /// The generated classes, by a map of names.
    @Benchmark
    public long generatedPlan() {
        return generated.column(plan, wanted, BATCH);
    }

    private void bind() {
        file.recordBatch(BATCH, frame, message);
        if (!message.header(batch)) {
            throw new AssertionError("message is not a record batch");
        }
    }

    private void bind(BatchLayout to) {
        cursor.bind(to, batch).body(file.memory(), frame.bodyOffset(), frame.bodyLength());
    }

    private static long numbers(BatchCursor from, int field) {
        long sum = from.length(field);
        for (int i = 0, n = from.bufferCount(field); i < n; i++) {
            sum += from.bufferOffset(field, i) + from.bufferLength(field, i);
        }
        return sum;
    }

    // ---- opening the file

    /// Fletch: maps the file, loads the column in the batch, unmaps. Verifies what it reads.
    @Benchmark
    public long fletchOpen() throws IOException {
        try (BatchReader reader = Arrow.open(path, TOUCHED)) {
            return numbers(reader);
        }
    }

    private long numbers(BatchReader reader) throws IOException {
        Column column = reader.column(wanted);
        reader.load(BATCH);
        return numbers(reader.cursor(), column.field());
    }

    /// The generated classes.
    @Benchmark
    public long generatedOpen() throws IOException {
        try (Arena own = Arena.ofConfined()) {
            return GeneratedFile.map(path, own).column(wanted, BATCH);
        }
    }

    /// arrow-java, which opens the file in [#arrowScan], too.
    @Benchmark
    public int arrowOpen() throws IOException {
        return arrowScan();
    }

    /// Fletch, as a vector of arrow-java.
    @Benchmark
    public int vectorOpen() throws IOException {
        try (VectorReader vectors = VectorReader.open(path, allocator, wanted)) {
            vectors.load(BATCH);
            return vectors.root().getVector(wanted).getValueCount();
        }
    }

    // ---- compiling the layout

    /// Fletch's layout.
    @Benchmark
    public int fletchCompile() {
        return BatchLayout.compile(schema, MetadataVersion.V5).bufferCount();
    }

    /// A map of names to the first parts of all columns, through the generated classes.
    @Benchmark
    public int generatedCompile() {
        return GeneratedPlan.of(generated.schema()).bufferCount();
    }
}
