// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.differential;

import static dev.fletch.StructureRule.DEPTH_LIMIT;
import static dev.fletch.StructureRule.OFFSET_TOO_LARGE;
import static dev.fletch.StructureRule.SCALAR_MISALIGNED;
import static dev.fletch.StructureRule.SCALAR_OUT_OF_RANGE;
import static dev.fletch.StructureRule.STRING_LENGTH_OUT_OF_RANGE;
import static dev.fletch.StructureRule.STRING_UNTERMINATED;
import static dev.fletch.StructureRule.TABLE_LIMIT;
import static dev.fletch.StructureRule.UNION_TAG_OUT_OF_RANGE;
import static dev.fletch.StructureRule.VECTOR_COUNT_OUT_OF_RANGE;
import static dev.fletch.StructureRule.VECTOR_TOO_LONG;
import static dev.fletch.StructureRule.VTABLE_MISALIGNED;
import static dev.fletch.StructureRule.VTABLE_OUT_OF_RANGE;
import static dev.fletch.StructureRule.VTABLE_SIZE_OUT_OF_RANGE;

import dev.fletch.format.Footer;
import dev.fletch.format.Message;
import dev.fletch.format.RawBuffer;
import dev.fletch.format.Schema;
import dev.fletch.format.Tensor;
import dev.fletch.format.Verifier.Root;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.testdata.CaseCount;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.util.Arrays;

/// Buffers that no writer makes, which both verifiers accept, and the numbers at which that ends.
class OddBuffersTest {
    private static final int TABLE = 8;
    private static final int SIZE = 64;
    private static final int MAX_BYTES = Integer.MAX_VALUE;
    private static BothVerifiers both;

    @BeforeAll
    static void start() {
        both = new BothVerifiers();
    }

    @AfterAll
    static void end() {
        System.out.println("Odd buffers: " + both);
        both.close();
    }

    private static RawBuffer rootAt(int position) {
        return new RawBuffer(SIZE).i32(0, position);
    }

    /// A table with one slot set; its vtable is behind it.
    private static RawBuffer table(int slot, int value, int size) {
        return new RawBuffer(size)
                .offset(0, TABLE)
                .table(TABLE, 32)
                .vtable(32, CraftedBuffers.slots(slot, value));
    }

    // ---- vtables

    @Test
    void vtablesWithoutSlotsAreAccepted() {
        for (int bytes : new int[] {0, 2, 4}) {
            both.accept(Root.SCHEMA, rootAt(TABLE).table(TABLE, 32).u16(32, bytes));
        }
    }

    @Test
    void aVtableMayOverlapItsTableOrTheRootOffset() {
        // The table's word is 0, and so is the size of the vtable that it leads to.
        both.accept(Root.SCHEMA, rootAt(TABLE));
        // The first two slots are the way from the table to the vtable: 4, and 0.
        both.accept(Root.SCHEMA, rootAt(TABLE).u16(TABLE - 4, 8).table(TABLE, TABLE - 4));
        // The number that the slot leads to is the vtable's own size.
        both.accept(Root.SCHEMA, rootAt(TABLE).table(TABLE, TABLE + 4).vtable(TABLE + 4, 4));
        both.accept(Root.SCHEMA, rootAt(TABLE).table(TABLE, 0));
        both.accept(Root.MESSAGE, rootAt(4).table(4, 0));
    }

    @Test
    void vtablesMayEndWithTheBuffer() {
        both.accept(Root.SCHEMA, rootAt(TABLE).table(TABLE, SIZE - 2));
        // One byte is left for a size of two.
        RawBuffer odd = new RawBuffer(SIZE + 1).offset(0, TABLE).table(TABLE, SIZE);
        both.refuse(VTABLE_OUT_OF_RANGE, Root.SCHEMA, odd);
        for (int slots = 1; slots <= 12; slots++) {
            int at = SIZE - 4 - 2 * slots;
            both.accept(Root.SCHEMA, rootAt(TABLE).table(TABLE, at).vtable(at, new int[slots]));
            both.refuse(
                    VTABLE_SIZE_OUT_OF_RANGE,
                    Root.SCHEMA,
                    rootAt(TABLE).table(TABLE, at + 2).u16(at + 2, 4 + 2 * slots));
        }
    }

