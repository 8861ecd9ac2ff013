// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static dev.fletch.format.Verdicts.ARROW;
import static dev.fletch.format.Verdicts.accepts;
import static dev.fletch.format.Verdicts.refuses;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.fletch.Check;
import dev.fletch.Checks;
import dev.fletch.StructureRule;
import dev.fletch.format.Verifier.Root;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;

/// Each stricter check alone: what it refuses is accepted without it.
class StricterChecksTest {
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

    /// A vtable of 2 bytes has no size of the table that could be wrong.
    @Test
    void tablesWithoutASizeAreAccepted() {
        byte[] none = new RawBuffer(16).offset(0, 12).u16(4, 2).u16(6, 0xFFFF).table(12, 4).bytes();
        accepts(ARROW.with(Check.TABLE_SIZE, true), Root.SCHEMA, none);
    }

    /// The tag NONE without a value, and neither.
    @Test
    void unionsWithoutTagAndValueAreAccepted() {
        Checks pairs = ARROW.with(Check.UNION_PAIRS, true);
        RawBuffer none = new RawBuffer(40).offset(0, 24).vtable(4, 0, 8).table(24, 4);
        accepts(pairs, Root.MESSAGE, none.bytes());
        accepts(pairs, Root.MESSAGE, none.u16(10, 0).bytes());
    }

    @Test
    void theSecondElementWithTheOffsetZeroIsRefused() {
        byte[] second =
                keyed(60).i32(32, 2).offset(36, 44).i32(40, 0).table(44, 16).i32(48, 4).bytes();
        refuses(
                ARROW.with(Check.ZERO_OFFSETS, true),
                Root.SCHEMA,
                second,
                StructureRule.ELEMENT_OFFSET_ZERO,
                40,
                "customMetadata[1]");
    }

    @Test
    void misalignedElementsAreRefusedOnRequest() {
        Checks some = ARROW.with(Check.VECTOR_ALIGNMENT, true);
        Checks all =
                ARROW.with(Check.VECTOR_ALIGNMENT, true).with(Check.EMPTY_VECTOR_ALIGNMENT, true);
        byte[] empty = features(40, 0).offset(20, 24).bytes();
        accepts(ARROW, Root.SCHEMA, empty);
        accepts(some, Root.SCHEMA, empty);
        refuses(all, Root.SCHEMA, empty, StructureRule.ELEMENTS_MISALIGNED, 20, "features");
        Checks empties = ARROW.with(Check.EMPTY_VECTOR_ALIGNMENT, true);
        refuses(empties, Root.SCHEMA, empty, StructureRule.ELEMENTS_MISALIGNED, 20, "features");
        accepts(empties, Root.SCHEMA, features(40, 1).bytes());
        byte[] one = features(40, 1).bytes();
        accepts(ARROW, Root.SCHEMA, one);
        refuses(some, Root.SCHEMA, one, StructureRule.ELEMENTS_MISALIGNED, 20, "features");
        refuses(all, Root.SCHEMA, one, StructureRule.ELEMENTS_MISALIGNED, 20, "features");
        byte[] aligned = features(40, 0).offset(20, 28).i32(28, 1).bytes();
        accepts(all, Root.SCHEMA, aligned);
        Verifier verifier = new Verifier(all);
        assertFalse(verifier.verify(Root.SCHEMA, MemorySegment.ofArray(one)));
        assertEquals(28, verifier.fault().value());
        // It stands on its own: no other alignment is checked here.
        Checks alone = some.with(Check.ALIGNMENT, false);
        refuses(alone, Root.SCHEMA, one, StructureRule.ELEMENTS_MISALIGNED, 20, "features");
        byte[] odd = keyed(61).offset(44, 49).bytes();
        accepts(alone, Root.SCHEMA, odd);
    }
}
