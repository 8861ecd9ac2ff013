// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.model;

import dev.fletch.format.Feature;
import dev.fletch.model.SchemaChange.Kind;

import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/// Finds what two schemas say otherwise.
///
/// Columns and the children of structs are matched by name, the first of a name with the first;
/// what is left over is matched where it has the same place and the same type, and is then renamed.
/// The children of all other types have their meaning from their place, and are matched by it.
final class SchemaDiff {
    /// How fields beside each other are matched.
    private enum Match {
        BY_NAME,
        BY_PLACE_AND_NAME,
        /// And their names mean nothing.
        BY_PLACE
    }

    private record Named(String name, int ordinal) {}

    private final List<SchemaChange> changes;

    /// @param changes where they go
    SchemaDiff(List<SchemaChange> changes) {
        this.changes = changes;
    }

    void schema(ArrowSchema before, ArrowSchema after) {
        String order = SchemaChange.word(before.endianness());
        compare(null, Kind.ENDIANNESS, order, SchemaChange.word(after.endianness()));
        compare(null, Kind.FEATURES, features(before), features(after));
        metadata(null, before.metadata(), after.metadata());
        siblings(null, before.fields(), after.fields(), Match.BY_NAME, false);
    }

    private static String features(ArrowSchema schema) {
        List<Long> features = Normal.features(schema.features());
        return features.isEmpty()
                ? null
                : features.stream().map(Feature.NAMES::name).collect(Collectors.joining(", "));
    }

    /// Compares two fields that are taken for one.
    ///
    /// @param path of the field as it was
    void field(FieldPath path, ArrowField before, ArrowField after) {
        compare(path, Kind.NAME, before.name(), after.name());
        besidesName(path, before, after, false);
    }

    /// @param inMap whether both are children of maps
    private void besidesName(FieldPath path, ArrowField before, ArrowField after, boolean inMap) {
        if (!before.type().sameMeaning(after.type())) {
            add(path, Kind.TYPE, normalText(before), normalText(after));
        }
        compare(path, Kind.NULLABILITY, nullability(before), nullability(after));
        compare(path, Kind.DICTIONARY, dictionary(before), dictionary(after));
        metadata(path, before.metadata(), after.metadata());
        boolean areMaps = Normal.isMap(before.type()) && Normal.isMap(after.type());
        siblings(path, before.children(), after.children(), match(before, after, inMap), areMaps);
    }

    private static Match match(ArrowField before, ArrowField after, boolean inMap) {
        boolean named =
                Normal.childNames(before.type(), inMap).isEmpty()
                        || Normal.childNames(after.type(), inMap).isEmpty();
        if (!named) {
            return Match.BY_PLACE;
        }
        boolean areUnions =
                before.type() instanceof ArrowType.Union && after.type() instanceof ArrowType.Union;
        return areUnions ? Match.BY_PLACE_AND_NAME : Match.BY_NAME;
    }

    private static String normalText(ArrowField field) {
        return Normal.type(field.type()).text();
    }

    private static String nullability(ArrowField field) {
        return field.isNullable() ? "nullable" : "not null";
    }

    private static String dictionary(ArrowField field) {
        return field.dictionary() == null ? null : field.dictionary().encoding();
    }

    private void compare(FieldPath path, Kind kind, String before, String after) {
        if (!Objects.equals(before, after)) {
            add(path, kind, before, after);
        }
    }

    private void add(FieldPath path, Kind kind, String before, String after) {
        changes.add(new SchemaChange(path, kind, null, before, after));
    }

    private void metadata(FieldPath path, Metadata before, Metadata after) {
        Map<String, List<String>> olds = before.byKey();
        Map<String, List<String>> nows = after.byKey();
        Set<String> keys = new LinkedHashSet<>(olds.keySet());
        keys.addAll(nows.keySet());
        for (String key : keys) {
            List<String> old = olds.getOrDefault(key, List.of());
            List<String> now = nows.getOrDefault(key, List.of());
            if (old.equals(now)) {
                continue;
            }
            for (int i = 0; i < Math.max(old.size(), now.size()); i++) {
                String was = i < old.size() ? old.get(i) : null;
                String is = i < now.size() ? now.get(i) : null;
                if (!Objects.equals(was, is)) {
                    changes.add(new SchemaChange(path, Kind.METADATA, key, was, is));
                }
            }
        }
    }

    // ---- fields beside each other

    private void siblings(
            FieldPath parent,
            List<ArrowField> before,
            List<ArrowField> after,
            Match match,
            boolean inMap) {
        boolean named = match == Match.BY_NAME;
        int[] places = named ? byName(before, after) : byPlace(before, after);
        boolean[] moved = named ? moved(places) : new boolean[places.length];
        int[] ordinals = ordinals(before);
        boolean[] known = new boolean[after.size()];
        for (int i = 0; i < before.size(); i++) {
            FieldPath path = FieldPath.of(parent, before.get(i).name(), ordinals[i]);
            if (places[i] < 0) {
                add(path, Kind.REMOVED, SchemaText.description(before.get(i)), null);
                continue;
            }
            known[places[i]] = true;
            if (moved[i]) {
                add(path, Kind.MOVED, Integer.toString(i), Integer.toString(places[i]));
            }
            ArrowField is = after.get(places[i]);
            if (match != Match.BY_PLACE) {
                compare(path, Kind.NAME, before.get(i).name(), is.name());
            }
            besidesName(path, before.get(i), is, inMap);
        }
        int[] newOrdinals = ordinals(after);
        for (int i = 0; i < after.size(); i++) {
            if (!known[i]) {
                ArrowField added = after.get(i);
                FieldPath path = FieldPath.of(parent, added.name(), newOrdinals[i]);
                add(path, Kind.ADDED, null, SchemaText.description(added));
            }
        }
    }

    private static int[] byPlace(List<ArrowField> before, List<ArrowField> after) {
        int[] places = new int[before.size()];
        for (int i = 0; i < places.length; i++) {
            places[i] = i < after.size() ? i : -1;
        }
        return places;
    }

    /// For each field the place of the one that it is taken for, -1 if there is none.
    private static int[] byName(List<ArrowField> before, List<ArrowField> after) {
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
    private static int[] ordinals(List<ArrowField> fields) {
        Map<String, Integer> countByName = new HashMap<>();
        return fields.stream()
                .mapToInt(field -> countByName.merge(field.name(), 1, Integer::sum))
                .toArray();
    }

    /// Tells which fields have moved: as few as possible, so that all others are in the order that
    /// they had. One that others were put before has not moved.
    ///
    /// @param places what [#byName] returned
    private static boolean[] moved(int[] places) {
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
