// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.differential;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Checks;
import dev.fletch.Rule;
import dev.fletch.StructureRule;
import dev.fletch.format.Verifier;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// What hostile buffers cost, by count: tables reached, and bytes of strings looked at.
class BoundedWorkTest {
    private static final int TABLES_PER_BYTE = 8;

    private static Verifier verify(byte[] bytes, Checks options, boolean accepted) {
        Verifier verifier = new Verifier(options);
        assertEquals(accepted, verifier.verify(Verifier.Root.SCHEMA, MemorySegment.ofArray(bytes)));
        return verifier;
    }

    /// Each byte twice: once as long as strings add up to no more than the buffer, once when they
    /// do. And one of each string, of which a pair has two.
    private static void assertReadsLittle(Verifier verifier, byte[] bytes) {
        long most = 2L * bytes.length + 2 * verifier.tablesVisited();
        assertTrue(
                verifier.stringBytesRead() <= most,
                () -> verifier.stringBytesRead() + " bytes read of " + bytes.length);
    }

    @Test
    void bombsOfTablesEndAtTheLimit() {
        for (int levels = 8; levels <= 64; levels += 4) {
            byte[] bytes = CraftedBuffers.bomb(levels, 4);
            Verifier verifier = verify(bytes, Checks.STRICT, false);
            assertEquals(StructureRule.TABLE_LIMIT, verifier.fault().rule());
            long limit = (long) TABLES_PER_BYTE * bytes.length;
            assertEquals(limit + 1, verifier.tablesVisited());
            List<Rule> found = new ArrayList<>();
            MemorySegment memory = MemorySegment.ofArray(bytes);
            verifier.findFaults(
                    Verifier.Root.SCHEMA, memory, 0, bytes.length, f -> found.add(f.rule()), 1000);
            assertEquals(List.of(StructureRule.TABLE_LIMIT), found);
            assertEquals(limit + 1, verifier.tablesVisited());
        }
    }

    /// Looking for all faults goes on after each, and yet ends at the limit as well.
    @Test
    void bombsOfFaultsEndAtTheLimit() {
        byte[] bytes = CraftedBuffers.bomb(40, 3);
        bytes[bytes.length - 8] = 1; // The table at the end, reached 3^40 times, has no vtable.
        Verifier verifier = new Verifier();
        MemorySegment memory = MemorySegment.ofArray(bytes);
        int[] taken = new int[1];
        int found =
                verifier.findFaults(
                        Verifier.Root.SCHEMA, memory, 0, bytes.length, _ -> taken[0]++, 1_000_000);
        assertEquals(found, taken[0]);
        assertTrue(found > 0);
        long limit = (long) TABLES_PER_BYTE * bytes.length;
        assertTrue(verifier.tablesVisited() <= limit + 1);
    }

    @Test
    void workForASharedStringIsLinear() {
        for (boolean sameTable : new boolean[] {false, true}) {
            byte[] bytes = CraftedBuffers.sharedString(5_000, 1 << 20, sameTable);
            Verifier verifier = verify(bytes, Checks.STRICT, true);
            assertEquals(5_001, verifier.tablesVisited());
            assertReadsLittle(verifier, bytes);
        }
    }

    @Test
    void workForOverlappingStringsIsLinear() {
        for (int pairs : new int[] {10, 1_000, 4_000}) {
            byte[] bytes = CraftedBuffers.overlappingStrings(pairs);
            Verifier verifier = verify(bytes, Checks.STRICT, true);
            assertReadsLittle(verifier, bytes);
        }
    }

    /// The same with one byte that no string may have, in all of them but the shortest.
    @Test
    void workForMalformedOverlappingStringsIsLinear() {
        int pairs = 4_000;
        byte[] bytes = CraftedBuffers.overlappingStrings(pairs);
        bytes[bytes.length - 200] = (byte) 0xC3;
        MemorySegment memory = MemorySegment.ofArray(bytes);
        Verifier verifier = verify(bytes, Checks.STRICT, false);
        assertEquals(StructureRule.STRING_NOT_UTF8, verifier.fault().rule());
        Set<Rule> codes = new LinkedHashSet<>();
        int found =
                verifier.findFaults(
                        Verifier.Root.SCHEMA,
                        memory,
                        0,
                        bytes.length,
                        fault -> codes.add(fault.rule()),
                        pairs);
        assertEquals(Set.of(StructureRule.STRING_NOT_UTF8), codes);
        // Those of 0 to 124 bytes end behind it.
        assertEquals(pairs - 32, found);
        assertReadsLittle(verifier, bytes);
    }

    @Test
    void stringsAreReadOnlyForTheUtf8Check() {
        byte[] bytes = CraftedBuffers.sharedString(50, 1 << 10, false);
        Verifier verifier = verify(bytes, Checks.ARROW_CPP, true);
        assertEquals(0, verifier.stringBytesRead());
        assertNull(verifier.fault());
    }
}
