// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import dev.fletch.FletchException;
import dev.fletch.batch.FieldTable.Section;
import dev.fletch.format.ids.Type;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Fields of a layout that were chosen, with their ancestors and descendants, in pre-order.
final class FieldChoice {
    /// The layout that was compiled.
    final BatchLayout of;

    /// Number of each field in [#of].
    final int[] fields;

    final Section section;
    final FieldPlaces places;

    /// A field of the result.
    ///
    /// @param children chosen ones by their numbers; null if all descendants are included
    private record Chosen(Map<Integer, Chosen> children) {}

    /// @param layout of the numbers in `chosen`
    FieldChoice(BatchLayout layout, int[] chosen) {
        Map<Integer, Chosen> columns = new LinkedHashMap<>();
        for (int field : chosen) {
            add(layout, field, columns);
        }
        List<int[]> found = new ArrayList<>();
        flatten(layout, columns, 0, found);
        int[] numbers = found.stream().mapToInt(each -> each[0]).toArray();
        int[] depths = found.stream().mapToInt(each -> each[1]).toArray();
        of = layout.source();
        fields = Arrays.stream(numbers).map(layout::sourceField).toArray();
        section = new FieldTable(layout, numbers, depths).section();
        places = places(layout, numbers);
    }

    private FieldPlaces places(BatchLayout layout, int[] numbers) {
        FieldPlaces.Builder builder = new FieldPlaces.Builder();
        for (int i = 0; i < numbers.length; i++) {
            builder.add(
                    i,
                    layout.nodeIndex(numbers[i]),
                    layout.bufferIndex(numbers[i]),
                    layout.viewIndex(numbers[i]));
        }
        return builder.build(section, layout.places.needed());
    }

    private static void add(BatchLayout layout, int field, Map<Integer, Chosen> columns) {
        Map<Integer, Chosen> siblings = columns;
        for (int each : path(layout, field)) {
            boolean isWhole = each == field;
            Chosen known = siblings.get(each);
            if (known != null && (isWhole || known.children == null)) {
                throw new IllegalArgumentException(
                        "column is chosen twice: column=" + layout.shownPath(each));
            }
            if (known == null) {
                known = new Chosen(isWhole ? null : new LinkedHashMap<>());
                siblings.put(each, known);
            }
            siblings = known.children;
        }
    }

    /// The numbers of a field's ancestors and its own.
    private static int[] path(BatchLayout layout, int field) {
        int end = layout.end(field);
        if (end > layout.section.placeable()) {
            throw FletchException.of(layout.withoutPlace(), "column=" + layout.shownPath(field));
        }
        int[] path = new int[layout.depth(field) + 1];
        for (int i = path.length - 1, f = field; i >= 0; f = layout.parent(f), i--) {
            path[i] = f;
            if (f != field && !mayBeReduced(layout, f)) {
                throw new IllegalArgumentException(
                        String.format(
                                Locale.ROOT,
                                "only structs and lists have children to choose: column=%s,"
                                        + " parent=%s, type=%s",
                                layout.shownPath(field),
                                layout.shownPath(f),
                                Type.NAMES.name(layout.typeType(f))));
            }
        }
        return path;
    }

    /// {@return a field, or its outermost ancestor that is not valid without it}
    static int choosable(BatchLayout layout, int field) {
        int found = field;
        for (int f = layout.parent(field); f >= 0; f = layout.parent(f)) {
            found = mayBeReduced(layout, f) ? found : f;
        }
        return found;
    }

    /// Returns whether a field is valid with a part of its children's descendants.
    private static boolean mayBeReduced(BatchLayout layout, int field) {
        return switch (layout.typeType(field)) {
            case Type.MAP, Type.UNION, Type.RUN_END_ENCODED -> false;
            default -> NestedValues.isNested(layout, field);
        };
    }

    /// Adds the number and the depth of each field.
    private static void flatten(
            BatchLayout layout, Map<Integer, Chosen> level, int depth, List<int[]> into) {
        level.forEach(
                (field, chosen) -> {
                    boolean isWhole = chosen.children == null;
                    int above = layout.depth(field) - depth;
                    for (int f = field; f < (isWhole ? layout.end(field) : field + 1); f++) {
                        into.add(new int[] {f, layout.depth(f) - above});
                    }
                    if (!isWhole) {
                        flatten(layout, chosen.children, depth + 1, into);
                    }
                });
    }
}
