// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.BufferRole;
import dev.fletch.format.MetadataVersion;
import dev.fletch.testdata.ArrowCase;
import dev.fletch.testdata.Goldens;
import dev.fletch.testdata.OracleFile;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.OracleMessage;

import org.apache.arrow.flatbuf.Schema;
import org.apache.arrow.flatbuf.Union;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.util.ByteArrayReadableSeekableByteChannel;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// Real batches: each field is given the very nodes and buffers that arrow-vector's loader gives
/// it, and nothing is left over.
class LoaderAgreesTest {
    private static int batches;
    private static int fields;
    private static int buffers;

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Goldens#parameters")
    void batchesOfGoldensAgreeWithTheLoader(Path golden) throws IOException {
        byte[] bytes = Goldens.read(golden);
        if (!golden.toString().contains("0.17.1")) { // The loader has no unions of version 4.
            compareAll(bytes);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.ArrowVectorFiles#cases")
    void batchesOfArrowVectorAgreeWithTheLoader(ArrowCase each) throws IOException {
        assumeTrue(!each.batchRows().isEmpty(), "nothing to load: no batches");
        compareAll(each.stream());
        if (each.hasFile()) {
            compareAll(each.file());
        }
    }

    private static void compareAll(byte[] bytes) throws IOException {
        OracleFile listing = OracleListing.list(bytes);
        Map<Long, Field> dictionaries = new HashMap<>();
        List<Field> columns = columns(bytes, dictionaries);
        BatchLayout layout = null;
        for (OracleMessage message : listing.messages()) {
            byte[] metadata = bytesOf(message);
            if (message.isSchema()) {
                layout = BatchLayout.compile(Bound.schema(metadata), message.message().version());
                assertEquals(dictionaries.size(), layout.dictionaryCount());
                continue;
            }
            Long id = message.dictionaryId();
            compare(
                    id == null ? layout : layout.dictionaryLayout(id),
                    id == null ? columns : List.of(dictionaries.get(id)),
                    message,
                    Arrays.copyOfRange(
                            bytes, (int) message.bodyOffset(), (int) message.endOffset()));
        }
    }

    private static byte[] bytesOf(OracleMessage message) {
        ByteBuffer metadata = message.metadata();
        byte[] bytes = new byte[metadata.remaining()];
        metadata.get(bytes);
        return bytes;
    }

    /// The fields as arrow-vector has them, and those of the dictionaries' values.
    private static List<Field> columns(byte[] bytes, Map<Long, Field> dictionaries)
            throws IOException {
        try (RootAllocator allocator = new RootAllocator();
                ArrowReader reader =
                        OracleListing.isFile(bytes)
                                ? new ArrowFileReader(
                                        new ByteArrayReadableSeekableByteChannel(bytes), allocator)
                                : new ArrowStreamReader(
                                        new ByteArrayInputStream(bytes), allocator)) {
            List<Field> columns = reader.getVectorSchemaRoot().getSchema().getFields();
            for (Map.Entry<Long, Dictionary> each : reader.getDictionaryVectors().entrySet()) {
                dictionaries.put(each.getKey(), each.getValue().getVector().getField());
            }
            return columns;
        }
    }

    private static void compare(
            BatchLayout layout, List<Field> vectors, OracleMessage message, byte[] body) {
        List<LoaderLog.Given> expected = LoaderLog.load(vectors, message.batch(), body);
        var batch = Bound.batch(bytesOf(message));
        BatchCursor cursor = new BatchCursor().bind(layout, batch, MemorySegment.ofArray(body));
        List<LoaderLog.Given> found = new ArrayList<>();
        for (int f = 0; f < layout.fieldCount(); f++) {
            found.add(given(layout, cursor.field(f)));
        }
        assertEquals(withoutNames(expected), withoutNames(found));
        if (message.isRecordBatch()) {
            assertEquals(expected, found);
        }
        assertEquals(0, cursor.extraNodes());
        assertEquals(0, cursor.extraBuffers());
        assertEquals(batch.length(), cursor.rowCount());
        batches++;
        fields += found.size();
        buffers += batch.buffersCount();
    }

    private static LoaderLog.Given given(BatchLayout layout, BatchCursor cursor) {
        ByteSlice slice = new ByteSlice();
        List<List<Long>> places = new ArrayList<>();
        for (int i = 0; i < cursor.bufferCount(); i++) {
            places.add(List.of(cursor.bufferOffset(i), cursor.bufferLength(i)));
            assertEquals(cursor.bufferLength(i), cursor.buffer(i, slice).length());
            assertEquals(cursor.bufferOffset(i), slice.offset());
            assertTrue(cursor.uncompressedLength(i) >= 0);
        }
        return new LoaderLog.Given(
                layout.nameString(cursor.fieldNumber()),
                cursor.length(),
                cursor.nullCount(),
                places);
    }

    /// A dictionary's vector has a name of its own.
    private static List<LoaderLog.Given> withoutNames(List<LoaderLog.Given> all) {
        return all.stream()
                .map(e -> new LoaderLog.Given("", e.length(), e.nullCount(), e.buffers()))
                .toList();
    }

    /// The four unions of each batch have a validity buffer in front: 28 buffers where version 5
    /// has 24.
    @Test
    void unionsOfVersion4AgreeWithTheLoader() {
        Goldens.assumePresent();
        List<Path> files =
                Goldens.all().stream().filter(each -> each.toString().contains("0.17.1")).toList();
        assertEquals(2, files.size());
        for (Path golden : files) {
            byte[] bytes = Goldens.read(golden);
            OracleFile listing = OracleListing.list(bytes);
            byte[] schema = bytesOf(listing.messages().getFirst());
            BatchLayout old = BatchLayout.compile(Bound.schema(schema), MetadataVersion.V4);
            BatchLayout now = BatchLayout.compile(Bound.schema(schema), MetadataVersion.V5);
            assertEquals(28, old.bufferCount());
            assertEquals(24, now.bufferCount());
            for (OracleMessage message : listing.recordBatches()) {
                compareUnions(old, listing.schema(), message, bytes);
            }
        }
    }

    private static void compareUnions(
            BatchLayout layout, Schema schema, OracleMessage message, byte[] bytes) {
        BatchCursor cursor =
                new BatchCursor()
                        .bind(layout, Bound.batch(bytesOf(message)))
                        .body(
                                MemorySegment.ofArray(bytes),
                                message.bodyOffset(),
                                message.bodyLength());
        assertEquals(0, cursor.extraNodes());
        assertEquals(0, cursor.extraBuffers());
        ByteSlice slice = new ByteSlice();
        int unions = 0;
        for (int f = 0; f < layout.fieldCount(); f++) {
            cursor.field(f);
            if (layout.typeType(f) != dev.fletch.format.Type.UNION) {
                continue;
            }
            unions++;
            long rows = cursor.length();
            assertEquals(BufferRole.VALIDITY, cursor.role(0));
            assertEquals(BufferRole.TYPE_IDS, cursor.role(1));
            // One byte for each row, and each byte one of the union's ids.
            assertTrue(cursor.buffer(1, slice).length() >= rows);
            Union type = (Union) schema.fields(layout.columnOf(f)).type(new Union());
            for (int row = 0; row < rows; row++) {
                byte id = slice.int8(row);
                assertTrue(
                        IntStream.range(0, type.typeIdsLength())
                                .anyMatch(i -> type.typeIds(i) == id),
                        "type id " + id);
            }
            if (cursor.bufferCount() == 3) {
                assertEquals(BufferRole.OFFSETS, cursor.role(2));
                assertTrue(cursor.buffer(2, slice).length() >= 4 * rows);
            }
        }
        assertEquals(4, unions);
    }

    @AfterAll
    static void printCounts() {
        System.out.printf(
                "Loader: %d batches, %d fields, %d buffers, all as arrow-vector gives them%n",
                batches, fields, buffers);
    }
}
