// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import dev.fletch.batch.Columns;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.vectors.VectorOptions;
import dev.fletch.vectors.VectorReader;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;

/// What vectors hold, as texts to compare.
///
/// @param fields of the columns
/// @param metadata of the schema
/// @param batches of each batch the columns, each as a text: a line with its class, values and
///     nulls, its values, and those of its dictionaries
public record VectorTexts(
        List<Field> fields, Map<String, String> metadata, List<List<String>> batches) {
    /// Reads with arrow-java alone.
    public static VectorTexts ofArrow(byte[] bytes) throws IOException {
        return ofArrow(bytes, false);
    }

    /// Reads with arrow-java alone, with all fields in pre-order as columns.
    public static VectorTexts ofArrowFields(byte[] bytes) throws IOException {
        return ofArrow(bytes, true);
    }

    private static VectorTexts ofArrow(byte[] bytes, boolean inPreOrder) throws IOException {
        try (BufferAllocator allocator = new RootAllocator();
                ArrowReader reader = ArrowVectorReading.reader(bytes, allocator)) {
            VectorSchemaRoot root = reader.getVectorSchemaRoot();
            List<Field> fields = root.getSchema().getFields();
            List<Field> shown = inPreOrder ? preOrder(fields, Field::getChildren) : fields;
            List<List<String>> batches = new ArrayList<>();
            while (reader.loadNextBatch()) {
                List<FieldVector> vectors = root.getFieldVectors();
                if (inPreOrder) {
                    vectors = preOrder(vectors, FieldVector::getChildrenFromFields);
                }
                batches.add(texts(vectors, shown, reader));
            }
            return new VectorTexts(shown, root.getSchema().getCustomMetadata(), batches);
        }
    }

    /// Opens all columns of a file or stream in memory.
    public static VectorReader reader(byte[] bytes, BufferAllocator allocator) throws IOException {
        VectorOptions options = VectorOptions.DEFAULT;
        return OracleListing.isFile(bytes)
                ? VectorReader.copying(
                        ArrowFile.of(MemorySegment.ofArray(bytes)),
                        allocator,
                        Columns.all(),
                        options)
                : VectorReader.open(
                        new ByteArrayInputStream(bytes), allocator, Columns.all(), options);
    }

    /// Reads all that a reader has left.
    public static VectorTexts of(VectorReader reader) throws IOException {
        Schema schema = reader.root().getSchema();
        List<List<String>> batches = new ArrayList<>();
        while (reader.loadNext()) {
            batches.add(texts(reader.root(), reader));
        }
        return new VectorTexts(schema.getFields(), schema.getCustomMetadata(), batches);
    }

    /// The same with some of the columns alone.
    public VectorTexts only(List<Integer> columns) {
        return new VectorTexts(
                columns.stream().map(fields::get).toList(),
                metadata,
                batches.stream().map(b -> columns.stream().map(b::get).toList()).toList());
    }

    /// The columns of one batch.
    public static List<String> texts(VectorSchemaRoot root, DictionaryProvider dictionaries) {
        return texts(root.getFieldVectors(), root.getSchema().getFields(), dictionaries);
    }

    private static <T> List<T> preOrder(List<T> some, Function<T, List<T>> children) {
        List<T> all = new ArrayList<>();
        for (T each : some) {
            all.add(each);
            all.addAll(preOrder(children.apply(each), children));
        }
        return all;
    }

    /// @param fields a vector's own field leaves out names and type ids
    private static List<String> texts(
            List<FieldVector> vectors, List<Field> fields, DictionaryProvider dictionaries) {
        return IntStream.range(0, vectors.size())
                .mapToObj(i -> text(vectors.get(i), fields.get(i), dictionaries))
                .toList();
    }

    private static String text(FieldVector vector, Field field, DictionaryProvider dictionaries) {
        StringBuilder text = new StringBuilder(vector.getClass().getSimpleName());
        text.append(" count=").append(vector.getValueCount());
        text.append(" nulls=").append(vector.getNullCount()).append('\n');
        for (int row = 0; row < vector.getValueCount(); row++) {
            text.append(value(vector.getObject(row))).append('\n');
        }
        if (field.getDictionary() != null) {
            FieldVector values = dictionaries.lookup(field.getDictionary().getId()).getVector();
            text.append(values.getField()).append('\n');
            text.append(text(values, values.getField(), dictionaries));
        }
        vector.getChildrenFromFields().forEach(child -> encoded(child, dictionaries, text));
        return text.toString();
    }

    /// Adds the indices and dictionaries of a child, or of the children below it.
    private static void encoded(
            FieldVector child, DictionaryProvider dictionaries, StringBuilder text) {
        if (child.getField().getDictionary() != null) {
            text.append(text(child, child.getField(), dictionaries));
        } else {
            child.getChildrenFromFields().forEach(each -> encoded(each, dictionaries, text));
        }
    }

    private static Object value(Object value) {
        return value instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : value;
    }
}
