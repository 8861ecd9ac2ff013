// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.differential;

import static dev.fletch.flatbuf.StructureRules.OFFSET_TARGET_OUT_OF_RANGE;
import static dev.fletch.flatbuf.StructureRules.OFFSET_TOO_LARGE;
import static dev.fletch.flatbuf.StructureRules.OFFSET_ZERO;
import static dev.fletch.flatbuf.StructureRules.STRING_LENGTH_OUT_OF_RANGE;
import static dev.fletch.flatbuf.StructureRules.STRING_MISALIGNED;
import static dev.fletch.flatbuf.StructureRules.STRING_OUT_OF_RANGE;
import static dev.fletch.flatbuf.StructureRules.STRING_TOO_LONG;
import static dev.fletch.flatbuf.StructureRules.STRING_UNTERMINATED;
import static dev.fletch.flatbuf.StructureRules.TABLE_MISALIGNED;
import static dev.fletch.flatbuf.StructureRules.TABLE_OUT_OF_RANGE;
import static dev.fletch.flatbuf.StructureRules.VECTOR_COUNT_OUT_OF_RANGE;
import static dev.fletch.flatbuf.StructureRules.VECTOR_MISALIGNED;
import static dev.fletch.flatbuf.StructureRules.VECTOR_OUT_OF_RANGE;
import static dev.fletch.flatbuf.StructureRules.VECTOR_TOO_LONG;

import dev.fletch.Rule;
import dev.fletch.format.Footer;
import dev.fletch.format.RawBuffer;
import dev.fletch.format.Schema;
import dev.fletch.format.Verifier.Root;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// The edges of the rules for vectors and strings.
class CraftedVectorsTest {
    private static final int TABLE = 24;
    private static final int VECTOR = 32;
    private static final int STRING = VECTOR + 16;
    private static final int SIZE = 96;
    private static final String KEY = "customMetadata[0].key";
    private static final int MAX_BYTES = Integer.MAX_VALUE;

    private static BothVerifiers both;

    @BeforeAll
    static void start() {
        both = new BothVerifiers();
    }

    @AfterAll
    static void end() {
        System.out.println("Crafted vectors and strings: " + both);
        both.close();
    }

    /// A root with one field, an offset that leads to `target`.
    private static RawBuffer root(int slot, int target, int size) {
        return new RawBuffer(size)
                .offset(0, TABLE)
                .vtable(4, CraftedBuffers.slots(slot, 4))
                .table(TABLE, 4)
                .offset(TABLE + 4, target);
    }

    // ---- counts

    /// A vector with a kind of elements.
    private enum Kind {
        NUMBERS(Root.SCHEMA, Schema.FEATURES_SLOT, 8, "features"),
        STRUCTS(Root.FOOTER, Footer.RECORD_BATCHES_SLOT, 24, "recordBatches"),
        TABLES(Root.SCHEMA, Schema.FIELDS_SLOT, 4, "fields");

        private final Root root;
        private final int slot;
        private final int elementBytes;
        private final String path;

        Kind(Root root, int slot, int elementBytes, String path) {
            this.root = root;
            this.slot = slot;
            this.elementBytes = elementBytes;
            this.path = path;
        }

        RawBuffer of(long count) {
            return root(slot, VECTOR, SIZE).i32(VECTOR, (int) count);
        }
    }

    @Test
    void vectorCountsThatFitAreAccepted() {
        for (Kind kind : Kind.values()) {
            int most = (SIZE - VECTOR - 4) / kind.elementBytes;
            for (int count = 0; count <= most; count++) {
                both.accept(kind.root, kind.of(count));
            }
            both.refuse(VECTOR_COUNT_OUT_OF_RANGE, kind.root, kind.of(most + 1))
                    .at(VECTOR, kind.path)
                    .value(most + 1);
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
            both.refuse(VECTOR_TOO_LONG, kind.root, kind.of(-1)).at(VECTOR, kind.path);
            both.refuse(VECTOR_TOO_LONG, kind.root, kind.of(Integer.MIN_VALUE));
        }
    }

