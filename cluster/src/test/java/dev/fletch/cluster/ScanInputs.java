// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cluster;

import org.apache.arrow.compression.CommonsCompressionFactory;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.compression.CompressionCodec;
import org.apache.arrow.vector.compression.CompressionUtil.CodecType;
import org.apache.arrow.vector.compression.NoCompressionCodec;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryProvider.MapDictionaryProvider;
import org.apache.arrow.vector.ipc.ArrowFileWriter;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.ipc.ArrowWriter;
import org.apache.arrow.vector.ipc.message.IpcOption;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Thousands of files that arrow-java has written, of several schemas, and damaged ones.
final class ScanInputs {
    static final int SOUND = 2_100;
    static final int DAMAGED = 63;

    private static final DictionaryEncoding ENCODING = new DictionaryEncoding(7, false, null);
    private static final Field ID = nullable("id", new ArrowType.Int(64, true));
    private static final Field PRICE = nullable("price", floating(FloatingPointPrecision.DOUBLE));
    private static final Field TEXT = nullable("text — größer", new ArrowType.Utf8());
    private static final Field SYMBOL =
            new Field("symbol", new FieldType(true, new ArrowType.Int(32, true), ENCODING), null);
    private static final Field TAGS =
            new Field(
                    "tags",
                    FieldType.nullable(new ArrowType.List()),
                    List.of(nullable("item", new ArrowType.Utf8())));
    private static final List<Schema> SCHEMAS =
            List.of(
                    new Schema(List.of(ID, PRICE, TEXT)),
                    new Schema(List.of(ID, PRICE, TEXT)), // most files
                    new Schema(List.of(ID, PRICE)),
                    new Schema(
                            List.of(
                                    ID,
                                    nullable("price", floating(FloatingPointPrecision.SINGLE)),
                                    TEXT)),
                    new Schema(List.of(ID, PRICE, TEXT), Map.of("origin", "a\nb")),
                    new Schema(List.of(SYMBOL, TAGS)));

    /// Sound files, one for each way of writing one.
    final List<byte[]> templates = new ArrayList<>();

    ScanInputs() throws IOException {
        for (int i = 0; i < 4 * SCHEMAS.size(); i++) {
            Schema schema = SCHEMAS.get(i % SCHEMAS.size());
            CodecType codec = CodecType.values()[i / SCHEMAS.size() % 3];
            templates.add(written(schema, i % 5 * 100, codec, i % 4 == 3));
        }
    }

    private static Field nullable(String name, ArrowType type) {
        return Field.nullable(name, type);
    }

    private static ArrowType floating(FloatingPointPrecision precision) {
        return new ArrowType.FloatingPoint(precision);
    }

    private static byte[] written(Schema schema, int rows, CodecType codec, boolean isStream)
            throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (BufferAllocator allocator = new RootAllocator();
                VectorSchemaRoot root = VectorSchemaRoot.create(schema, allocator);
                VarCharVector symbols = new VarCharVector("symbols", allocator)) {
            symbols.allocateNew();
            for (int i = 0; i < 3; i++) {
                symbols.setSafe(i, ("symbol " + i).getBytes(StandardCharsets.UTF_8));
            }
            symbols.setValueCount(3);
            MapDictionaryProvider dictionaries =
                    new MapDictionaryProvider(new Dictionary(symbols, ENCODING));
            try (ArrowWriter out = writer(root, dictionaries, codec, isStream, bytes)) {
                out.start();
                for (int batch = 0; batch < 2; batch++) {
                    fill(root, rows);
                    out.writeBatch();
                }
                out.end();
            }
        }
        return bytes.toByteArray();
    }

    private static ArrowWriter writer(
            VectorSchemaRoot root,
            MapDictionaryProvider dictionaries,
            CodecType codec,
            boolean isStream,
            ByteArrayOutputStream bytes) {
        IpcOption option = IpcOption.DEFAULT;
        CompressionCodec.Factory factory =
                codec == CodecType.NO_COMPRESSION
                        ? NoCompressionCodec.Factory.INSTANCE
                        : CommonsCompressionFactory.INSTANCE;
        var out = Channels.newChannel(bytes);
        return isStream
                ? new ArrowStreamWriter(
                        root, dictionaries, out, option, factory, codec, Optional.empty())
                : new ArrowFileWriter(
                        root, dictionaries, out, null, option, factory, codec, Optional.empty());
    }

    private static void fill(VectorSchemaRoot root, int rows) {
        for (FieldVector vector : root.getFieldVectors()) {
            vector.setInitialCapacity(rows);
            vector.allocateNew();
            if (vector instanceof BigIntVector numbers) {
                for (int i = 0; i < rows; i += 2) {
                    numbers.setSafe(i, i);
                }
            }
        }
        root.setRowCount(rows);
    }

    /// Writes the sound files to a folder `sound`, the others to `damaged`.
    void write(Path folder) throws IOException {
        for (int i = 0; i < SOUND; i++) {
            Path in = folder.resolve("sound/größer " + i % 7 + "/日本");
            Files.createDirectories(in);
            String ending = List.of(".arrow", ".arrows", ".feather", ".ipc").get(i % 4);
            Files.write(in.resolve("part " + i + ending), template(i));
        }
        Path damaged = Files.createDirectories(folder.resolve("damaged"));
        for (int i = 0; i < DAMAGED; i++) {
            byte[] all = template(3 * i).clone();
            byte[] bytes =
                    switch (i % 7) {
                        case 0 -> new byte[0];
                        case 1 -> "a text\n".getBytes(StandardCharsets.UTF_8);
                        // No magic, and no continuation either.
                        case 2 -> filled(filled(all, 0, 40), all.length - 20, 20);
                        // The first message, and the footer.
                        case 3 -> filled(filled(all, 8, 60), all.length - 70, 50);
                        case 5 -> otherBatches();
                        default -> Arrays.copyOf(all, all.length * (i % 7) / 8);
                    };
            Files.write(damaged.resolve("damaged " + i + ".arrow"), bytes);
        }
    }

    /// A stream of three columns, whose complete batches have two.
    private byte[] otherBatches() {
        byte[] schema = template(7);
        byte[] batches = template(8);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(schema, 0, endOfMessage(schema, 0));
        int from = endOfMessage(batches, 8);
        bytes.write(batches, from, batches.length - from);
        return bytes.toByteArray();
    }

    private static int endOfMessage(byte[] bytes, int from) {
        ByteBuffer prefix = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        return from + 8 + prefix.getInt(from + 4);
    }

    byte[] template(int i) {
        return templates.get(i % templates.size());
    }

    private static byte[] filled(byte[] bytes, int from, int count) {
        Arrays.fill(bytes, from, from + count, (byte) 0x7B);
        return bytes;
    }
}
