// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import dev.fletch.BatchException;
import dev.fletch.Limits;
import dev.fletch.UnreadableFileException;
import dev.fletch.events.Events;
import dev.fletch.format.KnownSchema;
import dev.fletch.format.Schema;
import dev.fletch.format.SchemaTooLargeException;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

/// The compiled layout of a schema: type, field node and buffers of each field, in pre-order.
///
/// Compiled once from a schema and the [dev.fletch.format.ids.MetadataVersion] of its batches:
/// unions have a validity buffer in V4, and none in V5. It copies the schema's data, names
/// included, so it outlives the schema's memory. Numbers and errors: see [FieldLayout].
///
/// **Names.** Columns and children are found by their exact name, in constant time and without
/// allocation. Names need not be unique: lookups return the first, then each next in order, and -1
/// if there is none. An absent name equals the empty name.
///
/// **Errors.** Compiling throws a [BatchException] if the version is neither V4 nor V5, or a limit
/// is exceeded; a [dev.fletch.FlatBufferFormatException] if the schema is malformed.
///
/// **Threads.** Immutable; threads may share it.
///
/// Source: Columnar format, "RecordBatch message".
public final class BatchLayout extends FieldLayout {
    /// The dictionaries of a schema.
    ///
    /// @param inOrder ids by first use
    /// @param sorted the same ids, ascending
    /// @param layouts of the values, in the order of `sorted`
    record DictionaryLayouts(long[] inOrder, long[] sorted, BatchLayout[] layouts) {
        BatchLayout of(long id) {
            int found = Arrays.binarySearch(sorted, id);
            return found < 0 ? null : layouts[found];
        }

        /// The dictionaries of some fields, nested ones included.
        DictionaryLayouts neededBy(FieldLayout part) {
            Set<Long> needed = new HashSet<>();
            collect(part, needed);
            long[] kept = Arrays.stream(inOrder).filter(needed::contains).toArray();
            long[] ascending = kept.clone();
            Arrays.sort(ascending);
            return new DictionaryLayouts(
                    kept,
                    ascending,
                    Arrays.stream(ascending).mapToObj(this::of).toArray(BatchLayout[]::new));
        }

        private void collect(FieldLayout part, Set<Long> needed) {
            for (int field = 0; field < part.fieldCount(); field++) {
                long id = part.dictionaryId(field);
                if (part.isDictionaryEncoded(field) && needed.add(id)) {
                    collect(of(id), needed);
                }
            }
        }
    }

    private final NameIndex names;
    private final DictionaryLayouts dictionaries;
    // Null if this has all fields.
    final FieldChoice choice;

    BatchLayout(
            FieldTable table, Section section, NameIndex names, DictionaryLayouts dictionaries) {
        super(table, section);
        this.names = names;
        this.dictionaries = dictionaries;
        choice = null;
    }

    private BatchLayout(FieldChoice choice, Section section) {
        super(new FieldTable(choice, section), section);
        names = new NameIndex(table);
        dictionaries = choice.of.dictionaries.neededBy(this);
        this.choice = choice;
    }

    /// Compiles a schema, within [Limits#DEFAULT].
    public static BatchLayout compile(Schema schema, int version) {
        return compile(schema, version, Limits.DEFAULT);
    }

    /// Compiles a schema.
    public static BatchLayout compile(Schema schema, int version, Limits limits) {
        try {
            Object event = Events.layoutBegins();
            BatchLayout layout = new LayoutCompiler(schema, version, limits).compile();
            Events.layoutCompiled(event, layout.columnCount(), layout.fieldCount());
            return layout;
        } catch (InternalError e) {
            throw UnreadableFileException.of(e);
        }
    }

    /// Returns the layout attached to a known schema, or compiles and attaches it. Schemas that
    /// differ only in custom metadata share it. Returning an attached layout allocates nothing.
    ///
    /// @param known the reader's handle of the schema; if null, this only compiles
    /// @return the layout, the same object for the same columns, version and limits
    public static BatchLayout of(KnownSchema known, Schema schema, int version, Limits limits) {
        if (known == null) {
            return compile(schema, version, limits);
        }
        BatchLayout layout = known.attached(BatchLayout.class, true, version, limits);
        if (layout == null) {
            try {
                layout = compile(known.schema(new Schema()), version, limits);
            } catch (SchemaTooLargeException e) {
                return compile(schema, version, limits); // the limit depends on the buffer's size
            }
            layout = known.attach(BatchLayout.class, true, version, limits, layout);
        }
        return layout.table.schemaSize <= limits.unfoldedBytes(schema.bufferLength())
                ? layout
                : compile(schema, version, limits);
    }

    /// Checks that all fields can be located, also those of dictionaries.
    ///
    /// @return this
    /// @throws BatchException if the type of a field is unknown; it names the field
    public BatchLayout requireKnown() {
        requireKnown(this);
        for (long id : dictionaries.inOrder()) {
            requireKnown(dictionaries.of(id));
        }
        return this;
    }

