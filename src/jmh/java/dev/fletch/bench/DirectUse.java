// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import dev.fletch.arrow.Arrow;
import dev.fletch.arrow.BatchReader;
import dev.fletch.arrow.Column;
import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BatchLayout;
import dev.fletch.batch.ValueType;
import dev.fletch.convert.ConvertOptions;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.FrameKind;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.ReadOptions;

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
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// What `Arrow` costs beside the classes below it: opens a file or stream in memory, takes values,
/// validity and length of all ten columns of each batch, and adds up one column or none.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class DirectUse {
    private static final int BATCHES = 1_000;

    /// Rows of each batch.
    @Param({"10", "1000"})
    public int rows;

    /// What is read.
    @Param({"STREAM", "FILE"})
    public ArrowContainer container;

    /// Kind of memory.
    @Param({"heap", "mapped"})
    public String memory;

    /// Whether the JVM has used other kinds of memory before.
    @Param({Setting.CLEAN, Setting.USED})
    public String history;

    private final ByteSlice[] data = slices();
    private final ByteSlice[] validity = slices();
    private BenchMemory placed;

    private static ByteSlice[] slices() {
        return Stream.generate(ByteSlice::new)
                .limit(ValueStreams.COLUMNS)
                .toArray(ByteSlice[]::new);
    }

    /// Prepares the input, and checks that both read the same.
    ///
    /// @param running the benchmark to measure
    @Setup
    public void setup(BenchmarkParams running) throws IOException {
        if (!history.equals(Setting.CLEAN)) {
            BenchMemory.useAll(
                    this, running, BenchMemory.all(input(1), history), each -> placed = each);
        }
        placed = BenchMemory.of(memory, input(BATCHES));
        if (directSum() != arrowSum() || directBind() != arrowBind()) {
            throw new AssertionError("sides read different data");
        }
    }

    private byte[] input(int batches) throws IOException {
        var bytes = new ByteArrayOutputStream();
        Arrow.convert(
                ValueStreams.NUMBERS.of(batches, rows),
                Channels.newChannel(bytes),
                ConvertOptions.DEFAULT.withTarget(container));
        return bytes.toByteArray();
    }

    /// Binds all columns.
    @Benchmark
    public long directBind() throws IOException {
        return direct(false);
    }

    /// Binds all columns.
    @Benchmark
    public long arrowBind() throws IOException {
        return arrow(false);
    }

    /// Adds up a column.
    @Benchmark
    public long directSum() throws IOException {
        return direct(true);
    }

    /// Adds up a column.
    @Benchmark
    public long arrowSum() throws IOException {
        return arrow(true);
    }

    private long arrow(boolean adds) throws IOException {
        try (BatchReader reader = Arrow.open(placed.segment(), ReadOptions.DEFAULT)) {
            Column[] columns =
                    IntStream.range(0, ValueStreams.COLUMNS)
                            .mapToObj(i -> reader.column("column_" + i))
                            .toArray(Column[]::new);
            Column added = columns[0];
            long sum = 0;
            while (reader.next()) {
                for (Column each : columns) {
                    sum += each.length();
                }
                sum += adds ? sum(added) : 0;
            }
            return sum;
        }
    }

    private long direct(boolean adds) {
        var frame = new EncapsulatedMessage(ReadOptions.DEFAULT);
        var message = new Message();
        var schema = new Schema();
        var cursor = new BatchCursor();
        long sum = 0;
        if (container == ArrowContainer.FILE) {
            ArrowFile file = ArrowFile.of(placed.segment(), ReadOptions.DEFAULT);
            file.footer().schema(schema);
            BatchLayout layout = BatchLayout.compile(schema, file.footer().version());
            for (int i = 0; i < file.recordBatchCount(); i++) {
                file.recordBatch(i, frame, message);
                frame.nextOffset();
                sum += batch(cursor.bind(layout, message), frame, adds);
            }
            return sum;
        }
        frame.wrap(placed.segment(), 0, message);
        message.header(schema);
        BatchLayout layout = BatchLayout.compile(schema, message.version());
        long next = frame.nextOffset();
        while (frame.wrap(placed.segment(), next, message) == FrameKind.MESSAGE) {
            next = frame.nextOffset();
            sum += batch(cursor.bind(layout, message), frame, adds);
        }
        return sum;
    }

    private long batch(BatchCursor cursor, EncapsulatedMessage frame, boolean adds) {
        cursor.body(placed.segment(), frame.bodyOffset(), frame.bodyLength());
        long sum = 0;
        for (int i = 0; i < ValueStreams.COLUMNS; i++) {
            ValueType type = i % 2 == 0 ? ValueType.INT64 : ValueType.FLOAT64;
            cursor.values(i, type, data[i]);
            cursor.validity(i, validity[i]);
            sum += cursor.length(i);
        }
        if (adds) {
            boolean hasNulls = cursor.validity(0, validity[0]);
            sum += sum(hasNulls, validity[0], data[0], cursor.length(0));
        }
        return sum;
    }

    private static long sum(Column column) {
        long sum = 0;
        for (long row = 0; row < column.length(); row++) {
            sum += column.isNull(row) ? 0 : column.int64(row);
        }
        return sum;
    }

    private static long sum(boolean hasNulls, ByteSlice valid, ByteSlice values, long length) {
        long sum = 0;
        for (long row = 0; row < length; row++) {
            sum += hasNulls && !valid.bit(row) ? 0 : values.int64At(row);
        }
        return sum;
    }
}
