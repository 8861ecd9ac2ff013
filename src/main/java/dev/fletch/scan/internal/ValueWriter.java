// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.scan.internal;

import dev.fletch.Fault;
import dev.fletch.FletchException;
import dev.fletch.ValueRule;
import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BatchLayout;
import dev.fletch.batch.ColumnValues;
import dev.fletch.batch.Dictionaries;
import dev.fletch.batch.DictionaryValues;
import dev.fletch.batch.NestedValues;
import dev.fletch.batch.ValueType;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.ids.Type;
import dev.fletch.format.internal.ValueText;
import dev.fletch.format.internal.tables.TypeFacts;
import dev.fletch.schema.ArrowField;
import dev.fletch.schema.ArrowType;
import dev.fletch.wire.Escaper;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/// Writes values of any type as JSON, or as text for a person.
///
/// | type | JSON |
/// |---|---|
/// | null of any type | `null` |
/// | `Bool` | `true`, `false` |
/// | fixed width | see [ScalarText]: numbers, intervals as objects, others in quotes |
/// | text | in quotes; characters that a terminal acts on are escaped |
/// | binary | its bytes in hexadecimal, in quotes |
/// | lists of all kinds | an array |
/// | map | an array of its entries, which are structs |
/// | struct | an object; of a repeated name, the second is `name#2` |
/// | union | an object with the one child that has the value |
/// | dictionary-encoded, run-end encoded | the value that it stands for |
///
/// As text, a value that is not nested has no quotes, unless it could be taken for another.
///
/// **Limit.** Once a value has so many characters, the rest is left out: a text or binary becomes
/// `{"$cut": "its start", "bytes": its length}`, an array ends with `{"$cut": number of values}`,
/// an object with `"$cut": number of children`.
///
/// **Bad values** are written as `{"$fault": "code of the rule"}`, for text that is not UTF-8 with
/// its bytes: `"hex": "…"`; as text `!code`. The sink receives what is wrong.
///
/// Values are read by [ColumnValues] and [NestedValues], which check each number that they
/// follow. Belongs to one thread.
public final class ValueWriter {
    /// The most levels of values inside values. A dictionary may refer to itself.
    private static final int MOST_LEVELS = 512;

    private static final String CUT = "{\"$cut\": ";

    private final StringBuilder out;
    private final BiConsumer<FletchException, Boolean> faults;
    private final ScalarText scalars = new ScalarText();
    private final ByteSlice bytes = new ByteSlice();

    // By field number: of the columns, and of the values of each dictionary.
    private final ArrowField[] columns;
    private final Map<Long, ArrowField[]> encoded = new HashMap<>();
    private final Map<BatchCursor, Values[]> bound = new IdentityHashMap<>();

    private Dictionaries dictionaries;
    // Number of characters after which a value is cut.
    private int end;
    private boolean isPlain;
    // The fields of the current batch, by number.
    private ArrowField[] types;
    // Number of dictionaries around the current value.
    private int dictionaryLevels;

    /// The values of a field, bound when they are first needed.
    private static final class Values {
        private final ColumnValues single = new ColumnValues();
        // Null if the field is not nested.
        private NestedValues nested;
        // Of the children, quoted; null if the field is neither a struct nor a union.
        private String[] keys;
    }

    /// @param columns of the schema
    /// @param out gets the text
    /// @param faults receives what is wrong with a value, and whether it is in a dictionary
    public ValueWriter(
            List<ArrowField> columns,
            StringBuilder out,
            BiConsumer<FletchException, Boolean> faults) {
        this.out = out;
        this.faults = faults;
        List<ArrowField> all = new ArrayList<>();
        columns.forEach(each -> add(each, each.isDictionaryEncoded(), all));
        this.columns = all.toArray(ArrowField[]::new);
        columns.forEach(this::addEncoded);
    }

    /// Adds the fields of a batch in the order of their numbers.
    ///
    /// @param isEncoded whether the batch has only indices of this field
    private static void add(ArrowField field, boolean isEncoded, List<ArrowField> to) {
        to.add(field);
        if (!isEncoded) {
            field.children().forEach(each -> add(each, each.isDictionaryEncoded(), to));
        }
    }

    private void addEncoded(ArrowField field) {
        if (field.isDictionaryEncoded()) {
            List<ArrowField> all = new ArrayList<>();
            add(field, false, all);
            encoded.putIfAbsent(field.dictionary().id(), all.toArray(ArrowField[]::new));
        }
        field.children().forEach(this::addEncoded);
    }

    /// Begins a batch, and leaves the one before.
    ///
    /// @param of those of its columns; may be null if no column is dictionary-encoded
    public void begin(Dictionaries of) {
        dictionaries = of;
        bound.clear();
    }

