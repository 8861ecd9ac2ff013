// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.Rule;
import dev.fletch.batch.BatchLayout.DictionaryLayouts;
import dev.fletch.batch.FieldTable.Section;
import dev.fletch.flatbuf.Utf8Slice;
import dev.fletch.format.Field;
import dev.fletch.format.Schema;
import dev.fletch.format.internal.ColumnCheck;
import dev.fletch.format.internal.FieldLimits;
import dev.fletch.format.internal.FieldWalk;
import dev.fletch.format.internal.SchemaSize;
import dev.fletch.format.internal.tables.BufferShape;
import dev.fletch.format.internal.tables.TypeFacts;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/// Compiles a schema: first the columns; then, if fields are dictionary-encoded, a section for each
/// dictionary's values, in a second walk. Columns that are not wanted are only counted.
final class LayoutCompiler {
    private static final DictionaryLayouts NO_DICTIONARIES =
            new DictionaryLayouts(new long[0], new long[0], new BatchLayout[0]);

    /// Maximum number of names to find one by one. For more, one walk through all columns is faster.
    private static final int FEW_NAMES = 4;

    private static final int VIEW_SHIFT = 32;
    private static final int TYPE_NUMBERS = 256;

    /// For each type, the number of buffers in the lower half, and of view fields in the upper half;
    /// negative if it is unknown or depends on the version.
    // Not final, so that C2 does not know the length: it would omit the bounds check of a byte
    // index, and on a lost page of a mapped file that byte may have any value.
    private static long[] weights = weights();

    private final Schema schema;
    private final FieldWalk walk = new FieldWalk();
    private final SchemaSize size;
    private final FieldTable table;
    private final Limits limits;
    private final Section columns;

    private final Columns chosen;
    // The numbers of the chosen columns.
    private final BitSet wanted = new BitSet();
    private final Consumer<Field> verify;
    private final Field field = new Field();

    private final FieldPlaces.Builder places = new FieldPlaces.Builder();
    // Parts of the columns that are not wanted.
    private int otherNodes;
    private int otherBuffers;
    private int otherViews;
    // Null before an unknown type.
    private FieldPlaces.Needed needed;

    // The section of each dictionary by its id, in the order of first use.
    private Map<Long, Section> sections = Map.of();

    LayoutCompiler(
            Schema schema, int version, Limits limits, Columns chosen, Consumer<Field> verify) {
        this.schema = schema;
        this.limits = limits;
        this.chosen = chosen;
        this.verify = verify;
        size = new SchemaSize(limits);
        walk.wrap(schema);
        size.begin(schema.bufferLength());
        table =
                new FieldTable(
                        schema,
                        version,
                        limits,
                        chosen.by == Columns.By.ALL ? walk.columnCount() : 0);
        columns = table.beginSection();
    }

    private static long[] weights() {
        long[] weights = new long[TYPE_NUMBERS];
        for (int type = 0; type < TYPE_NUMBERS; type++) {
            TypeFacts facts = TypeFacts.of(type);
            BufferShape shape = facts.shape(0, 0);
            boolean isFixed = !facts.dependsOnVersion() && shape != BufferShape.UNKNOWN;
            weights[type] = isFixed ? shape.count() | views(shape) << VIEW_SHIFT : -1;
        }
        return weights;
    }

    private static long views(BufferShape shape) {
        return shape == BufferShape.VIEW ? 1 : 0;
    }

    BatchLayout compile() {
        Rule broken = FieldLimits.broken(limits, 0, walk.columnCount() - 1L);
        if (broken != null) {
            throw FletchException.of(
                    broken, "columns=" + walk.columnCount() + ", limit=" + limits.fields());
        }
        find();
        int[] found = wanted.stream().toArray();
        columns(found);
        if (table.dictionaryId != null) {
            dictionaries(found);
        }
        table.schemaSize = size.size();
        table.trim();
        NameIndex index = new NameIndex(table);
        BatchLayout layout =
                new BatchLayout(
                        columns,
                        places.build(columns, needed),
                        index,
                        sections.isEmpty() ? NO_DICTIONARIES : dictionaryLayouts(index),
                        found.length == walk.columnCount() ? null : found);
        for (String path : chosen.by == Columns.By.PATH ? chosen.names : List.<String>of()) {
            if (layout.below(BatchLayout.NONE, path) < 0) {
                throw BatchLayout.noColumn(path, walk.columnCount());
            }
        }
        return layout;
    }

    // ---- the wanted columns

    private void find() {
        switch (chosen.by) {
            case ALL -> wanted.set(0, walk.columnCount());
            case NUMBER -> chosen.numbers.forEach(this::want);
            case NAME -> {
                if (chosen.names.size() <= FEW_NAMES) {
                    chosen.names.forEach(this::find);
                } else {
                    findMany(chosen.names);
                }
            }
            case PATH -> chosen.names.forEach(this::findPath);
        }
    }

    private void want(int column) {
        if (column < 0 || column >= walk.columnCount()) {
            throw FletchException.of(
                    ColumnCheck.missing(), "column=" + column + ", columns=" + walk.columnCount());
        }
        wanted.set(column);
    }

    private void find(String name) {
        if (!wantNamed(name)) {
            throw BatchLayout.noColumn(name, walk.columnCount());
        }
    }

