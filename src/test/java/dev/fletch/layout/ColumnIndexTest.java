// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import static dev.fletch.format.MetadataVersion.V4;
import static dev.fletch.format.MetadataVersion.V5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.flatbuf.Fingerprint;
import dev.fletch.flatbuf.FlatBufferFormatException;
import dev.fletch.flatbuf.VerificationException;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.format.Type;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.LargeSchemas;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/// The index of a wide schema: saved and opened again, and what it says of bytes that are not its
/// own.
class ColumnIndexTest {
    private static final int COLUMNS = 500;

    /// How often an index is built anew, with another seed each time.
    private static final int SEEDS = CaseCount.of(20, 150);

    private static final byte[] MESSAGE = LargeSchemas.schemaMessage(COLUMNS);

    private final Schema schema = Bound.schema(MESSAGE.clone());
    private final ColumnLayout column = new ColumnLayout();

    private byte[] built() {
        byte[] bytes = new byte[(int) ColumnIndex.bytesFor(COLUMNS)];
        ColumnIndex.build(schema, V5, MemorySegment.ofArray(bytes));
        return bytes;
    }

    private static void assertFault(LayoutFault fault, Executable task) {
        assertEquals(fault, assertThrows(LayoutException.class, task).fault());
    }

    @Test
    void savedAndMappedAgain(@TempDir Path folder) throws IOException {
        Path path = folder.resolve("table.arrow.columns");
        Files.write(path, new byte[3]);
        byte[] bytes = built();
        ColumnIndex index = ColumnIndex.open(MemorySegment.ofArray(bytes), schema, V5);
        index.saveTo(path);
        assertEquals(ColumnIndex.bytesFor(COLUMNS), Files.size(path));
        try (var files = Files.list(folder)) {
            assertEquals(1, files.count());
        }
        try (Arena arena = Arena.ofConfined();
                FileChannel channel = FileChannel.open(path)) {
            MemorySegment mapped = channel.map(MapMode.READ_ONLY, 0, channel.size(), arena);
            BatchLayout layout = BatchLayout.compile(schema, V5);
            for (ColumnIndex each :
                    new ColumnIndex[] {
                        ColumnIndex.open(mapped, schema, V5),
                        ColumnIndex.openQuick(mapped, schema, V5)
                    }) {
                assertEquals(COLUMNS, each.columnCount());
                assertEquals(V5, each.version());
                assertEquals(mapped.byteSize(), each.memory().byteSize());
                for (int c = 0; c < COLUMNS; c++) {
                    assertTrue(each.find(schema, "column_" + c, column));
                    int field = layout.columnField(c);
                    assertEquals(c, column.column());
                    assertEquals(field, column.firstNode());
                    assertEquals(layout.bufferIndex(field), column.firstBuffer());
                    assertEquals(layout.end(field) - field, column.fieldCount());
                }
                assertFalse(each.find(schema, "column_" + COLUMNS, column));
                assertEquals(-1, column.column());
            }
        }
    }

    @Test
    void sizeIsKnownBefore() {
        assertEquals(136 + 4 * (256 + 1) + 4 * 500 + 16 * 501, ColumnIndex.bytesFor(500));
        assertEquals(136 + 4 * 2 + 16, ColumnIndex.bytesFor(0));
        assertTrue(ColumnIndex.bytesFor(2_000_000) < 2_000_000L * 26);
        MemorySegment small = MemorySegment.ofArray(new byte[1000]);
        assertFault(LayoutFault.INDEX_MEMORY, () -> ColumnIndex.build(schema, V5, small));
        byte[] bytes = new byte[(int) ColumnIndex.bytesFor(COLUMNS) + 100];
        var index = ColumnIndex.build(schema, V5, MemorySegment.ofArray(bytes));
        assertEquals(ColumnIndex.bytesFor(COLUMNS), index.memory().byteSize());
    }

    @Test
    void emptySchema() {
        Schema empty = Bound.schema(Hostile.emptySchema());
        MemorySegment memory = MemorySegment.ofArray(new byte[(int) ColumnIndex.bytesFor(0)]);
        assertFalse(ColumnIndex.build(empty, V5, memory).find(empty, "a", column));
        assertFalse(ColumnIndex.open(memory, empty, V5).find(empty, "", column));
    }

