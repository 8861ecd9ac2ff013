// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.format.Schema;
import dev.fletch.format.Union;
import dev.fletch.format.ids.Type;
import dev.fletch.format.internal.SchemaBytes;
import dev.fletch.format.internal.VersionCheck;
import dev.fletch.format.internal.tables.BufferShape;
import dev.fletch.format.internal.tables.TypeFacts;
import dev.fletch.wire.SharedParts;
import dev.fletch.wire.Wire;

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/// Fields in pre-order, in flat arrays: a field has the same row in each array.
///
/// Rows form sections: one for the columns of a schema, one for each dictionary's values. Rows and
/// parents count across sections; ends, buffers and views count from the section's start.
final class FieldTable {
    /// A layout's range of rows.
    static final class Section {
        final FieldTable table;
        final int start;
        int fields;
        int buffers;
        int views;

        /// The first field that cannot be located; [#NONE] if there is none.
        int unknown = NONE;

        /// The field of each column.
        int[] columns;

        private Section(FieldTable table) {
            this.table = table;
            start = table.rows;
        }

        /// {@return number of fields that can be located}
        int placeable() {
            return unknown < 0 ? fields : unknown;
        }

        /// {@return number of buffers of the fields before one, or of all fields}
        int buffersBefore(int field) {
            return field == fields ? buffers : table.firstBuffer(start + field);
        }

        /// {@return number of view fields before a field, or of all view fields}
        int viewsBefore(int field) {
            return field == fields ? views : table.viewsBefore(start + field);
        }
    }

    /// In [#flags]: the values are indices into a dictionary.
    private static final int ENCODED = 1;

    /// In [#flags]: the values, or the indices, are unsigned.
    private static final int UNSIGNED = 2;

    /// In a width that is added: the same.
    private static final long UNSIGNED_WIDTH = (long) UNSIGNED << Integer.SIZE;

    static final int NONE = -1;
    private static final int VIEW = BufferShape.VIEW.code();
    private static final int FIRST_SIZE = 16;
    private static final int FIRST_COLUMNS = 4096;
    private static final int FIRST_NAME_BYTES = 16; // for each row

    /// Names are copied by words, so that some bytes behind them must exist.
    static final int LONGEST_NAMES = Wire.LONGEST_ARRAY - Long.BYTES;

    /// Rows for nested fields. So few may stay unused: small schemas are then not copied.
    private static final int SPARE = 8;

    byte[] typeType = {};
    byte[] flags = {};
    // Bytes per value for fixed-size binary, elements per value for fixed-size lists, else bits per
    // value; 0 if the width varies or is unknown.
    int[] width = {};
    // The parent's row; for the top level, a negative number that is unique to the section.
    int[] parent = {};
    // Row after the last descendant.
    int[] end = {};
    // Index of the first buffer, and in the lowest bits the shape: a cursor needs both.
    int[] buffersAt = {};
    // View fields before the row; null in a schema without any.
    int[] firstView;
    // Rows may share a name.
    int[] nameAt = {};
    int[] nameLength = {};
    int[] nameHash = {};
    byte[] names;
    // Null if no field is dictionary-encoded.
    long[] dictionaryId;
    // Of unions whose type ids are not 0, 1, and so on; null if there is none.
    private int[][] typeIds;

    /// Seed of the name hashes. Random, so that a writer cannot choose names with equal hashes.
    long seed = ThreadLocalRandom.current().nextLong();

    int rows;

    /// Size of the schema's fields and names, see [dev.fletch.format.internal.SchemaSize].
    long schemaSize;

    /// Metadata version of the batches.
    int version;

    /// Byte order of the bodies.
    int endianness;

    /// Whether the place of a field's buffers depends on the version.
    boolean dependsOnVersion;

    // The current one.
    private Section section;

    private int maxFields;
    private int nameBytes;
    private long bufferBytes;
    // Number of columns of the schema while they are added; 0 if unknown.
    private int columns;
    private final SharedParts shared = new SharedParts();