    /// Finds the columns whose names a path may begin with.
    private void findPath(String path) {
        for (int end = path.length(); end >= 0; end = path.lastIndexOf('.', end - 1)) {
            wantNamed(path.substring(0, end));
        }
    }

    /// Returns whether there are columns with a name.
    private boolean wantNamed(String name) {
        byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
        walk.rewind();
        int first = walk.find(utf8);
        for (int column = first; column >= 0; column = walk.find(utf8)) {
            wanted.set(column);
        }
        return first >= 0;
    }

    /// Finds many names by one walk.
    private void findMany(List<String> names) {
        Map<Utf8Slice, String> missing = new LinkedHashMap<>();
        for (String name : names) {
            byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
            MemorySegment memory = MemorySegment.ofArray(utf8);
            missing.put(new Utf8Slice().wrap(memory, 0, utf8.length), name);
        }
        Set<Utf8Slice> all = Set.copyOf(missing.keySet());
        Utf8Slice noName = new Utf8Slice();
        Utf8Slice name = new Utf8Slice();
        for (int column = 0; column < walk.columnCount(); column++) {
            Utf8Slice found = schema.fields(column, field).name(name) ? name : noName;
            if (all.contains(found)) {
                wanted.set(column);
                missing.remove(found);
            }
        }
        if (!missing.isEmpty()) {
            throw BatchLayout.noColumn(missing.values().iterator().next(), walk.columnCount());
        }
    }

    // ---- columns

    /// Adds the wanted columns, and counts the others.
    ///
    /// @param found numbers of the wanted columns
    private void columns(int[] found) {
        int[] rows = new int[found.length];
        walk.rewind();
        for (int i = 0; i < found.length; i++) {
            countTo(found[i]);
            walk.column(found[i]);
            rows[i] = table.rows;
            add();
        }
        countTo(walk.columnCount());
        if (needed == null) {
            need(table.rows, columns.buffers, columns.views, true);
        }
        table.endSection(rows);
    }

    /// Adds the current column with its descendants.
    private void add() {
        if (verify != null) {
            verify.accept(schema.fields(walk.column(), field));
        }
        places.add(
                table.rows,
                otherNodes + table.rows,
                otherBuffers + columns.buffers,
                otherViews + columns.views);
        do {
            measure();
            int depth = walk.depth();
            table.add(walk, depth, false);
            if (walk.isDictionaryEncoded() && walk.field().childrenCount() != 0) {
                measureBelow(depth);
            }
        } while (walk.nextBelow(0));
        int unknown = columns.unknown;
        if (unknown >= 0 && needed == null) {
            need(unknown, table.firstBuffer(unknown), table.viewsBefore(unknown), false);
        }
    }

    /// Counts columns after the current one.
    ///
    /// @param end number of the column after them
    private void countTo(int end) {
        while (walk.column() + 1 < end) {
            int most = (int) Math.min(table.fieldsLeft(), size.fieldsLeft());
            int fields = limits.depth() > 1 ? walk.passAlike(end, weights, most) : 0;
            if (fields == 0) {
                walk.column(walk.column() + 1);
                count();
                continue;
            }
            table.count(fields);
            size.addFields(fields);
            otherNodes += fields;
            otherBuffers += (int) walk.passedWeight();
            otherViews += (int) (walk.passedWeight() >>> VIEW_SHIFT);
        }
    }

    /// Counts the current column with its descendants.
    private void count() {
        do {
            if (!size.addField(0)) {
                throw size.tooLarge(walk.field());
            }
            BufferShape shape = table.count(walk);
            if (shape == BufferShape.UNKNOWN && needed == null) {
                need(table.rows, columns.buffers, columns.views, false);
                columns.unknown = table.rows; // the next one, if there is one
            }
            otherNodes++;
            otherBuffers += shape.count();
            otherViews += (int) views(shape);
        } while (walk.nextBelow(0));
    }

    /// A batch must have the parts so far: of the other columns, and of fields of the wanted ones.
    private void need(int fields, int buffers, int views, boolean areAll) {
        needed =
                new FieldPlaces.Needed(
                        otherNodes + fields, otherBuffers + buffers, otherViews + views, areAll);
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

    // ---- dictionaries

    private void dictionaries(int[] found) {
        sections = new LinkedHashMap<>();
        int visited = 0;
        for (int column : found) {
            walk.column(column);
            do {
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
            } while (walk.nextBelow(0));
        }
    }

    /// Lays out the current field as the column of its dictionary's batches, and returns to it.
    private void values(long id) {
        int level = walk.depth();
        Section section = table.beginSection();
        table.add(walk, 0, true);
        while (walk.nextBelow(level)) {
            table.add(walk, walk.depth() - level, false);
        }
        table.endSection(new int[1]);
        sections.put(id, section);
        walk.again(level);
    }

    private DictionaryLayouts dictionaryLayouts(NameIndex index) {
        long[] inOrder = sections.keySet().stream().mapToLong(Long::longValue).toArray();
        long[] sorted = inOrder.clone();
        Arrays.sort(sorted);
        BatchLayout[] layouts = new BatchLayout[inOrder.length];
        DictionaryLayouts dictionaries = new DictionaryLayouts(inOrder, sorted, layouts);
        for (int i = 0; i < inOrder.length; i++) {
            Section section = sections.get(sorted[i]);
            layouts[i] =
                    new BatchLayout(section, FieldPlaces.ofAll(section), index, dictionaries, null);
        }
        return dictionaries;
    }
}
