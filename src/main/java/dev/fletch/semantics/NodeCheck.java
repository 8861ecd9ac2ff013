// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.semantics;

import static dev.fletch.semantics.SemanticRules.*;

import dev.fletch.Rule;
import dev.fletch.format.FieldNode;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Type;
import dev.fletch.layout.BatchLayout;

/// The rules of a batch's nodes, and of the dictionaries that their fields point into.
final class NodeCheck {
    private static final int NULL_COUNT_AT = Long.BYTES;

    private final Report report;
    private final SemanticOptions options;
    private final DictionaryStates dictionaries;
    private final FieldNode node = new FieldNode();
    private final FieldNode other = new FieldNode();

    private RecordBatch batch;
    private BatchPlan plan;
    private BatchLayout layout;
    private boolean isFile;

    NodeCheck(Report report, SemanticOptions options, DictionaryStates dictionaries) {
        this.report = report;
        this.options = options;
        this.dictionaries = dictionaries;
    }

    /// @param known null where nothing is known of the fields
    boolean check(RecordBatch of, BatchPlan known, boolean inFile) {
        batch = of;
        plan = known;
        layout = known == null ? null : known.layout();
        isFile = inFile;
        final int fields = layout == null ? 0 : layout.fieldCount();
        final int count = batch.nodesCount();
        boolean goOn = true;
        for (int i = 0; i < count && goOn; i++) {
            batch.nodes(i, node);
            report.field(i < fields ? layout : null, i);
            goOn = numbers(i) && (i >= fields || length(i) && dictionary(i));
        }
        return goOn;
    }

    private boolean add(Rule code, long value, int index) {
        return report.add(code, node.position(), value, "nodes", index, "length");
    }

    private boolean numbers(int index) {
        final long length = node.length();
        if (length < 0 && !add(NEGATIVE_LENGTH, length, index)) {
            return false;
        }
        final long nulls = node.nullCount();
        final long at = node.position() + NULL_COUNT_AT;
        return nulls >= 0 && (nulls <= length || length < 0)
                || report.add(NULL_COUNT_RANGE, at, nulls, "nodes", index, "nullCount");
    }

    // ---- the length, where something else determines it

    private boolean length(int field) {
        final long length = node.length();
        final int parent = layout.parent(field);
        if (length < 0) {
            return true; // reported already
        }
        if (parent < 0) {
            return length == batch.length() || add(COLUMN_LENGTH, length, field);
        }
        final long above = batch.nodes(parent, other).length();
        return switch (layout.bufferShape(parent)) {
            case CHILDREN_ONLY ->
                    layout.typeType(parent) == Type.STRUCT_
                            ? asLong(length, above, field)
                            : elements(length, above, parent, field);
            case SPARSE_UNION, SPARSE_UNION_V4 -> asLong(length, above, field);
            case NOTHING -> runs(length, above, parent, field);
            default -> true;
        };
    }

    private boolean asLong(long length, long above, int field) {
        return length == above
                || length > above && !options.checkExactChildren()
                || add(CHILD_LENGTH, length, field);
    }

    private boolean elements(long length, long above, int parent, int field) {
        final long size = plan.facts() == null ? 0 : plan.facts().measure[plan.rows()[parent]];
        return size <= 0 || above <= length / size || add(LIST_CHILD_LENGTH, length, field);
    }

    /// Run ends come first: they are compared with the field above, and values with them.
    private boolean runs(long length, long above, int parent, int field) {
        if (field != parent + 1) {
            final long runEnds = batch.nodes(parent + 1, other).length();
            return length == runEnds || add(RUN_COUNT, length, field);
        }
        if ((length > above || length == 0 && above > 0) && !add(RUN_COUNT, length, field)) {
            return false;
        }
        final long at = node.position() + NULL_COUNT_AT;
        final long nulls = node.nullCount();
        return nulls == 0 || report.add(RUN_END_NULLS, at, nulls, "nodes", field, "nullCount");
    }

    // ---- dictionaries

    private boolean dictionary(int field) {
        if (plan.dictionaries() == null || node.nullCount() >= node.length()) {
            return true;
        }
        final int number = plan.dictionaries()[field];
        if (number < 0) {
            return true;
        }
        dictionaries.used[number] = true;
        return isFile
                || dictionaries.isDefined(number)
                || report.add(
                        DICTIONARY_UNDEFINED,
                        node.position(),
                        dictionaries.ids[number],
                        "nodes",
                        field,
                        "");
    }
}
