// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

class LostDictionariesTest {
    private final LostDictionaries<String> lost = new LostDictionaries<>();

    @Test
    void aLostBatchMayBeADeltaOfDictionariesThatWereDefinedBefore() {
        lost.begin(true);
        lost.define(1);
        lost.loseAny("damage");
        lost.define(2);
        assertEquals("damage", lost.before(1, true));
        assertNull(lost.before(2, true));
        assertNull(lost.before(1, false));
        assertNull(lost.first());
        lost.loseAny("more damage");
        assertEquals("more damage", lost.before(2, true));
    }

    @Test
    void aBatchOfAStreamDefinesALostDictionaryAgain() {
        lost.begin(false);
        lost.lose(1, "damage");
        assertEquals("damage", lost.before(1, true));
        assertNull(lost.before(1, false));
        lost.define(1);
        assertNull(lost.before(1, true));
        assertNull(lost.why(1));
    }

    @Test
    void noBatchOfAFileDefinesALostDictionaryAgain() {
        lost.begin(true);
        lost.lose(1, "damage");
        assertEquals("damage", lost.before(1, false));
        assertEquals(1L, lost.first());
    }
}
