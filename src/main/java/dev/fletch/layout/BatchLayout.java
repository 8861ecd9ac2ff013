// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import dev.fletch.flatbuf.Utf8Slice;
import dev.fletch.format.KnownSchema;
import dev.fletch.format.Schema;
import dev.fletch.model.ArrowSchema;

import java.util.Arrays;
import java.util.Objects;

/// The plan of a schema: for each field in pre-order what it is, and which nodes and buffers of a
/// batch are its own.
///
/// It is compiled once, from a schema and a metadata version: unions of V4 have a validity buffer, those of
/// V5 have none. It copies what it needs, names included, so it outlives the schema's memory. Numbers and
/// errors: see [FieldLayout].
///
/// **Names.** Columns and children are found by the exact bytes of their name's UTF-8, in constant time and
/// without allocating. Names need not be unique: the first is found, then each next one in order. An absent
/// name is the empty one. If nothing is found, the result is -1.
///
/// **Paths.** A field's path is the names from its column down to it, joined by dots. Names may have dots
/// themselves, so a path can lead to several fields, like `a.b` to the column of that name and to the child
/// `b` of the column `a`: all of them are found, in pre-order. [#child] has no such ambiguity.
///
/// **Errors.** Compiling throws a [LayoutException] if the version is neither V4 nor V5, or a limit is
/// passed; a [dev.fletch.FlatBufferFormatException] if the bytes lead out of their range.
///
/// **Threads.** It never changes, and any number of threads may share it.
///
/// Source: the chapter "RecordBatch message" of Arrow's columnar format.
public final class BatchLayout extends FieldLayout {
    /// What one section of the table is.
    ///
    /// @param id the dictionary's; 0 for the columns of the schema
    record Section(long id, int base, int fields, int buffers, int views, int unknown) {}

    /// The dictionaries that a schema's fields are encoded by.
    ///
    /// @param inOrder ids by first use
    /// @param sorted the same, ascending
    /// @param layouts of the values, as `sorted`
    record Dictionaries(long[] inOrder, long[] sorted, BatchLayout[] layouts) {}

    /// Of a dictionary: its id twice, a reference, and the layout with its section.
    private static final int DICTIONARY_BYTES = 112;

    private final int version;
    private final int endianness;
    private final Section section;
    private final int base;
    private final int[] columns;
    private final NameIndex names;
    private final Dictionaries dictionaries;

    BatchLayout(
            FieldTable table,
            int version,
            int endianness,
            Section section,
            int[] columns,
            NameIndex names,
            Dictionaries dictionaries) {
        super(table);
        this.version = version;
        this.endianness = endianness;
        this.section = section;
        this.base = section.base();
        this.columns = columns;
        this.names = names;
        this.dictionaries = dictionaries;
    }

    /// Compiles a schema, within [LayoutLimits#DEFAULT].
    ///
    /// @param schema bound to a schema
    /// @param version metadata version of the batches, one of [dev.fletch.format.MetadataVersion]
    /// @return the plan
    public static BatchLayout compile(Schema schema, int version) {
        return compile(schema, version, LayoutLimits.DEFAULT);
    }

    /// Compiles a schema.
    ///
    /// @param schema bound to a schema
    /// @param version metadata version of the batches, one of [dev.fletch.format.MetadataVersion]
    /// @param limits how much is laid out before it is refused
    /// @return the plan
    public static BatchLayout compile(Schema schema, int version, LayoutLimits limits) {
        return new LayoutCompiler(schema, version, limits).compile();
    }

