// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Rule;
import dev.fletch.flatbuf.StructureRules;
import dev.fletch.flatbuf.VerifierOptions;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.foreign.MemorySegment;

/// The value that a fault carries, and faults at the very end of a buffer: what mutation testing has
/// shown that no other test held.
class VerifierFaultValuesTest {
    private static final VerifierOptions ARROW = VerifierOptions.ARROW_CPP;

    private static void refuses(
            VerifierOptions options, RawBuffer raw, Rule code, long position, long value) {
        final Verifier verifier = new Verifier(options);
        final byte[] bytes = raw.bytes();
        assertEquals(false, verifier.verify(Verifier.Root.SCHEMA, MemorySegment.ofArray(bytes)));
        assertEquals(
                code + " at " + position + ", value " + value,
                verifier.fault().rule()
                        + " at "
                        + verifier.fault().position()
                        + ", value "
                        + verifier.fault().value());
        // The same within other memory: positions are its owner's, values are the bytes' own.
        final byte[] larger = new byte[bytes.length + 32];
        System.arraycopy(bytes, 0, larger, 16, bytes.length);
        assertEquals(
                false,
                verifier.verify(
                        Verifier.Root.SCHEMA, MemorySegment.ofArray(larger), 16, bytes.length));
        assertEquals(code, verifier.fault().rule());
        assertEquals(position + 16, verifier.fault().position());
    }

    private static void accepts(VerifierOptions options, RawBuffer raw) {
        final Verifier verifier = new Verifier(options);
        assertTrue(
                verifier.verify(Verifier.Root.SCHEMA, MemorySegment.ofArray(raw.bytes())),
                () -> verifier.fault().toString());
    }

    /// A table at 8 without fields, its vtable at 4.
    private static RawBuffer empty() {
        return new RawBuffer(12).offset(0, 8).vtable(4).table(8, 4);
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, -8})
    void negativeOffsetIsShownUnsigned(int offset) {
        refuses(
                ARROW,
                empty().i32(0, offset),
                StructureRules.OFFSET_TOO_LARGE,
                0,
                offset & 0xFFFFFFFFL);
    }

    @Test
    void offsetThatLeadsTooFar() {
        refuses(ARROW, empty().i32(0, 77), StructureRules.OFFSET_TARGET_OUT_OF_RANGE, 0, 77);
    }

    @Test
    void offsetToTheVtableIsShownAsItStands() {
        refuses(ARROW, empty().i32(8, 3), StructureRules.VTABLE_MISALIGNED, 8, 3);
        refuses(ARROW, empty().i32(8, -3), StructureRules.VTABLE_MISALIGNED, 8, -3);
        refuses(ARROW, empty().i32(8, 100), StructureRules.VTABLE_OUT_OF_RANGE, 8, 100);
        refuses(ARROW, empty().i32(8, -100), StructureRules.VTABLE_OUT_OF_RANGE, 8, -100);
        refuses(ARROW, empty().u16(4, 14), StructureRules.VTABLE_SIZE_OUT_OF_RANGE, 4, 14);
    }

    /// The features of a schema, one number of 64 bits at 28.
    private static RawBuffer features(int count) {
        return new RawBuffer(36)
                .offset(0, 16)
                .vtable(4, 0, 0, 0, 4)
                .table(16, 4)
                .offset(20, 24)
                .i32(24, count);
    }

    @Test
    void elementsThatAreNotAligned() {
        final VerifierOptions all =
                ARROW.with(VerifierOptions.Check.VECTOR_ALIGNMENT, true)
                        .with(VerifierOptions.Check.EMPTY_VECTOR_ALIGNMENT, true);
        final VerifierOptions some = ARROW.with(VerifierOptions.Check.VECTOR_ALIGNMENT, true);
        refuses(all, features(1), StructureRules.ELEMENTS_MISALIGNED, 20, 28);
        refuses(some, features(1), StructureRules.ELEMENTS_MISALIGNED, 20, 28);
        refuses(all, features(0), StructureRules.ELEMENTS_MISALIGNED, 20, 28);
        accepts(some, features(0));
        accepts(ARROW, features(1));
        refuses(ARROW, features(2), StructureRules.VECTOR_COUNT_OUT_OF_RANGE, 24, 2);
    }

    /// A column whose name begins at 44, where the buffer may end.
    private static RawBuffer name(int size) {
        return new RawBuffer(size)
                .offset(0, 12)
                .vtable(4, 0, 4)
                .table(12, 4)
                .offset(16, 20)
                .i32(20, 1)
                .offset(24, 36)
                .vtable(28, 4)
                .table(36, 28)
                .offset(40, 44);
    }

    @Test
    void stringAtTheVeryEnd() {
        refuses(ARROW, name(46), StructureRules.STRING_OUT_OF_RANGE, 40, 44);
        refuses(ARROW, name(47), StructureRules.STRING_OUT_OF_RANGE, 40, 44);
        refuses(ARROW, name(48), StructureRules.STRING_UNTERMINATED, 44, -1);
        refuses(ARROW, name(48).i32(44, 1), StructureRules.STRING_LENGTH_OUT_OF_RANGE, 44, 1);
        accepts(ARROW, name(49));
        refuses(ARROW, name(49).i32(44, 1), StructureRules.STRING_UNTERMINATED, 44, -1);
        refuses(ARROW, name(49).u8(48, 7), StructureRules.STRING_UNTERMINATED, 48, 7);
        refuses(ARROW, name(49).i32(44, 2), StructureRules.STRING_LENGTH_OUT_OF_RANGE, 44, 2);
        refuses(ARROW, name(49).i32(44, -1), StructureRules.STRING_TOO_LONG, 44, 0xFFFFFFFFL);
    }

    /// The vtable of a column is the last thing there is, so that its slots cannot be read in two
    /// words; slot 6 stands in the second one.
    private static RawBuffer vtableAtTheEnd(int count) {
        return new RawBuffer(58)
                .offset(0, 12)
                .vtable(4, 0, 4)
                .table(12, 4)
                .offset(16, 20)
                .i32(20, 1)
                .offset(24, 28)
                .table(28, 40)
                .offset(32, 36)
                .i32(36, count)
                .vtable(40, 0, 0, 0, 0, 0, 0, 4);
    }

    @Test
    void vtableAtTheVeryEnd() {
        accepts(ARROW, vtableAtTheEnd(0));
        refuses(ARROW, vtableAtTheEnd(9), StructureRules.VECTOR_COUNT_OUT_OF_RANGE, 36, 9);
        refuses(
                ARROW,
                vtableAtTheEnd(0).u16(40, 20),
                StructureRules.VTABLE_SIZE_OUT_OF_RANGE,
                40,
                20);
    }
}
