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
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.internal.ColumnCheck;
import dev.fletch.format.internal.FieldLimits;
import dev.fletch.format.internal.FieldWalk;
import dev.fletch.format.internal.SchemaBytes;
import dev.fletch.format.internal.SchemaSize;
import dev.fletch.format.internal.tables.BufferShape;
import dev.fletch.format.internal.tables.TypeFacts;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/// Compiles a schema: first the columns; then, if fields are dictionary-encoded, a section for each
/// dictionary's values. A [FieldReader] reads the fields. Columns that are not wanted are only
/// counted, most of them by a [FieldWalk].
final class LayoutCompiler {
    private static final DictionaryLayouts NO_DICTIONARIES =
            new DictionaryLayouts(new long[0], new long[0], new BatchLayout[0]);

    /// Maximum number of names to find one by one. For more, one walk through all columns is
    /// faster.
    private static final int FEW_NAMES = 4;

    private static final int VIEW_SHIFT = 32;
    private static final int TYPE_NUMBERS = 256;

    /// For each type, the number of buffers in the lower half, and of view fields in the upper
    /// half; negative if it is unknown or depends on the version.
    // Not final, so that C2 does not know the length: it would omit the bounds check of a byte
    // index, and on a lost page of a mapped file that byte may have any value.
    private static long[] weights = weights();

    private final Schema schema;
    private final int version;
    private final int columnCount;
    private final Limits limits;
    private final Columns chosen;
    private final Consumer<Field> verify;
    private final SchemaSize size;
    private final FieldTable table;

    // Null if all columns are wanted.
    private final FieldWalk walk;

    // Numbers of the columns that are wanted.
    private BitSet wanted;

