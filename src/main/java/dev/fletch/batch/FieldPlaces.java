// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import dev.fletch.batch.FieldTable.Section;

import java.util.ArrayList;
import java.util.List;

/// Where the nodes and buffers of a layout's fields are in a batch. Buffers are counted without
/// variadic ones.
///
/// ```text
///   schema   a  b{c  d}  e         layout   e  b{d}         runs   e │ b │ d
/// ```
///
/// @param runs in the order of the layout
/// @param located number of runs that can be located: later ones begin at or after the first unknown
///     type
/// @param needed parts that a batch must have
record FieldPlaces(Run[] runs, int located, Needed needed) {
    /// Fields that are neighbours both in the layout and in the schema.
    ///
    /// @param field the first one's number in the layout
    /// @param node index of their first node in a batch
    /// @param fields number of fields
    /// @param buffer index of their first buffer
    /// @param buffers their number
    /// @param view number of view fields before them
    /// @param views number of view fields among them
    record Run(int field, int node, int fields, int buffer, int buffers, int view, int views) {}

    /// Number of parts of all columns of the schema, up to the first unknown type.
    ///
    /// @param nodes of all fields
    /// @param buffers of all fields
    /// @param views number of view fields
    /// @param areAll whether there is no unknown type
    record Needed(int nodes, int buffers, int views, boolean areAll) {}

    /// {@return number of fields that can be located: the first ones of the layout}
    int placed() {
        return located == 0 ? 0 : runs[located - 1].field + runs[located - 1].fields;
    }

    /// {@return the run that has a field}
    Run of(int field) {
        int low = 0;
        int high = runs.length - 1;
        while (low < high) {
            int middle = low + high + 1 >>> 1;
            if (runs[middle].field <= field) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return runs[low];
    }

    /// The places of a layout whose fields are those of a batch.
    static FieldPlaces ofAll(Section section) {
        Builder builder = new Builder();
        builder.add(0, 0, 0, 0);
        int known = section.placeable();
        return builder.build(
                section,
                new Needed(
                        known,
                        section.buffersBefore(known),
                        section.viewsBefore(known),
                        section.unknown < 0));
    }

    /// Collects the places of fields in the order of the layout.
    static final class Builder {
        private record Start(int field, int node, int buffer, int view) {}

        private final List<Start> starts = new ArrayList<>();

        /// Adds fields that are neighbours in the schema: those up to the next call.
        void add(int field, int node, int buffer, int view) {
            if (starts.isEmpty()
                    || node - starts.getLast().node != field - starts.getLast().field) {
                starts.add(new Start(field, node, buffer, view));
            }
        }

        /// @param section complete
        FieldPlaces build(Section section, Needed needed) {
            List<Run> runs = new ArrayList<>();
            int located = 0;
            for (int i = 0; i < starts.size(); i++) {
                Start start = starts.get(i);
                int end = i + 1 < starts.size() ? starts.get(i + 1).field : section.fields;
                int unknown = Math.clamp(section.placeable(), start.field, end);
                if (start.field < unknown) {
                    runs.add(run(section, start, start.field, unknown));
                    located = runs.size();
                }
                if (unknown < end) {
                    runs.add(run(section, start, unknown, end));
                }
            }
            return new FieldPlaces(runs.toArray(Run[]::new), located, needed);
        }

        private static Run run(Section section, Start start, int from, int end) {
            int buffers = section.buffersBefore(from);
            int views = section.viewsBefore(from);
            return new Run(
                    from,
                    start.node + from - start.field,
                    end - from,
                    start.buffer + buffers - section.buffersBefore(start.field),
                    section.buffersBefore(end) - buffers,
                    start.view + views - section.viewsBefore(start.field),
                    section.viewsBefore(end) - views);
        }
    }
}