    /// Finds the layout of a schema that a reader has recognized, or compiles it and keeps it. Schemas that
    /// differ only in custom metadata have the same one. Finding it allocates nothing.
    ///
    /// @param known what the reader knows of the schema; null if nothing, then this compiles
    /// @param schema bound to the schema
    /// @param version metadata version of the batches, one of [dev.fletch.format.MetadataVersion]
    /// @param limits how much is laid out before it is refused
    /// @return the layout, the same object for the same columns, version and limits
    public static BatchLayout of(
            KnownSchema known, Schema schema, int version, LayoutLimits limits) {
        if (known == null) {
            return compile(schema, version, limits);
        }
        BatchLayout layout = known.attached(BatchLayout.class, true, version, limits);
        if (layout == null) {
            try {
                layout = compile(known.schema(new Schema()), version, limits);
            } catch (LayoutException e) {
                return compile(schema, version, limits); // a limit goes by the buffer's size
            }
            layout = known.attach(BatchLayout.class, true, version, limits, layout);
        }
        return layout.table.rows <= limits.fieldsIn(schema.bufferLength())
                ? layout
                : compile(schema, version, limits);
    }

    /// Compiles a schema of `dev.fletch.model`, within [LayoutLimits#DEFAULT]. It is first written as a
    /// table, which takes about as long again.
    ///
    /// @param schema any schema
    /// @param version metadata version of the batches, one of [dev.fletch.format.MetadataVersion]
    /// @return the plan
    public static BatchLayout compile(ArrowSchema schema, int version) {
        return compile(schema.toTable(), version);
    }

    // ---- all fields

    @Override
    int base() {
        return base;
    }

    /// {@return metadata version of the batches, one of [dev.fletch.format.MetadataVersion]}
    public int version() {
        return version;
    }

    /// {@return byte order of the numbers in the bodies, one of [dev.fletch.format.Endianness]}
    public int endianness() {
        return endianness;
    }

    @Override
    public int fieldCount() {
        return section.fields();
    }

    @Override
    public int bufferCount() {
        return section.buffers();
    }

    @Override
    public int viewCount() {
        return section.views();
    }

    @Override
    public int firstNode() {
        return 0;
    }

    @Override
    public int firstBuffer() {
        return 0;
    }

    @Override
    public int firstView() {
        return 0;
    }

    @Override
    public int firstUnknown() {
        return section.unknown();
    }

    /// {@return about how many bytes this and the layouts of its dictionaries hold}
    public long memoryBytes() {
        return table.memoryBytes()
                + names.memoryBytes()
                + (long) columns.length * Integer.BYTES
                + (long) dictionaryCount() * DICTIONARY_BYTES;
    }

    // ---- columns

    @Override
    int[] columnFields() {
        return columns.length == section.fields() ? null : columns;
    }

    @Override
    public int columnCount() {
        return columns.length;
    }

    @Override
    public int columnField(int column) {
        return columns[Objects.checkIndex(column, columns.length)];
    }

    /// {@return the column that a field is or belongs to}
    ///
    /// @param field its number
    public int columnOf(int field) {
        final int found = Arrays.binarySearch(columns, Objects.checkIndex(field, fieldCount()));
        return found >= 0 ? found : -found - 2;
    }

    // ---- dictionaries

    /// {@return number of dictionaries, those inside dictionaries' values included}
    public int dictionaryCount() {
        return dictionaries.inOrder().length;
    }

    /// {@return id of a dictionary}
    ///
    /// @param index from 0 to [#dictionaryCount()] - 1, by the first field in pre-order that is
    ///     encoded by it
    public long dictionary(int index) {
        return dictionaries.inOrder()[index];
    }

    /// {@return the plan of a dictionary's batches, whose one column is the dictionary's values, always the
    /// same object; null if no field is encoded by that dictionary}. If fields that are encoded by it differ
    /// in type, which the format forbids, the first one counts.
    ///
    /// @param id the dictionary's id
    public BatchLayout dictionaryLayout(long id) {
        final int found = Arrays.binarySearch(dictionaries.sorted(), id);
        return found < 0 ? null : dictionaries.layouts()[found];
    }

    // ---- names of columns

    /// {@return the first column of a name}
    ///
    /// @param name any text
    public int find(CharSequence name) {
        return findNext(name, -1);
    }

    /// {@return the first column of a name}
    ///
    /// @param name UTF-8 bytes
    public int find(byte[] name) {
        return findNext(name, -1);
    }

