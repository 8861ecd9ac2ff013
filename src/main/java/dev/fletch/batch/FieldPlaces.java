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
/// @param section the layout's fields
/// @param runs in the order of the layout
/// @param needed parts that a batch must have
record FieldPlaces(Section section, Run[] runs, Needed needed) {
    /// Fields up to the next run, which are neighbours both in the layout and in the schema.
    ///
    /// @param field the first one's number in the layout
    /// @param node index of its node in a batch
    /// @param buffer index of its first buffer
    /// @param view number of view fields before it
    record Run(int field, int node, int buffer, int view) {}

    /// Number of parts of all columns of the schema, up to the first unknown type.
    ///
    /// @param nodes of all fields
    /// @param buffers of all fields
    /// @param views number of view fields
    /// @param areAll whether there is no unknown type
    record Needed(int nodes, int buffers, int views, boolean areAll) {}

    /// {@return whether a batch has the fields of the layout, in its order, and no others}
    boolean areAll() {
        return runs.length < 2
                && needed.nodes == section.placeable()
                && needed.areAll == (section.unknown < 0);
    }

    /// {@return number of runs with fields that can be located: the first ones}
    int located() {
        int count = runs.length;
        while (count > 0 && runs[count - 1].field >= section.placeable()) {
            count--;
        }
        return count;
    }

    /// {@return the first field after a run that can be located; after that part of it that can}
    int end(int run) {
        int all = section.placeable();
        return run + 1 < runs.length ? Math.min(runs[run + 1].field, all) : all;
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
        int known = section.placeable();
        int buffers = section.buffersBefore(known);
        int views = section.viewsBefore(known);
        Needed needed = new Needed(known, buffers, views, section.unknown < 0);
        return new FieldPlaces(section, new Run[] {new Run(0, 0, 0, 0)}, needed);
    }

    /// Collects the places of fields in the order of the layout.
    static final class Builder {
        private final List<Run> runs = new ArrayList<>();

        /// Adds a field, and those after it that are its neighbours in the schema, up to the next
        /// call.
        void add(int field, int node, int buffer, int view) {
            if (runs.isEmpty() || node - runs.getLast().node != field - runs.getLast().field) {
                runs.add(new Run(field, node, buffer, view));
            }
        }

        FieldPlaces build(Section section, Needed needed) {
            return new FieldPlaces(section, runs.toArray(Run[]::new), needed);
        }
    }
}
