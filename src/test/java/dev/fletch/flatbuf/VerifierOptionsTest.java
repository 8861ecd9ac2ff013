// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Limits;
import dev.fletch.flatbuf.VerifierOptions.Check;

import org.junit.jupiter.api.Test;

import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Presets, copies, and limits of the options.
class VerifierOptionsTest {
    @Test
    void presetsHaveTheirChecks() {
        VerifierOptions arrow = VerifierOptions.ARROW_CPP;
        assertEquals(128, arrow.limits().depth());
        assertEquals(8_000, arrow.limits().tables(1_000));
        assertEquals((1L << 31) - 2, arrow.limits().metadataBytes());
        assertEquals(64, VerifierOptions.FLATBUFFERS.limits().depth());
        assertEquals(1_000_000, VerifierOptions.FLATBUFFERS.limits().tables(12));
        assertEquals(128, VerifierOptions.STRICT.limits().depth());
        assertEquals(96, VerifierOptions.STRICT.limits().tables(12));
        assertEquals(EnumSet.of(Check.ALIGNMENT), arrow.checks());
        assertEquals(arrow.checks(), VerifierOptions.FLATBUFFERS.checks());
        assertEquals(
                EnumSet.complementOf(EnumSet.of(Check.EMPTY_VECTOR_ALIGNMENT)),
                VerifierOptions.STRICT.checks());
    }

    @Test
    void eachCheckIsSetAlone() {
        for (VerifierOptions from : List.of(VerifierOptions.ARROW_CPP, VerifierOptions.STRICT)) {
            for (Check changed : Check.values()) {
                boolean before = from.checks(changed);
                VerifierOptions copy = from.with(changed, !before);
                assertEquals(before, from.checks(changed), "the original changed");
                assertNotEquals(from, copy);
                for (Check each : Check.values()) {
                    boolean was = from.checks(each);
                    assertEquals(each == changed ? !was : was, copy.checks(each), each.name());
                }
                assertEquals(from, copy.with(changed, before));
            }
        }
    }

    @Test
    void checksCannotBeChangedFromOutside() {
        Set<Check> own = EnumSet.of(Check.UTF8);
        VerifierOptions options = new VerifierOptions(Limits.DEFAULT, own);
        own.add(Check.TABLE_SIZE);
        assertEquals(Set.of(Check.UTF8), options.checks());
        assertThrows(
                UnsupportedOperationException.class, () -> options.checks().add(Check.TABLE_SIZE));
    }

    @Test
    void copiesKeepAllOtherValues() {
        VerifierOptions from = VerifierOptions.STRICT;
        List<VerifierOptions> copies =
                List.of(
                        from,
                        from.withLimits(from.limits().withDepth(7)),
                        from.withLimits(from.limits().withTables(7)),
                        from.withLimits(from.limits().withTablesPerByte(7)),
                        from.withLimits(from.limits().withMetadataBytes(7)),
                        from.with(Check.EMPTY_VECTOR_ALIGNMENT, true));
        Set<VerifierOptions> different = new HashSet<>(copies);
        Set<String> texts = new HashSet<>();
        copies.forEach(each -> texts.add(each.toString()));
        assertEquals(copies.size(), different.size());
        assertEquals(copies.size(), texts.size());
        assertTrue(copies.stream().allMatch(each -> each.checks(Check.UTF8)));
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
        assertEquals(Long.MAX_VALUE, VerifierOptions.ARROW_CPP.limits().tables(Long.MAX_VALUE / 2));
        assertEquals(1L << 40, VerifierOptions.ARROW_CPP.limits().tables(1L << 37));
    }

    @Test
    void invalidLimitsAreRefused() {
        VerifierOptions from = VerifierOptions.ARROW_CPP;
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
