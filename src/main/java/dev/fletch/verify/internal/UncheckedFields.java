// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify.internal;

import dev.fletch.Fault;
import dev.fletch.FaultSink;
import dev.fletch.ValueRule;
import dev.fletch.batch.BatchLayout;
import dev.fletch.verify.internal.BatchValues.Place;
import dev.fletch.wire.Escaper;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/// The fields of batches whose values could not be verified, by the reason.
public final class UncheckedFields {
    private static final int MOST_COLUMNS = 20;

    /// The fields of one reason.
    private static final class Group {
        // Of the first ones.
        private final Place place;
        private long fields;
        // The first columns; one more if there are more.
        private final Set<String> columns = new LinkedHashSet<>();

        Group(Place place) {
            this.place = place;
        }

        boolean isFull() {
            return columns.size() > MOST_COLUMNS;
        }

        @Override
        public String toString() {
            String text = "fields=" + fields;
            if (columns.isEmpty()) {
                return text;
            }
            String more = isFull() ? ", …" : "";
            return text
                    + ", columns="
                    + String.join(", ", columns.stream().limit(MOST_COLUMNS).toList())
                    + more;
        }
    }

    private final Supplier<Place> current;
    private final Map<String, Group> groups = new LinkedHashMap<>();
    private long count;

    /// @param current the place of the current message
    UncheckedFields(Supplier<Place> current) {
        this.current = current;
    }

    /// Number of fields of batches.
    public long count() {
        return count;
    }

    /// Whether there is nothing to report.
    public boolean isEmpty() {
        return groups.isEmpty();
    }

    /// Adds fields of the current message.
    void add(String reason, long fields) {
        if (fields > 0) {
            groups.computeIfAbsent(reason, _ -> new Group(current.get())).fields += fields;
            count += fields;
        }
    }

    /// Adds all fields of a layout.
    void add(String reason, BatchLayout layout) {
        add(reason, layout, 0, layout.fieldCount());
    }

    /// Adds fields of a layout.
    void add(String reason, BatchLayout layout, int from, int to) {
        add(reason, to - from);
        int end = Math.min(to, from + MOST_COLUMNS + 1);
        for (int field = from; field < end && !groups.get(reason).isFull(); field++) {
            groups.get(reason).columns.add(Escaper.name(layout.shortPath(field)));
        }
    }

    /// Passes a note for each reason, and forgets the fields.
    public void report(FaultSink sink) {
        Map<String, Group> notes = new LinkedHashMap<>(groups);
        groups.clear(); // first: the sink may throw
        notes.forEach(
                (reason, each) -> {
                    long position = each.place.body().applyAsLong(0);
                    String values = "reason=" + reason + ", " + each;
                    Fault note = Fault.of(ValueRule.VALUES_UNCHECKED, position, 0).because(values);
                    sink.accept(note.in(each.place.message(), position));
                });
    }
}