    @Test
    void limitsHoldWhileBuilding() {
        Schema hostile = Bound.schema(Hostile.doubling(60, false));
        MemorySegment memory = MemorySegment.ofArray(new byte[(int) ColumnIndex.bytesFor(1)]);
        assertFault(LayoutFault.TOO_MANY_FIELDS, () -> ColumnIndex.build(hostile, V5, memory));
        ColumnScan scan = new ColumnScan().wrap(hostile, V5);
        assertFault(LayoutFault.TOO_MANY_FIELDS, () -> scan.find("y", column));
        ColumnLayout trusting = ColumnLayout.ofVerified();
        assertFault(LayoutFault.TOO_MANY_FIELDS, () -> scan.find("x", trusting));
        assertThrows(VerificationException.class, () -> scan.find("x", column));
        LayoutLimits shallow = new LayoutLimits(1, 1000);
        MemorySegment roomy = MemorySegment.ofArray(built());
        assertFault(LayoutFault.TOO_DEEP, () -> ColumnIndex.build(schema, V5, roomy, shallow));
        ColumnScan flat = new ColumnScan().wrap(schema, V5, shallow);
        assertFault(LayoutFault.TOO_DEEP, () -> flat.find("column_6", column));
        assertTrue(flat.find("column_4", column));
        assertFault(LayoutFault.UNSUPPORTED_VERSION, () -> ColumnIndex.build(schema, 2, roomy));
        assertFault(LayoutFault.UNSUPPORTED_VERSION, () -> new ColumnScan().wrap(schema, 9));
    }

    // ---- Batches

    @Test
    void batchMustHaveExactlyWhatAllColumnsHave() {
        byte[] small =
                Tree.message(Tree.of("a", Type.INT), Tree.of("v", Type.UTF8_VIEW), Tree.of("z", 5));
        Schema views = Bound.schema(small);
        MemorySegment memory = MemorySegment.ofArray(new byte[(int) ColumnIndex.bytesFor(3)]);
        ColumnIndex index = ColumnIndex.build(views, V5, memory);
        assertTrue(index.find(views, "v", column));
        MemorySegment body = MemorySegment.ofArray(new byte[200]);
        BatchCursor cursor = new BatchCursor();
        RecordBatch right = Bound.batch(Tree.numberedBatch(3, 9, new long[] {2}));
        assertEquals(4, cursor.bind(column, right, body).column(0).bufferCount());
        assertEquals(2, cursor.bufferIndex(0));
        assertTrue(index.find(views, "z", column));
        assertEquals(6, cursor.bind(column, right, body).field(0).bufferIndex(0));
        for (RecordBatch wrong :
                new RecordBatch[] {
                    Bound.batch(Tree.numberedBatch(4, 9, new long[] {2})),
                    Bound.batch(Tree.numberedBatch(2, 9, new long[] {2})),
                    Bound.batch(Tree.numberedBatch(3, 10, new long[] {2})),
                    Bound.batch(Tree.numberedBatch(3, 8, new long[] {2})),
                    Bound.batch(Tree.numberedBatch(3, 9, new long[] {1})),
                    Bound.batch(Tree.numberedBatch(3, 9, new long[] {2, 1})),
                    Bound.batch(Tree.numberedBatch(3, 9, new long[] {}))
                }) {
            assertThrows(LayoutException.class, () -> cursor.bind(column, wrong, body));
        }
    }

    // ---- Stale

    @Test
    void anyChangeOfTheSchemaIsSeen() {
        MemorySegment saved = MemorySegment.ofArray(built());
        byte[] changed = MESSAGE.clone();
        long first = schema.position(); // what is before says nothing of the schema
        int refused = 0;
        int quick = 0;
        for (int at = 0; at < changed.length; at += 7) {
            changed[at] ^= 1;
            Schema other = new Schema();
            if (bound(changed, other)) {
                if (at >= first) {
                    assertFault(LayoutFault.STALE_INDEX, () -> ColumnIndex.open(saved, other, V5));
                    refused++;
                }
                quick += quickly(saved, other);
            }
            changed[at] ^= 1;
        }
        System.out.printf("Stale indexes: %d refused, %d of them quickly%n", refused, quick);
        assertTrue(refused > changed.length / 8);
        assertFault(LayoutFault.STALE_INDEX, () -> ColumnIndex.open(saved, schema, V4));
        Schema wider = Bound.schema(LargeSchemas.schemaMessage(COLUMNS + 1));
        assertFault(LayoutFault.STALE_INDEX, () -> ColumnIndex.openQuick(saved, wider, V5));
        ColumnIndex index = ColumnIndex.openQuick(saved, schema, V5);
        assertFault(LayoutFault.STALE_INDEX, () -> index.find(wider, "column_1", column));
        assertFault(LayoutFault.STALE_INDEX, () -> index.verify(wider));
        index.verify(schema);
    }

