// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/// Presets, copies, and limits of the options.
class VerifierOptionsTest {
    private record Toggle(
            String name,
            BiFunction<VerifierOptions, Boolean, VerifierOptions> set,
            Predicate<VerifierOptions> get) {}

    private static final List<Toggle> TOGGLES =
            List.of(
                    new Toggle(
                            "alignment",
                            VerifierOptions::withCheckAlignment,
                            VerifierOptions::checkAlignment),
                    new Toggle("utf8", VerifierOptions::withCheckUtf8, VerifierOptions::checkUtf8),
                    new Toggle(
                            "unionPairs",
                            VerifierOptions::withCheckUnionPairs,
                            VerifierOptions::checkUnionPairs),
                    new Toggle(
                            "tableSize",
                            VerifierOptions::withCheckTableSize,
                            VerifierOptions::checkTableSize),
                    new Toggle(
                            "vtableSize",
                            VerifierOptions::withCheckVtableSize,
                            VerifierOptions::checkVtableSize),
                    new Toggle(
                            "zeroOffsets",
                            VerifierOptions::withCheckZeroOffsets,
                            VerifierOptions::checkZeroOffsets));

    @Test
    void presets() {
        VerifierOptions arrow = VerifierOptions.ARROW_CPP;
        assertEquals(128, arrow.maxDepth());
        assertEquals(8_000, arrow.maxTables(1_000));
        assertEquals((1L << 31) - 2, arrow.maxSize());
        assertEquals(64, VerifierOptions.FLATBUFFERS.maxDepth());
        assertEquals(1_000_000, VerifierOptions.FLATBUFFERS.maxTables(12));
        assertEquals(128, VerifierOptions.STRICT.maxDepth());
        assertEquals(96, VerifierOptions.STRICT.maxTables(12));
        for (Toggle toggle : TOGGLES) {
            boolean official = toggle.name().equals("alignment");
            assertEquals(official, toggle.get().test(arrow), toggle.name());
            assertEquals(official, toggle.get().test(VerifierOptions.FLATBUFFERS), toggle.name());
            assertTrue(toggle.get().test(VerifierOptions.STRICT), toggle.name());
        }
        assertEquals(VectorAlignment.NONE, arrow.vectorAlignment());
        assertEquals(VectorAlignment.NON_EMPTY, VerifierOptions.STRICT.vectorAlignment());
    }

    @Test
    void eachCheckIsSetAlone() {
        for (VerifierOptions from : List.of(VerifierOptions.ARROW_CPP, VerifierOptions.STRICT)) {
            for (Toggle changed : TOGGLES) {
                boolean before = changed.get().test(from);
                VerifierOptions copy = changed.set().apply(from, !before);
                assertEquals(before, changed.get().test(from), "the original changed");
                assertNotEquals(from, copy);
                for (Toggle each : TOGGLES) {
                    boolean was = each.get().test(from);
                    assertEquals(each == changed ? !was : was, each.get().test(copy), each.name());
                }
                assertEquals(from, changed.set().apply(copy, before));
            }
        }
    }

    @Test
    void copiesDifferInWhatWasSetAndKeepTheRest() {
        VerifierOptions from = VerifierOptions.STRICT;
        List<VerifierOptions> copies =
                List.of(
                        from,
                        from.withMaxDepth(7),
                        from.withMaxTables(7),
                        from.withMaxTablesPerByte(7),
                        from.withMaxSize(7),
                        from.withVectorAlignment(VectorAlignment.ALL));
        Set<VerifierOptions> different = new HashSet<>(copies);
        Set<String> texts = new HashSet<>();
        copies.forEach(each -> texts.add(each.toString()));
        assertEquals(copies.size(), different.size());
        assertEquals(copies.size(), texts.size());
        assertTrue(copies.stream().allMatch(VerifierOptions::checkUtf8));
        assertEquals(from, copies.get(1).withMaxDepth(128));
        assertEquals(from.hashCode(), copies.get(1).withMaxDepth(128).hashCode());
        assertEquals(7, copies.get(2).maxTables(Long.MAX_VALUE));
        assertEquals(84, copies.get(3).maxTables(12));
        assertFalse(from.equals(null));
    }

    @Test
    void tablesPerByteDoNotOverflow() {
        assertEquals(Long.MAX_VALUE, VerifierOptions.ARROW_CPP.maxTables(Long.MAX_VALUE / 2));
        assertEquals(1L << 40, VerifierOptions.ARROW_CPP.maxTables(1L << 37));
    }

    @Test
    void limitsThatMakeNoSenseAreRefused() {
        VerifierOptions from = VerifierOptions.ARROW_CPP;
        assertThrows(IllegalArgumentException.class, () -> from.withMaxDepth(0));
        assertThrows(IllegalArgumentException.class, () -> from.withMaxTables(-1));
        assertThrows(IllegalArgumentException.class, () -> from.withMaxTablesPerByte(0));
        assertThrows(IllegalArgumentException.class, () -> from.withMaxSize(-1));
        assertThrows(NullPointerException.class, () -> from.withVectorAlignment(null));
        assertEquals(1, from.withMaxDepth(1).maxDepth());
        assertEquals(5, from.withMaxTablesPerByte(1).maxTables(5));
        assertTrue(from.withMaxTables(9).toString().contains(", maxTables=9,"));
        assertTrue(from.withMaxTablesPerByte(9).toString().contains(", maxTablesPerByte=9,"));
    }
}
