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
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.Buffer;
import dev.fletch.format.FieldNode;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.MessageWriter;
import dev.fletch.testdata.ArrowCase;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.InputBatches;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;
import dev.fletch.testdata.Reports;
import dev.fletch.testdata.VectorTexts;

import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Dictionaries inside the values of others, outer ones first, as arrow-vector writes them:
/// vectors, of files and streams, are those that arrow-java reads. `RowValuesAgreeTest` compares
/// rows.
class NestedDictionariesTest {
    private static final int MOST_LEVELS = 5;

    /// The writer accepts the dictionaries in any order; values do not depend on it.
    @Test
    void valuesDoNotDependOnTheOrderOfDictionaries() throws IOException {
        for (int levels = 2; levels <= MOST_LEVELS; levels++) {
            ArrowCase each = ArrowVectorFiles.outerFirst(levels);
            byte[] stream = each.stream();
            assertEquals(levels, dictionaryIds(stream).size());
            assertEquals(List.of(1L, 2L), dictionaryIds(stream).subList(0, 2));
            VectorTexts expected = VectorTexts.ofArrow(stream);
            assertEquals(expected, vectors(stream));
            assertEquals(VectorTexts.ofArrow(each.file()), vectors(each.file()));
            for (ArrowContainer container : ArrowContainer.values()) {
                for (boolean isInnerFirst : new boolean[] {false, true}) {
                    byte[] copy = copy(stream, container, isInnerFirst);
                    List<Long> ids = dictionaryIds(copy);
                    assertEquals(isInnerFirst, ids.getFirst() > ids.getLast());
                    assertEquals(expected, VectorTexts.ofArrow(copy));
                    assertEquals(expected, vectors(copy));
                }
            }
        }
    }

    @Test
    void reportedFilesHaveTheVectorsOfArrowJava() throws IOException {
        Path folder = Reports.folder();
        for (String name : List.of("nested-java12.arrow", "nested-java12.arrows")) {
            byte[] bytes = Files.readAllBytes(folder.resolve(name));
            assertEquals(VectorTexts.ofArrow(bytes), vectors(bytes));
        }
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
    }

    /// Record batches whose indices are all null need no dictionary.
    @Test
    void aDictionaryThatNoBatchNeedsMayBeIncomplete() throws IOException {
        byte[] stream = withoutValues(without(ArrowVectorFiles.outerFirst(3).stream(), 3));
        try (RootAllocator allocator = new RootAllocator();
                VectorReader reader = VectorTexts.reader(stream, allocator)) {
            int rows = 0;
            while (reader.loadNext()) {
                rows += reader.root().getRowCount();
                assertEquals(
                        reader.root().getRowCount(), reader.root().getVector(0).getNullCount());
            }
            assertEquals(15, rows);
        }
        InputBatches.visit(
                copy(stream, ArrowContainer.STREAM, true),
                (cursor, dictionaries) -> {
                    ColumnValues values = new ColumnValues().bind(cursor, 0, dictionaries);
                    for (long row = 0; row < cursor.length(0); row++) {
                        assertTrue(values.isNull(row));
                    }
                });
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

    // ---- what readers read

    private static VectorTexts vectors(byte[] bytes) throws IOException {
        try (RootAllocator allocator = new RootAllocator();
                VectorReader reader = VectorTexts.reader(bytes, allocator)) {
            return VectorTexts.of(reader);
        }
    }

    private static Schema schema(Message message) {
        Schema schema = new Schema();
        assertTrue(message.header(schema));
        return schema;
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
