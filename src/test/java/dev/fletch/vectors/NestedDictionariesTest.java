// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.vectors;

import static dev.fletch.testdata.Refused.assertRule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.FletchException;
import dev.fletch.MeaningRule;
import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BatchLayout;
import dev.fletch.batch.ColumnValues;
import dev.fletch.batch.Dictionaries;
import dev.fletch.batch.DictionaryValues;
import dev.fletch.batch.ValueType;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.Buffer;
import dev.fletch.format.FieldNode;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.MessageWriter;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.ArrowVectorReading;
import dev.fletch.testdata.InputBatches;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;
import dev.fletch.testdata.Reports;
import dev.fletch.testdata.VectorTexts;

import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BaseIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.StringJoiner;

/// Dictionaries inside the values of others, outer ones first, as arrow-vector writes them: all
/// readers of values, in files and streams, read what arrow-java reads.
class NestedDictionariesTest {
    private static final int MOST_LEVELS = 5;

    // ---- the same values

    @Test
    void valuesOfOuterDictionariesFirstAreThoseOfArrowJava() throws IOException {
        int rows = 0;
        for (int levels = 2; levels <= MOST_LEVELS; levels++) {
            var each = ArrowVectorFiles.outerFirst(levels);
            assertEquals(levels, dictionaryIds(each.stream()).size());
            assertEquals(List.of(1L, 2L), dictionaryIds(each.stream()).subList(0, 2));
            rows += compare(each.stream());
            rows += compare(each.file());
        }
        assertEquals(2 * (MOST_LEVELS - 1) * 15, rows);
    }

    /// The writer accepts the dictionaries in any order; values do not depend on it.
    @Test
    void valuesDoNotDependOnTheOrderOfDictionaries() throws IOException {
        for (int levels = 2; levels <= MOST_LEVELS; levels++) {
            byte[] stream = ArrowVectorFiles.outerFirst(levels).stream();
            List<String> expected = arrow(stream);
            for (ArrowContainer container : ArrowContainer.values()) {
                for (boolean isInnerFirst : new boolean[] {false, true}) {
                    byte[] copy = copy(stream, container, isInnerFirst);
                    List<Long> ids = dictionaryIds(copy);
                    assertEquals(isInnerFirst, ids.getFirst() > ids.getLast());
                    assertEquals(expected, arrow(copy));
                    compare(copy);
                }
            }
        }
    }

    @Test
    void reportedFilesHaveTheValuesOfArrowJava() throws IOException {
        Path folder = Reports.folder();
        for (String name : List.of("nested-java12.arrow", "nested-java12.arrows")) {
            byte[] bytes = Files.readAllBytes(folder.resolve(name));
            compare(bytes);
            assertEquals(List.of("{b}", "{a}"), arrow(bytes));
        }
    }

    /// Returns the number of rows.
    private static int compare(byte[] bytes) throws IOException {
        List<String> expected = arrow(bytes);
        assertTrue(expected.stream().anyMatch(each -> each.contains("{")));
        assertEquals(expected, vectors(bytes));
        assertEquals(expected, values(bytes));
        return expected.size();
    }

    // ---- dictionaries that are missing

    @Test
    void anInnerDictionaryThatIsNeededMustBeDefined() throws IOException {
        byte[] stream = without(ArrowVectorFiles.outerFirst(3).stream(), 3);
        FletchException e = assertRule(MeaningRule.DICTIONARY_UNDEFINED, () -> vectors(stream));
        assertTrue(e.getMessage().contains("dictionary=3"), e.getMessage());
        IllegalStateException refused =
                assertThrows(
                        IllegalStateException.class,
                        () -> copy(stream, ArrowContainer.STREAM, false));
        assertEquals(
                "dictionary is out of order: dictionary is not defined, node=0, dictionary=3,"
                        + " neededBy=1",
                refused.getMessage());
        byte[] read = without(ArrowVectorFiles.outerFirst(2).stream(), 2);
        assertRule(MeaningRule.DICTIONARY_UNDEFINED, () -> values(read));
    }

