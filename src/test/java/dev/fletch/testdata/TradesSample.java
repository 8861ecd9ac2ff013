// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import static dev.fletch.testdata.ArrowFields.encoded;
import static dev.fletch.testdata.ArrowFields.encoding;
import static dev.fletch.testdata.ArrowFields.nullable;
import static dev.fletch.testdata.ArrowFields.required;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.TimeStampMicroTZVector;
import org.apache.arrow.vector.TinyIntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryProvider.MapDictionaryProvider;
import org.apache.arrow.vector.ipc.ArrowFileWriter;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.ipc.ArrowWriter;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/// The sample that the repository ships, `src/test/resources/samples/trades.arrow` and its twin
/// `trades.stream`: made-up trades with a bit of everything, written by arrow-vector.
///
/// Run [#main] to write both anew; a test holds them against what is written here.
public final class TradesSample {
    /// Rows of each record batch.
    public static final List<Integer> BATCH_ROWS = List.of(250, 400, 150);

    private static final List<String> SYMBOLS = List.of("ALDER", "BIRCH", "CEDAR", "ELM", "HAZEL");
    private static final List<String> VENUES = List.of("AMS", "PAR", "ZRH");
    private static final List<String> TAGS = List.of("open", "block", "auction", "late");

    /// 2026-01-05T08:00:00Z
    private static final long FIRST_MICROS = 1_767_600_000_000_000L;

    private static final DictionaryEncoding SYMBOL_IDS = encoding(0, false, 8, true);
    private static final Field SYMBOL_VALUES = required("symbols", ArrowFields.UTF8);

    private final Random random = new Random(2026);
    private long micros = FIRST_MICROS;

    private TradesSample() {}

    /// Returns where the sample lies, or its twin: `trades.arrow`, `trades.stream`.
    public static Path path(String name) {
        return Goldens.repositoryRoot().resolve("src/test/resources/samples").resolve(name);
    }

    /// The files in the repository, read once.
    private static final class Committed {
        static final byte[] FILE = read("trades.arrow");
        static final byte[] STREAM = read("trades.stream");
    }

    private static byte[] read(String name) {
        try {
            return Files.readAllBytes(path(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Returns the sample in the file format.
    public static byte[] file() {
        return Committed.FILE.clone();
    }

    /// Returns the sample in the stream format.
    public static byte[] stream() {
        return Committed.STREAM.clone();
    }

    /// Returns the sample as arrow-vector writes it.
    static byte[] written(boolean asFile) {
        return new TradesSample().write(asFile);
    }

    /// Writes both forms into the repository's folder.
    public static void main(String[] args) throws IOException {
        Files.createDirectories(path("trades.arrow").getParent());
        Files.write(path("trades.arrow"), written(true));
        Files.write(path("trades.stream"), written(false));
    }

    private static Schema schema() {
        Map<String, String> metadata = new TreeMap<>();
        metadata.put("source", "made up for Fletch's tests");
        metadata.put("session", "2026-01-05");
        FieldType price =
                new FieldType(
                        true, new ArrowType.Decimal(18, 4, 128), null, Map.of("currency", "EUR"));
        return new Schema(
                List.of(
                        required("time", new ArrowType.Timestamp(TimeUnit.MICROSECOND, "UTC")),
                        encoded("symbol", SYMBOL_IDS),
                        new Field("price", price, List.of()),
                        required("size", ArrowFields.INT64),
                        nullable("side", ArrowType.Bool.INSTANCE),
                        nullable(
                                "venue",
                                ArrowFields.STRUCT,
                                required("code", ArrowFields.UTF8),
                                nullable("lit", ArrowType.Bool.INSTANCE)),
                        nullable("tags", ArrowFields.LIST, required("item", ArrowFields.UTF8))),
                metadata);
    }

    private byte[] write(boolean asFile) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        WritableByteChannel channel = Channels.newChannel(out);
        try (BufferAllocator allocator = new RootAllocator();
                MapDictionaryProvider symbols = new MapDictionaryProvider();
                VectorSchemaRoot root = VectorSchemaRoot.create(schema(), allocator)) {
            symbols.put(new Dictionary(symbolVector(allocator), SYMBOL_IDS));
            try (ArrowWriter writer =
                    asFile
                            ? new ArrowFileWriter(root, symbols, channel)
                            : new ArrowStreamWriter(root, symbols, channel)) {
                writer.start();
                for (int rows : BATCH_ROWS) {
                    root.allocateNew();
                    for (int row = 0; row < rows; row++) {
                        addTrade(root, row);
                    }
                    root.setRowCount(rows);
                    writer.writeBatch();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    private static FieldVector symbolVector(BufferAllocator allocator) {
        VarCharVector vector = (VarCharVector) SYMBOL_VALUES.createVector(allocator);
        vector.allocateNew();
        for (int i = 0; i < SYMBOLS.size(); i++) {
            vector.setSafe(i, utf8(SYMBOLS.get(i)));
        }
        vector.setValueCount(SYMBOLS.size());
        return vector;
    }

    private void addTrade(VectorSchemaRoot root, int row) {
        micros += random.nextInt(1, 4_000_000);
        ((TimeStampMicroTZVector) root.getVector("time")).setSafe(row, micros);
        ((TinyIntVector) root.getVector("symbol")).setSafe(row, random.nextInt(SYMBOLS.size()));
        DecimalVector price = (DecimalVector) root.getVector("price");
        if (random.nextInt(20) == 0) {
            price.setNull(row);
        } else {
            BigInteger unscaled = BigInteger.valueOf(random.nextInt(90_000, 110_000) * 25L);
            price.setSafe(row, new BigDecimal(unscaled, 4));
        }
        ((BigIntVector) root.getVector("size")).setSafe(row, random.nextInt(1, 50) * 100L);
        BitVector side = (BitVector) root.getVector("side");
        if (random.nextInt(10) == 0) {
            side.setNull(row);
        } else {
            side.setSafe(row, random.nextInt(2));
        }
        addVenue((StructVector) root.getVector("venue"), row);
        addTags((ListVector) root.getVector("tags"), row);
    }

    private void addVenue(StructVector venue, int row) {
        if (random.nextInt(15) == 0) {
            venue.setNull(row);
            // A value all the same: the child allows no nulls.
            venue.getChild("code", VarCharVector.class).setSafe(row, new byte[0]);
            return;
        }
        venue.setIndexDefined(row);
        venue.getChild("code", VarCharVector.class).setSafe(row, utf8(oneOf(VENUES)));
        venue.getChild("lit", BitVector.class).setSafe(row, random.nextInt(2));
    }

    private void addTags(ListVector tags, int row) {
        int count = random.nextInt(4) - 1;
        if (count < 0) {
            tags.setNull(row);
            return;
        }
        VarCharVector items = (VarCharVector) tags.getDataVector();
        int first = tags.startNewValue(row);
        for (int i = 0; i < count; i++) {
            items.setSafe(first + i, utf8(oneOf(TAGS)));
        }
        tags.endValue(row, count);
    }

    private String oneOf(List<String> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
