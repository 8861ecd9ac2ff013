// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.Rule;
import dev.fletch.batch.FieldTable.Section;
import dev.fletch.flatbuf.internal.FieldDeclaration;
import dev.fletch.flatbuf.internal.TableDeclaration;
import dev.fletch.format.DictionaryEncoding;
import dev.fletch.format.Field;
import dev.fletch.format.FixedSizeList;
import dev.fletch.format.Int;
import dev.fletch.format.Union;
import dev.fletch.format.ids.Type;
import dev.fletch.format.ids.UnionMode;
import dev.fletch.format.internal.FieldLimits;
import dev.fletch.format.internal.SchemaBytes;
import dev.fletch.format.internal.SchemaBytes.Vtable;
import dev.fletch.format.internal.SchemaSize;
import dev.fletch.format.internal.tables.ArrowRules;
import dev.fletch.format.internal.tables.BufferShape;
import dev.fletch.format.internal.tables.TypeFacts;
import dev.fletch.wire.Wire;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/// Reads the fields of a schema into a [FieldTable], in one pass over its bytes: a loop over
/// positions, without flyweights.
///
/// Faster: it binds nothing, keeps the slots of the last vtables, and takes what is known of a type
/// from a table.
final class FieldReader {
    /// What becomes of the fields.
    private enum Use {
        /// Rows of the columns.
        ROWS,
        /// Rows of a dictionary's values, of which the first field is the dictionary-encoded one.
        VALUES,
        /// They are only counted.
        COUNTS
    }

    /// A dictionary.
    ///
    /// @param at position of the offset to the first field that uses it
    /// @param column that has it
    private record Dictionary(long at, int column) {}

    private static final int NONE = FieldTable.NONE;
    private static final int USUAL_DEPTH = 4;

    // Facts of a type: the shape's code, how its parameters are read, which number of them, and how
    // many values that has, if it is an enum.
    private static final int KIND = 1 << BufferShape.BITS;
    private static final int PLAIN = 0;
    private static final int STORED = KIND;
    private static final int DOUBLING = 2 * KIND;
    private static final int INTEGER = 3 * KIND;
    private static final int SHAPED = 4 * KIND; // the buffers depend on parameters or the version
    private static final int KINDS = 7 * KIND;
    private static final int SLOT_AT = BufferShape.BITS + 3;
    private static final int SLOTS = 7;
    private static final int VALUES_AT = SLOT_AT + 3;

    private static final int TYPES = 256;
    private static final TableDeclaration FIELD = declaration("Field");
    private static final TableDeclaration ENCODING = declaration("DictionaryEncoding");
    private static final int UNKNOWN = BufferShape.UNKNOWN.code();
    private static final int VIEW = BufferShape.VIEW.code();

    // Not final, so that C2 does not know the length: it would omit the bounds check of a byte
    // index, and on a lost page of a mapped file that byte may have any value.
    private static int[] facts = new int[TYPES];
    // The width if the parameters are absent.
    private static int[] widths = new int[TYPES];

    static {
        for (int type = 0; type < TYPES; type++) {
            TypeFacts of = TypeFacts.of(type);
            int kind = kind(of);
            int slot = type == Type.FIXED_SIZE_LIST ? FixedSizeList.LIST_SIZE_SLOT : of.widthSlot();
            facts[type] = of.shape(0, 0).code() | kind | slot << SLOT_AT;
            if (of.hasStoredWidth()) {
                FieldDeclaration parameter = of.parameters().get(slot);
                facts[type] |= parameter.type().symbols().size() << VALUES_AT;
                long absent = parameter.absent();
                widths[type] = (int) (kind == DOUBLING ? (long) of.widthBits() << absent : absent);
            } else {
                widths[type] = of.width() == TypeFacts.Width.FIXED ? of.widthBits() : 0;
            }
        }
    }

    private static TableDeclaration declaration(String name) {
        return ArrowRules.SET.table(ArrowRules.SET.kind(name));
    }

