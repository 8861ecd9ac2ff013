// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.forward;

import dev.fletch.batch.BatchLayout;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.Schema;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.format.write.MetadataEdit;
import dev.fletch.format.write.MetadataEdit.ChosenField;
import dev.fletch.format.write.MetadataWriter;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// Columns of a schema to forward, in any order; of structs and lists also single children.
///
/// ```java
/// Projection projection = Projection.of(layout, "price", "place.city");
/// ```
///
/// A nested field keeps its ancestors, which then have only the chosen children. Custom metadata of
/// schema and fields is kept, also where it names other columns, as that of pandas does.
///
/// Immutable; threads may share it.
public final class Projection {
    private final BatchLayout layout;
    private final List<ChosenField> columns;

    private Projection(BatchLayout layout) {
        this.layout = layout.requireKnown(); // else buffers would be lost
        columns = below(-1, indexes(layout.source()));
    }

    /// Chooses fields by their paths.
    ///
    /// @param layout of all columns
    /// @param paths names joined by dots, in the wanted order: see [BatchLayout#fieldOf]
    /// @throws dev.fletch.FletchException if there is no such field; or it, its dictionary
    ///     or an earlier field has an unknown type
    /// @throws IllegalArgumentException as for [BatchLayout#choose]
    public static Projection of(BatchLayout layout, String... paths) {
        int[] fields = new int[paths.length];
        for (int i = 0; i < fields.length; i++) {
            fields[i] = layout.fieldOf(paths[i]);
        }
        return of(layout.choose(fields));
    }

    /// Forwards the fields of a layout.
    ///
    /// @param chosen from [BatchLayout#choose], or a layout of all columns
    /// @throws dev.fletch.FletchException if a field or its dictionary has an unknown type
    public static Projection of(BatchLayout chosen) {
        return new Projection(chosen);
    }

    /// For each field, its index among the columns or its parent's children.
    private static int[] indexes(BatchLayout all) {
        int[] indexes = new int[all.fieldCount()];
        for (int column = 0; column < all.columnCount(); column++) {
            indexes[all.columnField(column)] = all.schemaColumn(column);
        }
        for (int field = 0; field < indexes.length; field++) {
            int index = 0;
            for (int child = field + 1; child < all.end(field); child = all.end(child)) {
                indexes[child] = index++;
            }
        }
        return indexes;
    }

    private List<ChosenField> below(int parent, int[] indexes) {
        List<ChosenField> chosen = new ArrayList<>();
        int end = parent < 0 ? layout.fieldCount() : layout.end(parent);
        for (int field = parent + 1; field < end; field = layout.end(field)) {
            List<ChosenField> children = below(field, indexes);
            chosen.add(
                    new ChosenField(
                            indexes[layout.sourceField(field)],
                            children.isEmpty() ? null : children));
        }
        return chosen;
    }

    /// {@return the layout of the batches with only the chosen fields}
    public BatchLayout layout() {
        return layout;
    }

    /// {@return whether a chosen field needs a dictionary, also one inside another dictionary}
    public boolean needsDictionary(long id) {
        return layout.dictionaryLayout(id) != null;
    }

    /// {@return a new edit that keeps the chosen fields of a schema message, a footer or a schema}
    public MetadataEdit edit() {
        return new MetadataEdit().choose(columns);
    }

    /// {@return the schema message to send, in arrow-java's byte layout}
    ///
    /// @param schema of all columns
    /// @param version of the batches, one of [dev.fletch.format.ids.MetadataVersion]
    public MemorySegment schemaMessage(Schema schema, int version) {
        FlatBufferWriter buffer = new FlatBufferWriter(EmissionOrder.ARROW_JAVA.dialect());
        new MetadataWriter(EmissionOrder.ARROW_JAVA, buffer).schemaMessage(schema, version, edit());
        return buffer.segment();
    }
}
