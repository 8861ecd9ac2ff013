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

/// The verifier at the edges of strings, vectors and unions, and each stricter check alone.
class VerifierValueEdgesTest {
    private static final String KEY = "customMetadata[0].key";
    private static final int KEY_AT = 48;

    /// A schema with one pair, whose key's length word is at 48.
    static RawBuffer keyed(int size) {
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

    // ---- strings

    @Test
    void aStringThatEndsAtTheLastByte() {
        RawBuffer raw = keyed(56).i32(KEY_AT, 3).u8(52, 'k').u8(53, 'e').u8(54, 'y');
        accepts(ARROW, Root.SCHEMA, raw.bytes());
        accepts(VerifierOptions.STRICT, Root.SCHEMA, raw.bytes());
        refuses(
                ARROW,
                Root.SCHEMA,
                raw.u8(55, '!').bytes(),
                StructureRules.STRING_UNTERMINATED,
                55,
                KEY);
        // All bytes to the end are the string's: there is no NUL behind it.
        refuses(
                ARROW,
                Root.SCHEMA,
                raw.i32(KEY_AT, 4).bytes(),
                StructureRules.STRING_UNTERMINATED,
                KEY_AT,
                KEY);
        for (int length : new int[] {5, 1000, Integer.MAX_VALUE - 1}) {
            byte[] longer = raw.i32(KEY_AT, length).bytes();
            refuses(
                    ARROW,
                    Root.SCHEMA,
                    longer,
                    StructureRules.STRING_LENGTH_OUT_OF_RANGE,
                    KEY_AT,
                    KEY);
        }
        for (int length : new int[] {Integer.MAX_VALUE, Integer.MIN_VALUE, -1, -4}) {
            byte[] tooLong = raw.i32(KEY_AT, length).bytes();
            refuses(ARROW, Root.SCHEMA, tooLong, StructureRules.STRING_TOO_LONG, KEY_AT, KEY);
        }
    }

    @Test
    void anEmptyStringNeedsItsNul() {
        accepts(ARROW, Root.SCHEMA, keyed(53).bytes());
        byte[] none = keyed(52).bytes();
        refuses(ARROW, Root.SCHEMA, none, StructureRules.STRING_UNTERMINATED, KEY_AT, KEY);
    }

    @Test
    void aStringsLengthWordAtTheEndAndAtOddPlaces() {
        byte[] cut = keyed(51).bytes();
        refuses(ARROW, Root.SCHEMA, cut, StructureRules.STRING_OUT_OF_RANGE, 44, KEY);
        for (int at = 49; at < 52; at++) {
            byte[] odd = keyed(60).offset(44, at).bytes();
            refuses(ARROW, Root.SCHEMA, odd, StructureRules.STRING_MISALIGNED, 44, KEY);
            accepts(UNALIGNED, Root.SCHEMA, odd);
        }
    }

    @Test
    void offsetsOfStrings() {
        byte[] zero = keyed(56).i32(44, 0).bytes();
        refuses(ARROW, Root.SCHEMA, zero, StructureRules.OFFSET_ZERO, 44, KEY);
        byte[] high = keyed(56).i32(44, 0x8000_0004).bytes();
        refuses(ARROW, Root.SCHEMA, high, StructureRules.OFFSET_TOO_LARGE, 44, KEY);
        byte[] behind = keyed(56).i32(44, 12).bytes();
        refuses(ARROW, Root.SCHEMA, behind, StructureRules.OFFSET_TARGET_OUT_OF_RANGE, 44, KEY);
    }

    // ---- vectors

    @Test
    void vectorsThatEndAtTheLastByte() {
        accepts(ARROW, Root.SCHEMA, features(28, 0).bytes());
        accepts(ARROW, Root.SCHEMA, features(44, 2).bytes());
        refuses(
                ARROW,
                Root.SCHEMA,
                features(43, 2).bytes(),
                StructureRules.VECTOR_COUNT_OUT_OF_RANGE,
                24,
                "features");
        byte[] cut = features(28, 0).offset(20, 25).bytes();
        refuses(UNALIGNED, Root.SCHEMA, cut, StructureRules.VECTOR_OUT_OF_RANGE, 20, "features");
        refuses(ARROW, Root.SCHEMA, cut, StructureRules.VECTOR_MISALIGNED, 20, "features");
    }

    /// 8 * 2^29 is 2^32, and so on: what a verifier with 32-bit sizes would take for nothing.
    @ParameterizedTest
    @ValueSource(ints = {0x2000_0000, 0x2000_0001, 0x4000_0000, 0x6000_0001, -0x2000_0000})
    void countsWhoseProductWraps32Bits(int count) {
        byte[] bytes = features(64, count).bytes();
        refuses(ARROW, Root.SCHEMA, bytes, StructureRules.VECTOR_TOO_LONG, 24, "features");
        RawBuffer blocks =
                new RawBuffer(64).offset(0, 16).vtable(4, 0, 0, 4).table(16, 4).offset(20, 24);
        byte[] footer = blocks.i32(24, 0x0AAA_AAAB).bytes(); // 24 times it is 2^32 + 8
        refuses(ARROW, Root.FOOTER, footer, StructureRules.VECTOR_TOO_LONG, 24, "dictionaries");
        byte[] tables = keyed(64).i32(32, 0x4000_0001).bytes();
        refuses(ARROW, Root.SCHEMA, tables, StructureRules.VECTOR_TOO_LONG, 32, "customMetadata");
    }

    @Test
    void countsJustBelowTheGreatest() {
        int greatest = Integer.MAX_VALUE / 8;
        byte[] allowed = features(64, greatest - 1).bytes();
        refuses(
                ARROW,
                Root.SCHEMA,
                allowed,
                StructureRules.VECTOR_COUNT_OUT_OF_RANGE,
                24,
                "features");
        byte[] tooMany = features(64, greatest).bytes();
        refuses(ARROW, Root.SCHEMA, tooMany, StructureRules.VECTOR_TOO_LONG, 24, "features");
    }

    @Test
    void elementsOfTables() {
        String element = "customMetadata[0]";
        byte[] odd = keyed(56).i32(36, 5).bytes();
        refuses(ARROW, Root.SCHEMA, odd, StructureRules.TABLE_MISALIGNED, 36, element);
        byte[] end = keyed(56).i32(36, 20).bytes();
        refuses(ARROW, Root.SCHEMA, end, StructureRules.TABLE_OUT_OF_RANGE, 36, element);
        byte[] far = keyed(56).i32(36, -4).bytes();
        refuses(ARROW, Root.SCHEMA, far, StructureRules.TABLE_OUT_OF_RANGE, 36, element);
    }

    /// An element of 0 is the table that begins with itself: its vtable is at its own position.
    @Test
    void anElementOfZeroIsATableThatIsItsOwnVtable() {
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

    /// Offsets only lead forward, so a vector can lead to itself by elements of 0 alone; each is
    /// then a table whose vtable is itself.
    @Test
    void aVectorWhoseElementsAreItsTables() {
        for (int count : new int[] {1, 2, 5}) {
            RawBuffer raw = keyed(56).i32(32, count);
            for (int i = 0; i < count; i++) {
                raw.i32(36 + 4 * i, 0);
            }
            accepts(ARROW, Root.SCHEMA, raw.bytes());
        }
        // The first leads to the second, which is a table whose vtable is 4 bytes before: the
        // first.
        RawBuffer raw = keyed(48).i32(32, 2).i32(36, 4).i32(40, 4);
        accepts(ARROW, Root.SCHEMA, raw.i32(44, 0).bytes());
    }

    // ---- unions

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
    void unknownTagsAndNoneWithAValue() {
        RawBuffer raw = message();
        for (int tag = 1; tag <= 3; tag++) {
            accepts(ARROW, Root.MESSAGE, raw.u8(32, tag).bytes());
        }
        for (int tag : new int[] {4, 5}) {
            refuses(
                    ARROW,
                    Root.MESSAGE,
                    raw.u8(32, tag).bytes(),
                    StructureRules.REQUIRED_FIELD_ABSENT,
                    36,
                    tag == 4 ? "header.tensor.type" : "header.sparseTensor.type");
        }
        RawBuffer broken = raw.i32(36, 1);
        for (int tag : new int[] {0, 6, 127, 128, 255}) {
            accepts(ARROW, Root.MESSAGE, broken.u8(32, tag).bytes());
        }
        byte[] unknownLeadingOut = broken.i32(28, 100).bytes();
        refuses(
                ARROW,
                Root.MESSAGE,
                unknownLeadingOut,
                StructureRules.OFFSET_TARGET_OUT_OF_RANGE,
                28,
                "header");
    }

    @Test
    void tagAndValueBothOrNeither() {
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

    // ---- stricter checks, each alone

    @Test
    void utf8() {
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
    void tableSize() {
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
    void vectorAlignment() {
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
        // It stands on its own: no other alignment is checked here.
        VerifierOptions alone = some.with(VerifierOptions.Check.ALIGNMENT, false);
        refuses(alone, Root.SCHEMA, one, StructureRules.ELEMENTS_MISALIGNED, 20, "features");
        byte[] odd = keyed(61).offset(44, 49).bytes();
        accepts(alone, Root.SCHEMA, odd);
    }
}