    private static int kind(TypeFacts facts) {
        return switch (facts.id()) {
            case Type.INT -> INTEGER;
            case Type.FIXED_SIZE_LIST -> STORED;
            default ->
                    facts.dependsOnVersion()
                            ? SHAPED
                            : switch (facts.width()) {
                                case VARIABLE, FIXED -> PLAIN;
                                case STORED -> STORED;
                                case DOUBLING -> DOUBLING;
                            };
        };
    }

    private final SchemaBytes schema;
    private final FieldTable table;
    private final SchemaSize size;
    private final Limits limits;
    private final Section columns;
    // The row of each column.
    private final int[] columnRows;
    private int columnCount;

    // Of the last field, and of the last table of parameters or a dictionary.
    private final Vtable vtable = new Vtable();
    private final Vtable other = new Vtable();

    // Positions in the vectors above the current one: the next offset, and the end; and their rows.
    private long[] nexts = new long[USUAL_DEPTH];
    private long[] ends = new long[USUAL_DEPTH];
    private int[] open = new int[USUAL_DEPTH];

    // Number of fields that are only counted.
    private int others;

    // Parts of the columns that are only counted.
    private int otherNodes;
    private int otherBuffers;
    private int otherViews;

    /// Parts before the first unknown type; null if there is none.
    FieldPlaces.Needed needed;

    // By their ids, in the order of first use.
    private Map<Long, Dictionary> dictionaries = Map.of();

    // Number of fields that belong to a dictionary's values.
    private int inDictionaries;

    /// @param chosen number of columns that get rows
    FieldReader(SchemaBytes schema, FieldTable table, SchemaSize size, Limits limits, int chosen) {
        this.schema = schema;
        this.table = table;
        this.size = size;
        this.limits = limits;
        columns = table.beginSection();
        columnRows = new int[chosen];
    }

    // ---- what to read

    /// Adds the place of the next column.
    void place(FieldPlaces.Builder places) {
        places.add(
                table.rows,
                otherNodes + table.rows,
                otherBuffers + columns.buffers,
                otherViews + columns.views);
    }

    /// Adds columns.
    void rows(int from, int to) {
        read(columns, position(from), to - from, from, Use.ROWS);
    }

    /// Counts a column.
    void count(int column) {
        read(columns, position(column), 1, column, Use.COUNTS);
    }

    private long position(int column) {
        return schema.columns + ((long) column << 2);
    }

    /// Adds the parts of columns that were counted.
    void count(int fields, int buffers, int views) {
        others += fields;
        otherNodes += fields;
        otherBuffers += buffers;
        otherViews += views;
    }

    private void need(int fields, int buffers, int views, boolean areAll) {
        needed =
                new FieldPlaces.Needed(
                        otherNodes + fields, otherBuffers + buffers, otherViews + views, areAll);
    }

    /// Ends the section of the columns.
    Section endColumns() {
        if (needed == null) {
            need(table.rows, columns.buffers, columns.views, true);
        }
        table.endSection(columnRows);
        return columns;
    }

    /// Adds a section for the values of each dictionary.
    ///
    /// @return the sections by the ids, in the order of first use
    Map<Long, Section> values() {
        Map<Long, Section> sections = new LinkedHashMap<>();
        dictionaries.forEach(
                (id, first) -> {
                    Section section = table.beginSection();
                    read(section, first.at, 1, first.column, Use.VALUES);
                    table.endSection(new int[1]);
                    sections.put(id, section);
                });
        return sections;
    }

    /// {@return number of fields that may be added or counted}
    int fieldsLeft() {
        return limits.fields() - table.rows - others;
    }

    // ---- the loop