    /// The vtable of a column is the last thing there is, so that its slots cannot be read in two
    /// words; slot 6 stands in the second one.
    @Test
    void slotsOfAVtableAtTheEndAreRead() {
        RawBuffer raw = new RawBuffer(58).offset(0, 12).vtable(4, 0, 4).table(12, 4);
        raw.offset(16, 20).i32(20, 1).offset(24, 28).table(28, 40).offset(32, 36);
        raw.vtable(40, 0, 0, 0, 0, 0, 0, 4);
        both.accept(Root.SCHEMA, raw);
        both.refuse(VECTOR_COUNT_OUT_OF_RANGE, Root.SCHEMA, raw.i32(36, 9))
                .at(36, "fields[0].customMetadata");
        both.refuse(VTABLE_SIZE_OUT_OF_RANGE, Root.SCHEMA, raw.i32(36, 0).u16(40, 20))
                .at(40, "fields[0]");
    }

    /// What is remembered of the vtables of one buffer must not be found from the next.
    @Test
    void vtablesOfAnEarlierBufferAreNotReused() {
        byte[] before = rootAt(TABLE).table(TABLE, 32).vtable(32).bytes();
        for (int distance = 1; distance <= 4 * SIZE; distance += CaseCount.of(17, 1)) {
            both.accept(VerifyCase.of(Root.SCHEMA, before));
            both.refuse(
                    distance % 2 == 0 ? VTABLE_OUT_OF_RANGE : VTABLE_MISALIGNED,
                    VTABLE_OUT_OF_RANGE,
                    Root.SCHEMA,
                    rootAt(TABLE).i32(TABLE, TABLE + distance));
        }
    }

    @Test
    void unknownSlotsAreIgnored() {
        int[] slots = new int[13];
        Arrays.fill(slots, 4, slots.length, 65535);
        both.accept(Root.SCHEMA, rootAt(TABLE).table(TABLE, 32).vtable(32, slots));
        // A vtable of 65,534 bytes, of which the one behind the table's own slots leads out.
        RawBuffer longest = new RawBuffer(70_000).offset(0, 69_992).table(69_992, 4);
        both.accept(Root.SCHEMA, longest.u16(4, 65_534).u16(8 + 2 * 20, 65_535));
    }

    @Test
    void aTableOfTwoKindsCountsTwice() {
        int[] slots = new int[Footer.CUSTOM_METADATA_SLOT + 1];
        slots[Footer.SCHEMA_SLOT] = 4;
        slots[Footer.CUSTOM_METADATA_SLOT] = 8;
        RawBuffer raw =
                rootAt(TABLE)
                        .table(TABLE, 32)
                        .vtable(32, slots)
                        .offset(TABLE + 4, SIZE - 4)
                        .offset(TABLE + 8, 20)
                        .i32(20, 1)
                        .offset(24, SIZE - 4);
        VerifyCase each = VerifyCase.of(Root.FOOTER, raw.bytes());
        both.accept(each.withLimits(2, 3));
        both.refuse(TABLE_LIMIT, each.withLimits(2, 2));
        both.refuse(DEPTH_LIMIT, each.withLimits(1, 3));
    }

    // ---- what stands in a table

    @Test
    void theLargestSlotValuesAreFollowed() {
        int size = TABLE + 65534 + 4;
        both.accept(Root.SCHEMA, table(Schema.ENDIANNESS_SLOT, 65534, size));
        both.refuse(
                SCALAR_OUT_OF_RANGE,
                Root.SCHEMA,
                table(Schema.ENDIANNESS_SLOT, 65534, TABLE + 65534 + 1));
        both.accept(Root.MESSAGE, table(Message.HEADER_TYPE_SLOT, 65535, TABLE + 65535 + 1));
        both.refuse(
                UNION_TAG_OUT_OF_RANGE,
                Root.MESSAGE,
                table(Message.HEADER_TYPE_SLOT, 65535, TABLE + 65535));
        RawBuffer backward = table(Schema.FIELDS_SLOT, 65532, size).offset(TABLE + 65532, TABLE);
        both.refuse(OFFSET_TOO_LARGE, Root.SCHEMA, backward);
    }

