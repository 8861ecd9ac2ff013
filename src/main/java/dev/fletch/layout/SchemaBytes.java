// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.Field;
import dev.fletch.format.FieldWalk;
import dev.fletch.format.Schema;
import dev.fletch.format.Type;
import dev.fletch.format.Union;

/// The bytes that say all that an index depends on: from the lowest one to the end of the buffer.
///
/// Offsets lead forward only, so whatever is reached from a table lies behind it, but for vtables,
/// which may lie anywhere. So the bytes begin at the schema's table, or at the lowest vtable of a
/// table that an index depends on: the schema's, those of its fields, of the fields below, and of
/// unions. Where these bytes are the same, and the schema's table stands at the same place in them,
/// the index is the same. They may hold other things, too; those only make bytes differ that need
/// not.
final class SchemaBytes {
    private final ByteSlice buffer = new ByteSlice();
    private final Field field = new Field();
    private final Union union = new Union();
    private final FieldWalk walk = new FieldWalk();
    private long lowest;

    private SchemaBytes(Schema schema) {
        buffer.wrapBufferOf(schema);
        lowest = schema.position() - buffer.offset();
    }

    /// Counts the bytes.
    ///
    /// @param schema bound to a schema that a walk came through, within `limits`
    /// @return how many of the buffer's last bytes they are
    static long count(Schema schema, LayoutLimits limits) {
        final SchemaBytes bytes = new SchemaBytes(schema);
        bytes.vtableAt(schema.position());
        bytes.fields(schema);
        return bytes.buffer.length() - bytes.lowest;
    }

    private void fields(Schema schema) {
        walk.wrap(schema);
        while (walk.next()) {
            vtableAt(walk.field(field).position());
            if (walk.typeType() == Type.UNION && field.type(union)) {
                vtableAt(union.position());
            }
            if (walk.isDictionaryEncoded()) {
                walk.skipChildren();
            }
        }
    }

    private void vtableAt(long table) {
        final long at = table - buffer.offset();
        lowest = Math.min(lowest, at - buffer.int32(at));
    }
}