    @Test
    void vectorsAreLimitedToTwoGiB() {
        for (Kind kind : Kind.values()) {
            int limit = MAX_BYTES / kind.elementBytes;
            both.refuse(VECTOR_COUNT_OUT_OF_RANGE, kind.root, kind.of(limit - 1));
            both.refuse(VECTOR_TOO_LONG, kind.root, kind.of(limit));
            both.refuse(VECTOR_TOO_LONG, kind.root, kind.of(limit + 1));
        }
    }

    // ---- places

    @Test
    void vectorsMustBeginWithinTheBuffer() {
        for (Kind kind : Kind.values()) {
            both.accept(kind.root, root(kind.slot, SIZE - 4, SIZE));
            both.refuse(
                    VECTOR_MISALIGNED,
                    VECTOR_OUT_OF_RANGE,
                    kind.root,
                    root(kind.slot, SIZE - 2, SIZE));
            both.refuse(VECTOR_OUT_OF_RANGE, kind.root, root(kind.slot, SIZE, SIZE + 3))
                    .at(TABLE + 4, kind.path);
            both.refuseAligned(VECTOR_MISALIGNED, kind.root, root(kind.slot, VECTOR + 2, SIZE))
                    .at(TABLE + 4, kind.path);
        }
    }

    @Test
    void elementsOf8BytesNeedNotBeAligned() {
        both.accept(Root.SCHEMA, root(Schema.FEATURES_SLOT, VECTOR, SIZE).i32(VECTOR, 2));
        both.accept(Root.SCHEMA, root(Schema.FEATURES_SLOT, VECTOR + 4, SIZE).i32(VECTOR + 4, 2));
    }

    @Test
    void aVectorMayFollowItsOffsetDirectly() {
        // Aligned, an offset leads 4 bytes on at least; unaligned, into itself.
        both.accept(Root.SCHEMA, root(Schema.FEATURES_SLOT, TABLE + 8, SIZE));
        RawBuffer inside = root(Schema.FEATURES_SLOT, TABLE + 5, SIZE);
        both.refuseAligned(VECTOR_MISALIGNED, Root.SCHEMA, inside);
    }

    // ---- vectors of tables

    @Test
    void elementOffsetsOfZeroAreAccepted() {
        // Read as a table, an element of 0 is its own vtable, which has no slots.
        both.accept(Root.SCHEMA, Kind.TABLES.of(3));
        // The vector's last element is all that there is behind it.
        int last = SIZE - 8;
        both.accept(Root.SCHEMA, root(Schema.FIELDS_SLOT, last, SIZE).i32(last, 1));
    }

    @Test
    void elementsMayOverlapTheirVector() {
        // Each but the last is 4, which is the way to the next, and from there back to this one.
        RawBuffer raw = Kind.TABLES.of(3).i32(VECTOR + 4, 4).i32(VECTOR + 8, 4);
        both.accept(Root.SCHEMA, raw);
    }

    @Test
    void elementOffsetsOutOfRangeAreRefused() {
        // Nothing leads back: an element's value counts forward, whatever its sign would be.
        RawBuffer raw = Kind.TABLES.of(1).offset(VECTOR + 4, TABLE);
        both.refuse(TABLE_OUT_OF_RANGE, Root.SCHEMA, raw).at(VECTOR + 4, "fields[0]");
        RawBuffer odd = Kind.TABLES.of(1).i32(VECTOR + 4, 5);
        both.refuseAligned(TABLE_MISALIGNED, Root.SCHEMA, odd).at(VECTOR + 4, "fields[0]");
        for (int value : new int[] {Integer.MIN_VALUE, -4, Integer.MAX_VALUE - 3}) {
            both.refuse(TABLE_OUT_OF_RANGE, Root.SCHEMA, Kind.TABLES.of(1).i32(VECTOR + 4, value));
        }
    }

