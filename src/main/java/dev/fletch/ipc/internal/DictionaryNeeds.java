// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc.internal;

import dev.fletch.batch.BatchLayout;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.FieldNode;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.internal.DictionaryOrder;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.stream.IntStream;

/// Which dictionaries the values of batches need. [DictionaryOrder], which has their indexes, knows
/// which are defined.
///
/// Values of a dictionary are read when a record batch uses them. So a dictionary inside them may
/// be defined later, if no record batch needs it before: [#missing] follows the needs.
public final class DictionaryNeeds {
    /// Maximum number of fields that all searches for undefined dictionaries look at: hostile input
    /// could make each record batch look at all fields of a large schema. Later searches find
    /// nothing.
    private static final int MAX_STEPS = 1 << 26;

    /// Maximum number of dictionaries inside each other that are followed. Those of a valid schema
    /// are fields inside each other; an invalid schema may have any number, and cycles.
    private static final int MAX_LEVELS = 1 << 10;

    private static final int NONE = DictionaryOrder.NONE;

    /// A dictionary whose values have fields with dictionaries.
    private static final class Outer {
        private final BatchLayout values;
        // Which of these fields have values, not null, from another dictionary.
        private final boolean[] needs;
        // What a search found after a number of changes.
        private int missing = NONE;
        private long searchedAt = -1;

        private Outer(BatchLayout values) {
            this.values = values;
            needs = new boolean[values.fieldCount()];
        }
    }

    private final DictionaryOrder order;
    private final RecordBatch values = new RecordBatch();
    private final FieldNode node = new FieldNode();

    private BatchLayout schema;
    // By index; null for a dictionary without others inside.
    private Outer[] outers = {};
    private boolean[] used = {};
    // Number of definitions and needs that were recorded.
    private long changes;
    private int steps;

    public DictionaryNeeds(DictionaryOrder order) {
        this.order = order;
    }

    /// Starts before the first batch, and starts the order.
    ///
    /// @param columns their layout
    public void begin(BatchLayout columns) {
        schema = columns;
        int count = schema.dictionaryCount();
        order.begin(IntStream.range(0, count).mapToLong(schema::dictionary).toArray());
        changes = 0;
        steps = MAX_STEPS;
        used = new boolean[count];
        outers = new Outer[count];
        for (int i = 0; i < count; i++) {
            BatchLayout of = schema.dictionaryLayout(order.id(i));
            outers[i] = of.encodedFields().findAny().isPresent() ? new Outer(of) : null;
        }
    }

    /// {@return whether a field with so many nulls has values from its dictionary}
    public static boolean hasValues(long nulls, long length) {
        return nulls < length;
    }

    // ---- whole batches

    /// Checks that the dictionaries of all values of a record batch are defined.
    ///
    /// @return whether to continue
    public boolean check(RecordBatch batch) {
        int fields = order.areAllDefined() ? 0 : knownFields(schema, batch);
        boolean goOn = true;
        for (int field = 0; goOn && field < fields; field++) {
            if (schema.isDictionaryEncoded(field) && hasValues(schema, field, batch)) {
                long id = schema.dictionaryId(field);
                int missing = missing(order.find(id));
                goOn = missing == NONE || undefined(missing, id, field);
            }
        }
        return goOn;
    }

    private boolean undefined(int missing, long neededBy, int field) {
        String path = "nodes[" + schema.nodeIndex(field) + "]";
        return order.undefined(order.id(missing), neededBy, node.position(), path);
    }

    /// Records a batch of a used dictionary, after the order did.
    public void add(DictionaryBatch batch) {
        if (order.areAllDefined() || !batch.data(values)) {
            return;
        }
        defined();
        BatchLayout of = schema.dictionaryLayout(batch.id());
        int fields = knownFields(of, values);
        for (int field = 0; field < fields; field++) {
            if (of.isDictionaryEncoded(field)) {
                boolean isNeeded = hasValues(of, field, values);
                inner(order.find(batch.id()), field, isNeeded, batch.isDelta());
            }
        }
    }

    /// The number of fields whose nodes in the batch are known; 0 if it has too few nodes.
    private static int knownFields(BatchLayout of, RecordBatch batch) {
        int unknown = of.firstUnknown();
        boolean hasAll = batch.nodesCount() >= of.source().fieldCount();
        return !hasAll ? 0 : unknown < 0 ? of.fieldCount() : unknown;
    }

    private boolean hasValues(BatchLayout of, int field, RecordBatch batch) {
        batch.nodes(of.nodeIndex(field), node);
        return hasValues(node.nullCount(), node.length());
    }

    // ---- parts of batches

    /// Records that a batch has defined a dictionary.
    public void defined() {
        changes++;
    }

    /// Records whether a field of a dictionary's values has a value, not null, from another one.
    ///
    /// @param field of the values
    /// @param isMore whether the values are added to those of other batches
    public void inner(int outer, int field, boolean isNeeded, boolean isMore) {
        boolean[] needs = outers[outer].needs;
        needs[field] = isNeeded || isMore && needs[field];
        changes++;
    }

    /// Finds an undefined dictionary: a dictionary itself, or one that its values need, also
    /// through others.
    ///
    /// @return [DictionaryOrder#NONE] if there is none, or a batch that could not be read may have
    ///     defined it
    public int missing(int dictionary) {
        // A stream of any length takes no steps.
        return order.areAllDefined() ? NONE : missing(dictionary, 0);
    }

    private int missing(int dictionary, int level) {
        Outer outer = outers[dictionary];
        if (!order.isDefined(dictionary) || outer == null) {
            return order.isDefined(dictionary) ? NONE : dictionary;
        }
        if (outer.searchedAt != changes && level < MAX_LEVELS) {
            outer.searchedAt = changes;
            outer.missing = NONE; // a dictionary inside of itself does not miss what it did before
            int found = NONE;
            for (int i = 0; i < outer.needs.length && found == NONE && steps > 0; i++) {
                steps--;
                found = outer.needs[i] ? missing(inner(outer, i), level + 1) : NONE;
            }
            outer.missing = found;
        }
        return outer.missing;
    }

    private int inner(Outer outer, int field) {
        return order.find(outer.values.dictionaryId(field));
    }

    /// Records that a record batch has a value, not null, from a dictionary.
    public void use(int dictionary) {
        used[dictionary] = true;
    }

    /// Records, after all batches, the use of the dictionaries that the values of used ones need.
    public void useInner() {
        Queue<Integer> outer = new ArrayDeque<>();
        IntStream.range(0, used.length).filter(i -> used[i]).forEach(outer::add);
        for (Integer next; (next = outer.poll()) != null; ) {
            Outer of = outers[next];
            for (int field = 0; of != null && field < of.needs.length; field++) {
                int inner = of.needs[field] ? inner(of, field) : NONE;
                if (inner != NONE && !used[inner]) {
                    used[inner] = true;
                    outer.add(inner);
                }
            }
        }
    }

    /// {@return whether a dictionary is used, but not defined}
    public boolean isUndefined(int dictionary) {
        return used[dictionary] && !order.isDefined(dictionary);
    }
}