    /// The field of the schema with the values of a field of a layout.
    public ArrowField field(BatchLayout layout, int number) {
        return columns[layout.sourceField(number)];
    }

    /// Appends a value.
    ///
    /// @param characters after which the rest of the value is left out
    /// @param asText whether it is text for a person; else JSON
    public void write(BatchCursor batch, int field, long row, int characters, boolean asText) {
        end = out.length() + characters;
        isPlain = asText;
        dictionaryLevels = 0;
        types = columns;
        value(batch, field, row, 0);
    }

    private boolean isFull() {
        return out.length() >= end;
    }

    private void value(BatchCursor batch, int field, long row, int level) {
        int start = out.length();
        try {
            if (level > MOST_LEVELS) {
                out.append(CUT).append("1}");
                return;
            }
            Values values = values(batch, field);
            if (values.single.isNull(row)) {
                out.append("null");
            } else if (batch.layout().isDictionaryEncoded(field)) {
                dictionary(batch.layout().dictionaryId(field), values.single.index(row), level);
            } else if (values.nested != null) {
                nested(batch, field, values, row, level);
            } else {
                single(batch, field, values.single, row);
            }
        } catch (FletchException e) {
            out.setLength(start);
            fault(e, null);
        }
    }

    private void dictionary(long id, long index, int level) {
        DictionaryValues values = dictionaries.values(id);
        int batch = values.batchOf(index);
        ArrowField[] outer = types;
        types = encoded.get(id);
        dictionaryLevels++;
        value(values.batch(batch), 0, index - values.first(batch), level + 1);
        dictionaryLevels--;
        types = outer;
    }

    private Values values(BatchCursor batch, int field) {
        Values[] of = bound.computeIfAbsent(batch, each -> new Values[each.layout().fieldCount()]);
        if (of[field] == null) {
            Values values = new Values();
            values.single.bind(batch, field, dictionaries);
            if (NestedValues.isNested(batch.layout(), field)) {
                values.nested = new NestedValues().bind(batch, field);
                values.keys = keys(batch.layout(), field);
            }
            of[field] = values;
        }
        return of[field];
    }

    // ---- nested values

    private void nested(BatchCursor batch, int field, Values values, long row, int level) {
        BatchLayout layout = batch.layout();
        NestedValues nested = values.nested;
        nested.find(row);
        int child = nested.child();
        long first = nested.first();
        if (layout.typeType(field) == Type.RUN_END_ENCODED) {
            value(batch, child, first, level + 1);
            return;
        }
        boolean wasPlain = isPlain;
        isPlain = false;
        switch (layout.typeType(field)) {
            case Type.STRUCT_ -> struct(batch, field, values.keys, row, level);
            case Type.UNION -> {
                int index = count(layout, field + 1, child);
                out.append('{').append(values.keys[index]).append(": ");
                value(batch, child, first, level + 1);
                out.append('}');
            }
            default -> list(batch, child, first, nested.end(), level);
        }
        isPlain = wasPlain;
    }

    private void list(BatchCursor batch, int child, long first, long to, int level) {
        out.append('[');
        for (long row = first; row < to; row++) {
            out.append(row == first ? "" : ", ");
            if (isFull()) {
                out.append(CUT).append(to - row).append('}');
                break;
            }
            value(batch, child, row, level + 1);
        }
        out.append(']');
    }

    private void struct(BatchCursor batch, int field, String[] keys, long row, int level) {
        BatchLayout layout = batch.layout();
        out.append('{');
        int last = layout.end(field);
        int index = 0;
        for (int child = field + 1; child < last; child = layout.end(child)) {
            out.append(child == field + 1 ? "" : ", ");
            if (isFull()) {
                out.append("\"$cut\": ").append(count(layout, child, last));
                break;
            }
            out.append(keys[index++]).append(": ");
            value(batch, child, row, level + 1);
        }
        out.append('}');
    }

    /// The keys of the children of a struct or union; null of other types.
    private static String[] keys(BatchLayout layout, int field) {
        int type = layout.typeType(field);
        if (type != Type.STRUCT_ && type != Type.UNION) {
            return null;
        }
        List<String> names = new ArrayList<>();
        int end = layout.end(field);
        for (int child = field + 1; child < end; child = layout.end(child)) {
            names.add(layout.nameString(child));
        }
        return keys(names).toArray(String[]::new);
    }

    /// The keys of an object, in quotes: names, of which a repeated one gets its number among its
    /// equals, as in the path of a field: `name#2`.
    public static List<String> keys(List<String> names) {
        Map<String, Integer> counts = new HashMap<>();
        Set<String> taken = new HashSet<>(names);
        List<String> keys = new ArrayList<>();
        for (String name : names) {
            int count = counts.merge(name, 1, Integer::sum);
            while (count > 1 && !taken.add(name + "#" + count)) {
                count = counts.merge(name, 1, Integer::sum);
            }
            keys.add(Escaper.quoted(count == 1 ? name : name + "#" + count));
        }
        return keys;
    }