    /// Record batches whose indices are all null need no dictionary.
    @Test
    void aDictionaryThatNoBatchNeedsMayBeIncomplete() throws IOException {
        byte[] stream = withoutValues(without(ArrowVectorFiles.outerFirst(3).stream(), 3));
        List<String> rows = vectors(stream);
        assertEquals(Collections.nCopies(15, "null"), rows);
        assertEquals(rows, values(copy(stream, ArrowContainer.STREAM, true)));
    }

    /// A reader of values may be bound before the inner dictionary arrives.
    @Test
    void valuesMayBeBoundBeforeTheInnerDictionaryArrives() throws IOException {
        MemorySegment memory = MemorySegment.ofArray(ArrowVectorFiles.outerFirst(2).stream());
        EncapsulatedMessage frame = new EncapsulatedMessage();
        Message message = new Message();
        frame.wrap(memory, 0, message);
        BatchLayout layout = BatchLayout.compile(schema(message), message.version());
        Dictionaries dictionaries = new Dictionaries(layout);
        frame.wrap(memory, frame.nextOffset(), message);
        dictionaries.add(message, frame.bodySlice());
        BatchCursor outer = dictionaries.values(1).batch(0);
        ColumnValues inside = new ColumnValues().bind(outer, 1, dictionaries);
        long row = 0;
        while (inside.index(row) < 0 || outer.nullCount(1) > 0 && row < inside.length() - 1) {
            row++;
        }
        long index = row;
        ByteSlice text = new ByteSlice();
        assertRule(MeaningRule.DICTIONARY_UNDEFINED, () -> inside.isNull(index));
        frame.wrap(memory, frame.nextOffset(), message);
        dictionaries.add(message, frame.bodySlice());
        assertEquals(
                dictionaries.values(2).get(inside.index(index), text), inside.get(index, text));
    }

    // ---- three ways of reading

    private static List<String> arrow(byte[] bytes) throws IOException {
        try (RootAllocator allocator = new RootAllocator();
                ArrowReader reader = ArrowVectorReading.reader(bytes, allocator)) {
            List<String> rows = new ArrayList<>();
            while (reader.loadNextBatch()) {
                addRows(reader.getVectorSchemaRoot(), reader, rows);
            }
            return rows;
        }
    }

    private static List<String> vectors(byte[] bytes) throws IOException {
        List<String> rows = new ArrayList<>();
        try (RootAllocator allocator = new RootAllocator();
                VectorReader reader = VectorTexts.reader(bytes, allocator)) {
            while (reader.loadNext()) {
                addRows(reader.root(), reader, rows);
            }
        }
        return rows;
    }

    private static void addRows(
            VectorSchemaRoot root, DictionaryProvider dictionaries, List<String> rows) {
        for (int row = 0; row < root.getRowCount(); row++) {
            rows.add(text(root.getVector(0), root.getVector(0).getField(), row, dictionaries));
        }
    }

    private static String text(
            FieldVector vector, Field field, int row, DictionaryProvider dictionaries) {
        if (vector.isNull(row)) {
            return "null";
        }
        DictionaryEncoding encoding = field.getDictionary();
        if (encoding != null) {
            FieldVector values = dictionaries.lookup(encoding.getId()).getVector();
            int index = (int) ((BaseIntVector) vector).getValueAsLong(row);
            return text(values, values.getField(), index, dictionaries);
        }
        if (!(vector instanceof StructVector)) {
            return vector.getObject(row).toString();
        }
        StringJoiner all = new StringJoiner(",", "{", "}");
        List<FieldVector> children = vector.getChildrenFromFields();
        for (int i = 0; i < children.size(); i++) {
            all.add(text(children.get(i), field.getChildren().get(i), row, dictionaries));
        }
        return all.toString();
    }

