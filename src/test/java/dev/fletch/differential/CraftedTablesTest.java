// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.differential;

import static dev.fletch.flatbuf.StructureRules.BUFFER_TOO_SMALL;
import static dev.fletch.flatbuf.StructureRules.DEPTH_LIMIT;
import static dev.fletch.flatbuf.StructureRules.OFFSET_MISALIGNED;
import static dev.fletch.flatbuf.StructureRules.OFFSET_OUT_OF_RANGE;
import static dev.fletch.flatbuf.StructureRules.OFFSET_TARGET_OUT_OF_RANGE;
import static dev.fletch.flatbuf.StructureRules.OFFSET_TOO_LARGE;
import static dev.fletch.flatbuf.StructureRules.OFFSET_ZERO;
import static dev.fletch.flatbuf.StructureRules.REQUIRED_FIELD_ABSENT;
import static dev.fletch.flatbuf.StructureRules.SCALAR_MISALIGNED;
import static dev.fletch.flatbuf.StructureRules.SCALAR_OUT_OF_RANGE;
import static dev.fletch.flatbuf.StructureRules.STRUCT_MISALIGNED;
import static dev.fletch.flatbuf.StructureRules.STRUCT_OUT_OF_RANGE;
import static dev.fletch.flatbuf.StructureRules.TABLE_LIMIT;
import static dev.fletch.flatbuf.StructureRules.TABLE_MISALIGNED;
import static dev.fletch.flatbuf.StructureRules.TABLE_OUT_OF_RANGE;
import static dev.fletch.flatbuf.StructureRules.UNION_TAG_OUT_OF_RANGE;
import static dev.fletch.flatbuf.StructureRules.VECTOR_COUNT_OUT_OF_RANGE;
import static dev.fletch.flatbuf.StructureRules.VTABLE_MISALIGNED;
import static dev.fletch.flatbuf.StructureRules.VTABLE_OUT_OF_RANGE;
import static dev.fletch.flatbuf.StructureRules.VTABLE_SIZE_ODD;
import static dev.fletch.flatbuf.StructureRules.VTABLE_SIZE_OUT_OF_RANGE;

import dev.fletch.format.Footer;
import dev.fletch.format.Message;
import dev.fletch.format.MessageHeader;
import dev.fletch.format.RawBuffer;
import dev.fletch.format.Schema;
import dev.fletch.format.Tensor;
import dev.fletch.format.Verifier.Root;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.util.Arrays;

/// The edges of the rules for buffers, offsets, tables, vtables and what stands in tables.
class CraftedTablesTest {
    private static final int TABLE = 8;
    private static final int SIZE = 64;

    private static BothVerifiers both;

    @BeforeAll
    static void start() {
        both = new BothVerifiers();
    }

    @AfterAll
    static void end() {
        System.out.println("Crafted tables: " + both);
        both.close();
    }

    // ---- buffers and offsets

    @Test
    void buffersBelow12BytesAreRefused() {
        byte[] least = CraftedBuffers.least();
        for (Root root : new Root[] {Root.MESSAGE, Root.SCHEMA, Root.FOOTER}) {
            for (int size = 0; size < least.length; size++) {
                byte[] cut = Arrays.copyOf(least, size);
                both.refuse(BUFFER_TOO_SMALL, VerifyCase.of(root, cut));
            }
            both.accept(VerifyCase.of(root, least));
            both.refuse(OFFSET_ZERO, VerifyCase.of(root, new byte[least.length]));
        }
        both.refuse(REQUIRED_FIELD_ABSENT, VerifyCase.of(Root.TENSOR, least));
        both.refuse(REQUIRED_FIELD_ABSENT, VerifyCase.of(Root.SPARSE_TENSOR, least));
    }

    @Test
    void rootOffsetsOutOfRangeAreRefused() {
        both.refuse(OFFSET_ZERO, Root.SCHEMA, rootAt(0)).at(0, "");
        both.refuse(OFFSET_TARGET_OUT_OF_RANGE, Root.SCHEMA, rootAt(SIZE)).at(0, "").value(SIZE);
        both.refuse(OFFSET_TARGET_OUT_OF_RANGE, Root.SCHEMA, rootAt(Integer.MAX_VALUE));
        both.refuse(OFFSET_TOO_LARGE, Root.SCHEMA, rootAt(Integer.MIN_VALUE))
                .at(0, "")
                .value(0x8000_0000L);
        both.refuse(OFFSET_TOO_LARGE, Root.SCHEMA, rootAt(-1)).value(0xFFFF_FFFFL);
        both.refuseAligned(TABLE_MISALIGNED, Root.SCHEMA, rootAt(6).table(6, 32).vtable(32))
                .at(0, "");
        both.accept(Root.SCHEMA, rootAt(SIZE - 4).table(SIZE - 4, 32).vtable(32));
        both.refuse(TABLE_OUT_OF_RANGE, Root.SCHEMA, new RawBuffer(SIZE + 2).i32(0, SIZE))
                .at(0, "");
    }