    @Test
    void tablesNumbersAndStructsMayEndWithTheBuffer() {
        both.accept(Root.SCHEMA, rootAt(SIZE - 4).table(SIZE - 4, 32).vtable(32));
        both.accept(Root.MESSAGE, table(Message.BODY_LENGTH_SLOT, SIZE - TABLE - 8, SIZE));
        both.accept(Root.MESSAGE, table(Message.VERSION_SLOT, SIZE - TABLE - 2, SIZE));
        both.accept(Root.MESSAGE, table(Message.HEADER_TYPE_SLOT, SIZE - TABLE - 1, SIZE));
        int[] slots = new int[Tensor.DATA_SLOT + 1];
        slots[Tensor.TYPE_SLOT] = 4;
        slots[Tensor.SHAPE_SLOT] = 8;
        slots[Tensor.DATA_SLOT] = SIZE + 8 - TABLE - 16;
        RawBuffer tensor = new RawBuffer(SIZE + 8).offset(0, TABLE).table(TABLE, 24);
        // Type and shape are an empty table, which is an empty vector as well.
        tensor.vtable(24, slots).offset(TABLE + 4, 44).offset(TABLE + 8, 44);
        both.accept(Root.TENSOR, tensor);
    }

    /// A number of 8 bytes at 4 mod 8 is aligned only in a table at 4 mod 8.
    @Test
    void numbersAreAlignedFromTheFirstByte() {
        for (int table : new int[] {24, 28}) {
            for (int slot = 4; slot <= 12; slot++) {
                RawBuffer raw = new RawBuffer(56).offset(0, table).vtable(4, 0, 0, 0, slot);
                raw.table(table, 4);
                if ((table + slot) % 8 == 0) {
                    both.accept(Root.MESSAGE, raw);
                } else {
                    both.refuse(SCALAR_MISALIGNED, null, Root.MESSAGE, raw).at(14, "bodyLength");
                }
            }
        }
    }

    /// A value without a known tag is any place in the buffer.
    @Test
    void valuesOfUnknownTagsAreNotRead() {
        for (int tag : new int[] {0, 255}) {
            int[] slots = new int[Message.HEADER_SLOT + 1];
            slots[Message.HEADER_TYPE_SLOT] = 8;
            slots[Message.HEADER_SLOT] = 4;
            RawBuffer raw = rootAt(TABLE).table(TABLE, 32).vtable(32, slots);
            both.accept(Root.MESSAGE, raw.offset(TABLE + 4, SIZE - 1).u8(TABLE + 8, tag));
        }
        int[] slots = {0, 8};
        RawBuffer raw = rootAt(TABLE).table(TABLE, 32).vtable(32, slots);
        both.accept(Root.MESSAGE, raw.u8(TABLE + 8, MessageHeader.SCHEMA));
    }

    // ---- vectors

    private static final int VECTOR = 32;
    private static final int VECTORS_SIZE = 96;

    /// A vector with a kind of elements.
    private enum Kind {
        NUMBERS(Root.SCHEMA, Schema.FEATURES_SLOT, 8),
        STRUCTS(Root.FOOTER, Footer.RECORD_BATCHES_SLOT, 24),
        TABLES(Root.SCHEMA, Schema.FIELDS_SLOT, 4);

        private final Root root;
        private final int slot;
        private final int elementBytes;

        Kind(Root root, int slot, int elementBytes) {
            this.root = root;
            this.slot = slot;
            this.elementBytes = elementBytes;
        }

        /// A root with one field, an offset that leads to a vector.
        RawBuffer at(int vector) {
            return at(slot, vector, VECTORS_SIZE);
        }

