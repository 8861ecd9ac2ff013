// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.model;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Matches fields beside each other with those of another schema.
final class SiblingMatch {
    private record Named(String name, int ordinal) {}

    private SiblingMatch() {}

    /// For each field the place of the one that it is taken for, -1 if there is none.
    static int[] byName(List<ArrowField> before, List<ArrowField> after) {
        int[] ordinals = ordinals(after);
        Map<Named, Integer> placeByName = new HashMap<>();
        for (int i = 0; i < after.size(); i++) {
            placeByName.put(new Named(after.get(i).name(), ordinals[i]), i);
        }
        ordinals = ordinals(before);
        int[] places = new int[before.size()];
        boolean[] taken = new boolean[after.size()];
        for (int i = 0; i < places.length; i++) {
            Named name = new Named(before.get(i).name(), ordinals[i]);
            places[i] = placeByName.getOrDefault(name, -1);
            if (places[i] >= 0) {
                taken[places[i]] = true;
            }
        }
        for (int i = 0; i < Math.min(places.length, taken.length); i++) {
            if (places[i] < 0 && !taken[i] && isRenamed(before.get(i), after.get(i))) {
                places[i] = i;
            }
        }
        return places;
    }

    private static boolean isRenamed(ArrowField before, ArrowField after) {
        return before.type().sameMeaning(after.type())
                && before.children().size() == after.children().size();
    }

    /// How often each field's name has come so far, itself included.
    static int[] ordinals(List<ArrowField> fields) {
        Map<String, Integer> countByName = new HashMap<>();
        return fields.stream()
                .mapToInt(field -> countByName.merge(field.name(), 1, Integer::sum))
                .toArray();
    }

    /// Tells which fields have moved: as few as possible, so that all others are in the order that
    /// they had. One that others were put before has not moved.
    ///
    /// @param places what [#byName] returned
    static boolean[] moved(int[] places) {
        // The longest rising run of places: for each length the field that ends one the lowest.
        int[] ends = new int[places.length];
        int[] previous = new int[places.length];
        int length = 0;
        for (int i = 0; i < places.length; i++) {
            if (places[i] < 0) {
                continue;
            }
            int low = 0;
            int high = length;
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (places[ends[middle]] < places[i]) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            previous[i] = low == 0 ? -1 : ends[low - 1];
            ends[low] = i;
            length = Math.max(length, low + 1);
        }
        boolean[] moved = new boolean[places.length];
        Arrays.fill(moved, true);
        for (int i = length == 0 ? -1 : ends[length - 1]; i >= 0; i = previous[i]) {
            moved[i] = false;
        }
        return moved;
    }
}