    // ---- strings

    /// A schema with a pair whose key leads to `string`.
    private static RawBuffer key(int string, int size) {
        return root(Schema.CUSTOM_METADATA_SLOT, VECTOR, size)
                .i32(VECTOR, 1)
                .offset(VECTOR + 4, VECTOR + 8)
                .table(VECTOR + 8, 16)
                .vtable(16, 4)
                .offset(VECTOR + 12, string);
    }

    private static RawBuffer text(long length, int size) {
        return key(STRING, size).i32(STRING, (int) length);
    }

    @Test
    void stringsNeedATerminator() {
        for (int length = 0; length < 12; length++) {
            int end = STRING + 4 + length;
            both.accept(Root.SCHEMA, text(length, end + 1));
            // Without its NUL, and with something else there.
            both.refuse(STRING_UNTERMINATED, Root.SCHEMA, text(length, end))
                    .at(STRING, KEY)
                    .value(-1);
            both.refuse(STRING_UNTERMINATED, Root.SCHEMA, text(length, end + 1).u8(end, 1))
                    .at(end, KEY)
                    .value(1);
            both.refuse(STRING_UNTERMINATED, Root.SCHEMA, text(length, end + 1).u8(end, 0xFF));
            both.refuse(STRING_LENGTH_OUT_OF_RANGE, Root.SCHEMA, text(length + 1, end))
                    .at(STRING, KEY)
                    .value(length + 1);
        }
    }

    @Test
    void stringLengthsOutOfRangeAreRefused() {
        refuseLength(STRING_LENGTH_OUT_OF_RANGE, MAX_BYTES - 1);
        refuseLength(STRING_TOO_LONG, MAX_BYTES);
        refuseLength(STRING_TOO_LONG, Integer.MIN_VALUE);
        refuseLength(STRING_TOO_LONG, -1);
        refuseLength(STRING_TOO_LONG, -4);
        refuseLength(STRING_TOO_LONG, -5);
    }

    private static void refuseLength(Rule code, int length) {
        both.refuse(code, Root.SCHEMA, text(length, SIZE))
                .at(STRING, KEY)
                .value(length & 0xFFFF_FFFFL);
    }

    @Test
    void stringPositionsAreChecked() {
        both.accept(Root.SCHEMA, key(SIZE - 8, SIZE));
        both.refuse(STRING_UNTERMINATED, Root.SCHEMA, key(SIZE - 4, SIZE));
        both.refuse(STRING_MISALIGNED, STRING_OUT_OF_RANGE, Root.SCHEMA, key(SIZE - 2, SIZE));
        both.refuse(STRING_OUT_OF_RANGE, Root.SCHEMA, key(SIZE, SIZE + 2))
                .at(VECTOR + 12, KEY)
                .value(SIZE);
        both.refuseAligned(STRING_MISALIGNED, Root.SCHEMA, key(STRING + 2, SIZE))
                .at(VECTOR + 12, KEY);
    }

    @Test
    void offsetsOfStringsAreChecked() {
        RawBuffer raw = text(3, SIZE);
        both.refuse(OFFSET_ZERO, Root.SCHEMA, raw.i32(VECTOR + 12, 0)).at(VECTOR + 12, KEY);
        both.refuse(OFFSET_TOO_LARGE, Root.SCHEMA, raw.i32(VECTOR + 12, 0x8000_0004));
        both.refuse(OFFSET_TARGET_OUT_OF_RANGE, Root.SCHEMA, raw.offset(VECTOR + 12, SIZE));
    }

    @Test
    void bytesOfStringsMayBeAny() {
        RawBuffer raw = text(3, SIZE).u8(STRING + 4, 0xFF).u8(STRING + 5, 0).u8(STRING + 6, 0xC0);
        both.accept(Root.SCHEMA, raw);
    }
}
