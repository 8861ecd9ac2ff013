// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static dev.fletch.format.Verdicts.ARROW;
import static dev.fletch.format.Verdicts.accepts;
import static dev.fletch.format.Verdicts.refuses;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.fletch.flatbuf.StructureRules;
import dev.fletch.flatbuf.VerifierOptions;
import dev.fletch.format.Verifier.Root;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;

/// Each stricter check alone: what it refuses is accepted without it.
class StricterChecksTest {
    private static final String KEY = "customMetadata[0].key";
    private static final int KEY_AT = 48;

    /// A schema with one pair, whose key's length word is at 48.
    private static RawBuffer keyed(int size) {
        return new RawBuffer(size)
                .offset(0, 24)
                .vtable(4, 0, 0, 4)
                .u16(6, 8)
                .vtable(16, 4)
                .u16(18, 8)
                .table(24, 4)
                .offset(28, 32)
                .i32(32, 1)
                .offset(36, 40)
                .table(40, 16)
                .offset(44, KEY_AT);
    }

    /// A schema with features, whose count is at 24.
    private static RawBuffer features(int size, int count) {
        return new RawBuffer(size)
                .offset(0, 16)
                .vtable(4, 0, 0, 0, 4)
                .u16(6, 8)
                .table(16, 4)
                .offset(20, 24)
                .i32(24, count);
    }

    /// An element of 0 is the table that begins with itself: its vtable is at its own position.
    @Test
    void anElementWithTheOffsetZeroIsRefusedOnRequest() {
        byte[] bytes = keyed(56).i32(36, 0).bytes();
        accepts(ARROW, Root.SCHEMA, bytes);
        refuses(
                ARROW.with(VerifierOptions.Check.ZERO_OFFSETS, true),
                Root.SCHEMA,
                bytes,
                StructureRules.ELEMENT_OFFSET_ZERO,
                36,
                "customMetadata[0]");
        byte[] second =
                keyed(60).i32(32, 2).offset(36, 44).i32(40, 0).table(44, 16).i32(48, 4).bytes();
        accepts(ARROW, Root.SCHEMA, second);
        refuses(
                ARROW.with(VerifierOptions.Check.ZERO_OFFSETS, true),
                Root.SCHEMA,
                second,
                StructureRules.ELEMENT_OFFSET_ZERO,
                40,
                "customMetadata[1]");
    }

    /// A message with tag 1, whose header is an empty table at 36.
    private static RawBuffer message() {
        return new RawBuffer(40)
                .offset(0, 24)
                .vtable(4, 0, 8, 4)
                .u16(6, 12)
                .vtable(16)
                .u16(18, 4)
                .table(24, 4)
                .offset(28, 36)
                .u8(32, 1)
                .table(36, 16);
    }

    @Test
    void aTagWithoutValueAndAValueWithoutTagAreRefusedOnRequest() {
        VerifierOptions pairs = ARROW.with(VerifierOptions.Check.UNION_PAIRS, true);
        RawBuffer raw = message();
        accepts(pairs, Root.MESSAGE, raw.bytes());
        byte[] none = raw.u8(32, 0).bytes();
        accepts(ARROW, Root.MESSAGE, none);
        refuses(pairs, Root.MESSAGE, none, StructureRules.UNION_VALUE_WITHOUT_TAG, 28, "header");
        byte[] absent = raw.u16(10, 0).u8(32, 1).bytes();
        accepts(ARROW, Root.MESSAGE, absent);
        refuses(pairs, Root.MESSAGE, absent, StructureRules.UNION_VALUE_WITHOUT_TAG, 28, "header");
        byte[] alone = raw.u16(10, 8).u16(12, 0).bytes();
        accepts(ARROW, Root.MESSAGE, alone);
        refuses(pairs, Root.MESSAGE, alone, StructureRules.UNION_TAG_WITHOUT_VALUE, 32, "header");
        accepts(pairs, Root.MESSAGE, raw.u8(32, 0).bytes());
        accepts(pairs, Root.MESSAGE, raw.u16(10, 0).bytes());
    }

    @Test
    void vtablesOfLessThanFourBytesAreRefusedOnRequest() {
        for (int size : new int[] {0, 2}) {
            RawBuffer raw = new RawBuffer(16).offset(0, 12).u16(4, size).table(12, 4);
            accepts(ARROW, Root.SCHEMA, raw.bytes());
            refuses(
                    ARROW.with(VerifierOptions.Check.VTABLE_SIZE, true),
                    Root.SCHEMA,
                    raw.bytes(),
                    StructureRules.VTABLE_TOO_SMALL,
                    4,
                    "");
        }
    }

