// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

import java.util.List;

class DeclaredTablesTest {
    private static final TableDeclaration LEAF =
            TableDeclaration.of("Leaf", FieldDeclaration.string(0, "name"));
    private static final TableDeclaration NODE =
            TableDeclaration.of("Node", FieldDeclaration.tables(1, "leaves", "Leaf"));

    @Test
    void kindsAreNumberedInTheOrderOfTheList() {
        DeclaredTables rules = new DeclaredTables(List.of(NODE, LEAF));
        assertEquals(0, rules.kind("Node"));
        assertEquals(1, rules.kind("Leaf"));
        assertThrows(IllegalArgumentException.class, () -> rules.kind("leaf"));
    }

    @Test
    void referencesToUndeclaredTablesAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> new DeclaredTables(List.of(NODE)));
    }
}
