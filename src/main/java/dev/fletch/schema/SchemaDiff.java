// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema;

import dev.fletch.format.ids.Feature;
import dev.fletch.format.internal.tables.TypeFacts;
import dev.fletch.schema.SchemaChange.Kind;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/// Finds the semantic differences between two schemas.
///
/// Columns and the children of structs are matched by name; repeated names in their order. A field
/// without a match is renamed if an unmatched field of the same type has the same position. The
/// children of all other types are identified by their position, and matched by position.
final class SchemaDiff {
    /// The matching of siblings.
    enum Match {
        BY_NAME,
        BY_PLACE_AND_NAME,
        /// Names have no meaning.
        BY_PLACE
    }

    private final List<SchemaChange> changes = new ArrayList<>();

    List<SchemaChange> schemas(ArrowSchema before, ArrowSchema after) {
        compare(null, Kind.ENDIANNESS, endianness(before), endianness(after));
        compare(null, Kind.FEATURES, features(before), features(after));
        metadata(null, before.metadata(), after.metadata());
        siblings(null, before.fields(), after.fields(), Match.BY_NAME, false);
        return List.copyOf(changes);
    }

    static String endianness(ArrowSchema schema) {
        return schema.endianness() == ByteOrder.BIG_ENDIAN ? "big" : "little";
    }

    /// The distinct features, sorted; null if there are none.
    static String features(ArrowSchema schema) {
        String features =
                schema.features().stream()
                        .filter(feature -> feature != Feature.UNUSED)
                        .distinct()
                        .sorted()
                        .map(Feature.NAMES::name)
                        .collect(Collectors.joining(", "));
        return features.isEmpty() ? null : features;
    }

    /// Compares two matching fields, except for their names.
    ///
    /// @param areEntries whether both are children of maps
    private void fields(FieldPath path, ArrowField before, ArrowField after, boolean areEntries) {
        ArrowType oldType = explicit(before.type());
        ArrowType newType = explicit(after.type());
        if (!oldType.equals(newType)) {
            add(path, Kind.TYPE, oldType.text(), newType.text());
        }
        compare(path, Kind.NULLABILITY, nullability(before), nullability(after));
        compare(path, Kind.DICTIONARY, dictionary(before), dictionary(after));
        metadata(path, before.metadata(), after.metadata());
        boolean areMaps = oldType instanceof ArrowType.Map && newType instanceof ArrowType.Map;
        Match match = match(oldType, newType, areEntries);
        siblings(path, before.children(), after.children(), match, areMaps);
    }

    /// The canonical form of a type: implied values are explicit.
    static ArrowType explicit(ArrowType type) {
        return switch (type) {
            case ArrowType.Timestamp timestamp when !timestamp.hasTimezone() ->
                    new ArrowType.Timestamp(timestamp.unit());
            case ArrowType.Union union ->
                    new ArrowType.Union(union.isDense(), union.typeIds(), false);
            case ArrowType other -> other;
        };
    }

    static Match match(ArrowType before, ArrowType after, boolean areEntries) {
        if (areEntries || !hasNamedChildren(before) && !hasNamedChildren(after)) {
            return Match.BY_PLACE;
        }
        boolean areUnions = before instanceof ArrowType.Union && after instanceof ArrowType.Union;
        return areUnions ? Match.BY_PLACE_AND_NAME : Match.BY_NAME;
    }

    /// Returns whether the names of children have a meaning.
    private static boolean hasNamedChildren(ArrowType type) {
        return TypeFacts.of(type.id()).hasNamedChildren();
    }

    static String nullability(ArrowField field) {
        return field.isNullable() ? "nullable" : "not null";
    }

    static String dictionary(ArrowField field) {
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
        if (before.equals(after)) {
            return;
        }
        Map<String, List<String>> oldValues = before.byKey();
        Map<String, List<String>> newValues = after.byKey();
        Set<String> keys = new LinkedHashSet<>(oldValues.keySet());
        keys.addAll(newValues.keySet());
        for (String key : keys) {
            List<String> old = oldValues.getOrDefault(key, List.of());
            List<String> now = newValues.getOrDefault(key, List.of());
            for (int i = 0; i < Math.max(old.size(), now.size()); i++) {
                String was = i < old.size() ? old.get(i) : null;
                String is = i < now.size() ? now.get(i) : null;
                if (!Objects.equals(was, is)) {
                    changes.add(new SchemaChange(path, Kind.METADATA, key, was, is));
                }
            }
        }
    }