    /// Reads fields with their descendants.
    ///
    /// @param section for the rows
    /// @param first position of the offset to the first field
    /// @param count number of neighbours to read
    /// @param column number of the first one; of a dictionary's values, that of their column
    private void read(Section section, long first, int count, int column, Use use) {
        SchemaBytes b = schema;
        FieldTable t = table;
        Vtable kept = vtable;
        int maxFields = limits.fields();
        int maxDepth = limits.depth();
        boolean isColumns = use != Use.VALUES;
        boolean asValues = !isColumns;

        int row = t.rows;
        int level = 0;
        int encoded = NONE; // level of the dictionary-encoded field that this is below
        int current = isColumns ? column - 1 : column;
        long next = first;
        long stop = first + ((long) count << 2);
        while (true) {
            if (next == stop) {
                if (level == 0) {
                    break;
                }
                level--;
                next = nexts[level];
                stop = ends[level];
                if (encoded == NONE && use != Use.COUNTS) {
                    t.end[open[level]] = row - section.start;
                }
                encoded = level == encoded ? NONE : encoded;
                continue;
            }

            // ---- its table
            long reference = next;
            next += Wire.OFFSET_BYTES;
            current += level == 0 && isColumns ? 1 : 0;
            long position = b.table(reference, reference, kept, FIELD);
            int toName = kept.slot(Field.NAME_SLOT);
            int toType = kept.slot(Field.TYPE_TYPE_SLOT);
            int toParameters = kept.slot(Field.TYPE_SLOT);
            int toDictionary = kept.slot(Field.DICTIONARY_SLOT);
            int toChildren = kept.slot(Field.CHILDREN_SLOT);
            int toMetadata = kept.slot(Field.CUSTOM_METADATA_SLOT);
            long name = toName == 0 ? 0 : b.target(position + toName);
            int length = toName == 0 ? 0 : b.count(name, Byte.BYTES);
            long children = toChildren == 0 ? 0 : b.target(position + toChildren);
            int childCount = toChildren == 0 ? 0 : b.count(children, Wire.OFFSET_BYTES);
            int pairs =
                    toMetadata == 0
                            ? 0
                            : b.count(b.target(position + toMetadata), Wire.OFFSET_BYTES);
            if ((length | childCount | pairs) < 0) {
                throw b.malformed(reference);
            }

            // ---- limits
            if (isColumns && !size.addField(use == Use.COUNTS ? 0 : length)) {
                throw size.tooLarge(schema.field(reference));
            }
            boolean isEncoded = toDictionary != 0 && !asValues;
            if (use == Use.ROWS && (encoded != NONE || inDictionaries != 0)) {
                requireDictionaries(row, level, current);
            }
            if (use == Use.ROWS && isEncoded) {
                addDictionary(reference, position + toDictionary, current);
            }
            if (encoded != NONE) {
                inDictionaries++;
            } else {
                if (isColumns && (level >= maxDepth || row + others >= maxFields)) {
                    throw limit(level, row + others, current);
                }

                // ---- its type
                int type = toType == 0 ? Type.NONE : b.int8(position + toType) & 0xFF;
                int known = facts[type];
                int shape = known & (1 << BufferShape.BITS) - 1;
                long width = widths[type];
                int[] typeIds = null;
                if (isEncoded) {
                    shape = BufferShape.FIXED_WIDTH.code();
                } else if ((known & KINDS) == SHAPED) {
                    t.dependsOnVersion = true;
                    Union union = schema.union(reference);
                    int mode = union == null ? UnionMode.SPARSE : union.mode();
                    shape = TypeFacts.of(type).shape(mode, t.version).code();
                    typeIds = union == null ? null : FieldTable.otherTypeIds(union, childCount);
                } else if ((known & KINDS) != PLAIN && toParameters != 0 && use != Use.COUNTS) {
                    TableDeclaration parameters = TypeFacts.of(type).table();
                    width =
                            width(
                                    b.table(position + toParameters, reference, other, parameters),
                                    type,
                                    known);
                }
                if (shape == UNKNOWN && section.unknown == NONE) {
                    section.unknown = row - section.start;
                    if (isColumns) {
                        need(row, section.buffers, section.views, false);
                    }
                }

                // ---- its row
                if (use == Use.COUNTS) {
                    count(1, BufferShape.count(shape), shape == VIEW ? 1 : 0);
                    childCount = isEncoded ? 0 : childCount;
                } else {
                    if (row == t.typeType.length) {
                        t.rows = row;
                        t.grow(current);
                    }
                    if (level == 0 && isColumns) {
                        columnRows[columnCount++] = row;
                    }
                    int parent = level == 0 ? FieldTable.topLevel(section.start) : open[level - 1];
                    t.add(section, row, parent, type, shape, width);
                    t.addName(b, name, length, row, current);
                    t.typeIds(row, typeIds);
                    if (isEncoded) {
                        addIndices(position + toDictionary, reference, row);
                        childCount = isColumns ? childCount : 0;
                        encoded = childCount == 0 ? NONE : level;
                    }
                    row++;
                }
                asValues = false;
            }

            // ---- its children
            if (childCount != 0) {
                if (level == nexts.length) {
                    nexts = Arrays.copyOf(nexts, level << 1);
                    ends = Arrays.copyOf(ends, level << 1);
                    open = Arrays.copyOf(open, level << 1);
                }
                nexts[level] = next;
                ends[level] = stop;
                open[level] = row - 1;
                level++;
                next = children + Wire.OFFSET_BYTES;
                stop = next + ((long) childCount << 2);
            }
        }
        t.rows = row;
    }

