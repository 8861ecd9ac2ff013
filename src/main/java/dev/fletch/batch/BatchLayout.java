// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import dev.fletch.Fault;
import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.Rule;
import dev.fletch.UnreadableFileException;
import dev.fletch.batch.FieldTable.Section;
import dev.fletch.events.Events;
import dev.fletch.format.Field;
import dev.fletch.format.KnownSchema;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.ids.Endianness;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.ids.Type;
import dev.fletch.format.internal.ColumnCheck;
import dev.fletch.format.internal.TypeCheck;
import dev.fletch.format.internal.ValueText;
import dev.fletch.format.internal.tables.BufferShape;
import dev.fletch.wire.Escaper;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.Locale;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/// The layout of a schema: type, field node and buffers of each field, in pre-order. It has all
/// columns, or those that were chosen.
///
/// Compiled once from a schema and the [dev.fletch.format.ids.MetadataVersion] of its batches:
/// unions have a validity buffer in V4, and none in V5. Batches of the other version have the
/// layout [#forVersion], with the same fields: a [BatchCursor] that is bound to a message chooses
/// it. It copies the schema's data, names included, so it outlives the schema's memory.
///
/// **Numbers.** A field's number, `field` in all methods, is its position in pre-order, from 0;
/// that of a column, `column`, its position among the columns of the layout. Each field has one
/// field node: in a layout of all columns, field `f` has node `f` of the batch. A batch has only
/// the indices of a dictionary-encoded field: its children belong to the dictionary's values and
/// are not counted. Numbers of fields, columns or buffers that do not exist throw an
/// [IndexOutOfBoundsException].
///
/// **Buffers.** A field's own buffers are adjacent and precede those of its children. All buffer
/// counts and indices here exclude variadic buffers, whose number differs between batches;
/// [BatchCursor] adds them.
///
/// **Some columns.** [#compile(Schema, int, Limits, Columns)] lays out only some columns, in the
/// order of the schema, and counts the parts of the others: for few columns of a schema that has
/// very many. [#choose] selects fields of a layout, in any order.
///
/// **Names.** Columns and children are found by their exact name, in constant time and without
/// allocation. Names need not be unique: lookups return the first, then each next in order, and -1
/// if there is none. An absent name equals the empty name.
///
/// **Unknown types.** A field whose type is absent or unknown to this library, or a union of
/// unknown mode, is laid out without own buffers; its declared children are counted. Fields from
/// [#firstUnknown()] on cannot be located. No other rule of the format is checked: any type may
/// declare children.
///
/// **Errors.** Compiling throws a [FletchException] if the version is neither V4 nor V5, a limit is
/// exceeded, or the schema is malformed.
///
/// **Threads.** Immutable; threads may share it.
///
/// Source: Columnar format, "RecordBatch message".
public final class BatchLayout {
    /// The dictionaries of a schema.
    ///
    /// @param inOrder ids by first use
    /// @param sorted the same ids, ascending
    /// @param layouts of the values, in the order of `sorted`
    record DictionaryLayouts(long[] inOrder, long[] sorted, BatchLayout[] layouts) {
        BatchLayout of(long id) {
            int index = Arrays.binarySearch(sorted, id);
            return index < 0 ? null : layouts[index];
        }

        /// The dictionaries of some fields, nested ones included.
        DictionaryLayouts neededBy(BatchLayout part) {
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

        /// Not recursive: an invalid schema has any number of dictionaries inside each other.
        private void collect(BatchLayout first, Set<Long> needed) {
            Queue<BatchLayout> parts = new ArrayDeque<>();
            for (BatchLayout part = first; part != null; part = parts.poll()) {
                part.encodedFields()
                        .mapToLong(part::dictionaryId)
                        .filter(needed::add)
                        .forEach(id -> parts.add(of(id)));
            }
        }
    }

    static final int NONE = -1;

    // More than the characters of a short path have, which then begins at one.
    private static final int MOST_NAME_BYTES = 4 * Escaper.PATH_CHARS;

    /// Stands for the unknown type of a column that is not laid out.
    private static final int TYPE_OF_ANOTHER = -1;

    final FieldTable table;
    final Section section;
    final FieldPlaces places;
    // The numbers of FieldTable.buffersAt, of the fields that can be located: a comparison with its
    // length checks a field.
    final int[] buffersAt;
    // Null until a cursor looks up a role.
    private RolePositions positions;
    private final NameIndex names;
    private final DictionaryLayouts dictionaries;
    // The number in the schema of each column; null if all were compiled.
    private final int[] schemaColumns;
    // Null if this was compiled.
    private final FieldChoice choice;
    // For the other metadata version; null if it has the same layout, or if this is the other one.
    private final BatchLayout other;

