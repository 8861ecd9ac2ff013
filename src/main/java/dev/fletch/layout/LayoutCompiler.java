// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import dev.fletch.format.FieldWalk;
import dev.fletch.format.Schema;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// Compiles a schema: first the columns, then in a second walk, if there is any dictionary, a
/// section for the values of each.
final class LayoutCompiler {
    private static final int[] NO_COLUMNS = {};
    private static final int[] ONE_COLUMN = {0};

    private final FieldWalk walk = new FieldWalk();
    private final FieldTable table;
    private final Set<Long> known = new HashSet<>();
    private final int version;
    private final LayoutLimits limits;
    private final int maxFields;
    private final int endianness;

    // The columns' is the first.
    private final List<BatchLayout.Section> sections = new ArrayList<>();

    LayoutCompiler(Schema schema, int version, LayoutLimits limits) {
        this.version = version;
        this.limits = limits;
        walk.wrap(schema);
        endianness = schema.endianness();
        table = new FieldTable(walk.columnCount());
        table.clear(version, limits, schema.bufferLength());
        maxFields = limits.fieldsIn(schema.bufferLength());
    }

    BatchLayout compile() {
        if (walk.columnCount() > maxFields) {
            throw LayoutException.of(
                    LayoutRules.TOO_MANY_FIELDS, "columns", walk.columnCount(), "limit", maxFields);
        }
        final int[] columns = columns();
        if (table.dictionaryId != null) {
            dictionaries();
        }
        table.trim();
        return layouts(columns);
    }

    private int[] columns() {
        final int[] columns = walk.columnCount() == 0 ? NO_COLUMNS : new int[walk.columnCount()];
        while (walk.next()) {
            final int depth = walk.depth();
            if (depth == 0) {
                columns[walk.column()] = table.rows;
            }
            table.add(walk, depth, false);
        }
        endSection(0);
        return columns;
    }

    private void dictionaries() {
        walk.rewind();
        int visited = 0;
        while (walk.next()) {
            if (++visited > maxFields || walk.depth() >= limits.maxDepth()) {
                throw new LayoutException(
                        visited > maxFields
                                ? LayoutRules.TOO_MANY_FIELDS
                                : LayoutRules.SCHEMA_TOO_DEEP,
                        String.format(
                                Locale.ROOT,
                                "in=dictionary values, column=%d, depth=%d, limits=%s",
                                walk.column(),
                                walk.depth(),
                                limits));
            }
            if (walk.isDictionaryEncoded() && known.add(walk.dictionaryId())) {
                values(walk.dictionaryId());
            }
        }
    }

    /// Lays out the current field as the column of its dictionary's batches, and comes back to it.
    private void values(long id) {
        final int level = walk.depth();
        table.beginSection();
        table.add(walk, 0, true);
        while (walk.nextBelow(level)) {
            table.add(walk, walk.depth() - level, false);
        }
        endSection(id);
        walk.again(level);
    }

    private void endSection(long id) {
        table.endSection();
        final int start = table.sectionStart;
        sections.add(
                new BatchLayout.Section(
                        id, start, table.rows - start, table.buffers, table.views, table.unknown));
    }

    private BatchLayout layouts(int[] columns) {
        final NameIndex names = new NameIndex(table);
        final int count = sections.size() - 1;
        final long[] inOrder = new long[count];
        for (int i = 0; i < count; i++) {
            inOrder[i] = sections.get(1 + i).id();
        }
        final long[] sorted = inOrder.clone();
        Arrays.sort(sorted);
        final BatchLayout[] layouts = new BatchLayout[count];
        final var dictionaries = new BatchLayout.Dictionaries(inOrder, sorted, layouts);
        for (BatchLayout.Section each : sections.subList(1, sections.size())) {
            layouts[Arrays.binarySearch(sorted, each.id())] =
                    layout(each, ONE_COLUMN, names, dictionaries);
        }
        return layout(sections.getFirst(), columns, names, dictionaries);
    }

    private BatchLayout layout(
            BatchLayout.Section section,
            int[] columns,
            NameIndex names,
            BatchLayout.Dictionaries dictionaries) {
        return new BatchLayout(table, version, endianness, section, columns, names, dictionaries);
    }
}
