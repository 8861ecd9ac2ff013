// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import static dev.fletch.format.MetadataVersion.V5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.flatbuffers.FlatBufferBuilder;

import dev.fletch.flatbuf.Fingerprint;
import dev.fletch.flatbuf.FlatBufferFormatException;
import dev.fletch.format.Footer;
import dev.fletch.format.Schema;
import dev.fletch.format.Type;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.testdata.Goldens;

import org.apache.arrow.flatbuf.Block;
import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// One index for all buffers that have the same schema bytes, and for none that has others.
class SharedIndexTest {
    private static final Tree[] COLUMNS = {
        Tree.of("a", Type.INT),
        Tree.of("s", Type.STRUCT_, Tree.of("b", Type.UTF8), Tree.of("c", Type.LIST_VIEW)),
        Tree.union("u", 1, Tree.of("x", Type.UTF8_VIEW), Tree.of("y", Type.INT)),
        Tree.of("e", Type.LIST, Tree.of("item", Type.INT)).encoded(4),
        Tree.of("z", Type.UTF8),
    };

    private final ColumnLayout column = new ColumnLayout();

    private static ColumnIndex built(Schema schema) {
        int size = (int) ColumnIndex.bytesFor(schema.fieldsCount());
        return ColumnIndex.build(schema, V5, MemorySegment.ofArray(new byte[size]));
    }

    /// A footer that begins as flatc's builder lets it: the schema first, and so at the end.
    private static byte[] footer(int blocks, boolean withMetadata, Tree... columns) {
        FlatBufferBuilder builder = new FlatBufferBuilder();
        int schema = Tree.schema(builder, List.of(columns));
        int pairs = withMetadata ? Tree.pairs(builder, "key", "value") : Tree.NONE;
        org.apache.arrow.flatbuf.Footer.startRecordBatchesVector(builder, blocks);
        for (int i = blocks - 1; i >= 0; i--) {
            Block.createBlock(builder, 8L * i, 8 * i, 16L * i);
        }
        int vector = builder.endVector();
        builder.finish(
                org.apache.arrow.flatbuf.Footer.createFooter(
                        builder, (short) V5, schema, Tree.NONE, vector, pairs));
        return builder.sizedByteArray();
    }

    private static Schema inFooter(byte[] footer) {
        Schema schema = new Schema();
        assertTrue(new Footer().wrap(MemorySegment.ofArray(footer)).schema(schema));
        return schema;
    }

    private static void assertStale(org.junit.jupiter.api.function.Executable task) {
        LayoutException e = assertThrows(LayoutException.class, task);
        assertEquals(LayoutFault.STALE_INDEX, e.fault());
    }

    @Test
    void footersWithOtherBlocksAndMetadata() {
        MemorySegment saved = built(inFooter(footer(3, false, COLUMNS))).memory();
        for (int blocks : new int[] {0, 1, 3, 50}) {
            for (boolean withMetadata : new boolean[] {false, true}) {
                Schema schema = inFooter(footer(blocks, withMetadata, COLUMNS));
                compare(ColumnIndex.open(saved, schema, V5), schema);
                if (blocks != 3 || withMetadata) {
                    assertStale(() -> ColumnIndex.openQuick(saved, schema, V5));
                }
            }
        }
        Schema message = Bound.schema(Tree.message(COLUMNS));
        compare(ColumnIndex.open(saved, message, V5), message);
    }

    /// Bound to another buffer it opens quickly there, and at the old place by its schema's bytes.
    @Test
    void boundToAnotherBuffer() {
        Schema first = inFooter(footer(3, false, COLUMNS));
        Schema second = inFooter(footer(9, true, COLUMNS));
        ColumnIndex index = built(first);
        MemorySegment memory = MemorySegment.ofArray(new byte[(int) ColumnIndex.bytesFor(5) + 9]);
        ColumnIndex bound = index.boundTo(second, memory);
        assertEquals(index.memory().byteSize(), bound.memory().byteSize());
        compare(ColumnIndex.openQuick(bound.memory(), second, V5), second);
        compare(ColumnIndex.open(bound.memory(), second, V5), second);
        compare(ColumnIndex.open(bound.memory(), first, V5), first);
        assertStale(() -> ColumnIndex.openQuick(bound.memory(), first, V5));
        compare(ColumnIndex.openQuick(index.memory(), first, V5), first);
        index.boundTo(second, index.memory());
        assertEquals(-1, index.memory().mismatch(bound.memory()));
        MemorySegment small = MemorySegment.ofArray(new byte[100]);
        LayoutException e = assertThrows(LayoutException.class, () -> index.boundTo(first, small));
        assertEquals(LayoutFault.INDEX_MEMORY, e.fault());
        Schema other = inFooter(footer(3, false, Arrays.copyOf(COLUMNS, 4)));
        assertStale(() -> index.boundTo(other, index.memory()));
    }

    /// Every change of every byte: the index is refused, or all that it says is right.
    @Test
    void noByteOfTheSchemaChangesUnseen() {
        byte[] whole = footer(2, true, COLUMNS);
        Schema schema = inFooter(whole);
        MemorySegment saved = built(schema).memory();
        int first = (int) schema.position();
        int refused = 0;
        int accepted = 0;
        for (int at = 0; at < whole.length; at++) {
            for (int mask : new int[] {1, 2, 4, 8, 16, 32, 64, 128, 255}) {
                byte[] changed = whole.clone();
                changed[at] ^= (byte) mask;
                Schema other = new Schema();
                try {
                    if (!new Footer().wrap(MemorySegment.ofArray(changed)).schema(other)) {
                        continue;
                    }
                } catch (FlatBufferFormatException e) {
                    continue;
                }
                if (at >= first) {
                    assertStale(() -> ColumnIndex.open(saved, other, V5));
                    refused++;
                } else if (isOpened(saved, other)) {
                    compare(ColumnIndex.open(saved, other, V5), other);
                    accepted++;
                }
            }
        }
        assertTrue(refused > 3_000 && accepted > 300, refused + " refused, " + accepted);
    }

