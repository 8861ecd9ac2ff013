// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.apache.arrow.compression.CommonsCompressionFactory;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
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
import org.apache.arrow.vector.types.MetadataVersion;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/// A table of real data, and how arrow-vector is to write it. The same case gives the same bytes
/// each time.
///
/// @param name unique among all cases
/// @param schema where a field is encoded by a dictionary, with the type of its indexes
/// @param batchRows rows of each record batch
/// @param dictionaries in the order of their ids
public record ArrowCase(
        String name,
        Schema schema,
        List<Integer> batchRows,
        List<DictionaryValues> dictionaries,
        Writing writing) {

    /// The bytes of each case, as a file or not. Tests ask for the same ones again and again.
    private static final Map<ArrowCase, Map<Boolean, byte[]>> WRITTEN =
            Collections.synchronizedMap(new IdentityHashMap<>());

    /// A dictionary, and how many values it is to hold.
    public record DictionaryValues(DictionaryEncoding encoding, Field values, int size) {}

    /// How to write it.
    ///
    /// @param replacing whether each batch comes with new dictionaries, as only a stream may
    /// @param footerMetadata of the file, besides the schema's own; `null` for none
    public record Writing(
            IpcOption option,
            CodecType codec,
            boolean replacing,
            SortedMap<String, String> footerMetadata) {
        static final Writing DEFAULT = plain(IpcOption.DEFAULT, false, null);
        static final Writing REPLACING = plain(IpcOption.DEFAULT, true, null);

        private static Writing plain(
                IpcOption option, boolean replacing, SortedMap<String, String> footerMetadata) {
            return new Writing(option, CodecType.NO_COMPRESSION, replacing, footerMetadata);
        }

        static Writing legacy(boolean withoutContinuation, MetadataVersion version) {
            return plain(new IpcOption(withoutContinuation, version), false, null);
        }

        static Writing withFooter(SortedMap<String, String> metadata) {
            return plain(IpcOption.DEFAULT, false, metadata);
        }

        static Writing compressed(CodecType codec) {
            return new Writing(IpcOption.DEFAULT, codec, false, null);
        }
    }

    public ArrowCase {
        batchRows = List.copyOf(batchRows);
        dictionaries = List.copyOf(dictionaries);
    }

    static ArrowCase of(String name, Field... fields) {
        return of(name, new Schema(List.of(fields)));
    }

    static ArrowCase of(String name, Schema schema) {
        return new ArrowCase(name, schema, List.of(10, 5), List.of(), Writing.DEFAULT);
    }

    ArrowCase batches(Integer... rows) {
        return new ArrowCase(name, schema, List.of(rows), dictionaries, writing);
    }

    ArrowCase dictionaries(DictionaryValues... values) {
        return new ArrowCase(name, schema, batchRows, List.of(values), writing);
    }

    ArrowCase writing(Writing how) {
        return new ArrowCase(name, schema, batchRows, dictionaries, how);
    }

    /// False where only a stream can hold it.
    public boolean hasFile() {
        return !writing.replacing();
    }

    /// Whether arrow-java reads it: of decimals of 32 and 64 bits it knows only the types.
    public boolean isReadByArrowJava() {
        return !name.equals("decimals_of_32_and_64_bits");
    }

    /// Skips the calling test for a case that arrow-java does not read.
    public void assumeReadByArrowJava() {
        assumeTrue(isReadByArrowJava(), "arrow-java has no decimals of 32 and 64 bits");
    }

    /// Returns the case in the file format.
    public byte[] file() {
        if (!hasFile()) {
            throw new IllegalStateException("no file can hold this case: name=" + name);
        }
        return bytes(true);
    }

    /// Returns the case in the stream format.
    public byte[] stream() {
        return bytes(false);
    }

    private byte[] bytes(boolean asFile) {
        return WRITTEN.computeIfAbsent(this, _ -> new ConcurrentHashMap<>())
                .computeIfAbsent(asFile, this::write)
                .clone();
    }

    /// The name, as a test's title.
    @Override
    public String toString() {
        return name;
    }

    private byte[] write(boolean asFile) {
        Map<Long, Integer> sizeById = new HashMap<>();
        dictionaries.forEach(each -> sizeById.put(each.encoding().getId(), each.size()));
        VectorFiller dictionaryFiller = new VectorFiller(~name.hashCode(), sizeById);
        VectorFiller filler = new VectorFiller(name.hashCode(), sizeById);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (BufferAllocator allocator = new RootAllocator();
                MapDictionaryProvider provider = provider(allocator);
                VectorSchemaRoot root = VectorSchemaRoot.create(schema, allocator)) {
            fillDictionaries(provider, dictionaryFiller);
            try (ArrowWriter writer = writer(asFile, root, provider, Channels.newChannel(out))) {
                writer.start();
                for (int batch = 0; batch < batchRows.size(); batch++) {
                    if (writing.replacing() && batch > 0) {
                        fillDictionaries(provider, dictionaryFiller);
                    }
                    fillRoot(root, filler, batchRows.get(batch));
                    writer.writeBatch();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    private MapDictionaryProvider provider(BufferAllocator allocator) {
        MapDictionaryProvider provider = new MapDictionaryProvider();
        for (DictionaryValues each : dictionaries) {
            provider.put(new Dictionary(each.values().createVector(allocator), each.encoding()));
        }
        return provider;
    }

    private void fillDictionaries(MapDictionaryProvider provider, VectorFiller filler) {
        for (DictionaryValues each : dictionaries) {
            FieldVector vector = provider.lookup(each.encoding().getId()).getVector();
            filler.fill(vector, each.values(), each.size());
        }
    }

    private void fillRoot(VectorSchemaRoot root, VectorFiller filler, int rows) {
        List<FieldVector> vectors = root.getFieldVectors();
        IntStream.range(0, vectors.size())
                .forEach(i -> filler.fill(vectors.get(i), schema.getFields().get(i), rows));
        root.setRowCount(rows);
    }

    private ArrowWriter writer(
            boolean asFile,
            VectorSchemaRoot root,
            MapDictionaryProvider provider,
            WritableByteChannel out) {
        boolean plain = writing.codec() == CodecType.NO_COMPRESSION;
        CompressionCodec.Factory codecs =
                plain ? NoCompressionCodec.Factory.INSTANCE : CommonsCompressionFactory.INSTANCE;
        IpcOption option = writing.option();
        CodecType codec = writing.codec();
        Map<String, String> metadata = writing.footerMetadata();
        return asFile
                ? new ArrowFileWriter(root, provider, out, metadata, option, codecs, codec)
                : new ArrowStreamWriter(root, provider, out, option, codecs, codec);
    }
}