    LayoutCompiler(
            Schema schema, int version, Limits limits, Columns chosen, Consumer<Field> verify) {
        this.schema = schema;
        this.version = version;
        this.limits = limits;
        this.chosen = chosen;
        this.verify = verify;
        columnCount = schema.fieldsCount();
        boolean isWhole = chosen.by == Columns.By.ALL && verify == null;
        walk = isWhole ? null : new FieldWalk().wrap(schema);
        size = new SchemaSize(limits);
        size.begin(schema.bufferLength());
        table = new FieldTable(schema, version, limits, isWhole ? columnCount : 0);
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

    /// @param isFirst whether to compile the layout for the other metadata version, too
    BatchLayout compile(boolean isFirst) {
        Rule broken = FieldLimits.broken(limits, 0, columnCount - 1L);
        if (broken != null) {
            throw FletchException.of(
                    broken, "columns=" + columnCount + ", limit=" + limits.fields());
        }
        int[] found = walk == null ? null : find();
        int count = found == null ? columnCount : found.length;
        SchemaBytes bytes = new SchemaBytes(schema, count);
        FieldReader reader = new FieldReader(bytes, table, size, limits, count);
        FieldPlaces.Builder runs = null;
        if (found == null) {
            reader.rows(0, columnCount);
        } else {
            runs = new FieldPlaces.Builder();
            columns(reader, found, runs);
        }
        Section columns = reader.endColumns();
        Map<Long, Section> sections = reader.values();
        table.schemaSize = size.size();
        table.trim();
        NameIndex index = new NameIndex(table);
        BatchLayout other = isFirst && table.dependsOnVersion ? other() : null;
        BatchLayout layout =
                new BatchLayout(
                        columns,
                        runs == null
                                ? FieldPlaces.ofAll(columns)
                                : runs.build(columns, reader.needed),
                        index,
                        dictionaries(sections, index, other),
                        count == columnCount ? null : found,
                        null,
                        other);
        for (String path : chosen.by == Columns.By.PATH ? chosen.names : List.<String>of()) {
            if (layout.below(BatchLayout.NONE, path) < 0) {
                throw ColumnCheck.missing(path, schema);
            }
        }
        return layout;
    }

    /// The layout for the other metadata version. All columns of it were verified.
    private BatchLayout other() {
        int later = MetadataVersion.V5;
        int of = version == later ? MetadataVersion.V4 : later;
        return new LayoutCompiler(schema, of, limits, chosen, null).compile(false);
    }

    // ---- the wanted columns

    private int[] find() {
        wanted = new BitSet(columnCount);
        switch (chosen.by) {
            case ALL -> wanted.set(0, columnCount);
            case NUMBER -> chosen.numbers.forEach(this::want);
            case NAME -> {
                Set<String> missing = find(new LinkedHashSet<>(chosen.names));
                if (!missing.isEmpty()) {
                    throw ColumnCheck.missing(missing.iterator().next(), schema);
                }
            }
            case PATH -> {
                // A path begins with the name of its column, which may have dots itself.
                Set<String> names = new HashSet<>();
                for (String path : chosen.names) {
                    for (int end = path.length(); end >= 0; end = path.lastIndexOf('.', end - 1)) {
                        names.add(path.substring(0, end));
                    }
                }
                find(names);
            }
        }
        return wanted.stream().toArray();
    }

    private void want(int column) {
        if (column < 0 || column >= columnCount) {
            throw ColumnCheck.missing(column, columnCount);
        }
        wanted.set(column);
    }

    /// Finds columns by their names.
    ///
    /// @param names changed: what stays are those that no column has
    private Set<String> find(Set<String> names) {
        if (names.size() > FEW_NAMES) {
            findMany(names);
        } else {
            names.removeIf(this::wantNamed);
        }
        return names;
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
    private void findMany(Set<String> names) {
        Map<Utf8Slice, String> wantedNames = new HashMap<>();
        for (String name : names) {
            byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
            MemorySegment memory = MemorySegment.ofArray(utf8);
            wantedNames.put(new Utf8Slice().wrap(memory, 0, utf8.length), name);
        }
        Utf8Slice noName = new Utf8Slice();
        Utf8Slice slice = new Utf8Slice();
        Field field = new Field();
        for (int column = 0; column < columnCount; column++) {
            boolean hasName = schema.fields(column, field).name(slice);
            String name = wantedNames.get(hasName ? slice : noName);
            if (name != null) {
                wanted.set(column);
                names.remove(name);
            }
        }
    }

    // ---- columns

    /// Adds the wanted columns, and counts the others.
    ///
    /// @param found numbers of the wanted columns
    /// @param runs gets their places
    private void columns(FieldReader reader, int[] found, FieldPlaces.Builder runs) {
        int done = 0;
        for (int column : found) {
            count(reader, done, column);
            if (verify != null) {
                verify.accept(schema.fields(column, new Field()));
            }
            reader.place(runs);
            reader.rows(column, column + 1);
            done = column + 1;
        }
        count(reader, done, columnCount);
    }

    /// Counts columns.
    private void count(FieldReader reader, int from, int to) {
        int column = from;
        while (column < to) {
            walk.after(column - 1);
            int limit = (int) Math.min(reader.fieldsLeft(), size.fieldsLeft());
            int fields = limits.depth() > 1 ? walk.passAlike(to, weights, limit) : 0;
            if (fields == 0) {
                reader.count(column++);
                continue;
            }
            size.addFields(fields);
            long weight = walk.passedWeight();
            reader.count(fields, (int) weight, (int) (weight >>> VIEW_SHIFT));
            column = walk.column() + 1;
        }
    }

    // ---- dictionaries

    /// @param other the layout for the other metadata version; null if there is none
    private static DictionaryLayouts dictionaries(
            Map<Long, Section> sections, NameIndex index, BatchLayout other) {
        if (sections.isEmpty()) {
            return NO_DICTIONARIES;
        }
        long[] inOrder = sections.keySet().stream().mapToLong(Long::longValue).toArray();
        long[] sorted = inOrder.clone();
        Arrays.sort(sorted);
        BatchLayout[] layouts = new BatchLayout[inOrder.length];
        DictionaryLayouts dictionaries = new DictionaryLayouts(inOrder, sorted, layouts);
        for (int i = 0; i < inOrder.length; i++) {
            Section section = sections.get(sorted[i]);
            layouts[i] =
                    new BatchLayout(
                            section,
                            FieldPlaces.ofAll(section),
                            index,
                            dictionaries,
                            null,
                            null,
                            other == null ? null : other.dictionaryLayout(sorted[i]));
        }
        return dictionaries;
    }
}