    /// A vtable may lie before the schema's table: then it is a part of what is compared.
    @Test
    void vtablesBeforeTheSchemaCount() {
        byte[] whole = footer(2, false, COLUMNS);
        Schema schema = inFooter(whole);
        int field = (int) schema.fields(2, new dev.fletch.format.Field()).position();
        ByteBuffer bytes = ByteBuffer.wrap(whole).order(ByteOrder.LITTLE_ENDIAN);
        int vtable = field - bytes.getInt(field);
        int size = bytes.getShort(vtable);
        // In front of everything, a copy that only the third column uses; all positions move.
        int shift = 32;
        byte[] moved = new byte[whole.length + shift];
        System.arraycopy(whole, 0, moved, shift, whole.length);
        System.arraycopy(whole, vtable, moved, 8, size);
        ByteBuffer target = ByteBuffer.wrap(moved).order(ByteOrder.LITTLE_ENDIAN);
        target.putInt(0, bytes.getInt(0) + shift);
        target.putInt(field + shift, field + shift - 8);
        Schema own = inFooter(moved);
        MemorySegment saved = built(own).memory();
        compare(ColumnIndex.open(saved, own, V5), own);
        int typeSlot = 8 + 4 + 2 * dev.fletch.format.Field.TYPE_TYPE_SLOT;
        target.putShort(typeSlot, (short) 0);
        assertStale(() -> ColumnIndex.open(saved, inFooter(moved), V5));
    }

    private static boolean isOpened(MemorySegment saved, Schema schema) {
        try {
            ColumnIndex.open(saved, schema, V5);
            return true;
        } catch (LayoutException e) {
            assertEquals(LayoutFault.STALE_INDEX, e.fault());
            return false;
        }
    }

    private void compare(ColumnIndex index, Schema schema) {
        BatchLayout layout = BatchLayout.compile(schema, index.version());
        assertEquals(layout.columnCount(), index.columnCount());
        for (int c = 0; c < layout.columnCount(); c++) {
            int field = layout.columnField(c);
            String name = layout.nameString(field);
            if (!layout.nameEquals(field, name) || layout.find(name) != c) {
                index.column(schema, c, column);
            } else {
                assertTrue(index.find(schema, name, column), name);
            }
            assertEquals(c, column.column());
            assertEquals(field, column.firstNode());
            if (layout.firstUnknown() < 0 || field <= layout.firstUnknown()) {
                assertEquals(layout.bufferIndex(field), column.firstBuffer());
            }
            assertEquals(layout.end(field) - field, column.fieldCount());
        }
    }

    // ---- golden files

    private record Place(String title, Schema schema, int version, byte[] image) {}

    /// Every schema of a footer, of a file's first message, and of a stream, beside every other one
    /// that says the same of its columns.
    @Test
    void goldensOfTheSameSchema() {
        List<Place> places = new ArrayList<>();
        for (Path golden : Goldens.all()) {
            byte[] bytes = Goldens.read(golden);
            boolean isFile = Goldens.isFile(golden);
            add(places, Goldens.title(golden), Bound.schema(firstMessage(bytes, isFile ? 8 : 0)));
            if (isFile) {
                ArrowFile file = ArrowFile.of(MemorySegment.ofArray(bytes));
                Schema schema = new Schema();
                file.footer().schema(schema);
                add(places, Goldens.title(golden) + " footer", schema);
            }
        }
        int same = 0;
        int shared = 0;
        int otherFile = 0;
        int otherShared = 0;
        for (Place one : places) {
            MemorySegment saved = built(one.schema()).memory();
            for (Place two : places) {
                boolean isSame = Arrays.equals(one.image(), two.image());
                if (one == two || one.schema().fieldsCount() == 0) {
                    continue;
                }
                boolean isOpened = isOpened(saved, two.schema());
                assertTrue(isSame || !isOpened, one.title() + " " + two.title());
                same += isSame ? 1 : 0;
                if (isOpened) {
                    shared++;
                    compare(ColumnIndex.open(saved, two.schema(), V5), two.schema());
                }
                boolean isOther = !name(one).equals(name(two)) && isSame;
                otherFile += isOther ? 1 : 0;
                otherShared += isOther && isOpened ? 1 : 0;
            }
        }
        System.out.printf(
                "Shared indexes: %d schemas, %d of %d pairs of the same columns, %d of %d of them"
                        + " in different files%n",
                places.size(), shared, same, otherShared, otherFile);
        assertTrue(shared > 0);
        assertFalse(shared > same);
    }

    private static String name(Place place) {
        return place.title().split(" ")[0];
    }

    private static void add(List<Place> places, String title, Schema schema) {
        SchemaImage image = new SchemaImage();
        image.take(schema, LayoutLimits.DEFAULT, new Fingerprint());
        places.add(new Place(title, schema, V5, image.copy()));
    }

    private static byte[] firstMessage(byte[] bytes, int at) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        boolean isLong = buffer.getInt(at) == -1;
        int from = at + (isLong ? 8 : 4);
        return Arrays.copyOfRange(bytes, from, from + buffer.getInt(from - 4));
    }
}
