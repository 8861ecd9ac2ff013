// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.FletchException;
import dev.fletch.MeaningRule;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.FrameKind;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.ids.Endianness;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.testdata.ArrowCase;
import dev.fletch.testdata.FileBatches;
import dev.fletch.testdata.Goldens;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.Producers;

import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.memory.util.ArrowBufPointer;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseIntVector;
import org.apache.arrow.vector.BaseVariableWidthViewVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.ElementAddressableVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.DenseUnionVector;
import org.apache.arrow.vector.complex.RunEndEncodedVector;
import org.apache.arrow.vector.complex.UnionVector;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.util.ByteArrayReadableSeekableByteChannel;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Each value of each field, children and dictionaries included, is what arrow-java reads.
class ColumnValuesAgreeTest {
    private static long values;
    private static long nulls;
    private static long resolved;
    private static int batches;

    private final ColumnValues mine = new ColumnValues();
    private final ByteSlice bytes = new ByteSlice();
    private final ArrowBufPointer pointer = new ArrowBufPointer();

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Goldens#parameters")
    void valuesOfGoldensAgree(Path golden) throws IOException {
        byte[] content = Goldens.read(golden);
        Goldens.assumeReadByArrowJava(golden);
        compare(content);
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Producers#parameters")
    void valuesOfOtherProducersAgree(Path file) throws IOException {
        Producers.assumeReadByArrowJava(file);
        compare(Files.readAllBytes(file));
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.ArrowVectorFiles#cases")
    void valuesOfArrowVectorFilesAgree(ArrowCase each) throws IOException {
        compare(each.stream());
        if (each.hasFile()) {
            compare(each.file());
        }
    }

    private void compare(byte[] content) throws IOException {
        try (RootAllocator allocator = new RootAllocator();
                Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(content.length, 8);
            memory.copyFrom(MemorySegment.ofArray(content));
            if (OracleListing.isFile(content)) {
                var channel = new ByteArrayReadableSeekableByteChannel(content);
                try (ArrowReader reader = new ArrowFileReader(channel, allocator)) {
                    compareFile(ArrowFile.of(memory), reader);
                }
            } else {
                try (ArrowReader reader =
                        new ArrowStreamReader(new ByteArrayInputStream(content), allocator)) {
                    compareStream(memory, reader);
                }
            }
        }
    }

    private void compareFile(ArrowFile file, ArrowReader reader) throws IOException {
        FileBatches batches = FileBatches.of(file);
        BatchLayout layout = batches.layout();
        if (layout.endianness() != Endianness.LITTLE) {
            foreign(batches.bind(0));
            return;
        }
        if (batches.count() > 0 && batches.bind(0).isCompressed()) {
            compressed(batches.bind(0));
            return;
        }
        Dictionaries dictionaries = batches.dictionaries(null);
        for (int i = 0; i < batches.count(); i++) {
            assertTrue(reader.loadNextBatch());
            compare(batches.bind(i), dictionaries, reader);
        }
    }

    private void compareStream(MemorySegment memory, ArrowReader reader) throws IOException {
        EncapsulatedMessage frame = new EncapsulatedMessage();
        Message message = new Message();
        Schema schema = new Schema();
        BatchCursor cursor = new BatchCursor();
        BatchLayout layout = null;
        Dictionaries dictionaries = null;
        for (long at = 0;
                frame.wrap(memory, at, message) == FrameKind.MESSAGE;
                at = frame.nextOffset()) {
            if (message.header(schema)) {
                layout = BatchLayout.compile(schema, message.version());
                dictionaries = new Dictionaries(layout);
            } else if (message.headerType() == MessageHeader.DICTIONARY_BATCH) {
                if (layout.endianness() == Endianness.LITTLE) {
                    dictionaries.add(message, frame.bodySlice());
                }
            } else {
                cursor.bind(layout, message).body(frame.bodySlice());
                if (layout.endianness() != Endianness.LITTLE) {
                    foreign(cursor);
                    continue;
                }
                if (cursor.isCompressed()) {
                    compressed(cursor);
                    continue;
                }
                assertTrue(reader.loadNextBatch());
                compare(cursor, dictionaries, reader);
            }
        }
    }

    /// No number of a big-endian body is read as if it was little-endian.
    private void foreign(BatchCursor cursor) {
        BatchLayout layout = cursor.layout();
        for (int f = 0; f < layout.fieldCount(); f++) {
            int field = f;
            ValueType type = layout.valueType(field);
            if (layout.has(field, BufferRole.DATA) && type.bits() > 8) {
                FletchException e =
                        assertThrows(
                                FletchException.class,
                                () ->
                                        (layout.isDictionaryEncoded(field)
                                                        ? cursor.indices(field, bytes)
                                                        : cursor.values(field, type, bytes))
                                                .length());
                assertEquals(MeaningRule.FOREIGN_ENDIANNESS, e.rule());
            }
        }
    }

    /// No compressed buffer is read as if it was not; one that is stored as it is can be read.
    private void compressed(BatchCursor cursor) {
        BatchLayout layout = cursor.layout();
        for (int f = 0; f < layout.fieldCount(); f++) {
            int field = f;
            ValueType type = layout.valueType(field);
            if (type.bits() == 0 || layout.isDictionaryEncoded(field)) {
                continue;
            }
            if (cursor.isCompressed(field, cursor.index(field, BufferRole.DATA))) {
                FletchException e =
                        assertThrows(
                                FletchException.class, () -> cursor.values(field, type, bytes));
                assertEquals(MeaningRule.COMPRESSED_BUFFER, e.rule());
            } else {
                cursor.values(field, type, bytes);
            }
        }
    }

    private void compare(BatchCursor cursor, Dictionaries dictionaries, ArrowReader reader)
            throws IOException {
        batches++;
        List<FieldVector> vectors = new ArrayList<>();
        collect(reader.getVectorSchemaRoot().getFieldVectors(), vectors);
        assertEquals(vectors.size(), cursor.layout().fieldCount());
        for (int f = 0; f < vectors.size(); f++) {
            mine.bind(cursor, f, dictionaries);
            FieldVector theirs = vectors.get(f);
            FieldVector coded =
                    cursor.layout().isDictionaryEncoded(f)
                            ? reader.lookup(cursor.layout().dictionaryId(f)).getVector()
                            : null;
            for (int i = 0; i < mine.length(); i++) {
                compare(theirs, coded, i);
            }
        }
    }

    private static void collect(List<FieldVector> some, List<FieldVector> into) {
        for (FieldVector each : some) {
            into.add(each);
            collect(each.getChildrenFromFields(), into);
        }
    }

    private void compare(FieldVector vector, FieldVector dictionary, int row) {
        FieldVector theirs = vector;
        int at = row;
        boolean isNull = vector.isNull(row);
        if (dictionary != null && !isNull) {
            at = (int) mine.index(row);
            assertEquals(((BaseIntVector) vector).getValueAsLong(row), at);
            theirs = dictionary;
            isNull = dictionary.isNull(at);
            resolved++;
        }
        if (theirs instanceof UnionVector
                || theirs instanceof DenseUnionVector
                || theirs instanceof RunEndEncodedVector) {
            return;
        }
        assertEquals(isNull, mine.isNull(row));
        values++;
        if (isNull) {
            nulls++;
        } else if (theirs instanceof BitVector bits) {
            assertEquals(bits.get(at), mine.integer(row));
        } else if (theirs instanceof BaseFixedWidthVector fixed) {
            byte[] expected = new byte[fixed.getTypeWidth()];
            fixed.getDataBuffer().getBytes((long) at * expected.length, expected);
            assertBytes(expected, row);
        } else if (theirs instanceof BaseVariableWidthViewVector views) {
            assertBytes(views.get(at), row); // its data pointers lead elsewhere
        } else if (theirs instanceof ElementAddressableVector addressable) {
            addressable.getDataPointer(at, pointer);
            byte[] expected = new byte[(int) pointer.getLength()];
            if (expected.length > 0) {
                pointer.getBuf().getBytes(pointer.getOffset(), expected);
            }
            assertBytes(expected, row);
        }
    }

    private void assertBytes(byte[] expected, int row) {
        assertTrue(mine.get(row, bytes));
        assertArrayEquals(expected, bytes.toByteArray());
    }

    @AfterAll
    static void printCounts() {
        System.out.printf(
                "Column values: %d batches, %d values, %d of them null, %d by a dictionary,"
                        + " all as arrow-java reads them%n",
                batches, values, nulls, resolved);
    }
}
