// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.Rule;
import dev.fletch.batch.BatchLayout.DictionaryLayouts;
import dev.fletch.batch.FieldLayout.Section;
import dev.fletch.format.FieldWalk;
import dev.fletch.format.Schema;
import dev.fletch.format.internal.FieldLimits;
import dev.fletch.format.internal.SchemaSize;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/// Compiles a schema: first the columns; then, if fields are dictionary-encoded, a section for each
/// dictionary's values, in a second walk.
final class LayoutCompiler {
    private static final DictionaryLayouts NO_DICTIONARIES =
            new DictionaryLayouts(new long[0], new long[0], new BatchLayout[0]);

    private final FieldWalk walk = new FieldWalk();
    private final SchemaSize size;
    private final FieldTable table;
    private final Limits limits;
    private final Section columns = new Section();

    // The section of each dictionary by its id, in the order of first use.
    private Map<Long, Section> sections = Map.of();

    LayoutCompiler(Schema schema, int version, Limits limits) {
        this.limits = limits;
        size = new SchemaSize(limits);
        walk.wrap(schema);
        size.begin(schema.bufferLength());
        table = new FieldTable(walk.columnCount());
        table.clear(version, schema, limits, columns);
    }

    BatchLayout compile() {
        Rule broken = FieldLimits.broken(limits, 0, walk.columnCount() - 1L);
        if (broken != null) {
            throw FletchException.of(
                    broken, "columns=" + walk.columnCount() + ", limit=" + limits.fields());
        }
        columns();
        if (table.dictionaryId != null) {
            dictionaries();
        }
        table.schemaSize = size.size();
        table.trim();
        NameIndex names = new NameIndex(table);
        return new BatchLayout(
                table,
                columns,
                names,
                sections.isEmpty() ? NO_DICTIONARIES : dictionaryLayouts(names));
    }

    private void columns() {
        int[] rows = new int[walk.columnCount()];
        while (walk.next()) {
            measure();
            int depth = walk.depth();
            if (depth == 0) {
                rows[walk.column()] = table.rows;
            }
            table.add(walk, depth, false);
            if (walk.isDictionaryEncoded() && walk.field().childrenCount() != 0) {
                measureBelow(depth);
            }
        }
        table.endSection(rows);
    }

    private void measure() {
        if (!size.addField(walk.field().nameLength())) {
            throw size.tooLarge(walk.field());
        }
    }

    /// Measures the descendants of the current field, which belong to the values of its dictionary.
    private void measureBelow(int level) {
        walk.again(level); // so that the children are not skipped
        while (walk.nextBelow(level)) {
            measure();
        }
    }

    private void dictionaries() {
        sections = new LinkedHashMap<>();
        walk.rewind();
        int visited = 0;
        while (walk.next()) {
            Rule broken = FieldLimits.broken(limits, walk.depth(), visited++);
            if (broken != null) {
                throw FletchException.of(
                        broken,
                        String.format(
                                Locale.ROOT,
                                "in=dictionary values, column=%d, depth=%d, limits=%s",
                                walk.column(),
                                walk.depth(),
                                limits));
            }
            if (walk.isDictionaryEncoded() && !sections.containsKey(walk.dictionaryId())) {
                values(walk.dictionaryId());
            }
        }
    }

    /// Lays out the current field as the column of its dictionary's batches, and returns to it.
    private void values(long id) {
        int level = walk.depth();
        Section section = new Section();
        table.beginSection(section);
        table.add(walk, 0, true);
        while (walk.nextBelow(level)) {
            table.add(walk, walk.depth() - level, false);
        }
        table.endSection(FieldLayout.ONE_COLUMN);
        sections.put(id, section);
        walk.again(level);
    }

    private DictionaryLayouts dictionaryLayouts(NameIndex names) {
        long[] inOrder = sections.keySet().stream().mapToLong(Long::longValue).toArray();
        long[] sorted = inOrder.clone();
        Arrays.sort(sorted);
        BatchLayout[] layouts = new BatchLayout[inOrder.length];
        DictionaryLayouts dictionaries = new DictionaryLayouts(inOrder, sorted, layouts);
        for (int i = 0; i < inOrder.length; i++) {
            layouts[i] = new BatchLayout(table, sections.get(sorted[i]), names, dictionaries);
        }
        return dictionaries;
    }
}