    /// Creates the table of a schema.
    ///
    /// @param schema bound to the schema
    /// @param columns number of its columns to add; 0 if unknown
    FieldTable(Schema schema, int metadataVersion, Limits limits, int columns) {
        this(columns == 0 ? FIRST_SIZE : Math.clamp(columns, 0, FIRST_COLUMNS) + SPARE);
        this.columns = columns;
        version = checkVersion(metadataVersion);
        endianness = schema.endianness();
        maxFields = limits.fields();
        names = new byte[typeType.length * FIRST_NAME_BYTES];
        bufferBytes = schema.bufferLength();
        shared.begin(bufferBytes);
    }

    /// Creates a table with fields of a layout, in one section.
    ///
    /// @param chosen their numbers
    /// @param depths numbers of their ancestors
    FieldTable(BatchLayout layout, int[] chosen, int[] depths) {
        this(chosen.length);
        FieldTable from = layout.table;
        seed = from.seed;
        names = from.names;
        nameBytes = from.nameBytes;
        version = from.version;
        endianness = from.endianness;
        dependsOnVersion = from.dependsOnVersion; // also that of fields that are left out
        schemaSize = from.schemaSize;
        if (from.dictionaryId != null) {
            dictionaryId = new long[chosen.length];
        }
        beginSection();
        int[] top = new int[chosen.length];
        int tops = 0;
        int[] above = new int[chosen.length]; // for each depth, the last row
        for (int i = 0; i < chosen.length; i++) {
            int depth = depths[i];
            above[depth] = i;
            if (depth == 0) {
                top[tops++] = i;
            }
            copy(from, layout.row(chosen[i]), depth == 0 ? topLevel(0) : above[depth - 1]);
        }
        for (int row = rows - 1; row >= 0; row--) {
            if (parent[row] >= 0) {
                end[parent[row]] = Math.max(end[parent[row]], end[row]);
            }
        }
        endSection(Arrays.copyOf(top, tops));
        trim();
    }

    private FieldTable(int size) {
        resize(size);
    }

    /// Copies a row of known type, without its descendants.
    private void copy(FieldTable from, int other, int parentRow) {
        int row = rows++;
        int shape = from.shape(other).code();
        add(section, row, parentRow, from.typeType[other], shape, from.width[other]);
        flags[row] = from.flags[other];
        nameAt[row] = from.nameAt[other];
        nameLength[row] = from.nameLength[other];
        nameHash[row] = from.nameHash[other];
        if (dictionaryId != null) {
            dictionaryId[row] = from.dictionaryId(other);
        }
        typeIds(row, from.typeIds == null ? null : from.typeIds[other]);
    }

    BufferShape shape(int row) {
        return BufferShape.of(buffersAt[row] & (1 << BufferShape.BITS) - 1);
    }

    int firstBuffer(int row) {
        return buffersAt[row] >>> BufferShape.BITS;
    }

    /// {@return the numbers of [#buffersAt] of some rows}
    int[] buffersAt(int from, int count) {
        return from == 0 && count == buffersAt.length
                ? buffersAt
                : Arrays.copyOfRange(buffersAt, from, from + count);
    }

    private static int checkVersion(int version) {
        Rule broken = VersionCheck.broken(version);
        if (broken != null) {
            throw FletchException.of(broken, VersionCheck.details(version));
        }
        return version;
    }

    /// {@return the last section}
    Section section() {
        return section;
    }

    /// Begins a section behind the rows so far.
    Section beginSection() {
        section = new Section(this);
        return section;
    }

    /// {@return the width of unsigned numbers, for [#add]}
    static long unsigned(int bits) {
        return UNSIGNED_WIDTH | bits & 0xFFFF_FFFFL;
    }

