// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import dev.fletch.format.ids.Type;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.HandmadeInput;
import dev.fletch.testdata.HandmadeInput.Batch;

import java.util.List;
import java.util.function.Consumer;

/// A column of a batch.
///
/// @param nodes adds its nodes to a batch
/// @param dictionaries the batches of the dictionaries that it needs
record Column(
        FbsValue.Table field, long rows, Consumer<Batch> nodes, List<Dictionary> dictionaries) {
    /// A batch of a dictionary.
    record Dictionary(long id, boolean isDelta, long rows, Consumer<Batch> nodes) {
        Dictionary(long id, Column values) {
            this(id, false, values.rows, values.nodes);
        }
    }

    Column(FbsValue.Table field, long rows, Consumer<Batch> nodes) {
        this(field, rows, nodes, List.of());
    }

    /// A column with one node.
    ///
    /// @param buffers of the node
    static Column of(FbsValue.Table field, long rows, long nulls, byte[]... buffers) {
        return new Column(field, rows, to -> to.node(rows, nulls, buffers));
    }

    /// The same with the nodes of children behind its own.
    Column with(Column... children) {
        return new Column(
                field,
                rows,
                to -> {
                    nodes.accept(to);
                    for (Column each : children) {
                        each.nodes.accept(to);
                    }
                },
                dictionaries);
    }

    Column with(Dictionary... batches) {
        return new Column(field, rows, nodes, List.of(batches));
    }

    /// Whether the number of its buffers depends on the metadata version.
    boolean dependsOnVersion() {
        return dependsOnVersion(field);
    }

    /// Unions and runs have a validity buffer before V5.
    private static boolean dependsOnVersion(FbsValue.Table field) {
        FbsValue type = field.fields().get("type_type");
        FbsValue children = field.fields().get("children");
        return type.equals(new FbsValue.Number(Type.UNION))
                || type.equals(new FbsValue.Number(Type.RUN_END_ENCODED))
                || children instanceof FbsValue.Vector(List<FbsValue> all)
                        && all.stream().anyMatch(each -> dependsOnVersion((FbsValue.Table) each));
    }

    /// Adds a batch of it.
    void addTo(HandmadeInput input, Batch empty) {
        nodes.accept(empty);
        input.batch(empty);
    }
}
