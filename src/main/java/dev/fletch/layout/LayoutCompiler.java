// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import dev.fletch.format.FieldWalk;
import dev.fletch.format.Schema;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/// Compiles a schema: first the columns, then in a second walk, if there is any dictionary, a
/// section for the values of each.
final class LayoutCompiler {
    private static final int[] NO_COLUMNS = {};

    private final FieldWalk walk = new FieldWalk();
    private final FieldTable table = new FieldTable();
    private final Map<Long, Integer> sectionById = new HashMap<>();
    private final int version;
    private final LayoutLimits limits;
    private final int maxFields;

    // One for each section, the columns' being the first.
    private int[] starts = new int[4];
    private int[] totals = new int[3 * 4];
    private long[] ids = new long[4];
    private int sections;

    LayoutCompiler(Schema schema, int version, LayoutLimits limits) {
        this.version = version;
        this.limits = limits;
        walk.wrap(schema);
        table.clear(version, limits, schema.bufferLength());
        maxFields = limits.fieldsIn(schema.bufferLength());
    }

    BatchLayout compile() {
        if (walk.columnCount() > maxFields) {
            throw LayoutException.of(
                    LayoutFault.TOO_MANY_FIELDS, "columns", walk.columnCount(), "limit", maxFields);
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
            if (walk.depth() == 0) {
                columns[walk.column()] = table.rows;
            }
            table.add(walk, walk.depth(), false);
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
                        visited > maxFields ? LayoutFault.TOO_MANY_FIELDS : LayoutFault.TOO_DEEP,
                        String.format(
                                Locale.ROOT,
                                "in=dictionary values, column=%d, depth=%d, limits=%s",
                                walk.column(),
                                walk.depth(),
                                limits));
            }
            if (walk.isDictionaryEncoded() && isNew(walk.dictionaryId())) {
                values(walk.dictionaryId());
            }
        }
    }

    private boolean isNew(long id) {
        return sectionById.putIfAbsent(id, sections) == null;
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
        if (sections == starts.length) {
            starts = Arrays.copyOf(starts, sections << 1);
            totals = Arrays.copyOf(totals, 3 * (sections << 1));
            ids = Arrays.copyOf(ids, sections << 1);
        }
        starts[sections] = table.sectionStart;
        totals[3 * sections] = table.buffers;
        totals[3 * sections + 1] = table.views;
        totals[3 * sections + 2] = table.unknown;
        ids[sections] = id;
        sections++;
    }

    private BatchLayout layouts(int[] columns) {
        final NameIndex names = new NameIndex(table, Arrays.copyOf(starts, sections));
        final long[] inOrder = Arrays.copyOfRange(ids, 1, sections);
        final long[] sorted = inOrder.clone();
        Arrays.sort(sorted);
        final BatchLayout[] layouts = new BatchLayout[sorted.length];
        final var dictionaries = new BatchLayout.Dictionaries(inOrder, sorted, layouts);
        final int[] one = {0};
        for (int i = 1; i < sections; i++) {
            layouts[Arrays.binarySearch(sorted, ids[i])] = layout(i, one, names, dictionaries);
        }
        return layout(0, columns, names, dictionaries);
    }

    private BatchLayout layout(
            int section, int[] columns, NameIndex names, BatchLayout.Dictionaries dictionaries) {
        final int end = section + 1 < sections ? starts[section + 1] : table.rows;
        return new BatchLayout(
                table,
                version,
                new BatchLayout.Section(
                        section,
                        starts[section],
                        end - starts[section],
                        totals[3 * section],
                        totals[3 * section + 1],
                        totals[3 * section + 2]),
                columns,
                names,
                dictionaries);
    }
}