    /// Adds a row without descendants, for which there is room, and its buffers behind those before
    /// it.
    ///
    /// @param shape its code
    /// @param bits the width, or what [#unsigned] returns for it
    void add(Section to, int row, int parentRow, int type, int shape, long bits) {
        typeType[row] = (byte) type;
        flags[row] = (byte) (bits >>> Integer.SIZE & UNSIGNED);
        width[row] = (int) bits;
        parent[row] = parentRow;
        end[row] = row + 1 - to.start;
        buffersAt[row] = to.buffers << BufferShape.BITS | shape;
        to.buffers += BufferShape.count(shape);
        if (shape == VIEW || firstView != null) {
            addView(to, row, shape == VIEW);
        }
    }

    /// Counts the view fields before a row.
    private void addView(Section to, int row, boolean isView) {
        if (firstView == null) {
            firstView = new int[typeType.length];
        }
        firstView[row] = to.views;
        to.views += isView ? 1 : 0;
    }

    /// Ends the section.
    ///
    /// @param columnRows the row of each column, counted from the section's start
    void endSection(int[] columnRows) {
        columns = 0;
        section.fields = rows - section.start;
        section.columns = columnRows;
        section.unknown = section.unknown == section.fields ? NONE : section.unknown;
    }

    /// The value of [#parent] for top-level fields of a section.
    static int topLevel(int sectionStart) {
        return ~sectionStart;
    }

    // ---- widths

    /// Makes the values of a row indices into a dictionary.
    ///
    /// @param bits as for [#add]
    void addIndices(int row, long id, long bits) {
        if (dictionaryId == null) {
            dictionaryId = new long[typeType.length];
        }
        dictionaryId[row] = id;
        flags[row] = (byte) (bits >>> Integer.SIZE & UNSIGNED | ENCODED);
        width[row] = (int) bits;
    }

    /// {@return bits per value in a row's data buffer; 0 if there is no such number}
    long valueBits(int row) {
        if (isOf(row, Type.FIXED_SIZE_LIST)) {
            return 0;
        }
        long found = Math.max(0, width[row]);
        return isOf(row, Type.FIXED_SIZE_BINARY) ? Byte.SIZE * found : found;
    }

    /// {@return whether a row has values of a type, not dictionary-encoded}
    boolean isOf(int row, int type) {
        return (typeType[row] & 0xFF) == type && !isEncoded(row);
    }

    /// {@return whether the values of a row are indices into a dictionary}
    boolean isEncoded(int row) {
        return (flags[row] & ENCODED) != 0;
    }

    ValueType valueType(int row) {
        boolean isUnsigned = (flags[row] & UNSIGNED) != 0;
        int type = isEncoded(row) ? Type.INT : typeType[row] & 0xFF;
        return ValueType.of(
                type, isOf(row, Type.FIXED_SIZE_BINARY) ? width[row] : valueBits(row), isUnsigned);
    }

    /// {@return the dictionary's id; 0 if there is none}
    long dictionaryId(int row) {
        return dictionaryId == null ? 0 : dictionaryId[row];
    }

    /// {@return number of view fields before a row in its section}
    int viewsBefore(int row) {
        return firstView == null ? 0 : firstView[row];
    }

    // ---- unions

    /// The type ids of a union; null if they are absent or the numbers of its children.
    static int[] otherTypeIds(Union union, int children) {
        int count = Math.min(union.typeIdsCount(), TypeFacts.MAX_UNION_CHILDREN);
        int same = 0;
        while (same < count && union.typeIds(same) == same) {
            same++;
        }
        boolean isImplied = !union.isPresent(Union.TYPE_IDS_SLOT) || count >= children;
        return same == count && isImplied
                ? null
                : IntStream.range(0, count).map(union::typeIds).toArray();
    }

    void typeIds(int row, int[] ids) {
        if (ids != null && typeIds == null) {
            typeIds = new int[typeType.length][];
        }
        if (ids != null) {
            typeIds[row] = ids;
        }
    }