    /// @param schemaColumns numbers of the columns in the schema; null for all
    /// @param choice null if this is compiled
    /// @param other see [#forVersion]; may be null
    BatchLayout(
            Section section,
            FieldPlaces places,
            NameIndex names,
            DictionaryLayouts dictionaries,
            int[] schemaColumns,
            FieldChoice choice,
            BatchLayout other) {
        this.section = section;
        this.places = places;
        this.names = names;
        this.dictionaries = dictionaries;
        this.schemaColumns = schemaColumns;
        table = section.table;
        buffersAt = table.buffersAt(section.start, section.placeable());
        this.choice = choice;
        this.other = other;
    }

    private BatchLayout(FieldChoice choice, BatchLayout other) {
        this.choice = choice;
        this.other = other;
        section = choice.section;
        table = section.table;
        places = choice.places;
        buffersAt = table.buffersAt(section.start, section.placeable());
        names = new NameIndex(table);
        dictionaries = choice.of.dictionaries.neededBy(this);
        schemaColumns = null;
    }

    // ---- compiling

    /// Compiles a schema, within [Limits#DEFAULT].
    public static BatchLayout compile(Schema schema, int version) {
        return compile(schema, version, Limits.DEFAULT, Columns.all());
    }

    /// Compiles a schema, for batches of all versions: see [#forVersion].
    public static BatchLayout compile(Schema schema, Limits limits) {
        return compile(schema, MetadataVersion.V5, limits, Columns.all());
    }

    /// Lays out some columns of a verified schema.
    ///
    /// @throws FletchException also if there is no such column
    public static BatchLayout compile(Schema schema, int version, Limits limits, Columns columns) {
        return compile(schema, version, limits, columns, null);
    }

    /// Lays out some columns of a schema.
    ///
    /// @param verify gets each of these columns before its types are read; throws if it or a
    ///     descendant is invalid. Null if the schema is verified
    /// @throws FletchException also if there is no such column
    public static BatchLayout compile(
            Schema schema, int version, Limits limits, Columns columns, Consumer<Field> verify) {
        try {
            Object event = Events.layoutBegins();
            BatchLayout layout =
                    new LayoutCompiler(schema, version, limits, columns, verify).compile(true);
            Events.layoutCompiled(event, layout.columnCount(), layout.fieldCount());
            return layout;
        } catch (InternalError e) {
            throw UnreadableFileException.of(e);
        }
    }

    /// Returns the layout attached to a known schema, or compiles and attaches it. Returning an
    /// attached layout allocates nothing.
    ///
    /// @param known the reader's handle of the schema; if null, this only compiles
    /// @return the layout, the same object for the same schema, version and limits
    public static BatchLayout of(KnownSchema known, Schema schema, int version, Limits limits) {
        if (known == null) {
            return compile(schema, version, limits, Columns.all());
        }
        BatchLayout layout = known.attached(BatchLayout.class, version, limits);
        if (layout == null) {
            try {
                layout = compile(known.schema(new Schema()), version, limits, Columns.all());
            } catch (FletchException e) {
                // Positions and limit are those of its buffer.
                return compile(schema, version, limits, Columns.all());
            }
            layout = known.attach(BatchLayout.class, version, limits, layout);
        }
        return layout.table.schemaSize <= limits.unfoldedBytes(schema.bufferLength())
                ? layout
                : compile(schema, version, limits, Columns.all());
    }

    /// Checks that all fields can be located, also those of dictionaries.
    ///
    /// @return this
    /// @throws FletchException if the type of a field is unknown; it names the field
    public BatchLayout requireKnown() {
        requireKnown(this);
        for (long id : dictionaries.inOrder()) {
            requireKnown(dictionaries.of(id));
        }
        return this;
    }

    /// Checks that a batch has the nodes and buffers of the schema's columns, and no others. Of
    /// columns from the first unknown type on it checks nothing.
    ///
    /// @throws FletchException if parts are missing or superfluous
    public void requireExact(RecordBatch batch) {
        BatchParts.requireParts(batch, places.needed(), places.needed().areAll());
    }