        static RawBuffer at(int slot, int target, int size) {
            return new RawBuffer(size)
                    .offset(0, 24)
                    .vtable(4, CraftedBuffers.slots(slot, 4))
                    .table(24, 4)
                    .offset(28, target);
        }

        RawBuffer of(long count) {
            return at(VECTOR).i32(VECTOR, (int) count);
        }
    }

    @Test
    void vectorsMayEndWithTheBuffer() {
        for (Kind kind : Kind.values()) {
            int most = (VECTORS_SIZE - VECTOR - 4) / kind.elementBytes;
            for (int count = 0; count <= most; count++) {
                both.accept(kind.root, kind.of(count));
            }
            both.refuse(VECTOR_COUNT_OUT_OF_RANGE, kind.root, kind.of(most + 1));
            both.accept(kind.root, kind.at(VECTORS_SIZE - 4));
        }
    }

    @Test
    void vectorCountsThatOverflow32BitsAreRefused() {
        for (Kind kind : Kind.values()) {
            int bytes = kind.elementBytes;
            long wrap = (1L << 32) / bytes;
            for (long count = wrap - 2; count <= wrap + 4; count++) {
                both.refuse(VECTOR_TOO_LONG, kind.root, kind.of(count));
            }
            for (long times = 1; times < bytes && times * wrap < 1L << 32; times++) {
                both.refuse(VECTOR_TOO_LONG, kind.root, kind.of(times * wrap));
            }
            int limit = MAX_BYTES / bytes;
            both.refuse(VECTOR_COUNT_OUT_OF_RANGE, kind.root, kind.of(limit - 1));
            both.refuse(VECTOR_TOO_LONG, kind.root, kind.of(limit));
            both.refuse(VECTOR_TOO_LONG, kind.root, kind.of(limit + 1));
        }
    }

    @Test
    void elementsOf8BytesNeedNotBeAligned() {
        both.accept(Root.SCHEMA, Kind.NUMBERS.at(VECTOR).i32(VECTOR, 2));
        both.accept(Root.SCHEMA, Kind.NUMBERS.at(VECTOR + 4).i32(VECTOR + 4, 2));
    }

    @Test
    void elementsMayBeOrOverlapTheirVector() {
        // Read as a table, an element of 0 is its own vtable, which has no slots.
        both.accept(Root.SCHEMA, Kind.TABLES.of(3));
        int last = VECTORS_SIZE - 8;
        both.accept(Root.SCHEMA, Kind.TABLES.at(last).i32(last, 1));
        // Each but the last is 4, which is the way to the next, and from there back to this one.
        both.accept(Root.SCHEMA, Kind.TABLES.of(3).i32(VECTOR + 4, 4).i32(VECTOR + 8, 4));
    }

    // ---- strings

    /// A schema with a pair whose key leads to a string.
    private static RawBuffer text(long length, int size) {
        return Kind.at(Schema.CUSTOM_METADATA_SLOT, VECTOR, size)
                .i32(VECTOR, 1)
                .offset(VECTOR + 4, VECTOR + 8)
                .table(VECTOR + 8, 16)
                .vtable(16, 4)
                .offset(VECTOR + 12, VECTOR + 16)
                .i32(VECTOR + 16, (int) length);
    }

    @Test
    void stringsEndWithTheirTerminator() {
        for (int length = 0; length < 12; length++) {
            int end = VECTOR + 20 + length;
            both.accept(Root.SCHEMA, text(length, end + 1));
            both.refuse(STRING_UNTERMINATED, Root.SCHEMA, text(length, end));
            both.refuse(STRING_UNTERMINATED, Root.SCHEMA, text(length, end + 1).u8(end, 0xFF));
            both.refuse(STRING_LENGTH_OUT_OF_RANGE, Root.SCHEMA, text(length + 1, end));
        }
    }

    @Test
    void bytesOfStringsMayBeAny() {
        int bytes = VECTOR + 20;
        RawBuffer raw = text(3, VECTORS_SIZE).u8(bytes, 0xFF).u8(bytes + 1, 0).u8(bytes + 2, 0xC0);
        both.accept(Root.SCHEMA, raw);
    }
}
