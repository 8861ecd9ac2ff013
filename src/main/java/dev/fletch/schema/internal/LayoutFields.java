// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema.internal;

import dev.fletch.batch.BatchLayout;
import dev.fletch.format.Field;
import dev.fletch.format.Schema;
import dev.fletch.format.internal.FieldWalk;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.function.ObjIntConsumer;

/// Visits the fields of a layout in the schema that it was compiled from, for what a layout does
/// not keep. A visitor gets the field, which shows another one after the next step, and its number.
public final class LayoutFields {
    private LayoutFields() {}

    /// Visits the columns of a layout, which may be some of the schema's, and the fields below.
    public static void columns(Schema schema, BatchLayout layout, ObjIntConsumer<Field> visitor) {
        visit(new FieldWalk().wrap(schema), -1, layout, visitor);
    }

    /// Visits the fields of dictionaries. The first field that has a dictionary decides.
    ///
    /// @param visitors the visitor of a dictionary, by its id
    public static void dictionaries(
            Schema schema, BatchLayout layout, LongFunction<ObjIntConsumer<Field>> visitors) {
        Set<Long> visited = new HashSet<>();
        FieldWalk walk = new FieldWalk().wrap(schema);
        while (walk.next()) {
            long id = walk.dictionaryId();
            BatchLayout values = walk.isDictionaryEncoded() ? layout.dictionaryLayout(id) : null;
            if (values != null && visited.add(id)) {
                int level = walk.depth();
                visit(walk, level, values, visitors.apply(id));
                walk.again(level);
            }
        }
    }

    /// @param level depth of the subtree's top, which has the dictionary; -1 for columns
    private static void visit(
            FieldWalk walk, int level, BatchLayout layout, ObjIntConsumer<Field> visitor) {
        BatchLayout all = layout.source();
        int[] numbers = new int[all.fieldCount()];
        Arrays.fill(numbers, -1);
        for (int field = 0; field < layout.fieldCount(); field++) {
            numbers[layout.sourceField(field)] = field;
        }
        int column = 0;
        for (int source = 0; source < numbers.length; source++) {
            if (level < 0 && all.parent(source) < 0) {
                walk.column(all.schemaColumn(column++));
            } else if (source > 0 && !walk.nextBelow(level)) {
                throw new IllegalArgumentException("layout is that of another schema");
            }
            if (numbers[source] >= 0) {
                visitor.accept(walk.field(), numbers[source]);
            }
            if (all.isDictionaryEncoded(source)) { // fields below belong to the dictionary
                walk.skipChildren();
            }
        }
    }
}