    private static boolean bound(byte[] bytes, Schema schema) {
        try {
            return new dev.fletch.format.Message()
                    .wrap(MemorySegment.ofArray(bytes))
                    .header(schema);
        } catch (FlatBufferFormatException e) {
            return false;
        }
    }

    private static int quickly(MemorySegment saved, Schema other) {
        try {
            ColumnIndex.openQuick(saved, other, V5);
            return 0;
        } catch (LayoutException e) {
            assertEquals(LayoutFault.STALE_INDEX, e.fault());
            return 1;
        }
    }

    /// What a quick opening does not see shows when the column is used: another name, another
    /// shape.
    @Test
    void columnsAreHeldAgainstTheSchemaWhenUsed() {
        int at = indexOf(MESSAGE, "column_250");
        byte[] renamed = MESSAGE.clone();
        renamed[at + 9] = 'x';
        ColumnIndex index = ColumnIndex.openQuick(MemorySegment.ofArray(built()), schema, V5);
        Schema other = Bound.schema(renamed);
        assertFault(LayoutFault.STALE_INDEX, () -> index.find(other, "column_250", column));
        assertEquals(-1, column.column());
        int found = 0;
        for (int c = 251; c < 281; c++) {
            try {
                found += index.find(other, "column_" + c, column) ? 1 : 0;
            } catch (LayoutException e) { // it shares a bucket with the one that was renamed
                assertEquals(LayoutFault.STALE_INDEX, e.fault());
            }
        }
        assertTrue(found > 20, found + " found");
        byte[] retyped =
                LargeSchemas.schemaMessage(COLUMNS); // column 1 is utf8, with three buffers
        Schema typed = Bound.schema(retyped);
        var field = typed.fields(1, new dev.fletch.format.Field());
        int typeAt = typeAt(retyped, (int) field.position());
        assertEquals(Type.UTF8, retyped[typeAt]);
        retyped[typeAt] = Type.INT;
        assertFault(LayoutFault.STALE_INDEX, () -> index.find(typed, "column_1", column));
        assertTrue(index.find(typed, "column_2", column));
    }

