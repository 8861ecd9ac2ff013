// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

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
        RuleSet rules = RuleSet.of(List.of(NODE, LEAF));
        assertEquals(0, rules.kind("Node"));
        assertEquals(1, rules.kind("Leaf"));
        assertThrows(IllegalArgumentException.class, () -> rules.kind("leaf"));
    }

    @Test
    void whatLeadsToNoTableOfTheListIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> RuleSet.of(List.of(NODE)));
    }
}
