// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import static dev.fletch.testdata.Refused.assertRule;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.MeaningRule;
import dev.fletch.corpus.CaseFile;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.ids.Endianness;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.ids.Type;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.testdata.ArrowCase;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.FileBatches;
import dev.fletch.testdata.ForeignBodies;
import dev.fletch.testdata.InputBatches;
import dev.fletch.testdata.OracleListing;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A caller gets the values of the type that it asks for, or an exception; never other numbers.
class TypedAccessTest {
    private static final MemorySegment FILE =
            MemorySegment.ofArray(ArrowVectorFiles.named("all_types").file());

    private final ArrowFile file = ArrowFile.of(FILE);
    private final BatchLayout layout = Bound.layout(file);
    private final ByteSlice slice = new ByteSlice();
    private final BatchCursor cursor = new BatchCursor();

    /// Of all fields of a file with each type, an accessor takes those of its type, and no other.
    @ParameterizedTest
    @EnumSource
    void accessorsTakeOnlyTheirType(ValueType type) {
        Bound.batch(cursor, layout, file, 0);
        int found = 0;
        for (int f = 0; f < layout.fieldCount(); f++) {
            boolean isFixed = type.bits() != 0 || type == ValueType.FIXED_BYTES;
            boolean fits = layout.valueType(f) == type && !layout.isDictionaryEncoded(f) && isFixed;
            if (fits) {
                found++;
                assertSame(slice, cursor.values(f, type, slice));
                assertEquals(
                        type == ValueType.BOOL
                                ? (cursor.length(f) + 7) / 8
                                : cursor.length(f) * layout.valueBits(f) / 8,
                        slice.length());
            } else {
                int field = f;
                assertRule(MeaningRule.OTHER_TYPE, () -> cursor.values(field, type, slice));
            }
        }
        boolean isWritten = // arrow-vector writes no others of a fixed width
                type.bits() != 0 && type != ValueType.DECIMAL32 && type != ValueType.DECIMAL64;
        assertEquals(isWritten || type == ValueType.FIXED_BYTES, found > 0);
    }

    /// A method of a cursor that binds a slice to a field's numbers or bytes.
    private interface Read {
        ByteSlice apply(BatchCursor cursor, int field, ByteSlice into);
    }

    /// Offsets, sizes, views, bytes and type ids: of the types that have them in that width alone.
    @Test
    void rolesOfOtherTypesAreRefused() {
        Bound.batch(cursor, layout, file, 0);
        int[] found = new int[7];
        for (int f = 0; f < layout.fieldCount(); f++) {
            int type = layout.isDictionaryEncoded(f) ? Type.INT : layout.typeType(f);
            boolean hasOffsets = cursor.layout().has(f, BufferRole.OFFSETS);
            boolean isLarge =
                    List.of(
                                    Type.LARGE_BINARY,
                                    Type.LARGE_UTF8,
                                    Type.LARGE_LIST,
                                    Type.LARGE_LIST_VIEW)
                            .contains(type);
            boolean[] has = {
                hasOffsets && !isLarge,
                hasOffsets && isLarge,
                type == Type.LIST_VIEW,
                type == Type.LARGE_LIST_VIEW,
                type == Type.UNION,
                type == Type.UTF8_VIEW || type == Type.BINARY_VIEW,
                List.of(Type.UTF8, Type.BINARY, Type.LARGE_UTF8, Type.LARGE_BINARY).contains(type)
            };
            List<Read> reads =
                    List.of(
                            array(BufferRole.OFFSETS, ValueType.INT32),
                            array(BufferRole.OFFSETS, ValueType.INT64),
                            array(BufferRole.SIZES, ValueType.INT32),
                            array(BufferRole.SIZES, ValueType.INT64),
                            array(BufferRole.TYPE_IDS, ValueType.INT8),
                            array(BufferRole.VIEWS, ValueType.BYTES_VIEW),
                            BatchCursor::bytes);
            for (int i = 0; i < has.length; i++) {
                Read read = reads.get(i);
                int field = f;
                if (has[i]) {
                    found[i]++;
                    read.apply(cursor, field, slice);
                } else {
                    assertRule(MeaningRule.OTHER_TYPE, () -> read.apply(cursor, field, slice));
                }
            }
        }
        for (int i = 0; i < found.length; i++) {
            assertTrue(found[i] > 0, "no field for accessor " + i);
        }
    }

    private static Read array(BufferRole role, ValueType type) {
        return (cursor, field, into) -> cursor.array(field, role, type, into);
    }

