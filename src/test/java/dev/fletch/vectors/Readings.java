// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.vectors;

import dev.fletch.testdata.ArrowVectorReading;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BaseIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/// What vectors hold, as texts to compare.
///
/// @param fields of the columns
/// @param metadata of the schema
/// @param batches of each batch the columns, each as a text of its values and of the values of its
///     dictionaries
record Readings(List<Field> fields, Map<String, String> metadata, List<List<String>> batches) {
    /// Reads with arrow-java alone.
    static Readings ofArrow(byte[] bytes) throws IOException {
        try (BufferAllocator allocator = new RootAllocator();
                ArrowReader reader = ArrowVectorReading.reader(bytes, allocator)) {
            VectorSchemaRoot root = reader.getVectorSchemaRoot();
            List<List<String>> batches = new ArrayList<>();
            while (reader.loadNextBatch()) {
                batches.add(texts(root, reader));
            }
            return new Readings(
                    root.getSchema().getFields(), root.getSchema().getCustomMetadata(), batches);
        }
    }

    /// Reads all that a reader has left.
    static Readings of(VectorReader reader) throws IOException {
        List<List<String>> batches = new ArrayList<>();
        while (reader.loadNext()) {
            batches.add(texts(reader.root(), reader));
        }
        var schema = reader.root().getSchema();
        return new Readings(schema.getFields(), schema.getCustomMetadata(), batches);
    }

    /// The same with some of the columns alone.
    Readings only(List<Integer> columns) {
        return new Readings(
                columns.stream().map(fields::get).toList(),
                metadata,
                batches.stream().map(b -> columns.stream().map(b::get).toList()).toList());
    }

    static List<String> texts(VectorSchemaRoot root, DictionaryProvider dictionaries) {
        return root.getFieldVectors().stream()
                .map(vector -> text(vector, vector.getField(), root.getRowCount(), dictionaries))
                .toList();
    }

    private static String text(
            FieldVector vector, Field field, int rows, DictionaryProvider dictionaries) {
        StringBuilder text = new StringBuilder(vector.getClass().getSimpleName());
        text.append(" count=").append(vector.getValueCount());
        text.append(" nulls=").append(vector.getNullCount()).append('\n');
        for (int row = 0; row < rows; row++) {
            text.append(value(vector.getObject(row))).append('\n');
        }
        DictionaryEncoding encoding = field.getDictionary();
        if (encoding != null) {
            FieldVector values = dictionaries.lookup(encoding.getId()).getVector();
            text.append(values.getField()).append('\n');
            BaseIntVector indexes = (BaseIntVector) vector;
            for (int row = 0; row < rows; row++) {
                text.append(
                                indexes.isNull(row)
                                        ? null
                                        : value(
                                                values.getObject(
                                                        (int) indexes.getValueAsLong(row))))
                        .append('\n');
            }
        }
        List<FieldVector> children = vector.getChildrenFromFields();
        for (int i = 0; i < children.size(); i++) {
            Field child = field.getChildren().get(i);
            if (child.getDictionary() != null) {
                FieldVector indexes = children.get(i);
                text.append(text(indexes, child, indexes.getValueCount(), dictionaries));
            }
        }
        return text.toString();
    }

    private static Object value(Object value) {
        return value instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : value;
    }
}