    private static RawBuffer rootAt(int position) {
        return new RawBuffer(SIZE).i32(0, position);
    }

    @Test
    void fieldOffsetsAtTheEndAreChecked() {
        both.refuse(OFFSET_ZERO, Root.SCHEMA, schema(Schema.FIELDS_SLOT, SIZE - 4 - TABLE))
                .at(SIZE - 4, "fields");
        both.refuse(OFFSET_OUT_OF_RANGE, Root.SCHEMA, schema(Schema.FIELDS_SLOT, SIZE - TABLE))
                .at(38, "fields");
        RawBuffer odd = schema(Schema.FIELDS_SLOT, 6).i32(TABLE + 6, 10);
        both.refuseAligned(OFFSET_MISALIGNED, Root.SCHEMA, odd).at(38, "fields");
    }

    /// A schema with one slot set; its vtable is behind it.
    private static RawBuffer schema(int slot, int value) {
        return table(slot, value, SIZE);
    }

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
            RawBuffer raw = rootAt(TABLE).table(TABLE, 32).u16(32, bytes);
            both.accept(Root.SCHEMA, raw);
        }
    }

    @Test
    void oddVtableSizesAreRefused() {
        for (int bytes : new int[] {1, 3, 5, 7, 65535}) {
            RawBuffer raw = rootAt(TABLE).table(TABLE, 32).u16(32, bytes);
            both.refuse(VTABLE_SIZE_ODD, Root.SCHEMA, raw).at(32, "");
        }
    }

    @Test
    void oddVtablePositionsAreRefused() {
        RawBuffer raw = rootAt(TABLE).table(TABLE, 33).u16(33, 4);
        both.refuseAligned(VTABLE_MISALIGNED, Root.SCHEMA, raw).at(TABLE, "").value(TABLE - 33);
    }

    @Test
    void aTableMayBeItsOwnVtable() {
        // The table's word is 0, and so is the size of the vtable that it leads to.
        both.accept(Root.SCHEMA, rootAt(TABLE));
    }

    @Test
    void aVtableMayOverlapItsTable() {
        // Its first two slots are the way from the table to the vtable: 4, and 0.
        both.accept(Root.SCHEMA, rootAt(TABLE).u16(TABLE - 4, 8).table(TABLE, TABLE - 4));
        // The number that the slot leads to is the vtable's own size.
        both.accept(Root.SCHEMA, rootAt(TABLE).table(TABLE, TABLE + 4).vtable(TABLE + 4, 4));
        // The vtable's size is the second half of the way there.
        both.refuse(VTABLE_SIZE_ODD, Root.SCHEMA, rootAt(TABLE).table(TABLE, TABLE + 2));
    }

    @Test
    void theRootOffsetMayBeAVtable() {
        both.accept(Root.SCHEMA, rootAt(TABLE).table(TABLE, 0));
        both.accept(Root.MESSAGE, rootAt(4).table(4, 0));
    }

    @Test
    void vtablesMustEndWithinTheBuffer() {
        both.accept(Root.SCHEMA, rootAt(TABLE).table(TABLE, SIZE - 2));
        both.refuse(
                        VTABLE_SIZE_OUT_OF_RANGE,
                        Root.SCHEMA,
                        rootAt(TABLE).table(TABLE, SIZE - 2).u16(SIZE - 2, 4))
                .at(SIZE - 2, "")
                .value(4);
        both.refuse(VTABLE_OUT_OF_RANGE, Root.SCHEMA, rootAt(TABLE).table(TABLE, SIZE))
                .at(TABLE, "")
                .value(TABLE - SIZE);
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

    @Test
    void vtablesBeforeTheBufferAreRefused() {
        for (int distance : new int[] {TABLE + 2, TABLE + 4, 1 << 20, Integer.MAX_VALUE - 1}) {
            RawBuffer raw = rootAt(TABLE).i32(TABLE, distance);
            both.refuse(VTABLE_OUT_OF_RANGE, Root.SCHEMA, raw).value(distance);
        }
        RawBuffer raw = rootAt(TABLE).i32(TABLE, Integer.MIN_VALUE);
        both.refuse(VTABLE_OUT_OF_RANGE, Root.SCHEMA, raw);
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
                .at(36, "fields[0].customMetadata")
                .value(9);
        both.refuse(VTABLE_SIZE_OUT_OF_RANGE, Root.SCHEMA, raw.i32(36, 0).u16(40, 20))
                .at(40, "fields[0]")
                .value(20);
    }

    /// What is remembered of the vtables of one buffer must not be found from the next.
    @Test
    void vtablesOfAnEarlierBufferAreNotReused() {
        byte[] before = rootAt(TABLE).table(TABLE, 32).vtable(32).bytes();
        for (int distance = 1; distance <= 4 * SIZE; distance++) {
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

    // ---- what stands in a table

    @Test
    void slotsPastTheEndAreRefused() {
        both.refuse(SCALAR_OUT_OF_RANGE, Root.MESSAGE, schema(Message.VERSION_SLOT, 65534))
                .at(36, "version");
        for (int value : new int[] {65534, 65535}) {
            both.refuse(
                    UNION_TAG_OUT_OF_RANGE, Root.MESSAGE, schema(Message.HEADER_TYPE_SLOT, value));
            both.refuse(
                    OFFSET_MISALIGNED,
                    OFFSET_OUT_OF_RANGE,
                    Root.MESSAGE,
                    schema(Message.HEADER_SLOT, value));
            both.refuse(
                    SCALAR_MISALIGNED,
                    SCALAR_OUT_OF_RANGE,
                    Root.MESSAGE,
                    schema(Message.BODY_LENGTH_SLOT, value));
        }
    }

    @Test
    void theLargestSlotValuesAreFollowed() {
        int size = TABLE + 65534 + 4;
        both.accept(Root.SCHEMA, table(Schema.ENDIANNESS_SLOT, 65534, size));
        both.refuse(
                SCALAR_OUT_OF_RANGE,
                Root.SCHEMA,
                table(Schema.ENDIANNESS_SLOT, 65534, TABLE + 65534 + 1));
        both.refuseAligned(
                SCALAR_MISALIGNED, Root.SCHEMA, table(Schema.ENDIANNESS_SLOT, 65535, size));
        both.accept(Root.MESSAGE, table(Message.HEADER_TYPE_SLOT, 65535, TABLE + 65535 + 1));
        both.refuse(
                UNION_TAG_OUT_OF_RANGE,
                Root.MESSAGE,
                table(Message.HEADER_TYPE_SLOT, 65535, TABLE + 65535));
        RawBuffer backward = table(Schema.FIELDS_SLOT, 65532, size).offset(TABLE + 65532, TABLE);
        both.refuse(OFFSET_TOO_LARGE, Root.SCHEMA, backward);
    }

    @Test
    void numbersMustEndWithinTheBuffer() {
        int last = SIZE - TABLE - Long.BYTES;
        both.accept(Root.MESSAGE, schema(Message.BODY_LENGTH_SLOT, last));
        both.refuse(SCALAR_OUT_OF_RANGE, Root.MESSAGE, schema(Message.BODY_LENGTH_SLOT, last + 8));
        both.refuseAligned(
                        SCALAR_MISALIGNED, Root.MESSAGE, schema(Message.BODY_LENGTH_SLOT, last - 4))
                .at(42, "bodyLength");
        both.accept(Root.MESSAGE, schema(Message.VERSION_SLOT, SIZE - TABLE - 2));
        both.refuse(SCALAR_OUT_OF_RANGE, Root.MESSAGE, schema(Message.VERSION_SLOT, SIZE - TABLE));
        both.accept(Root.MESSAGE, schema(Message.HEADER_TYPE_SLOT, SIZE - TABLE - 1));
        both.refuse(
                        UNION_TAG_OUT_OF_RANGE,
                        Root.MESSAGE,
                        schema(Message.HEADER_TYPE_SLOT, SIZE - TABLE))
                .at(38, "headerType");
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
                    both.refuseAligned(SCALAR_MISALIGNED, Root.MESSAGE, raw).at(14, "bodyLength");
                }
            }
        }
    }

    /// A tensor whose required fields all have their slots: type and shape lead to where there is
    /// an empty table, which is an empty vector as well.
    private static RawBuffer tensor(int dataSlot) {
        int[] slots = new int[Tensor.DATA_SLOT + 1];
        slots[Tensor.TYPE_SLOT] = 4;
        slots[Tensor.SHAPE_SLOT] = 8;
        slots[Tensor.DATA_SLOT] = dataSlot;
        return new RawBuffer(SIZE + 8)
                .offset(0, TABLE)
                .table(TABLE, 24)
                .vtable(24, slots)
                .offset(TABLE + 4, 44)
                .offset(TABLE + 8, 44);
    }

    @Test
    void structsMustEndWithinTheBuffer() {
        both.accept(Root.TENSOR, tensor(40));
        both.accept(Root.TENSOR, tensor(SIZE + 8 - TABLE - 16));
        both.refuse(STRUCT_OUT_OF_RANGE, Root.TENSOR, tensor(SIZE + 8 - TABLE - 8))
                .at(24 + 4 + 2 * Tensor.DATA_SLOT, "data");
        both.refuseAligned(STRUCT_MISALIGNED, Root.TENSOR, tensor(44))
                .at(24 + 4 + 2 * Tensor.DATA_SLOT, "data");
    }

    @Test
    void absentRequiredFieldsAreRefused() {
        for (int slot : new int[] {Tensor.TYPE_SLOT, Tensor.SHAPE_SLOT, Tensor.DATA_SLOT}) {
            RawBuffer raw = tensor(40).u16(24 + 4 + 2 * slot, 0);
            both.refuse(REQUIRED_FIELD_ABSENT, Root.TENSOR, raw);
        }
        // The vtable ends before the last.
        both.refuse(REQUIRED_FIELD_ABSENT, Root.TENSOR, tensor(40).u16(24, 12)).at(TABLE, "data");
    }

    // ---- unions

    /// A message with a tag at 8 and a header at 4, either of which may be absent.
    private static RawBuffer message(boolean tag, int type, boolean header, int target) {
        int[] slots = new int[Message.HEADER_SLOT + 1];
        slots[Message.HEADER_TYPE_SLOT] = tag ? 8 : 0;
        slots[Message.HEADER_SLOT] = header ? 4 : 0;
        return new RawBuffer(SIZE)
                .offset(0, TABLE)
                .table(TABLE, 32)
                .vtable(32, slots)
                .offset(TABLE + 4, target)
                .u8(TABLE + 8, type);
    }

    @Test
    void aTagOrAValueAloneIsAccepted() {
        int nothing = SIZE - 8;
        both.accept(Root.MESSAGE, message(true, MessageHeader.SCHEMA, false, 0));
        both.accept(Root.MESSAGE, message(false, 0, true, nothing));
        both.accept(Root.MESSAGE, message(true, 0, true, nothing));
        both.accept(Root.MESSAGE, message(true, 255, true, SIZE - 1));
        both.refuse(OFFSET_TARGET_OUT_OF_RANGE, Root.MESSAGE, message(false, 0, true, SIZE))
                .at(TABLE + 4, "header");
        both.refuse(OFFSET_TARGET_OUT_OF_RANGE, Root.MESSAGE, message(true, 255, true, SIZE));
        both.refuse(OFFSET_ZERO, Root.MESSAGE, message(true, 0, true, TABLE + 4))
                .at(TABLE + 4, "header");
    }

    @Test
    void unionValuesOfKnownTagsAreVerified() {
        both.accept(Root.MESSAGE, message(true, MessageHeader.SCHEMA, true, SIZE - 4));
        both.refuse(
                TABLE_MISALIGNED,
                TABLE_OUT_OF_RANGE,
                Root.MESSAGE,
                message(true, MessageHeader.SCHEMA, true, SIZE - 3));
        both.refuse(
                        REQUIRED_FIELD_ABSENT,
                        Root.MESSAGE,
                        message(true, MessageHeader.TENSOR, true, SIZE - 4))
                .at(SIZE - 4, "header.tensor.type");
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

    /// More vtables among the children than a verifier remembers of a kind: what it knows of their
    /// parent, which is of the same kind, must outlast them.
    @Test
    void manyVtablesOfChildrenHideNoFaultOfTheirParent() {
        int children = 20;
        RawBuffer raw = new RawBuffer(1024).offset(0, 16).vtable(4, 0, 4).table(16, 4);
        raw.offset(20, 24).i32(24, 1).offset(28, 64);
        raw.vtable(32, 0, 0, 0, 0, 0, 4, 8).u16(34, 12).table(64, 32);
        raw.offset(68, 80).i32(80, children);
        for (int i = 0; i < children; i++) {
            int table = 200 + 28 * i;
            int vtable = 800 + 8 * i;
            raw.vtable(vtable, 0, 4 + i).u16(vtable + 2, 28).table(table, vtable);
            raw.offset(84 + 4 * i, table);
        }
        both.accept(Root.SCHEMA, raw.offset(72, 76));
        both.refuse(OFFSET_ZERO, Root.SCHEMA, raw.i32(72, 0));
    }
}