    @Test
    void arraysOfOtherRolesAndTypesAreRefused() {
        Bound.batch(cursor, layout, file, 0);
        Set<ValueType> counts = Set.of(ValueType.INT32, ValueType.INT64);
        Map<BufferRole, Set<ValueType>> arrays =
                Map.of(
                        BufferRole.OFFSETS,
                        counts,
                        BufferRole.SIZES,
                        counts,
                        BufferRole.TYPE_IDS,
                        Set.of(ValueType.INT8),
                        BufferRole.VIEWS,
                        Set.of(ValueType.BYTES_VIEW));
        for (BufferRole role : BufferRole.values()) {
            for (ValueType type : ValueType.values()) {
                if (!arrays.getOrDefault(role, Set.of()).contains(type)) {
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> cursor.array(0, role, type, slice));
                }
            }
        }
    }

    // ---- nested fields

    /// Schemas that break the rules of nested types.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "r:RunEndEncoded<e!:Bool v:i8>",
                "r:RunEndEncoded<e!:i8 v:i8>",
                "r:RunEndEncoded<e!:FixedSizeBinary(byteWidth=3) v:i8>",
                "r:RunEndEncoded<e!:FloatingPoint(precision=1) v:i8>",
                "r:RunEndEncoded<e!:Decimal(precision=9 bitWidth=128) v:i8>",
                "r:RunEndEncoded<e!:Utf8 v:i8>",
                "r:RunEndEncoded<e!:i32{dictionary=DictionaryEncoding(id=1 indexType=i32)} v:i8>",
                "r:RunEndEncoded<e!:i32> next:i8",
                "r:RunEndEncoded next:i8",
                "l:List next:i8",
                "l:LargeListView next:i8",
                "l:FixedSizeList(listSize=1) next:i8"
            })
    void nestedFieldsNeedTheirChildren(String columns) {
        String types =
                "let i8 = Int(bitWidth=8 is_signed=1)\nlet i32 = Int(bitWidth=32 is_signed=1)\n";
        String batch = " | batch 3 [3*3] [" + "zeros(64) ".repeat(9) + "]";
        byte[] input = CaseFile.input(types + "stream <" + columns + ">" + batch);
        EncapsulatedMessage frame = new EncapsulatedMessage(ReadOptions.DEFAULT);
        Message message = new Message();
        Schema schema = new Schema();
        frame.wrap(MemorySegment.ofArray(input), 0, message);
        message.header(schema);
        BatchLayout layout = BatchLayout.compile(schema, MetadataVersion.V5);
        frame.wrap(MemorySegment.ofArray(input), frame.nextOffset(), message);
        cursor.bind(layout, message).body(frame.bodySlice());
        assertRule(MeaningRule.OTHER_TYPE, () -> new NestedValues().bind(cursor, 0));
    }

    // ---- lengths

    /// A batch of one column, whose node has `length` values, and whose buffers have these bytes.
    private BatchCursor one(Tree column, long length, long nulls, long... bytes) {
        BatchLayout layout = Bound.layout(column);
        long[][] buffers = new long[bytes.length][];
        for (int i = 0; i < bytes.length; i++) {
            buffers[i] = new long[] {64L * i, bytes[i]};
        }
        byte[] batch = Tree.batch(new long[][] {{length, nulls}}, buffers, new long[0], 1024);
        return cursor.bind(layout, Bound.batch(batch)).body(MemorySegment.ofArray(new byte[1024]));
    }

    /// Of numbers their values, of texts their offsets: bytes that are read, or the broken rule.
    @ParameterizedTest
    @CsvSource({
        "BOOL, 9, 2, 2",
        "BOOL, 0, 0, 0",
        "BOOL, 17, 2, DATA_SIZE",
        "BOOL, 9223372036854775807, 2, DATA_SIZE",
        "BOOL, -1, 2, NEGATIVE_LENGTH",
        "TIMESTAMP, 3, 32, 24",
        "TIMESTAMP, 5, 32, DATA_SIZE",
        "TIMESTAMP, 2305843009213693952, 32, DATA_SIZE",
        "TIMESTAMP, 9223372036854775807, 32, DATA_SIZE",
        "UTF8, 3, 16, 16",
        "UTF8, 3, 12, OFFSETS_SIZE",
        "UTF8, 0, 0, 0",
        "UTF8, 0, 4, 4",
        "UTF8, 9223372036854775807, 16, OFFSETS_SIZE"
    })
    void buffersMustBeLongEnoughForTheValues(String type, long length, long bytes, String found)
            throws ReflectiveOperationException {
        Tree column = Tree.of("c", Type.class.getField(type).getInt(null));
        BufferRole offsets = BufferRole.OFFSETS;
        ValueType number = type.equals("BOOL") ? ValueType.BOOL : ValueType.INT64;
        Executable read =
                type.equals("UTF8")
                        ? () ->
                                one(column, length, 0, 0, bytes, 9)
                                        .array(0, offsets, ValueType.INT32, slice)
                        : () -> one(column, length, 0, 0, bytes).values(0, number, slice);
        if (Character.isDigit(found.charAt(0))) {
            assertDoesNotThrow(read);
            assertEquals(Long.parseLong(found), slice.length());
        } else {
            assertRule(MeaningRule.valueOf(found), read);
        }
    }

    @Test
    void errorsNameColumnTypeAndNumbers() {
        FletchException e =
                assertThrows(
                        FletchException.class,
                        () ->
                                one(Tree.of("s", Type.UTF8), 3, 0, 0, 16, 9)
                                        .values(0, ValueType.FLOAT64, slice));
        assertEquals(
                "column has values of another type:"
                        + " column=s, expected=float64, found=bytes, type=utf8",
                e.getMessage());
        e =
                assertThrows(
                        FletchException.class,
                        () ->
                                one(Tree.of("t", Type.TIMESTAMP), 3, 0, 0, 16)
                                        .values(0, ValueType.INT64, slice));
        assertEquals(
                "data buffer of fixed width does not have the bits of all values:"
                        + " column=t, role=data, length=16, values=3, bits=64",
                e.getMessage());
    }

    @Test
    void absentValidityMeansNoNulls() {
        Tree times = Tree.of("t", Type.TIMESTAMP);
        assertFalse(one(times, 3, 0, 0, 24).validity(0, slice));
        assertTrue(one(times, 3, 0, 1, 24).validity(0, slice));
        assertTrue(one(times, 3, 1, 1, 24).validity(0, slice));
        assertRule(MeaningRule.VALIDITY_SIZE, () -> one(times, 3, 1, 0, 24).validity(0, slice));
        assertRule(MeaningRule.VALIDITY_SIZE, () -> one(times, 30, 1, 1, 24).validity(0, slice));
        assertRule(MeaningRule.NEGATIVE_LENGTH, () -> one(times, -1, 0, 1, 24).validity(0, slice));
        assertThrows(
                IllegalArgumentException.class,
                () -> one(Tree.of("n", Type.NULL), 3, 3).validity(0, slice));
    }

    // ---- bodies that are not read as they are

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.ArrowVectorFiles#cases")
    void valuesOfTheOtherByteOrderAreRefused(ArrowCase each) {
        byte[] foreign = ForeignBodies.of(each.stream(), Endianness.BIG);
        Executable visit = () -> InputBatches.visit(foreign, (batch, _) -> foreign(batch));
        if (OracleListing.list(foreign).dictionaryBatches().isEmpty()) {
            assertDoesNotThrow(visit);
        } else {
            assertRule(MeaningRule.FOREIGN_ENDIANNESS, visit);
        }
    }

    /// No number of a big-endian body is read as if it was little-endian.
    private void foreign(BatchCursor batch) {
        BatchLayout layout = batch.layout();
        for (int f = 0; f < layout.fieldCount(); f++) {
            int field = f;
            ValueType type = layout.valueType(field);
            if (layout.has(field, BufferRole.DATA) && type.bits() > 8) {
                assertRule(
                        MeaningRule.FOREIGN_ENDIANNESS,
                        () ->
                                (layout.isDictionaryEncoded(field)
                                                ? batch.indices(field, slice)
                                                : batch.values(field, type, slice))
                                        .length());
            }
        }
    }

    /// One that is stored as it is can be read.
    @ParameterizedTest
    @ValueSource(strings = {"lz4", "zstd"})
    void compressedBuffersAreNotReadAsIfTheyWereNot(String name) throws IOException {
        int[] refused = new int[1];
        InputBatches.visit(
                ArrowVectorFiles.named(name).stream(),
                (batch, _) -> {
                    BufferSource decompressed = batch.source();
                    refused[0] += compressed(batch.source(null));
                    batch.source(decompressed);
                });
        assertTrue(refused[0] > 0);
    }

    private int compressed(BatchCursor batch) {
        BatchLayout layout = batch.layout();
        int refused = 0;
        for (int f = 0; f < layout.fieldCount(); f++) {
            int field = f;
            ValueType type = layout.valueType(field);
            if (type.bits() == 0 || layout.isDictionaryEncoded(field)) {
                continue;
            }
            if (batch.isCompressed(field, batch.index(field, BufferRole.DATA))) {
                assertRule(MeaningRule.COMPRESSED_BUFFER, () -> batch.values(field, type, slice));
                refused++;
            } else {
                batch.values(field, type, slice);
            }
        }
        return refused;
    }

    // ---- finding, binding

    /// Names come from files, and may have anything in them.
    @Test
    void errorsHaveOneLine() {
        FletchException e =
                assertThrows(
                        FletchException.class,
                        () ->
                                one(Tree.of("a\nb", Type.BOOL), 1, 0, 0, 1)
                                        .values(0, ValueType.INT8, slice));
        assertEquals(1, e.getMessage().lines().count());
        e = assertThrows(FletchException.class, () -> layout.column("x\ny"));
        assertEquals(1, e.getMessage().lines().count());
    }

    @Test
    void readingBytesOfTypesWithoutBytesThrows() {
        ColumnValues values = new ColumnValues();
        Dictionaries dictionaries = FileBatches.of(file).dictionaries(null);
        Bound.batch(cursor, layout, file, 0);
        assertThrows(IndexOutOfBoundsException.class, () -> values.bind(cursor, -1, dictionaries));
        int refused = 0;
        for (int f = 0; f < layout.fieldCount(); f++) {
            values.bind(cursor, f, dictionaries);
            boolean hasBytes =
                    layout.typeType(f) == Type.NULL
                            || values.valueType() != ValueType.NONE
                                    && values.valueType() != ValueType.BOOL;
            for (long row = 0; row < values.length() && !hasBytes; row++, refused++) {
                long at = row;
                assertThrows(IllegalStateException.class, () -> values.get(at, slice));
            }
        }
        assertTrue(refused > 0);
    }

    @Test
    void integersAreThoseOfTheirBytes() {
        ColumnValues values = new ColumnValues();
        Set<ValueType> found = new HashSet<>();
        Bound.batch(cursor, layout, file, 0);
        for (int f = 0; f < layout.fieldCount(); f++) {
            ValueType type = layout.valueType(f);
            if (!type.isInteger() || layout.isDictionaryEncoded(f)) {
                continue;
            }
            values.bind(cursor, f);
            for (long row = 0; row < values.length(); row++) {
                if (values.get(row, slice)) {
                    BigInteger number = new BigInteger(reversed(slice.toByteArray()));
                    boolean isUnsigned = type.name().startsWith("U");
                    BigInteger ones =
                            BigInteger.ONE.shiftLeft(type.bits()).subtract(BigInteger.ONE);
                    long expected = (isUnsigned ? number.and(ones) : number).longValue();
                    assertEquals(expected, values.integer(row), type::text);
                    if (number.signum() < 0) {
                        found.add(type);
                    }
                }
            }
        }
        assertEquals(8, found.size(), found::toString);
    }

    private static byte[] reversed(byte[] bytes) {
        byte[] reversed = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            reversed[i] = bytes[bytes.length - 1 - i];
        }
        return reversed;
    }

    @Test
    void anAbsentColumnThrows() {
        FletchException e = assertRule(MeaningRule.NO_COLUMN, () -> layout.field("none"));
        assertEquals("no such column: name=none, columns=" + layout.columnCount(), e.getMessage());
    }

    /// The layout of one column knows its type and byte order, too.
    @Test
    void aLayoutOfOneColumnHasTypedAccess() {
        Schema schema = new Schema();
        file.footer().schema(schema);
        for (int c = 0; c < layout.columnCount(); c++) {
            String name = layout.nameString(layout.columnField(c));
            BatchLayout column =
                    BatchLayout.compile(
                            schema, MetadataVersion.V5, Limits.DEFAULT, Columns.named(name));
            assertEquals(layout.valueType(layout.columnField(c)), column.valueType(0));
            assertEquals(layout.endianness(), column.endianness());
            assertEquals(0, column.find(name));
            assertEquals(-1, column.find(name + "?"));
            ValueType type = column.valueType(0);
            if (type.bits() != 0 && !column.isDictionaryEncoded(0)) {
                Bound.batch(cursor, column, file, 0).values(0, type, slice);
                long offset = slice.offset();
                Bound.batch(cursor, layout, file, 0).values(layout.columnField(c), type, slice);
                assertEquals(offset, slice.offset());
            }
        }
    }
}
