// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Presets, copies, and limits of the options.
class ChecksTest {
    @Test
    void presetsHaveTheirChecks() {
        Checks arrow = Checks.ARROW_CPP;
        assertEquals(128, arrow.limits().depth());
        assertEquals(8_000, arrow.limits().tables(1_000));
        assertEquals((1L << 31) - 2, arrow.limits().metadataBytes());
        assertEquals(64, Checks.FLATBUFFERS.limits().depth());
        assertEquals(1_000_000, Checks.FLATBUFFERS.limits().tables(12));
        assertEquals(128, Checks.STRICT.limits().depth());
        assertEquals(96, Checks.STRICT.limits().tables(12));
        assertEquals(EnumSet.of(Check.ALIGNMENT), arrow.enabled());
        assertEquals(arrow.enabled(), Checks.FLATBUFFERS.enabled());
        assertEquals(
                EnumSet.complementOf(
                        EnumSet.of(
                                Check.EMPTY_VECTOR_ALIGNMENT,
                                Check.LITTLE_ENDIAN,
                                Check.UNUSED_BYTES)),
                Checks.STRICT.enabled());
    }

    @Test
    void eachCheckIsSetAlone() {
        for (Checks from : List.of(Checks.ARROW_CPP, Checks.STRICT)) {
            for (Check changed : Check.values()) {
                boolean before = from.has(changed);
                Checks copy = from.with(changed, !before);
                assertEquals(before, from.has(changed), "the original changed");
                assertNotEquals(from, copy);
                for (Check each : Check.values()) {
                    boolean was = from.has(each);
                    assertEquals(each == changed ? !was : was, copy.has(each), each.name());
                }
                assertEquals(from, copy.with(changed, before));
            }
        }
    }

    @Test
    void structureIsComparedWithoutChecksOfMeaning() {
        for (Checks from : List.of(Checks.ARROW_CPP, Checks.STRICT)) {
            for (Check each : Check.values()) {
                Checks copy = from.with(each, !from.has(each));
                boolean isStructure = each.rules() == StructureRule.class;
                assertEquals(!isStructure, from.hasSameStructure(copy), each.name());
                assertEquals(from.hashCode(), copy.hashCode());
            }
            assertFalse(from.hasSameStructure(from.withLimits(Limits.DEFAULT.withDepth(7))));
        }
    }

    @Test
    void checksCannotBeChangedFromOutside() {
        Set<Check> own = EnumSet.of(Check.UTF8);
        Checks options = new Checks(Limits.DEFAULT, own);
        own.add(Check.TABLE_SIZE);
        assertEquals(Set.of(Check.UTF8), options.enabled());
        assertThrows(
                UnsupportedOperationException.class, () -> options.enabled().add(Check.TABLE_SIZE));
    }

    @Test
    void copiesKeepAllOtherValues() {
        Checks from = Checks.STRICT;
        List<Checks> copies =
                List.of(
                        from,
                        from.withLimits(from.limits().withDepth(7)),
                        from.withLimits(from.limits().withTables(7)),
                        from.withLimits(from.limits().withTablesPerByte(7)),
                        from.withLimits(from.limits().withMetadataBytes(7)),
                        from.with(Check.EMPTY_VECTOR_ALIGNMENT, true));
        Set<Checks> different = new HashSet<>(copies);
        Set<String> texts = new HashSet<>();
        copies.forEach(each -> texts.add(each.toString()));
        assertEquals(copies.size(), different.size());
        assertEquals(copies.size(), texts.size());
        assertTrue(copies.stream().allMatch(each -> each.has(Check.UTF8)));
        assertEquals(from, copies.get(1).withLimits(copies.get(1).limits().withDepth(128)));
        assertEquals(
                from.hashCode(),
                copies.get(1).withLimits(copies.get(1).limits().withDepth(128)).hashCode());
        assertEquals(7, copies.get(2).limits().tables(Long.MAX_VALUE));
        assertEquals(84, copies.get(3).limits().tables(12));
        assertFalse(from.equals(null));
    }

    @Test
    void tablesPerByteDoNotOverflow() {
        assertEquals(Long.MAX_VALUE, Checks.ARROW_CPP.limits().tables(Long.MAX_VALUE / 2));
        assertEquals(1L << 40, Checks.ARROW_CPP.limits().tables(1L << 37));
    }

    @Test
    void invalidLimitsAreRefused() {
        Checks from = Checks.ARROW_CPP;
        assertThrows(
                IllegalArgumentException.class, () -> from.withLimits(from.limits().withDepth(0)));
        assertThrows(
                IllegalArgumentException.class,
                () -> from.withLimits(from.limits().withTables(-1)));
        assertThrows(
                IllegalArgumentException.class,
                () -> from.withLimits(from.limits().withTablesPerByte(0)));
        assertThrows(
                IllegalArgumentException.class,
                () -> from.withLimits(from.limits().withMetadataBytes(-1)));
        assertThrows(NullPointerException.class, () -> from.with(null, true));
        assertEquals(1, from.withLimits(from.limits().withDepth(1)).limits().depth());
        assertEquals(5, from.withLimits(from.limits().withTablesPerByte(1)).limits().tables(5));
    }
}