    /// {@return the number of the child with a type id among the children of a union; any other
    /// number if there is none}
    int childOf(int row, int typeId) {
        int[] ids = typeIds == null ? null : typeIds[row];
        int child = typeId;
        if (ids != null) {
            child = ids.length - 1;
            while (child >= 0 && ids[child] != typeId) {
                child--;
            }
        }
        return child;
    }

    // ---- names

    /// Copies and hashes a name. Names at the same position in the schema are stored once, unless
    /// other names overlap.
    ///
    /// @param position position of its length word
    void addName(SchemaBytes schema, long position, int length, int row, int column) {
        int known = length == 0 ? SharedParts.NEW : shared.find(position, length);
        nameLength[row] = length;
        if (known >= 0) {
            nameAt[row] = nameAt[known];
            nameHash[row] = nameHash[known];
            return;
        }
        if (length > names.length - Long.BYTES - nameBytes) {
            growNames(length, column);
        }
        nameAt[row] = nameBytes;
        nameHash[row] =
                schema.copyText(position + Wire.OFFSET_BYTES, length, names, nameBytes, seed);
        nameBytes += length;
        if (length != 0) {
            shared.keep(position, row);
        }
    }

    /// Makes room for a name.
    private void growNames(int length, int column) {
        if (length > LONGEST_NAMES - nameBytes) {
            throw FletchException.of(
                    MeaningRule.TOO_LONG_NAMES, "column=" + column + ", limit=" + LONGEST_NAMES);
        }
        long least = (long) nameBytes + length + Long.BYTES;
        names =
                Arrays.copyOf(
                        names, enlarged(names.length, least, bufferBytes + Long.BYTES, column));
    }

    /// Makes room for a row.
    void grow(int column) {
        // Beside its own row, a field may have one as its dictionary's values.
        long limit = Math.min(2L * maxFields, Wire.LONGEST_ARRAY);
        resize((int) Math.min(limit, enlarged(rows, rows + 1L, limit, column)));
    }

    // ---- sizes

    /// The next size of a full array: extrapolated from the columns so far, as doubling could take
    /// more than twice the memory. Twice the size if the number of columns is unknown.
    ///
    /// @param least the size needed now
    /// @param limit a sufficient size unless parts overlap
    private int enlarged(int size, long least, long limit, int column) {
        long whole = columns == 0 ? size * 2L : size * (long) columns / (column + 1) * 33 / 32;
        long likely = Math.min(limit, Math.min(whole, size * 32L));
        return (int) Math.min(Wire.LONGEST_ARRAY, Math.max(likely, Math.max(least, size * 9L / 8)));
    }

    /// Trims arrays with more than an eighth and [#SPARE] rows unused. Nothing may be added
    /// afterwards.
    void trim() {
        shared.begin(0);
        if (rows < typeType.length - Math.max(SPARE, typeType.length >> 3)) {
            resize(rows);
        }
        buffersAt = buffersAt(0, rows);
        if (nameBytes < names.length - Math.max(SPARE * FIRST_NAME_BYTES, names.length >> 3)) {
            names = Arrays.copyOf(names, nameBytes);
        }
    }

    private void resize(int size) {
        typeType = Arrays.copyOf(typeType, size);
        flags = Arrays.copyOf(flags, size);
        width = Arrays.copyOf(width, size);
        parent = Arrays.copyOf(parent, size);
        end = Arrays.copyOf(end, size);
        buffersAt = Arrays.copyOf(buffersAt, size);
        if (firstView != null) {
            firstView = Arrays.copyOf(firstView, size);
        }
        nameAt = Arrays.copyOf(nameAt, size);
        nameLength = Arrays.copyOf(nameLength, size);
        nameHash = Arrays.copyOf(nameHash, size);
        if (dictionaryId != null) {
            dictionaryId = Arrays.copyOf(dictionaryId, size);
        }
        if (typeIds != null) {
            typeIds = Arrays.copyOf(typeIds, size);
        }
    }
}