    @Test
    void malformedUtf8IsRefusedOnRequest() {
        byte[] bytes = keyed(56).i32(KEY_AT, 3).u8(52, 0xE2).u8(53, 0x82).u8(54, 0xAC).bytes();
        accepts(ARROW.with(VerifierOptions.Check.UTF8, true), Root.SCHEMA, bytes);
        bytes[54] = 'C';
        accepts(ARROW, Root.SCHEMA, bytes);
        accepts(VerifierOptions.STRICT.with(VerifierOptions.Check.UTF8, false), Root.SCHEMA, bytes);
        refuses(
                ARROW.with(VerifierOptions.Check.UTF8, true),
                Root.SCHEMA,
                bytes,
                StructureRules.STRING_NOT_UTF8,
                52,
                KEY);
    }

    @Test
    void wrongTableSizesAreRefusedOnRequest() {
        VerifierOptions sizes = ARROW.with(VerifierOptions.Check.TABLE_SIZE, true);
        accepts(sizes, Root.SCHEMA, keyed(56).bytes());
        byte[] small = keyed(56).u16(18, 3).bytes();
        accepts(ARROW, Root.SCHEMA, small);
        accepts(
                VerifierOptions.STRICT.with(VerifierOptions.Check.TABLE_SIZE, false),
                Root.SCHEMA,
                small);
        String pair = "customMetadata[0]";
        refuses(sizes, Root.SCHEMA, small, StructureRules.TABLE_SIZE_TOO_SMALL, 18, pair);
        byte[] field = keyed(56).u16(18, 7).bytes();
        refuses(sizes, Root.SCHEMA, field, StructureRules.FIELD_OUTSIDE_TABLE, 20, KEY);
        accepts(sizes, Root.SCHEMA, keyed(56).u16(18, 16).bytes());
        byte[] far = keyed(56).u16(18, 17).bytes();
        refuses(sizes, Root.SCHEMA, far, StructureRules.TABLE_SIZE_OUT_OF_RANGE, 18, pair);
        // A vtable without that word has nothing to hold.
        byte[] none = new RawBuffer(16).offset(0, 12).u16(4, 2).u16(6, 0xFFFF).table(12, 4).bytes();
        accepts(sizes, Root.SCHEMA, none);
    }

    @Test
    void misalignedElementsAreRefusedOnRequest() {
        VerifierOptions some = ARROW.with(VerifierOptions.Check.VECTOR_ALIGNMENT, true);
        VerifierOptions all =
                ARROW.with(VerifierOptions.Check.VECTOR_ALIGNMENT, true)
                        .with(VerifierOptions.Check.EMPTY_VECTOR_ALIGNMENT, true);
        byte[] empty = features(40, 0).offset(20, 24).bytes();
        accepts(ARROW, Root.SCHEMA, empty);
        accepts(some, Root.SCHEMA, empty);
        refuses(all, Root.SCHEMA, empty, StructureRules.ELEMENTS_MISALIGNED, 20, "features");
        VerifierOptions empties = ARROW.with(VerifierOptions.Check.EMPTY_VECTOR_ALIGNMENT, true);
        refuses(empties, Root.SCHEMA, empty, StructureRules.ELEMENTS_MISALIGNED, 20, "features");
        accepts(empties, Root.SCHEMA, features(40, 1).bytes());
        byte[] one = features(40, 1).bytes();
        accepts(ARROW, Root.SCHEMA, one);
        refuses(some, Root.SCHEMA, one, StructureRules.ELEMENTS_MISALIGNED, 20, "features");
        refuses(all, Root.SCHEMA, one, StructureRules.ELEMENTS_MISALIGNED, 20, "features");
        byte[] aligned = features(40, 0).offset(20, 28).i32(28, 1).bytes();
        accepts(all, Root.SCHEMA, aligned);
        Verifier verifier = new Verifier(all);
        assertFalse(verifier.verify(Root.SCHEMA, MemorySegment.ofArray(one)));
        assertEquals(28, verifier.fault().value());
        // It stands on its own: no other alignment is checked here.
        VerifierOptions alone = some.with(VerifierOptions.Check.ALIGNMENT, false);
        refuses(alone, Root.SCHEMA, one, StructureRules.ELEMENTS_MISALIGNED, 20, "features");
        byte[] odd = keyed(61).offset(44, 49).bytes();
        accepts(alone, Root.SCHEMA, odd);
    }
}
