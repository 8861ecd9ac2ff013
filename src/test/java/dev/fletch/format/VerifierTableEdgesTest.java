// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static dev.fletch.format.Verdicts.ARROW;
import static dev.fletch.format.Verdicts.UNALIGNED;
import static dev.fletch.format.Verdicts.accepts;
import static dev.fletch.format.Verdicts.refuses;

import dev.fletch.flatbuf.StructureRules;
import dev.fletch.flatbuf.VerifierOptions;
import dev.fletch.format.Verifier.Root;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/// The verifier at the edges of buffers, tables and vtables. Every buffer is looked at in many
/// kinds of memory; what is accepted is read by all accessors.
class VerifierTableEdgesTest {
    private static final String ROOT = "";
    private static final int VTABLE = 4;

    /// A schema without fields: root offset, vtable of 4 bytes, table at 8.
    private static RawBuffer empty(int size) {
        return new RawBuffer(size).offset(0, 8).vtable(VTABLE).table(8, VTABLE);
    }

    // ---- sizes

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})
    void buffersBelow12BytesAreTooSmall(int size) {
        byte[] bytes = Arrays.copyOf(empty(12).bytes(), size);
        for (Root root : Root.values()) {
            refuses(ARROW, root, bytes, StructureRules.BUFFER_TOO_SMALL, 0, ROOT);
            refuses(UNALIGNED, root, bytes, StructureRules.BUFFER_TOO_SMALL, 0, ROOT);
        }
    }

    @Test
    void twelveBytesHoldAnEmptyTable() {
        accepts(ARROW, Root.SCHEMA, empty(12).bytes());
        accepts(ARROW, Root.MESSAGE, empty(12).bytes());
        accepts(ARROW, Root.FOOTER, empty(12).bytes());
        refuses(
                ARROW,
                Root.TENSOR,
                empty(12).bytes(),
                StructureRules.REQUIRED_FIELD_ABSENT,
                8,
                "type");
        refuses(
                ARROW,
                Root.SPARSE_TENSOR,
                empty(12).bytes(),
                StructureRules.REQUIRED_FIELD_ABSENT,
                8,
                "type");
    }

    @Test
    void theSizeLimitItselfIsAllowed() {
        byte[] bytes = empty(12).bytes();
        accepts(ARROW.withLimits(ARROW.limits().withMetadataBytes(12)), Root.SCHEMA, bytes);
        refuses(
                ARROW.withLimits(ARROW.limits().withMetadataBytes(11)),
                Root.SCHEMA,
                bytes,
                StructureRules.BUFFER_TOO_LARGE,
                0,
                ROOT);
    }

    // ---- the root's offset

    @Test
    void rootOffsetsAtTheEdges() {
        byte[] zero = empty(12).i32(0, 0).bytes();
        refuses(ARROW, Root.SCHEMA, zero, StructureRules.OFFSET_ZERO, 0, ROOT);
        byte[] negative = empty(12).i32(0, Integer.MIN_VALUE).bytes();
        refuses(ARROW, Root.SCHEMA, negative, StructureRules.OFFSET_TOO_LARGE, 0, ROOT);
        byte[] greatest = empty(12).i32(0, Integer.MAX_VALUE).bytes();
        refuses(ARROW, Root.SCHEMA, greatest, StructureRules.OFFSET_TARGET_OUT_OF_RANGE, 0, ROOT);
        byte[] end = empty(12).i32(0, 12).bytes();
        refuses(ARROW, Root.SCHEMA, end, StructureRules.OFFSET_TARGET_OUT_OF_RANGE, 0, ROOT);
        byte[] lastByte = empty(12).i32(0, 11).bytes();
        refuses(ARROW, Root.SCHEMA, lastByte, StructureRules.TABLE_MISALIGNED, 0, ROOT);
        refuses(UNALIGNED, Root.SCHEMA, lastByte, StructureRules.TABLE_OUT_OF_RANGE, 0, ROOT);
        byte[] cut = empty(14).i32(0, 12).bytes();
        refuses(ARROW, Root.SCHEMA, cut, StructureRules.TABLE_OUT_OF_RANGE, 0, ROOT);
    }

    // ---- vtables

    @Test
    void vtableSizesOf0And2MeanNoSlots() {
        for (int size : new int[] {0, 2}) {
            RawBuffer raw = empty(16).vtable(VTABLE, 4).u16(VTABLE, size).offset(0, 12);
            accepts(ARROW, Root.SCHEMA, raw.table(12, VTABLE).bytes());
            refuses(
                    ARROW.with(VerifierOptions.Check.VTABLE_SIZE, true),
                    Root.SCHEMA,
                    raw.bytes(),
                    StructureRules.VTABLE_TOO_SMALL,
                    VTABLE,
                    ROOT);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 5, 7, 9, 0xFFFF})
    void oddVtableSizes(int size) {
        byte[] bytes = empty(12).u16(VTABLE, size).bytes();
        refuses(ARROW, Root.SCHEMA, bytes, StructureRules.VTABLE_SIZE_ODD, VTABLE, ROOT);
        refuses(UNALIGNED, Root.SCHEMA, bytes, StructureRules.VTABLE_SIZE_ODD, VTABLE, ROOT);
    }

    @Test
    void aVtableAtAnOddPlace() {
        RawBuffer raw = new RawBuffer(20).offset(0, 12).vtable(5, 4).table(12, 5);
        refuses(ARROW, Root.SCHEMA, raw.bytes(), StructureRules.VTABLE_MISALIGNED, 12, ROOT);
        accepts(UNALIGNED, Root.SCHEMA, raw.bytes());
    }

    @Test
    void aVtableBehindItsTable() {
        RawBuffer raw = new RawBuffer(20).offset(0, 4).table(4, 12).u16(8, 1).vtable(12, 4);
        accepts(ARROW, Root.SCHEMA, raw.bytes());
    }

    @Test
    void aVtableAtTheVeryEnd() {
        RawBuffer whole = new RawBuffer(14).offset(0, 4).table(4, 8).u16(8, 6).u16(12, 4);
        refuses(
                ARROW,
                Root.SCHEMA,
                whole.u16(12, 5).bytes(),
                StructureRules.SCALAR_MISALIGNED,
                12,
                "endianness");
        accepts(ARROW, Root.SCHEMA, whole.u16(12, 4).bytes());
        byte[] longer = whole.u16(8, 8).bytes();
        refuses(ARROW, Root.SCHEMA, longer, StructureRules.VTABLE_SIZE_OUT_OF_RANGE, 8, ROOT);
        byte[] lastTwo = new RawBuffer(14).offset(0, 4).table(4, 12).u16(12, 2).bytes();
        accepts(ARROW, Root.SCHEMA, lastTwo);
        byte[] lastTwoLonger = new RawBuffer(14).offset(0, 4).table(4, 12).u16(12, 4).bytes();
        refuses(
                ARROW,
                Root.SCHEMA,
                lastTwoLonger,
                StructureRules.VTABLE_SIZE_OUT_OF_RANGE,
                12,
                ROOT);
    }

    @Test
    void aVtableOutsideTheBuffer() {
        for (int to : new int[] {-2, -0x7FFF_FFF0, 12, 14, 0x7FFF_FF00}) {
            byte[] bytes = empty(12).i32(8, 8 - to).bytes();
            refuses(ARROW, Root.SCHEMA, bytes, StructureRules.VTABLE_OUT_OF_RANGE, 8, ROOT);
        }
        byte[] cut = empty(13).i32(8, 8 - 12).bytes();
        refuses(ARROW, Root.SCHEMA, cut, StructureRules.VTABLE_OUT_OF_RANGE, 8, ROOT);
    }

    @Test
    void aVtableInsideItsTableAndOneThatOverlapsTheRootOffset() {
        // The table's own offset word is its vtable: 8 - 0 = 8, of which the size is 0.
        accepts(ARROW, Root.SCHEMA, new RawBuffer(12).offset(0, 8).i32(8, 0).bytes());
        // The root offset is the vtable: a size of 8 bytes, so slots 0 and 1 lie in the padding.
        RawBuffer raw = new RawBuffer(16).offset(0, 8).table(8, 0);
        accepts(ARROW, Root.SCHEMA, raw.bytes());
        accepts(ARROW, Root.SCHEMA, raw.u16(4, 4).bytes());
        refuses(
                ARROW,
                Root.SCHEMA,
                raw.u16(4, 0).u16(6, 4).bytes(),
                StructureRules.OFFSET_ZERO,
                12,
                "fields");
    }

    @Test
    void aVtableOf65534BytesWithFarMoreSlotsThanTheTableHas() {
        RawBuffer raw = new RawBuffer(70_000).offset(0, 69_992).table(69_992, 4);
        raw.u16(4, 65_534).u16(8 + 2 * 20, 65_535);
        accepts(ARROW, Root.SCHEMA, raw.bytes());
        accepts(
                VerifierOptions.STRICT.with(VerifierOptions.Check.TABLE_SIZE, false),
                Root.SCHEMA,
                raw.bytes());
    }

    // ---- slots

    @ParameterizedTest
    @ValueSource(ints = {65_534, 65_535})
    void slotValuesAtTheirGreatest(int slot) {
        int table = 16;
        RawBuffer small = new RawBuffer(64).offset(0, table).vtable(4, slot).table(table, 4);
        boolean even = slot % 2 == 0;
        refuses(
                ARROW,
                Root.SCHEMA,
                small.bytes(),
                even ? StructureRules.SCALAR_OUT_OF_RANGE : StructureRules.SCALAR_MISALIGNED,
                8,
                "endianness");
        refuses(
                UNALIGNED,
                Root.SCHEMA,
                small.bytes(),
                StructureRules.SCALAR_OUT_OF_RANGE,
                8,
                "endianness");
        RawBuffer exact = new RawBuffer(table + slot + 2).offset(0, table).vtable(4, slot);
        accepts(UNALIGNED, Root.SCHEMA, exact.table(table, 4).bytes());
        byte[] shorter = Arrays.copyOf(exact.bytes(), table + slot + 1);
        refuses(
                UNALIGNED,
                Root.SCHEMA,
                shorter,
                StructureRules.SCALAR_OUT_OF_RANGE,
                8,
                "endianness");
    }

    @Test
    void aScalarMayOverlapTheTablesOwnOffset() {
        accepts(
                ARROW,
                Root.SCHEMA,
                new RawBuffer(16).offset(0, 12).vtable(4, 2).table(12, 4).bytes());
    }

    @Test
    void eachKindOfFieldIsAlignedFromTheBuffersStart() {
        // bodyLength is 8 bytes: at 4 mod 8 only for a table at 4 mod 8.
        for (int table : new int[] {24, 28}) {
            for (int slot = 4; slot <= 12; slot++) {
                RawBuffer raw = new RawBuffer(56).offset(0, table).vtable(4, 0, 0, 0, slot);
                raw.table(table, 4);
                if ((table + slot) % 8 == 0) {
                    accepts(ARROW, Root.MESSAGE, raw.bytes());
                } else {
                    refuses(
                            ARROW,
                            Root.MESSAGE,
                            raw.bytes(),
                            StructureRules.SCALAR_MISALIGNED,
                            14,
                            "bodyLength");
                }
                accepts(UNALIGNED, Root.MESSAGE, raw.bytes());
            }
        }
    }

    @Test
    void unionTagsAndOffsetsAtTheEnd() {
        RawBuffer tag = new RawBuffer(20).offset(0, 12).vtable(4, 0, 7).table(12, 4);
        accepts(ARROW, Root.MESSAGE, tag.bytes());
        refuses(
                ARROW,
                Root.MESSAGE,
                tag.u16(10, 8).bytes(),
                StructureRules.UNION_TAG_OUT_OF_RANGE,
                10,
                "headerType");
        RawBuffer offset = new RawBuffer(24).offset(0, 16).vtable(4, 0, 6).table(16, 4);
        refuses(ARROW, Root.SCHEMA, offset.bytes(), StructureRules.OFFSET_MISALIGNED, 10, "fields");
        refuses(
                UNALIGNED,
                Root.SCHEMA,
                offset.bytes(),
                StructureRules.OFFSET_OUT_OF_RANGE,
                10,
                "fields");
        refuses(
                ARROW,
                Root.SCHEMA,
                offset.u16(10, 8).bytes(),
                StructureRules.OFFSET_OUT_OF_RANGE,
                10,
                "fields");
    }

    @Test
    void structsInATable() {
        byte[] full = Verdicts.full(Root.TENSOR);
        accepts(ARROW, Root.TENSOR, full);
        Tensor tensor = new Tensor().wrap(MemorySegment.ofArray(full));
        int table = (int) tensor.position();
        ByteBuffer raw = ByteBuffer.wrap(full).order(ByteOrder.LITTLE_ENDIAN);
        int slot = table - raw.getInt(table) + 4 + 2 * Tensor.DATA_SLOT;
        int distance = raw.getShort(slot);
        for (int off : new int[] {4, 12}) {
            refuses(
                    ARROW,
                    Root.TENSOR,
                    raw.putShort(slot, (short) (distance + off)).array(),
                    StructureRules.STRUCT_MISALIGNED,
                    slot,
                    "data");
        }
        int far = (full.length - 8 - table) / 8 * 8 + (8 - table % 8) % 8;
        refuses(
                ARROW,
                Root.TENSOR,
                raw.putShort(slot, (short) far).array(),
                StructureRules.STRUCT_OUT_OF_RANGE,
                slot,
                "data");
        refuses(
                ARROW,
                Root.TENSOR,
                raw.putShort(slot, (short) 0).array(),
                StructureRules.REQUIRED_FIELD_ABSENT,
                table,
                "data");
    }
}
