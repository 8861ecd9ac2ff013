// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

import java.util.List;

class RuleSetTest {
    private static final TableRules LEAF = TableRules.of("Leaf", FieldRule.string(0, "name"));
    private static final TableRules NODE =
            TableRules.of("Node", FieldRule.tables(1, "leaves", "Leaf"));

    @Test
    void kindsAreNumberedInTheOrderOfTheList() {
        RuleSet rules = new RuleSet(List.of(NODE, LEAF));
        assertEquals(0, rules.kind("Node"));
        assertEquals(1, rules.kind("Leaf"));
        assertThrows(IllegalArgumentException.class, () -> rules.kind("leaf"));
    }

    @Test
    void whatLeadsToNoTableOfTheListIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> new RuleSet(List.of(NODE)));
    }

    @Test
    void slotsAscendAndAreOfAVtableThatIsLookedAt() {
        FieldRule first = FieldRule.string(0, "first");
        FieldRule second = FieldRule.string(1, "second");
        FieldRule last = FieldRule.string(7, "last");
        assertEquals(
                List.of(first, second, last), TableRules.of("T", first, second, last).fields());
        assertEquals("T", TableRules.of("T").name());
        for (FieldRule[] wrong :
                new FieldRule[][] {
                    {first, first}, {second, first}, {first, last, second}, {first, last, last}
                }) {
            assertThrows(IllegalArgumentException.class, () -> TableRules.of("T", wrong));
        }
        assertThrows(IllegalArgumentException.class, () -> FieldRule.string(-1, "before"));
        assertThrows(IllegalArgumentException.class, () -> FieldRule.string(8, "behind"));
    }
}
