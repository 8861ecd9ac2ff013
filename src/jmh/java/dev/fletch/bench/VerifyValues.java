// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import dev.fletch.FletchException;
import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BatchLayout;
import dev.fletch.batch.Dictionaries;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.verify.messages.ValueVerifier;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ViewVarCharVector;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryProvider.MapDictionaryProvider;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.apache.arrow.vector.ipc.ArrowFileWriter;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.FieldType;
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
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/// Verifies the values of one column of a mapped file, beside copying the same bytes to native
/// memory, and beside `validateFull` of arrow-java's vector.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class VerifyValues {
    private static final int USED_ROWS = 1_000;
    private static final int TERMS = 1_000;

    /// Rows.
    @Param({"1000000"})
    public int size;

    /// Whether the JVM has used other kinds of memory before.
    @Param({Setting.CLEAN, Setting.USED})
    public String history;

    private final BufferAllocator allocator = new RootAllocator();
    private final List<MemorySegment> buffers = new ArrayList<>();
    private String column;
    private ArrowFile file;
    private ValueVerifier verifier;
    private BatchCursor cursor;
    private Dictionaries dictionaries;
    private MemorySegment target;
    private ArrowFileReader reader;
    private FieldVector vector;

    /// Writes the file if it does not exist.
    ///
    /// @param running the benchmark to measure
    @Setup
    public void setup(BenchmarkParams running) throws IOException {
        String method = running.getBenchmark();
        column = method.replaceAll(".*\\.(fletch|copy|arrow)", "").toLowerCase(Locale.ROOT);
        Path path = write(size, allocator);
        file = ArrowFile.open(path);
        if (!history.equals(Setting.CLEAN)) {
            byte[] small = Files.readAllBytes(write(USED_ROWS, allocator));
            BenchMemory.useAll(
                    this,
                    running,
                    BenchMemory.all(small, history).stream()
                            .map(each -> ArrowFile.of(each.segment()))
                            .toList(),
                    this::take);
        }
        take(file);
        target = Arena.global().allocate(bytes(), Long.BYTES);
        if (method.contains(".arrow")) {
            reader = new ArrowFileReader(FileChannel.open(path), allocator);
            reader.loadNextBatch();
            vector = reader.getVectorSchemaRoot().getVector(column);
        }
    }

    private void take(ArrowFile opened) {
        Schema schema = new Schema();
        opened.footer().schema(schema);
        BatchLayout layout = BatchLayout.compile(schema, opened.footer().version());
        BatchLayout chosen = layout.choose(layout.field(column));
        Message message = new Message();
        EncapsulatedMessage frame = new EncapsulatedMessage();
        verifier = new ValueVerifier(schema, chosen);
        dictionaries = new Dictionaries(layout, true);
        for (int i = 0; i < opened.dictionaryCount(); i++) {
            opened.dictionary(i, frame, message);
            dictionaries.add(message, frame.bodySlice());
        }
        opened.recordBatch(0, frame, message);
        cursor = new BatchCursor().bind(chosen, message).body(frame.bodySlice());
        if (!verify() || verifier.unchecked() != 0) {
            throw new AssertionError("values of " + column);
        }
        buffers.clear();
        for (int i = 0; i < cursor.bufferCount(0); i++) {
            boolean isCopied = !column.equals("offsets") || cursor.role(0, i) == BufferRole.OFFSETS;
            if (isCopied) {
                buffers.add(cursor.buffer(0, i, new ByteSlice()).asSlice());
            }
        }
    }

    private long bytes() {
        return buffers.stream().mapToLong(MemorySegment::byteSize).sum();
    }

    private static Path write(int rows, BufferAllocator allocator) throws IOException {
        Path folder = Path.of(System.getProperty("java.io.tmpdir"), "fletch-bench-values");
        Path file =
                Files.createDirectories(folder)
                        .resolve("values-" + rows + "-v" + BenchInputs.FORM + ".arrow");
        if (Files.exists(file)) {
            return file;
        }
        Random random = new Random(1);
        DictionaryEncoding encoding =
                new DictionaryEncoding(1, false, new ArrowType.Int(Integer.SIZE, true));
        FieldType indices = new FieldType(false, encoding.getIndexType(), encoding);
        try (BigIntVector numbers = new BigIntVector("numbers", allocator);
                VarBinaryVector offsets = new VarBinaryVector("offsets", allocator);
                VarCharVector text = new VarCharVector("text", allocator);
                ViewVarCharVector views = new ViewVarCharVector("views", allocator);
                IntVector codes = new IntVector("indices", indices, allocator);
                VarCharVector terms = new VarCharVector("terms", allocator);
                VectorSchemaRoot root = VectorSchemaRoot.of(numbers, offsets, text, views, codes);
                FileChannel out =
                        FileChannel.open(
                                file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                ArrowFileWriter writer =
                        new ArrowFileWriter(
                                root,
                                new MapDictionaryProvider(new Dictionary(terms, encoding)),
                                out)) {
            root.getFieldVectors().forEach(FieldVector::allocateNew);
            terms.allocateNew();
            for (int i = 0; i < TERMS; i++) {
                terms.setSafe(i, ascii(8, random));
            }
            terms.setValueCount(TERMS);
            for (int i = 0; i < rows; i++) {
                if (random.nextInt(10) != 0) {
                    numbers.setSafe(i, i);
                }
                offsets.setSafe(i, ascii(4, random));
                text.setSafe(i, ascii(random.nextInt(25), random));
                views.setSafe(i, ascii(random.nextInt(25), random));
                codes.setSafe(i, random.nextInt(TERMS));
            }
            root.setRowCount(rows);
            writer.writeBatch();
        }
        return file;
    }

    private static byte[] ascii(int length, Random random) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) ('a' + random.nextInt(26));
        }
        return bytes;
    }

    /// Unmaps.
    @TearDown
    public void tearDown() throws IOException {
        if (reader != null) {
            reader.close();
        }
        file.close();
        allocator.close();
    }

    private boolean verify() {
        return verifier.verify(cursor, dictionaries, FletchException::raise);
    }

    private long copy() {
        long at = 0;
        for (int i = 0; i < buffers.size(); i++) {
            MemorySegment each = buffers.get(i);
            MemorySegment.copy(each, 0, target, at, each.byteSize());
            at += each.byteSize();
        }
        return at;
    }

    private int validate() {
        vector.validateFull();
        return vector.getValueCount();
    }

    /// Nullable `int64`: the null count.
    @Benchmark
    public boolean fletchNumbers() {
        return verify();
    }

    /// Binary: 32-bit offsets.
    @Benchmark
    public boolean fletchOffsets() {
        return verify();
    }

    /// ASCII text of 0 to 24 bytes.
    @Benchmark
    public boolean fletchText() {
        return verify();
    }

    /// Views of such text.
    @Benchmark
    public boolean fletchViews() {
        return verify();
    }

    /// 32-bit indices into a dictionary.
    @Benchmark
    public boolean fletchIndices() {
        return verify();
    }

    /// Copies all buffers of the column.
    @Benchmark
    public long copyNumbers() {
        return copy();
    }

    /// Copies the offsets.
    @Benchmark
    public long copyOffsets() {
        return copy();
    }

    /// Copies all buffers of the column.
    @Benchmark
    public long copyText() {
        return copy();
    }

    /// Copies all buffers of the column.
    @Benchmark
    public long copyViews() {
        return copy();
    }

    /// Copies all buffers of the column.
    @Benchmark
    public long copyIndices() {
        return copy();
    }

    /// arrow-java: offsets.
    @Benchmark
    public int arrowOffsets() {
        return validate();
    }

    /// arrow-java: offsets and text.
    @Benchmark
    public int arrowText() {
        return validate();
    }
}