    private static void requireKnown(BatchLayout layout) {
        int unknown = layout.firstUnknown();
        if (unknown >= 0) {
            throw FletchException.of(
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
    /// @param fields numbers in this layout, such as [#field] and [#child] return
    /// @throws IllegalArgumentException if a field is chosen twice, also as a descendant of
    ///     another; or if an ancestor is neither a struct nor a list: maps, unions and run-end
    ///     encoded fields need all their children
    /// @throws FletchException if a field cannot be located, because its type or that of an earlier
    ///     field is unknown
    public BatchLayout choose(int... fields) {
        return new BatchLayout(
                new FieldChoice(this, fields), other == null ? null : other.choose(fields));
    }

    /// {@return a layout of the fields that paths lead to, in the order of this one} A field
    /// includes what is below it. For a field below a map, a union or a run-end encoded field, the
    /// outermost of these is chosen, as they need all their children.
    ///
    /// @param paths names joined by dots: see [#field]
    /// @throws FletchException if a path leads to no field, or as for [#choose(int...)]
    public BatchLayout choose(Collection<String> paths) {
        int[] fields =
                paths.stream()
                        .mapToInt(path -> FieldChoice.choosable(this, field(path)))
                        .sorted()
                        .distinct()
                        .toArray();
        int count = 0;
        for (int field : fields) {
            if (count == 0 || field >= end(fields[count - 1])) { // not below the one before
                fields[count++] = field;
            }
        }
        int[] outer = Arrays.copyOf(fields, count);
        if (count == columnCount() && IntStream.of(outer).allMatch(field -> depth(field) == 0)) {
            return this;
        }
        return choose(outer);
    }

    /// {@return the layout of batches that have only the fields of this one, such as those of a
    /// `dev.fletch.forward.BatchProjector`} Its [#sourceField] and [#schemaColumn] are those of
    /// this one.
    public BatchLayout alone() {
        return isWhole()
                ? this
                : new BatchLayout(
                        section,
                        FieldPlaces.ofAll(section),
                        names,
                        dictionaries,
                        schemaColumns,
                        choice,
                        other == null ? null : other.alone());
    }

    /// Whether the batches have no other fields.
    boolean isWhole() {
        return places.areAll();
    }

    /// {@return the layout that was compiled; this one, unless it was chosen from another}
    public BatchLayout source() {
        return choice == null ? this : choice.of;
    }

    /// {@return a field's number in [#source()]}
    public int sourceField(int field) {
        return choice == null
                ? Objects.checkIndex(field, fieldCount())
                : choice.fields[Objects.checkIndex(field, fieldCount())];
    }

    /// {@return whether a field has all descendants that it has in [#source()], in their order}
    public boolean hasAllBelow(int field) {
        int first = sourceField(field);
        int end = end(field);
        boolean hasAll = source().end(first) - first == end - field;
        for (int f = field; f < end && hasAll && choice != null; f++) {
            hasAll = choice.fields[f] - first == f - field;
        }
        return hasAll;
    }

    /// {@return the number of a column in the schema}
    public int schemaColumn(int column) {
        int field = columnField(column);
        if (choice != null) {
            return choice.of.schemaColumn(choice.of.columnOf(choice.fields[field]));
        }
        return schemaColumns == null ? column : schemaColumns[column];
    }

    // ---- all fields

    /// {@return metadata version of the batches, one of [dev.fletch.format.ids.MetadataVersion]}
    public int version() {
        return table.version;
    }

    /// {@return whether batches of a metadata version have this layout}
    public boolean isFor(int version) {
        return version == table.version || !table.dependsOnVersion;
    }

    /// {@return the layout of the same fields for batches of a metadata version; null if there is
    /// none} Such a layout is only for its version.
    public BatchLayout forVersion(int version) {
        return isFor(version) ? this : other != null && other.isFor(version) ? other : null;
    }

    /// {@return byte order of the numbers in the bodies, one of [dev.fletch.format.ids.Endianness]}
    public int endianness() {
        return table.endianness;
    }

    /// {@return number of columns}
    public int columnCount() {
        return section.columns.length;
    }

    /// {@return the field number of a column}
    ///
    /// @param column from 0 to [#columnCount()] - 1
    public int columnField(int column) {
        int[] columns = section.columns;
        int checked = Objects.checkIndex(column, columns.length);
        // Without nested fields, C2 then hoists a caller's checks out of its loop over columns.
        return columns.length == section.fields ? checked : columns[checked];
    }

    /// {@return number of fields, which is also the number of field nodes}
    public int fieldCount() {
        return section.fields;
    }

    /// {@return number of buffers of all fields, without variadic ones}
    public int bufferCount() {
        return section.buffers;
    }

    /// {@return number of view fields, which is also the number of `variadicBufferCounts`}
    public int viewCount() {
        return section.views;
    }

    /// {@return the column that a field belongs to}
    public int columnOf(int field) {
        int index = Arrays.binarySearch(section.columns, Objects.checkIndex(field, fieldCount()));
        return index >= 0 ? index : -index - 2;
    }

    /// {@return the first field whose parts cannot be located, because its type or that of an
    /// earlier field is unknown; -1 if there is none}
    public int firstUnknown() {
        return section.unknown;
    }

    /// The rule that [#firstUnknown()], or a column before this layout, breaks.
    Rule withoutPlace() {
        int row = section.start + section.unknown;
        boolean isOwn = table.shape(row) == BufferShape.UNKNOWN;
        return TypeCheck.withoutShape(isOwn ? table.typeType[row] : TYPE_OF_ANOTHER);
    }

    /// Made when they are first needed. Threads may race: they are immutable.
    RolePositions positions() {
        RolePositions known = positions;
        if (known == null) {
            known = RolePositions.of(buffersAt);
            positions = known;
        }
        return known;
    }

    /// A number in the byte order of the bodies that was read as a little-endian one.
    ///
    /// @param width its bytes
    long inOrder(long number, int width) {
        return table.endianness == Endianness.LITTLE
                ? number
                : Long.reverseBytes(number) >> Long.SIZE - Byte.SIZE * width;
    }

    int row(int field) {
        return section.start + Objects.checkIndex(field, section.fields);
    }

    // ---- one field

    /// {@return the type, one of [dev.fletch.format.ids.Type] or an unknown number; for a
    /// dictionary-encoded field, that of the dictionary's values}
    public int typeType(int field) {
        return table.typeType[row(field)] & 0xFF;
    }

    /// {@return number of ancestors of a field: 0 for a column}
    public int depth(int field) {
        int depth = 0;
        for (int row = table.parent[row(field)]; row >= 0; row = table.parent[row]) {
            depth++;
        }
        return depth;
    }

    /// {@return the parent's number; -1 for a column}
    public int parent(int field) {
        int row = table.parent[row(field)];
        return row < 0 ? NONE : row - section.start;
    }

    /// {@return the number after a field and its descendants}
    public int end(int field) {
        return table.end[row(field)];
    }

    /// {@return whether all values of a field are null: its type is `Null`, and it is not
    /// dictionary-encoded}
    public boolean isAllNull(int field) {
        return table.isOf(row(field), Type.NULL);
    }

    /// {@return whether a field's values are indices into a dictionary}
    public boolean isDictionaryEncoded(int field) {
        return table.isEncoded(row(field));
    }

    /// {@return the field's dictionary id, which may be 0; 0 if it is not dictionary-encoded}
    public long dictionaryId(int field) {
        return table.dictionaryId(row(field));
    }

    /// {@return bits per value in a field's data buffer, as declared in the schema: 1 for booleans;
    /// the index width for a dictionary-encoded field; 0 if values vary in length, there is no data
    /// buffer, or the width is unknown}
    public long valueBits(int field) {
        return table.valueBits(row(field));
    }

    /// {@return the physical type of a field's values; for a dictionary-encoded field, of its
    /// indices}
    public ValueType valueType(int field) {
        return table.valueType(row(field));
    }

    /// {@return the number of the child of a union that a type id names; -1 if there is none}
    public int childOf(int field, int typeId) {
        int row = row(field);
        int left = table.childOf(row, typeId);
        int child = left < 0 ? end(field) : field + 1;
        while (left-- > 0 && child < end(field)) {
            child = end(child);
        }
        return child < end(field) ? child : NONE;
    }

    /// {@return elements per value of a fixed-size list; 0 for other types}
    public int listSize(int field) {
        int row = row(field);
        return table.isOf(row, Type.FIXED_SIZE_LIST) ? table.width[row] : 0;
    }

    // ---- its buffers

    /// {@return index of a field's node in the batch}
    public int nodeIndex(int field) {
        FieldPlaces.Run run = places.of(Objects.checkIndex(field, fieldCount()));
        return run.node() + field - run.field();
    }

    /// {@return index of a field's first buffer in the batch, if no earlier field has variadic
    /// buffers; for a field without buffers, that of the next buffer}
    public int bufferIndex(int field) {
        FieldPlaces.Run run = places.of(Objects.checkIndex(field, fieldCount()));
        return run.buffer() + section.buffersBefore(field) - section.buffersBefore(run.field());
    }

    /// {@return number of view fields before a field in the batch}
    int viewIndex(int field) {
        FieldPlaces.Run run = places.of(Objects.checkIndex(field, fieldCount()));
        return run.view() + section.viewsBefore(field) - section.viewsBefore(run.field());
    }

    /// {@return number of a field's own buffers, without variadic ones}
    public int bufferCount(int field) {
        return shape(field).count();
    }

    /// {@return the role of a buffer}
    ///
    /// @param buffer from 0 to the field's [#bufferCount(int)] - 1
    public BufferRole role(int field, int buffer) {
        BufferShape shape = shape(field);
        return shape.role(Objects.checkIndex(buffer, shape.count()));
    }

    /// {@return whether a field has a buffer with a role}
    ///
    /// @param role such as validity, which unions since V5 and run-end encoded fields do not have
    public boolean has(int field, BufferRole role) {
        return shape(field).has(role);
    }

    /// The exception for a role that no buffer of a field has.
    IllegalArgumentException noRole(int field, BufferRole role) {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < bufferCount(field); i++) {
            all.append(i == 0 ? "" : " ").append(role(field, i).text());
        }
        String reason =
                role == BufferRole.VARIADIC && has(field, role)
                        ? "variadic buffers have only an index"
                        : "type has no buffer with this role";
        return new IllegalArgumentException(
                String.format(
                        Locale.ROOT,
                        "%s: column=%s, type=%s, role=%s, roles=%s",
                        reason,
                        shownPath(field),
                        Type.NAMES.name(typeType(field)),
                        role.text(),
                        all));
    }

    BufferShape shape(int field) {
        return table.shape(row(field));
    }

    /// The exception for a number that values need, with the numbers that a verifier reports.
    ///
    /// @param limit what the rule allows; -1 for the rule of type ids, which has none
    FletchException wrongNumber(Fault fault, int field, long row, long limit) {
        boolean isUnsigned = valueType(field) == ValueType.UINT64;
        String numbers =
                ValueText.of(
                        fault.rule(), row, fault.value(), limit, isUnsigned, dictionaryId(field));
        return FletchException.of(fault.because("column=" + shownPath(field) + ", " + numbers));
    }

    // ---- its name

    /// {@return a field's name as a new string; empty if absent}
    public String nameString(int field) {
        return nameEnd(field, Integer.MAX_VALUE);
    }

    /// Of a name with more bytes, the end, which may begin inside a character.
    private String nameEnd(int field, int most) {
        int row = row(field);
        int length = Math.min(table.nameLength[row], most);
        int from = table.nameAt[row] + table.nameLength[row] - length;
        return new String(table.names, from, length, StandardCharsets.UTF_8);
    }

    /// {@return the names from the column to a field, joined by dots, as a new string}
    public String pathString(int field) {
        int depth = depth(field);
        String[] path = new String[depth + 1];
        for (int f = field, i = depth; i >= 0; i--) {
            path[i] = nameString(f);
            f = parent(f);
        }
        return String.join(".", path);
    }

    /// {@return [#pathString]; of one with more than 500 characters, the end} A name or a path may
    /// have megabytes, and an input many faults.
    public String shortPath(int field) {
        StringBuilder path = new StringBuilder();
        for (int f = field; f >= 0 && path.length() <= Escaper.PATH_CHARS; f = parent(f)) {
            path.insert(0, f == field ? "" : ".").insert(0, nameEnd(f, MOST_NAME_BYTES));
        }
        return Escaper.end(path.toString());
    }

    /// [#shortPath], escaped to one line.
    String shownPath(int field) {
        return Escaper.name(shortPath(field));
    }

    // ---- dictionaries

    /// {@return number of dictionaries, nested ones included}
    public int dictionaryCount() {
        return dictionaries.inOrder().length;
    }

    /// {@return the numbers of the fields whose values are indices into a dictionary, ascending}
    public IntStream encodedFields() {
        return IntStream.range(0, fieldCount()).filter(this::isDictionaryEncoded);
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

    /// {@return the first column with a name; -1 if there is none}
    public int find(CharSequence name) {
        return findNext(name, NONE);
    }

    /// {@return the first column with a name}
    ///
    /// @throws FletchException if there is none
    public int column(CharSequence name) {
        int found = find(name);
        if (found < 0) {
            throw missing(name);
        }
        return found;
    }

    private FletchException missing(CharSequence path) {
        return ColumnCheck.missing(path, columnCount(), i -> nameString(columnField(i)));
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
    int nextChild(int field, CharSequence name, int after) {
        int base = section.start;
        int parent = field == NONE ? FieldTable.topLevel(base) : row(field);
        int row = names.find(parent, name, after < 0 ? NONE : base + after);
        return row < 0 ? NONE : row - base;
    }

    /// {@return the number of the first field with a path: names joined by dots}
    ///
    /// A name may have dots itself. The longest name that leads to a field applies.
    ///
    /// @throws FletchException if there is none
    public int field(String path) {
        int found = below(NONE, path);
        if (found < 0) {
            throw missing(path);
        }
        return found;
    }

    /// The first field below a parent that a path leads to; -1 if there is none.
    int below(int parent, String path) {
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
