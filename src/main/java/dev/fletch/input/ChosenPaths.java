// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

import dev.fletch.FletchException;
import dev.fletch.batch.BatchLayout;
import dev.fletch.wire.Escaper;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/// Columns that a person chooses, each by the first of these that fits:
///
/// | text | columns |
/// |---|---|
/// | the name of a column | all columns with this name |
/// | a path: names joined by dots, see [BatchLayout#field] | the first field with this path |
/// | `prefix*` | all columns whose names begin so, in the order of the schema |
/// | `!` before one of these | none of these columns; all others, if nothing was chosen before |
public final class ChosenPaths {
    private static final String NOT = "!";
    private static final String ANY = "*";

    /// The chosen columns are not in the schema, or none is chosen, or they do not fit together.
    public static final class WrongColumns extends IllegalArgumentException {
        private static final long serialVersionUID = 1L;

        public WrongColumns(String message) {
            super(message);
        }
    }

    private ChosenPaths() {}

    /// The numbers of the chosen fields, in their order.
    ///
    /// @param layout of all columns
    public static IntStream of(BatchLayout layout, List<String> texts) {
        List<Integer> chosen = new ArrayList<>();
        Set<Integer> left = new HashSet<>();
        // Of fields that were left out, the size of `chosen` then: places before it do not count.
        Map<Integer, Integer> leftOut = new HashMap<>();
        String allBut = null;
        for (String text : texts) {
            boolean isNot = text.startsWith(NOT) && layout.find(text) < 0;
            if (!isNot || chosen.isEmpty()) {
                allBut = isNot ? text : allBut;
                List<Integer> found = fields(layout, isNot ? ANY : text, left);
                if (allBut != null && left.containsAll(found) && !found.isEmpty()) {
                    throw new WrongColumns(
                            "column is chosen twice: column="
                                    + Escaper.name(text)
                                    + "; "
                                    + Escaper.name(allBut)
                                    + " alone chooses all but one");
                }
                chosen.addAll(found);
                left.addAll(found);
            }
            if (isNot) {
                String other = text.substring(NOT.length());
                int before = left.size();
                for (Integer each : fields(layout, other, Set.of())) {
                    left.remove(each);
                    leftOut.put(each, chosen.size());
                }
                if (left.size() == before) {
                    throw new WrongColumns(
                            "column to leave out is not chosen: column=" + Escaper.name(other));
                }
            }
        }
        if (left.isEmpty() && !texts.isEmpty()) {
            throw new WrongColumns("no column is chosen: columns=" + layout.columnCount());
        }
        return IntStream.range(0, chosen.size())
                .filter(i -> i >= leftOut.getOrDefault(chosen.get(i), 0))
                .map(chosen::get);
    }

    /// The fields that fit a text; of those with a prefix, what was not chosen before.
    private static List<Integer> fields(BatchLayout layout, String text, Set<Integer> before) {
        List<Integer> same = new ArrayList<>();
        for (int column = layout.find(text); column >= 0; column = layout.findNext(text, column)) {
            same.add(layout.columnField(column));
        }
        if (!same.isEmpty()) {
            return same;
        }
        if (!text.endsWith(ANY)) {
            return List.of(field(layout, text));
        }
        String prefix = text.substring(0, text.length() - ANY.length());
        List<Integer> all =
                IntStream.range(0, layout.columnCount())
                        .map(layout::columnField)
                        .filter(each -> layout.nameString(each).startsWith(prefix))
                        .boxed()
                        .toList();
        if (all.isEmpty()) {
            field(layout, text); // throws
        }
        return all.stream().filter(each -> !before.contains(each)).toList();
    }

    /// The first field with a path.
    private static int field(BatchLayout layout, String path) {
        try {
            return layout.field(path);
        } catch (FletchException e) {
            throw new WrongColumns(e.getMessage());
        }
    }
}
