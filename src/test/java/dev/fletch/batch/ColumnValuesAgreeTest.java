// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import static dev.fletch.testdata.Refused.assertRule;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.MeaningRule;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.ids.Endianness;
import dev.fletch.testdata.ArrowCase;
import dev.fletch.testdata.ArrowVectorReading;
import dev.fletch.testdata.ForeignBodies;
import dev.fletch.testdata.InputBatches;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.RealInput;

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
import org.apache.arrow.vector.ipc.ArrowReader;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
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
    @MethodSource("dev.fletch.testdata.RealInput#readByArrowJava")
    void valuesAgree(RealInput input) throws IOException {
        input.assumeDecompressible();
        byte[] content = input.bytes();
        boolean isFile = OracleListing.isFile(content);
        try (RootAllocator allocator = new RootAllocator();
                ArrowReader reader = ArrowVectorReading.reader(content, allocator);
                Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(content.length, 8);
            memory.copyFrom(MemorySegment.ofArray(content));
            InputBatches.visit(
                    memory,
                    isFile,
                    (cursor, dictionaries) -> {
                        assertTrue(reader.loadNextBatch());
                        if (cursor.isCompressed()) {
                            BufferSource decompressed = cursor.source();
                            compressed(cursor.source(null));
                            cursor.source(decompressed);
                        }
                        compare(cursor, dictionaries, reader);
                    });
            assertFalse(reader.loadNextBatch());
        }
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.ArrowVectorFiles#cases")
    void valuesOfTheOtherByteOrderAreRefused(ArrowCase each) {
        byte[] foreign = ForeignBodies.of(each.stream(), Endianness.BIG);
        Executable visit = () -> InputBatches.visit(foreign, (cursor, _) -> foreign(cursor));
        if (OracleListing.list(foreign).dictionaryBatches().isEmpty()) {
            assertDoesNotThrow(visit);
        } else {
            assertRule(MeaningRule.FOREIGN_ENDIANNESS, visit);
        }
    }

    /// No number of a big-endian body is read as if it was little-endian.
    private void foreign(BatchCursor cursor) {
        BatchLayout layout = cursor.layout();
        for (int f = 0; f < layout.fieldCount(); f++) {
            int field = f;
            ValueType type = layout.valueType(field);
            if (layout.has(field, BufferRole.DATA) && type.bits() > 8) {
                assertRule(
                        MeaningRule.FOREIGN_ENDIANNESS,
                        () ->
                                (layout.isDictionaryEncoded(field)
                                                ? cursor.indices(field, bytes)
                                                : cursor.values(field, type, bytes))
                                        .length());
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
                assertRule(MeaningRule.COMPRESSED_BUFFER, () -> cursor.values(field, type, bytes));
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