    /// Reads the width of values, and whether they are unsigned, as [FieldTable#add] takes them.
    ///
    /// @param position position of the parameters, whose slots were read last
    /// @param known facts of the type
    private long width(long position, int type, int known) {
        int to = other.slot(known >>> SLOT_AT & SLOTS);
        if ((known & KINDS) == DOUBLING) {
            int value = to == 0 ? 0 : schema.int16(position + to);
            boolean isKnown = value >= 0 && value < known >>> VALUES_AT;
            return to == 0 ? widths[type] : isKnown ? TypeFacts.of(type).widthBits() << value : 0;
        }
        int width = to == 0 ? widths[type] : schema.int32(position + to);
        if ((known & KINDS) == INTEGER) {
            int toSign = other.slot(Int.IS_SIGNED_SLOT);
            if (toSign == 0 || schema.int8(position + toSign) == 0) {
                return FieldTable.unsigned(width);
            }
        }
        return width & 0xFFFF_FFFFL;
    }

    private FletchException limit(int depth, int fields, int column) {
        Rule rule = FieldLimits.broken(limits, depth, fields);
        int limit = depth >= limits.depth() ? limits.depth() : limits.fields();
        return FletchException.of(rule, "column=" + column + ", limit=" + limit);
    }

    // ---- dictionaries

    /// Makes the values of a row indices.
    ///
    /// @param position position of the offset to its encoding
    private void addIndices(long position, long reference, int row) {
        long encoding = schema.table(position, reference, other, ENCODING);
        long id = id(encoding);
        long width = TypeFacts.DEFAULT_INDEX_BITS;
        int toType = other.slot(DictionaryEncoding.INDEX_TYPE_SLOT);
        if (toType != 0) {
            TableDeclaration integer = TypeFacts.of(Type.INT).table();
            long type = schema.table(encoding + toType, reference, other, integer);
            width = width(type, Type.INT, facts[Type.INT]);
        }
        table.addIndices(row, id, width);
    }

    private long id(long encoding) {
        int toId = other.slot(DictionaryEncoding.ID_SLOT);
        return toId == 0 ? 0 : schema.int64(encoding + toId);
    }

    /// Checks the limits of a field, together with those of dictionaries' values, which are read
    /// again.
    private void requireDictionaries(int row, int depth, int column) {
        Rule broken = FieldLimits.broken(limits, depth, row + inDictionaries);
        if (broken != null) {
            String found = "in=dictionary values, column=" + column + ", depth=" + depth;
            throw FletchException.of(broken, found + ", limits=" + limits);
        }
    }

    /// @param position position of the offset to its encoding
    private void addDictionary(long reference, long position, int column) {
        if (dictionaries.isEmpty()) {
            dictionaries = new LinkedHashMap<>();
        }
        long id = id(schema.table(position, reference, other, ENCODING));
        dictionaries.putIfAbsent(id, new Dictionary(reference, column));
    }
}