    // ---- siblings

    private void siblings(
            FieldPath parent,
            List<ArrowField> before,
            List<ArrowField> after,
            Match match,
            boolean areEntries) {
        List<FieldPath> paths = paths(parent, before);
        List<FieldPath> newPaths = paths(parent, after);
        int[] places = new int[before.size()];
        Arrays.setAll(places, i -> i < after.size() ? i : -1);
        if (match == Match.BY_NAME) {
            matchByName(paths, newPaths, places);
            matchRenamed(before, after, places);
        }
        boolean[] moved = moved(places);
        boolean[] known = new boolean[after.size()];
        for (int i = 0; i < before.size(); i++) {
            FieldPath path = paths.get(i);
            if (places[i] < 0) {
                add(path, Kind.REMOVED, before.get(i).description(), null);
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
            fields(path, before.get(i), is, areEntries);
        }
        for (int i = 0; i < after.size(); i++) {
            if (!known[i]) {
                add(newPaths.get(i), Kind.ADDED, null, after.get(i).description());
            }
        }
    }

    /// @param places for each field the index of its match, -1 if there is none
    private static void matchByName(List<FieldPath> before, List<FieldPath> after, int[] places) {
        // By texts, which a map finds fast even if others have chosen them to have equal hashes.
        Map<String, List<Integer>> placesByName = new HashMap<>();
        for (int i = 0; i < after.size(); i++) {
            placesByName.computeIfAbsent(after.get(i).name(), _ -> new ArrayList<>()).add(i);
        }
        for (int i = 0; i < places.length; i++) {
            List<Integer> equal = placesByName.getOrDefault(before.get(i).name(), List.of());
            int ordinal = before.get(i).ordinal(); // from 1
            places[i] = ordinal <= equal.size() ? equal.get(ordinal - 1) : -1;
        }
    }

    private static void matchRenamed(
            List<ArrowField> before, List<ArrowField> after, int[] places) {
        BitSet taken = new BitSet();
        Arrays.stream(places).filter(place -> place >= 0).forEach(taken::set);
        for (int i = 0; i < Math.min(before.size(), after.size()); i++) {
            if (places[i] < 0 && !taken.get(i) && isRenamed(before.get(i), after.get(i))) {
                places[i] = i;
            }
        }
    }

    private static boolean isRenamed(ArrowField before, ArrowField after) {
        return explicit(before.type()).equals(explicit(after.type()))
                && before.children().size() == after.children().size();
    }

    private static List<FieldPath> paths(FieldPath parent, List<ArrowField> fields) {
        Map<String, Integer> countByName = new HashMap<>();
        List<FieldPath> paths = new ArrayList<>();
        for (ArrowField field : fields) {
            int ordinal = countByName.merge(field.name(), 1, Integer::sum);
            paths.add(new FieldPath(parent, field.name(), ordinal));
        }
        return paths;
    }

    /// Finds a smallest set of moved fields, so that all others keep their order.
    private static boolean[] moved(int[] places) {
        // The longest increasing subsequence of `places`: for each length, `lowest` has the lowest
        // place that ends such a subsequence, and `ends` its field.
        int[] lowest = new int[places.length];
        int[] ends = new int[places.length];
        int[] previous = new int[places.length];
        int length = 0;
        for (int i = 0; i < places.length; i++) {
            if (places[i] < 0) {
                continue;
            }
            int position =
                    -Arrays.binarySearch(lowest, 0, length, places[i]) - 1; // places are distinct
            previous[i] = position == 0 ? -1 : ends[position - 1];
            lowest[position] = places[i];
            ends[position] = i;
            length = Math.max(length, position + 1);
        }
        boolean[] moved = new boolean[places.length];
        Arrays.fill(moved, true);
        for (int i = length == 0 ? -1 : ends[length - 1]; i >= 0; i = previous[i]) {
            moved[i] = false;
        }
        return moved;
    }
}