    private static int count(BatchLayout layout, int from, int to) {
        int count = 0;
        for (int child = from; child < to; child = layout.end(child)) {
            count++;
        }
        return count;
    }

    // ---- single values

    private void single(BatchCursor batch, int field, ColumnValues column, long row) {
        BatchLayout layout = batch.layout();
        if (column.valueType() == ValueType.BOOL) {
            out.append(column.integer(row) != 0);
            return;
        }
        column.get(row, bytes);
        switch (layout.typeType(field)) {
            case Type.UTF8, Type.LARGE_UTF8, Type.UTF8_VIEW -> text(batch, field, row);
            case Type.BINARY, Type.LARGE_BINARY, Type.BINARY_VIEW, Type.FIXED_SIZE_BINARY ->
                    binary();
            default -> {
                ArrowType type = types[layout.sourceField(field)].type();
                String text = scalars.of(type, column, row, bytes);
                out.append(isPlain || ScalarText.isJson(type, text) ? text : Escaper.quoted(text));
            }
        }
    }

    private void text(BatchCursor batch, int field, long row) {
        long left = Math.max(0, end - out.length());
        long stop = Math.min(bytes.length(), left);
        long after = bytes.afterUtf8(0, stop, bytes.length());
        if (after < stop) {
            fault(FletchException.of(notUtf8(batch, field, row, after)), hex(left));
            return;
        }
        byte[] start = new ByteSlice().wrap(bytes, 0, after).toByteArray();
        String text = new String(start, StandardCharsets.UTF_8);
        if (after < bytes.length()) {
            cut(text);
        } else {
            out.append(isPlain ? plain(text) : Escaper.quoted(text));
        }
    }

    /// The fault of a text, where verifying finds it: of views, in the view.
    ///
    /// @param after position of the wrong byte in the text
    private Fault notUtf8(BatchCursor batch, int field, long row, long after) {
        boolean isView = batch.layout().typeType(field) == Type.UTF8_VIEW;
        int buffer = batch.index(field, isView ? BufferRole.VIEWS : BufferRole.DATA);
        long start = batch.content(field, buffer, new ByteSlice()).offset();
        long position = bytes.offset() + after;
        if (batch.isCompressed(field, buffer)) {
            position = start - Long.BYTES;
        } else if (isView) {
            boolean isInline = bytes.length() <= TypeFacts.INLINE_BYTES;
            position = start + row * TypeFacts.VIEW_BYTES + (isInline ? Integer.BYTES : 0);
        }
        long value = isView ? bytes.length() : Byte.toUnsignedInt(bytes.int8(after));
        String numbers = ValueText.of(ValueRule.VALUE_NOT_UTF8, row, value, 0, false, 0);
        return Fault.of(ValueRule.VALUE_NOT_UTF8, position, value)
                .because(
                        "column=" + Escaper.name(batch.layout().shortPath(field)) + ", " + numbers);
    }

    /// A text without quotes, unless it could be taken for another value.
    private static String plain(String text) {
        boolean isOther = text.equals("null") || text.startsWith("!") || text.startsWith("{");
        return isOther ? Escaper.quoted(text) : Escaper.value(text);
    }

    private void binary() {
        long left = Math.max(0, end - out.length());
        String hex = hex(left);
        if (hex.length() / 2 < bytes.length()) {
            cut(hex);
        } else {
            out.append(isPlain && !hex.isEmpty() ? hex : Escaper.quoted(hex));
        }
    }

    /// The first bytes in hexadecimal.
    private String hex(long characters) {
        long count = Math.min(bytes.length(), characters / 2);
        return HexFormat.of().formatHex(new ByteSlice().wrap(bytes, 0, count).toByteArray());
    }

    private void cut(String start) {
        if (isPlain) {
            out.append(plain(start)).append('…');
        } else {
            out.append(CUT).append(Escaper.quoted(start));
            out.append(", \"bytes\": ").append(bytes.length()).append('}');
        }
    }

    /// @param hex the bytes of the value; null if there are none to show
    private void fault(FletchException e, String hex) {
        faults.accept(e, dictionaryLevels > 0);
        String code = e.rule().id();
        if (isPlain) {
            out.append('!').append(code).append(hex == null ? "" : " " + hex);
            return;
        }
        out.append("{\"$fault\": ").append(Escaper.quoted(code));
        out.append(hex == null ? "" : ", \"hex\": " + Escaper.quoted(hex)).append('}');
    }
}
