// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

class FieldPathTest {
    @Test
    void pathsAreParsedAndPrinted() {
        FieldPath path = FieldPath.of("a").child("").child("b ");
        assertEquals("a..b ", path.toString());
        assertEquals("a.\"\".\"b \"", path.shown());
        assertEquals(FieldPath.of("a").child("").child("b "), path);
        assertEquals(FieldPath.of("a").child("").child("b ").hashCode(), path.hashCode());
        assertNotEquals(FieldPath.of("a.").child("b "), path);
        assertEquals("x.y..b ", path.under(FieldPath.of("x").child("y")).toString());
    }

    @Test
    void pathIsShownOnOneLine() {
        FieldPath path = FieldPath.of("n".repeat(1000));
        for (int i = 0; i < 200; i++) {
            path = path.child("m".repeat(1000));
        }
        path = path.child("last");
        assertTrue(path.shown().length() < 500, path::shown);
        assertTrue(path.shown().endsWith("….last"), path::shown);
    }

    /// As one text each they would be some 16 GB.
    @Test
    void longParentNameDoesNotMultiplyThePath() {
        String name = "n".repeat(1_000_000);
        List<ArrowField> before = new ArrayList<>();
        List<ArrowField> after = new ArrayList<>();
        for (int i = 0; i < 16_000; i++) {
            before.add(ArrowField.of("c" + i, ArrowType.Simple.UTF8));
            after.add(before.get(i).nullable());
        }
        ArrowField struct = ArrowField.of(name, ArrowType.Simple.STRUCT);
        ArrowSchema schema = ArrowSchema.of(struct.withChildren(before));
        assertEquals(List.of(), schema.diff(schema));
        List<SchemaChange> changes = schema.diff(ArrowSchema.of(struct.withChildren(after)));
        assertEquals(16_000, changes.size());
        assertEquals(name + ".c15999", changes.getLast().path());
        assertTrue(changes.getLast().toString().contains(".c15999: "));
        assertTrue(changes.getLast().toString().length() < 300);
    }

    @Test
    void faultOfAFieldWithoutNameHasAPath() {
        var fault =
                assertThrows(
                        InvalidSchemaException.class,
                        () -> ArrowField.of("", ArrowType.Simple.LIST));
        assertEquals("list does not have one child: field=\"\", children=0", fault.getMessage());
    }
}
