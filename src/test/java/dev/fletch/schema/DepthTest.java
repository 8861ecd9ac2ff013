// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Limits;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.Schema;
import dev.fletch.format.write.EmissionOrder;

import org.junit.jupiter.api.Test;

import java.util.List;

/// How deep a schema can be: what can be made can be compared, written and read again.
class DepthTest {
    private static final ArrowType STRUCT = ArrowType.Simple.STRUCT;

    private static ArrowField nested(int depth) {
        ArrowField field = ArrowField.of("leaf", ArrowType.Simple.UTF8);
        for (int i = 1; i < depth; i++) {
            field = ArrowField.of("s", STRUCT, ArrowField.of("a", STRUCT), field);
        }
        return field;
    }

    @Test
    void deepestSchemaCanBeComparedAndWritten() {
        ArrowSchema schema = ArrowSchema.of(nested(ArrowField.MAX_DEPTH));
        assertTrue(schema.semanticallyEquals(schema));
        assertEquals(List.of(), schema.diff(schema));
        assertEquals(2 * ArrowField.MAX_DEPTH, schema.toString().lines().count());
        Limits limits =
                Limits.DEFAULT
                        .withDepth(ArrowField.MAX_DEPTH)
                        .withFields(1_000_000)
                        .withUnfoldedBytes(64L << 20);
        for (EmissionOrder order : EmissionOrder.values()) {
            FlatBufferWriter to = order.newWriter();
            schema.write(order, to);
            assertEquals(schema, ArrowSchema.of(new Schema().wrap(to.segment()), limits));
        }
    }

    @Test
    void fieldBelowTheDeepestLevelIsRefused() {
        ArrowField deepest = nested(ArrowField.MAX_DEPTH);
        for (ArrowField other : List.of(deepest, deepest.nullable(), deepest.withName("x"))) {
            var fault =
                    assertThrows(
                            InvalidSchemaException.class,
                            () -> ArrowField.of("top", STRUCT, ArrowField.of("a", STRUCT), other));
            assertEquals(
                    "fields must have at most 512 levels: field=top, depth=513",
                    fault.getMessage());
        }
        assertThrows(
                InvalidSchemaException.class,
                () -> ArrowField.of("a", STRUCT).withChildren(List.of(deepest)));
    }
}
