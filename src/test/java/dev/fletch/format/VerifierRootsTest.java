// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.StructureRule;
import dev.fletch.format.Verifier.Root;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;

/// Each kind of root has its own methods, for each kind of memory: all give the verdict of
/// [Verifier#verify], and a verifier is as it was after each of them.
class VerifierRootsTest {
    private static final int BEFORE = 8;

    private final Verifier verifier = new Verifier();

    /// The root's own methods: of a whole segment, a part of one, and a byte buffer.
    private boolean[] verdicts(Root root, byte[] bytes) {
        MemorySegment whole = MemorySegment.ofArray(bytes);
        byte[] around = new byte[BEFORE + bytes.length + BEFORE];
        Arrays.fill(around, (byte) 0x7F);
        System.arraycopy(bytes, 0, around, BEFORE, bytes.length);
        MemorySegment memory = MemorySegment.ofArray(around);
        ByteBuffer buffer = ByteBuffer.wrap(around, BEFORE, bytes.length);
        long length = bytes.length;
        return new boolean[] {
            verifier.verify(root, whole),
            verifier.verify(root, memory, BEFORE, length),
            verifier.verify(root, buffer)
        };
    }

    private void assertVerdicts(boolean expected, Root root, byte[] bytes) {
        for (boolean verdict : verdicts(root, bytes)) {
            assertEquals(expected, verdict, root.table());
        }
    }

    @ParameterizedTest
    @EnumSource
    void eachRootIsVerifiedInAnyMemory(Root root) {
        byte[] right = WholeTrees.full(root);
        assertVerdicts(true, root, right);
        assertTrue(verifier.tablesVisited() > 1);
        assertTrue(verifier.verify(root, ByteBuffer.wrap(right)));
        byte[] wrong = right.clone();
        wrong[3] = 0x40;
        assertVerdicts(false, root, wrong);
        assertNotNull(verifier.fault());
        assertFalse(verifier.verify(root, ByteBuffer.wrap(wrong)));
        MemorySegment memory = MemorySegment.ofArray(wrong);
        assertFalse(verifier.verifyShallow(root, memory, 0, wrong.length));
        assertEquals(1, verifier.findFaults(root, memory, 0, wrong.length, _ -> {}, 9));
        assertVerdicts(false, root, new byte[3]);
        assertEquals(StructureRule.BUFFER_TOO_SMALL, verifier.fault().rule());
        assertVerdicts(true, root, right);
        assertNull(verifier.fault());
    }

    /// A sink that throws, and a range that is not there, end a call as they find it.
    @Test
    void aThrowingCallLeavesTheVerifierUsable() {
        byte[] wrong = WholeTrees.full(Root.SCHEMA);
        wrong[3] = 0x40;
        MemorySegment memory = MemorySegment.ofArray(wrong);
        int[] told = new int[1];
        for (int i = 0; i < 2; i++) {
            assertThrows(
                    ArithmeticException.class,
                    () ->
                            verifier.findFaults(
                                    Root.SCHEMA, memory, 0, wrong.length, _ -> fail(told), 9));
            assertFalse(verifier.verify(Verifier.Root.SCHEMA, memory));
            assertEquals(i + 1, told[0], "the sink is asked no more");
        }
        assertEquals(
                1, verifier.findFaults(Root.SCHEMA, memory, 0, wrong.length, _ -> told[0]++, 9));
        assertFalse(verifier.verify(Verifier.Root.SCHEMA, memory));
        assertEquals(3, told[0]);
        byte[] right = WholeTrees.full(Root.FOOTER);
        MemorySegment footer = MemorySegment.ofArray(right);
        assertThrows(
                IndexOutOfBoundsException.class,
                () -> verifier.verifyShallow(Root.FOOTER, footer, 1, right.length));
        assertTrue(verifier.verify(Verifier.Root.FOOTER, footer));
        long whole = verifier.tablesVisited();
        assertTrue(verifier.verifyShallow(Verifier.Root.FOOTER, footer, 0, right.length));
        assertTrue(verifier.tablesVisited() < whole);
        assertTrue(verifier.verify(Verifier.Root.FOOTER, footer));
        assertEquals(whole, verifier.tablesVisited());
    }

    private static void fail(int[] told) {
        told[0]++;
        throw new ArithmeticException("a sink's own");
    }

    @Test
    void aRangeOutsideTheMemoryIsRefused() {
        MemorySegment memory = MemorySegment.ofArray(new byte[32]);
        for (long[] range : new long[][] {{30, 3}, {-1, 3}, {Long.MAX_VALUE, Long.MAX_VALUE}}) {
            assertThrows(
                    IndexOutOfBoundsException.class,
                    () -> verifier.verify(Root.MESSAGE, memory, range[0], range[1]));
        }
    }
}
