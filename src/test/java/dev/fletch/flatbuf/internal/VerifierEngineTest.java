// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Check;
import dev.fletch.Checks;
import dev.fletch.format.Verifier.Root;
import dev.fletch.format.WholeTrees;
import dev.fletch.format.internal.tables.ArrowRules;
import dev.fletch.wire.MemoryRange;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;

/// What an engine tells of its last verification, and which pass it takes.
class VerifierEngineTest {
    private static final int SCHEMA = ArrowRules.SET.kind(Root.SCHEMA.table());

    private final byte[] bytes = WholeTrees.full(Root.SCHEMA);
    private final MemorySegment memory = MemorySegment.ofArray(bytes);

    private static VerifierEngine engine(Checks options) {
        return new VerifierEngine(ArrowRules.SET, options);
    }

    private boolean verify(VerifierEngine engine) {
        return engine.verify(SCHEMA, memory, 0, bytes.length);
    }

    @Test
    void acceptingForgetsTheVerificationBefore() {
        VerifierEngine engine = engine(Checks.ARROW_CPP.with(Check.UTF8, true));
        assertFalse(engine.verify(SCHEMA, memory, 0, bytes.length / 2));
        assertNotNull(engine.fault());
        assertEquals(1, engine.faultCount());
        engine.accept(7);
        assertNull(engine.fault());
        assertEquals(0, engine.faultCount());
        assertEquals(7, engine.tablesVisited());
        assertTrue(verify(engine));
        assertTrue(engine.stringBytesRead() > 0);
        assertTrue(engine.tablesVisited() > 1);
        engine.accept(7);
        assertEquals(0, engine.stringBytesRead());
    }

    @Test
    void theQuickPassHandlesAllChecks() {
        MemoryRange range = new MemoryRange();
        range.wrap(memory, 0, bytes.length);
        Checks all = Checks.ARROW_CPP;
        for (Check check : Check.values()) {
            all = all.with(check, true);
            assertTrue(engine(all).isAccepted(SCHEMA, range), check::toString);
        }
    }
}