    /// {@return the first column of a name}
    ///
    /// @param name UTF-8 bytes
    public int find(Utf8Slice name) {
        return findNext(name, -1);
    }

    /// {@return the next column of a name}
    ///
    /// @param name any text
    /// @param after a column, or -1
    public int findNext(CharSequence name, int after) {
        return column(name, name.length(), after);
    }

    /// {@return the next column of a name}
    ///
    /// @param name UTF-8 bytes
    /// @param after a column, or -1
    public int findNext(byte[] name, int after) {
        return column(name, name.length, after);
    }

    /// {@return the next column of a name}
    ///
    /// @param name UTF-8 bytes
    /// @param after a column, or -1
    public int findNext(Utf8Slice name, int after) {
        return column(name, name.length(), after);
    }

    private int column(Object name, int length, int after) {
        final int field = childOf(NONE, name, 0, length, after < 0 ? NONE : columnField(after));
        return field < 0 ? NONE : Arrays.binarySearch(columns, field);
    }

    // ---- names of children

    /// {@return number of a field's first child of a name}
    ///
    /// @param field the parent's number; -1 for a column
    /// @param name any text
    public int child(int field, CharSequence name) {
        return nextChild(field, name, -1);
    }

    /// {@return number of a field's next child of a name}
    ///
    /// @param field the parent's number; -1 for a column
    /// @param name any text
    /// @param after number of a field, or -1
    public int nextChild(int field, CharSequence name, int after) {
        return childOf(checked(field), name, 0, name.length(), after);
    }

    /// {@return number of a field's first child of a name}
    ///
    /// @param field the parent's number; -1 for a column
    /// @param name UTF-8 bytes
    public int child(int field, byte[] name) {
        return nextChild(field, name, -1);
    }

    /// {@return number of a field's next child of a name}
    ///
    /// @param field the parent's number; -1 for a column
    /// @param name UTF-8 bytes
    /// @param after number of a field, or -1
    public int nextChild(int field, byte[] name, int after) {
        return childOf(checked(field), name, 0, name.length, after);
    }

    private int checked(int field) {
        return field == NONE ? NONE : Objects.checkIndex(field, fieldCount());
    }

    private int childOf(int parent, Object name, int from, int to, int after) {
        final int parentRow = parent == NONE ? FieldTable.topLevel(base) : base + parent;
        final int behind = after < 0 ? NONE : base + after;
        final int row = names.find(parentRow, name, from, to, behind);
        return row < 0 ? NONE : row - base;
    }

    // ---- paths

    /// {@return number of the first field of a path}
    ///
    /// @param path names joined by dots
    public int findPath(CharSequence path) {
        return findNextPath(path, -1);
    }

    /// {@return number of the next field of a path}
    ///
    /// @param path names joined by dots
    /// @param after number of a field, or -1
    public int findNextPath(CharSequence path, int after) {
        return below(NONE, path, 0, after);
    }

    /// The first field below a parent whose path from there on is the rest of a path. A rest of `n`
    /// names is tried as one name, as two, and so on: what is visited has matched up to there, so
    /// it is never more than the fields there are, each once for every dot.
    private int below(int parent, CharSequence path, int from, int after) {
        int best = NONE;
        for (int to = from; to <= path.length(); to++) {
            if (to < path.length() && path.charAt(to) != '.') {
                continue;
            }
            final boolean last = to == path.length();
            int child = childOf(parent, path, from, to, last ? after : before(parent, after));
            while (child >= 0 && (best < 0 || child < best)) {
                final int found =
                        last
                                ? child
                                : end(child) - 1 > after ? below(child, path, to + 1, after) : NONE;
                if (found >= 0) {
                    best = best < 0 ? found : Math.min(best, found);
                    break;
                }
                child = childOf(parent, path, from, to, child);
            }
        }
        return best;
    }

    /// The field before the first child of a parent that has any field behind another one.
    private int before(int parent, int after) {
        int child = after;
        while (child >= 0 && parent(child) != parent) {
            child = parent(child);
        }
        return child < 0 ? NONE : child - 1;
    }
}