    private static void requireKnown(BatchLayout layout) {
        int unknown = layout.firstUnknown();
        if (unknown >= 0) {
            throw new BatchException(
                    layout.withoutPlace(),
                    "column=" + layout.shownPath(unknown) + ", field=" + unknown);
        }
    }

    // ---- a part of the fields

    /// {@return a layout of chosen fields, in the given order; its numbers count only these}
    ///
    /// A [BatchCursor] with it reads the same batches, and copies only the numbers of these fields:
    /// for few columns of a very wide batch. A nested field keeps its ancestors, which then have
    /// only the chosen children; all other fields keep all their descendants.
    /// Dictionaries that no chosen field needs are absent.
    ///
    /// @param fields numbers in this layout, such as [#field] and [#fieldOf] return
    /// @throws IllegalArgumentException if a field is chosen twice, also as a descendant of
    ///     another; or if an ancestor is neither a struct nor a list: maps, unions and run-end
    ///     encoded fields need all their children
    /// @throws BatchException if a field cannot be located, because its type or that of an earlier
    ///     field is unknown
    public BatchLayout choose(int... fields) {
        return new BatchLayout(new FieldChoice(this, fields), new Section());
    }

    /// {@return the layout of batches that have only the fields of this one, such as those of a
    /// `dev.fletch.forward.BatchProjector`}
    public BatchLayout alone() {
        return choice == null ? this : new BatchLayout(table, section, names, dictionaries);
    }

    /// {@return the layout of all columns; this one, unless it was chosen from another}
    public BatchLayout source() {
        return choice == null ? this : choice.of;
    }

    /// {@return a field's number in [#source()]}
    public int sourceField(int field) {
        return choice == null
                ? Objects.checkIndex(field, fieldCount())
                : choice.fields[Objects.checkIndex(field, fieldCount())];
    }

    @Override
    FieldLayout whole() {
        return source();
    }

    @Override
    public int nodeIndex(int field) {
        return choice == null ? super.nodeIndex(field) : choice.of.nodeIndex(sourceField(field));
    }

    @Override
    public int bufferIndex(int field) {
        return choice == null
                ? super.bufferIndex(field)
                : choice.of.bufferIndex(sourceField(field));
    }

    // ---- all fields

    /// {@return the column that a field belongs to}
    public int columnOf(int field) {
        int found = Arrays.binarySearch(section.columns, Objects.checkIndex(field, fieldCount()));
        return found >= 0 ? found : -found - 2;
    }

    // ---- dictionaries

    /// {@return number of dictionaries, nested ones included}
    public int dictionaryCount() {
        return dictionaries.inOrder().length;
    }

    /// {@return id of a dictionary}
    ///
    /// @param index from 0 to [#dictionaryCount()] - 1, in the order of their first fields in
    ///     pre-order
    public long dictionary(int index) {
        return dictionaries.inOrder()[index];
    }

    /// {@return the layout of a dictionary's batches, whose only column is the dictionary's values;
    /// always the same object; null if no field uses the dictionary}. If its fields differ in type,
    /// which the format forbids, the first applies.
    public BatchLayout dictionaryLayout(long id) {
        return dictionaries.of(id);
    }

    // ---- names

    @Override
    public int find(CharSequence name) {
        return findNext(name, NONE);
    }

    /// {@return the next column with a name; -1 if there is none}
    ///
    /// @param after a column, or -1
    public int findNext(CharSequence name, int after) {
        int field = nextChild(NONE, name, after < 0 ? NONE : columnField(after));
        return field < 0 ? NONE : columnOf(field);
    }

    /// {@return number of a field's first child with a name; -1 if there is none}
    ///
    /// @param field the parent's number; -1 for a column
    public int child(int field, CharSequence name) {
        return nextChild(field, name, NONE);
    }

    /// {@return number of a field's next child with a name; -1 if there is none}
    ///
    /// @param field the parent's number; -1 for a column
    /// @param after number of a field, or -1
    public int nextChild(int field, CharSequence name, int after) {
        int base = section.start;
        int parent = field == NONE ? FieldTable.topLevel(base) : row(field);
        int row = names.find(parent, name, after < 0 ? NONE : base + after);
        return row < 0 ? NONE : row - base;
    }

    /// {@return the number of the first field with a path: names joined by dots}
    ///
    /// A name may have dots itself. The longest name that leads to a field applies.
    ///
    /// @throws BatchException if there is none
    public int fieldOf(String path) {
        int found = below(NONE, path);
        if (found < 0) {
            throw noColumn(path, columnCount());
        }
        return found;
    }

    private int below(int parent, String path) {
        for (int end = path.length(); end >= 0; end = path.lastIndexOf('.', end - 1)) {
            int found = child(parent, path.substring(0, end));
            if (found >= 0 && end < path.length()) {
                found = below(found, path.substring(end + 1));
            }
            if (found >= 0 || end == 0) {
                return found;
            }
        }
        return NONE;
    }
}