    private static List<String> values(byte[] bytes) throws IOException {
        List<String> rows = new ArrayList<>();
        InputBatches.visit(
                bytes,
                (cursor, dictionaries) -> {
                    BatchLayout layout = cursor.layout();
                    for (long row = 0; row < cursor.length(0); row++) {
                        rows.add(new Batch(layout, layout, cursor, dictionaries).text(0, row));
                    }
                });
        return rows;
    }

    private static Schema schema(Message message) {
        Schema schema = new Schema();
        assertTrue(message.header(schema));
        return schema;
    }

    /// A record batch, or the values of a dictionary.
    private record Batch(
            BatchLayout schema, BatchLayout own, BatchCursor cursor, Dictionaries dictionaries) {
        String text(int field, long row) {
            ColumnValues values = new ColumnValues().bind(cursor, field, dictionaries);
            if (values.isNull(row)) {
                return "null";
            }
            if (own.isDictionaryEncoded(field)) {
                long id = own.dictionaryId(field);
                DictionaryValues found = dictionaries.values(id);
                long index = values.index(row);
                int batch = found.batchOf(index);
                BatchLayout inner = schema.dictionaryLayout(id);
                return new Batch(schema, inner, found.batch(batch), dictionaries)
                        .text(0, index - found.first(batch));
            }
            if (values.valueType() == ValueType.BYTES) {
                ByteSlice slice = new ByteSlice();
                assertTrue(values.get(row, slice));
                return new String(slice.toByteArray(), StandardCharsets.UTF_8);
            }
            if (values.valueType() == ValueType.INT32) {
                return Long.toString(values.integer(row));
            }
            StringJoiner all = new StringJoiner(",", "{", "}");
            for (int child = field + 1; child < own.end(field); child = own.end(child)) {
                all.add(text(child, row));
            }
            return all.toString();
        }
    }

    // ---- other orders, and less

    private static List<Long> dictionaryIds(byte[] bytes) {
        return OracleListing.list(bytes).dictionaryBatches().stream()
                .map(OracleMessage::dictionaryId)
                .toList();
    }

    /// Writes a stream's messages again, the schema first, then the dictionaries.
    private static byte[] copy(byte[] stream, ArrowContainer container, boolean isInnerFirst)
            throws IOException {
        List<OracleMessage> messages = new ArrayList<>();
        for (OracleMessage each : OracleListing.list(stream).messages()) {
            messages.add(each.isDictionaryBatch() && isInnerFirst ? 1 : messages.size(), each);
        }
        assertTrue(messages.stream().filter(OracleMessage::isDictionaryBatch).count() > 1);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (MessageWriter writer = MessageWriter.of(container, out)) {
            MemorySegment memory = MemorySegment.ofArray(stream);
            EncapsulatedMessage frame = new EncapsulatedMessage();
            for (OracleMessage each : messages) {
                frame.wrap(memory, each.offset(), new Message());
                writer.copy(memory, frame);
            }
            writer.finish();
        }
        return out.toByteArray();
    }

    private static byte[] without(byte[] stream, long dictionaryId) {
        return OracleListing.only(
                stream, each -> !Objects.equals(dictionaryId, each.dictionaryId()));
    }

    private static byte[] withoutValues(byte[] stream) {
        byte[] changed = stream.clone();
        MemorySegment memory = MemorySegment.ofArray(changed);
        RecordBatch batch = new RecordBatch();
        for (OracleMessage each : OracleListing.list(stream).recordBatches()) {
            assertTrue(new Message().wrap(each.metadataIn(memory)).header(batch));
            batch.nodes(0, new FieldNode()).set(batch.length(), batch.length());
            Buffer validity = batch.buffers(0, new Buffer());
            assertTrue(validity.length() > 0);
            each.bodyIn(memory).asSlice(validity.offset(), validity.length()).fill((byte) 0);
        }
        return changed;
    }
}
