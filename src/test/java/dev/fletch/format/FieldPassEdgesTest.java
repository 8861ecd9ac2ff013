// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.fletch.FletchException;
import dev.fletch.format.ids.Type;
import dev.fletch.format.internal.FieldWalk;

import org.junit.jupiter.api.Test;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Names that differ in little or lie at the very end of the memory, and fields amid zeros and
/// offsets that belong to nobody: for [FieldWalk#find] and [FieldWalk#passAlike].
class FieldPassEdgesTest {
    /// In memory that ends where the bytes end.
    private static void inEveryMemory(byte[] bytes, Consumer<Schema> test) {
        inFastMemory(bytes, test);
        test.accept(new Schema().wrap(MemorySegment.ofArray(bytes).asReadOnly()));
    }

    /// In memory in which columns are passed by a loop.
    private static void inFastMemory(byte[] bytes, Consumer<Schema> test) {
        MemorySegment heap = MemorySegment.ofArray(bytes);
        try (Arena arena = Arena.ofConfined()) {
            test.accept(new Schema().wrap(heap));
            test.accept(new Schema().wrap(arena.allocate(bytes.length).copyFrom(heap)));
        }
    }

    private static int find(Schema schema, String name) {
        return new FieldWalk().wrap(schema).find(name.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void nothingIsPassedBeforeTheFirstPass() {
        assertEquals(0, new FieldWalk().passedWeight());
    }

    @Test
    void namesThatDifferInOneByteAreToldApart() {
        for (int length : new int[] {1, 2, 7, 8, 9, 15, 16, 17, 24, 31}) {
            String[] names = new String[length];
            List<FieldPassTest.Node> columns = new ArrayList<>();
            for (int i = 0; i < length; i++) {
                names[i] = "a".repeat(i) + "b" + "a".repeat(length - 1 - i);
                columns.add(new FieldPassTest.Node(names[i], Type.NULL, false, List.of()));
            }
            inEveryMemory(
                    FieldPassTest.schema(columns),
                    schema -> {
                        for (int i = 0; i < names.length; i++) {
                            assertEquals(i, find(schema, names[i]));
                        }
                        assertEquals(-1, find(schema, "a".repeat(length)));
                        assertEquals(-1, find(schema, "c" + "a".repeat(length - 1)));
                    });
        }
    }

    // ---- at the very end

    /// A column of the name "first"; a second one is to be at 60.
    private static RawBuffer first(int size) {
        RawBuffer raw = new RawBuffer(size).offset(0, 12).vtable(4, 0, 4).table(12, 4);
        raw.offset(16, 20).i32(20, 2).offset(24, 40).offset(28, 60);
        raw.vtable(32, 4).table(40, 32).offset(44, 48).i32(48, 5);
        return text(raw, 52, "first");
    }

    private static RawBuffer text(RawBuffer raw, int at, String text) {
        for (int i = 0; i < text.length(); i++) {
            raw.u8(at + i, text.charAt(i));
        }
        return raw;
    }

    /// The name of the second column, as absent ones read, is the only one that leads there.
    private static void assertSecond(String name, RawBuffer raw) {
        inEveryMemory(
                raw.bytes(),
                schema -> {
                    assertEquals(0, find(schema, "first"));
                    assertEquals(1, find(schema, name));
                    for (String other :
                            new String[] {"", "x", "xyz", "abcd", "other", "x".repeat(9)}) {
                        assertEquals(other.equals(name) ? 1 : -1, find(schema, other));
                    }
                });
    }

    @Test
    void namesAtTheEndOfTheMemoryAreFound() {
        for (String name :
                new String[] {"abc", "a", "12345", "exactly8", "nine_nine", "and_a_longer_one"}) {
            RawBuffer raw = first(72 + name.length()).table(60, 32).offset(64, 68);
            assertSecond(name, text(raw.i32(68, name.length()), 72, name));
        }
        assertSecond("", first(72).table(60, 32).offset(64, 68)); // an empty name
        assertSecond("", first(68).vtable(64).table(60, 64)); // its vtable, without a slot
        assertSecond("", first(68).table(60, 32)); // its name's offset, which is 0
        RawBuffer table = first(68).offset(28, 64).vtable(60).table(64, 60);
        assertSecond("", table); // the table itself
    }

    /// Two bytes behind a vtable without slots would be the distance of a name.
    @Test
    void bytesAfterAVtableAreNoSlots() {
        RawBuffer raw = first(120).offset(28, 68).vtable(60).u16(64, 8).table(68, 60);
        assertSecond("", text(raw.offset(76, 80).i32(80, 3), 84, "xyz"));
    }

    @Test
    void aTruncatedNameIsRefusedIfItCouldMatch() {
        for (int length = 1; length < 30; length++) {
            for (int missing = 1; missing <= length; missing += 3) {
                RawBuffer raw = first(72 + length - missing).table(60, 32).offset(64, 68);
                String name = "n".repeat(length);
                text(raw.i32(68, length), 72, name.substring(missing));
                inEveryMemory(
                        raw.bytes(),
                        schema -> assertThrows(FletchException.class, () -> find(schema, name)));
            }
        }
    }

    // ---- fields amid zeros

    /// A field with two children, the second of which may have one; all have one vtable and name.
    private static RawBuffer family(boolean hasThird) {
        RawBuffer raw = new RawBuffer(700).offset(0, 16).vtable(4, 0, 4).table(16, 4);
        raw.offset(20, 24).i32(24, 1).offset(28, 200);
        raw.vtable(100, 4, 0, 8, 0, 0, 12).i32(400, 1).u8(404, 'p');
        field(raw, 200, 240);
        raw.i32(240, 2).offset(244, 260).offset(248, 280);
        raw.offset(252, 260); // behind the vector
        field(raw, 260, 408);
        field(raw, 280, hasThird ? 440 : 408);
        raw.i32(440, 1).offset(444, 520).i32(608, 1).u8(612, 'r');
        return field(raw, 520, 600).offset(524, 608);
    }

    private static RawBuffer field(RawBuffer raw, int at, int children) {
        return raw.table(at, 100)
                .offset(at + 4, 400)
                .u8(at + 8, Type.STRUCT_)
                .offset(at + 12, children);
    }

    @Test
    void zerosAndOffsetsAroundFieldsAreIgnored() {
        long[] weights = new long[256];
        weights[Type.STRUCT_] = 5;
        for (boolean hasThird : new boolean[] {false, true}) {
            int fields = hasThird ? 0 : 3; // a child's child is not passed
            inFastMemory(
                    family(hasThird).bytes(),
                    schema -> {
                        FieldWalk scan = new FieldWalk().wrap(schema);
                        assertEquals(fields, scan.passAlike(1, weights, 99));
                        assertEquals(5 * fields, scan.passedWeight());
                    });
        }
    }

    /// Another vtable in the same place, of other bytes.
    @Test
    void aVtableOfOtherBytesIsNotReused() {
        FieldWalk scan = new FieldWalk();
        long[] weights = new long[256];
        inFastMemory(
                family(false).bytes(),
                schema -> {
                    assertEquals(3, scan.wrap(schema).passAlike(1, weights, 99));
                    byte[] alone = family(false).vtable(100, 4, 0, 8, 0, 0, 0).bytes();
                    Schema other = new Schema().wrap(MemorySegment.ofArray(alone));
                    assertEquals(1, scan.wrap(other).passAlike(1, weights, 99));
                });
    }
}