    private static int indexOf(byte[] bytes, String text) {
        String all = new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1);
        return all.indexOf(text);
    }

    private static int typeAt(byte[] bytes, int table) {
        var buffer = java.nio.ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int vtable = table - buffer.getInt(table);
        return table + buffer.getShort(vtable + 4 + 2 * dev.fletch.format.Field.TYPE_TYPE_SLOT);
    }

    // ---- Damaged

    @Test
    void anyChangeOfTheIndexIsSeen() {
        byte[] bytes = built();
        MemorySegment saved = MemorySegment.ofArray(bytes);
        for (int at = 0; at < bytes.length; at++) {
            for (int mask : new int[] {1, 0x80, 0xFF}) {
                bytes[at] ^= (byte) mask;
                LayoutException e =
                        assertThrows(
                                LayoutException.class, () -> ColumnIndex.open(saved, schema, V5));
                assertTrue(
                        e.fault() == LayoutFault.DAMAGED_INDEX || e.fault() == LayoutFault.NO_INDEX,
                        e.getMessage());
                bytes[at] ^= (byte) mask;
            }
        }
        for (int length = 0; length < bytes.length; length += 13) {
            MemorySegment cut = saved.asSlice(0, length);
            assertThrows(LayoutException.class, () -> ColumnIndex.open(cut, schema, V5));
        }
        MemorySegment longer =
                MemorySegment.ofArray(java.util.Arrays.copyOf(bytes, bytes.length + 1));
        assertFault(LayoutFault.DAMAGED_INDEX, () -> ColumnIndex.open(longer, schema, V5));
        assertFault(
                LayoutFault.NO_INDEX,
                () -> ColumnIndex.open(MemorySegment.ofArray(MESSAGE), schema, V5));
    }

    /// A single wrong bit behind a quick opening: each lookup is right, or tells of it.
    @Test
    void noBitHidesAColumn() {
        int told = damaged(columnsOfOneNameAmongOthers(), 136, Integer.MAX_VALUE);
        assertTrue(told > 1_000, told + " told");
    }

    /// The same for the order of columns, which is another one with every seed: which columns share
    /// a bucket differs.
    @Test
    void noBitOfTheOrderHidesAColumnWhateverTheSeed() {
        Tree[] columns = columnsOfOneNameAmongOthers();
        int order = 136 + (16 + 1) * Integer.BYTES;
        int told = 0;
        for (int i = 0; i < SEEDS; i++) {
            told += damaged(columns, order, order + columns.length * Integer.BYTES);
        }
        assertTrue(told > SEEDS * 66, told + " told");
    }

    private static Tree[] columnsOfOneNameAmongOthers() {
        Tree[] columns = new Tree[24];
        for (int i = 0; i < columns.length; i++) {
            columns[i] = Tree.of(i % 6 == 5 ? "same" : "c" + i, i % 2 == 0 ? Type.INT : Type.UTF8);
        }
        return columns;
    }

    /// Looks for all columns with each bit of some bytes wrong.
    ///
    /// @return how many lookups told of it
    private int damaged(Tree[] columns, int from, int to) {
        Schema small = Bound.schema(Tree.message(columns));
        BatchLayout layout = BatchLayout.compile(small, V5);
        byte[] bytes = new byte[(int) ColumnIndex.bytesFor(columns.length)];
        MemorySegment memory = MemorySegment.ofArray(bytes);
        ColumnIndex.build(small, V5, memory);
        int told = 0;
        for (int bit = from * 8; bit < Math.min(to, bytes.length) * 8; bit++) {
            bytes[bit >> 3] ^= (byte) (1 << (bit & 7));
            ColumnIndex index = ColumnIndex.openQuick(memory, small, V5);
            for (Tree each : columns) {
                told += right(index, small, layout, each.name()) ? 0 : 1;
            }
            told += right(index, small, layout, "none") ? 0 : 1;
            bytes[bit >> 3] ^= (byte) (1 << (bit & 7));
        }
        return told;
    }

    /// Looks for all columns of a name.
    private boolean right(ColumnIndex index, Schema of, BatchLayout layout, String name) {
        try {
            int expected = layout.find(name);
            boolean found = index.find(of, name, column);
            while (expected >= 0) {
                assertTrue(found, name);
                assertEquals(expected, column.column());
                int field = layout.columnField(expected);
                assertEquals(field, column.firstNode());
                assertEquals(layout.bufferIndex(field), column.firstBuffer());
                expected = layout.findNext(name, expected);
                found = index.findNext(of, column);
            }
            assertFalse(found, name);
            return true;
        } catch (LayoutException e) {
            return false;
        }
    }

    /// The saved file is one like any other that the process writes.
    @Test
    void savedFileHasUsualPermissions(@TempDir Path folder) throws IOException {
        Path usual = Files.write(folder.resolve("usual"), new byte[1]);
        assumeTrue(Files.getFileStore(usual).supportsFileAttributeView("posix"));
        Path path = folder.resolve("index");
        ColumnIndex.open(MemorySegment.ofArray(built()), schema, V5).saveTo(path);
        assertEquals(Files.getPosixFilePermissions(usual), Files.getPosixFilePermissions(path));
        ColumnIndex.open(MemorySegment.ofArray(built()), schema, V5).saveTo(path);
        assertEquals(2, folder.toFile().list().length);
    }

    /// An index that somebody wrote by intent, with checksums that are right: whatever it says, a
    /// column that is found has the wanted name, and nothing but documented exceptions comes out.
    @Test
    void hostileContent() {
        byte[] bytes = built();
        Random random = new Random(3);
        int found = 0;
        int refused = 0;
        for (int round = 0; round < 4_000; round++) {
            byte[] hostile = bytes.clone();
            MemorySegment memory = MemorySegment.ofArray(hostile);
            int changes = 1 + random.nextInt(40);
            for (int i = 0; i < changes; i++) {
                int at = 88 + random.nextInt((hostile.length - 92) / 4) * 4;
                int value =
                        random.nextBoolean() ? random.nextInt() : random.nextInt(-2, COLUMNS + 2);
                memory.set(ValueLayout.JAVA_INT_UNALIGNED, at, value);
            }
            sign(memory);
            ColumnIndex index = ColumnIndex.openQuick(memory, schema, V5);
            for (int c = 0; c < COLUMNS; c += 50) {
                String name = "column_" + random.nextInt(COLUMNS);
                try {
                    if (index.find(schema, name, column)) {
                        assertEquals(name, column.nameString(0));
                        found++;
                    }
                } catch (LayoutException e) {
                    assertEquals(-1, column.column());
                    refused++;
                }
            }
        }
        assertTrue(found > 1_000 && refused > 1_000, found + " found, " + refused + " refused");
    }

    private static void sign(MemorySegment memory) {
        var words = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
        ByteSlice header = new ByteSlice().wrap(memory, 0, 128);
        memory.set(words, 128, new Fingerprint().of(header).low());
    }
}
