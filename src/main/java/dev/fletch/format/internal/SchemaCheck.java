// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.internal;

import static dev.fletch.MeaningRule.*;

import dev.fletch.Check;
import dev.fletch.Checks;
import dev.fletch.Fault;
import dev.fletch.Rule;
import dev.fletch.flatbuf.Table;
import dev.fletch.format.DictionaryEncoding;
import dev.fletch.format.Field;
import dev.fletch.format.KeyValue;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.Feature;
import dev.fletch.format.internal.tables.AnyTable;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Visits a schema: measures it, and checks the rules of its fields and dictionaries.
///
/// Tables and texts of a FlatBuffer may be shared: [SchemaSize] and [FieldLimits]
/// limit the work. Only texts that are part of a dictionary's type are read.
///
/// **Order.** A field is checked before its children: limits hold before any work below them.
public final class SchemaCheck {
    /// Number of levels that all readers accept.
    private static final int USUAL_DEPTH = 64;

    private final FaultPlace faults;
    private final Checks options;
    private final FieldCheck fields;
    private final FieldWalk walk = new FieldWalk();
    private final DictionaryEncoding encoding = new DictionaryEncoding();
    private final AnyTable table = new AnyTable();
    private final AnyTable pair = new AnyTable();
    private final SchemaSize size;
    private int fieldCount;
    private boolean isDeep;
    private boolean isTooDeep;
    private boolean hasDictionaries;

    public SchemaCheck(FaultPlace faults, Checks options) {
        this.faults = faults;
        this.options = options;
        size = new SchemaSize(options.limits());
        fields = new FieldCheck(faults);
    }

    /// Checks a schema. Returns whether its fields are valid, so that it has layouts.
    public boolean check(Schema schema) {
        int before = faults.errors();
        boolean isComplete = fields(schema);
        // Below fields that are too deep, nothing was measured: dictionaries may be too large.
        if (isComplete && hasDictionaries && !isTooDeep) {
            isComplete = dictionaryTypes(schema);
        }
        faults.schema();
        return isComplete && faults.errors() == before;
    }

    /// Checks a schema without comparing the types of its dictionaries. Returns false if it ends
    /// early, after a fault.
    public boolean fields(Schema schema) {
        isDeep = false;
        isTooDeep = false;
        hasDictionaries = false;
        if (!size.begin(schema)) {
            return tooLarge(schema);
        }
        return endianness(schema)
                && features(schema)
                && metadata(schema, "Schema", Schema.CUSTOM_METADATA_SLOT)
                && (schema.isPresent(Schema.FIELDS_SLOT)
                        || faults.add(NO_FIELDS, schema.position(), 0, "fields"))
                && walk(schema);
    }

    private boolean tooLarge(Rule rule, Table table, String name, long found, long limit) {
        faults.add(Fault.of(rule, table.position(), found).with(name, found).with("limit", limit));
        return false;
    }

    private boolean tooLarge(Table table) {
        return tooLarge(size.tooLarge(table).rule(), table, "size", size.size(), size.limit());
    }

    private boolean endianness(Schema schema) {
        int value = schema.endianness();
        long position = schema.position(Schema.ENDIANNESS_SLOT);
        boolean onlyLittle = options.has(Check.LITTLE_ENDIAN);
        return faults.holds(
                EndiannessCheck.broken(value, onlyLittle), position, value, "endianness");
    }

    private boolean features(Schema schema) {
        boolean isChecked = options.has(Check.FEATURES);
        int count = isChecked ? schema.featuresCount() : 0;
        long position = schema.targetPosition(Schema.FEATURES_SLOT) + Integer.BYTES;
        boolean goOn = true;
        for (int i = 0; i < count && goOn; i++) {
            long value = schema.features(i);
            long element = position + (long) i * Long.BYTES;
            goOn =
                    Feature.NAMES.isKnown(value)
                            || faults.add(UNKNOWN_FEATURE, element, value, "features", i, "");
        }
        return goOn;
    }

    // ---- custom metadata

    /// The rules of the pairs of a table's custom metadata.
    ///
    /// @param name of the table in `format/*.fbs`
    /// @param slot of the pairs
    public boolean metadata(Table owner, String name, int slot) {
        int count = owner.isPresent(slot) ? table.bind(owner, name).count(slot) : 0;
        boolean goOn = true;
        for (int i = 0; i < count && goOn; i++) {
            table.table(slot, i, pair);
            goOn =
                    isThere(KeyValue.KEY_SLOT, NO_KEY, i, "key")
                            && isThere(KeyValue.VALUE_SLOT, NO_VALUE, i, "value");
        }
        return goOn;
    }

    private boolean isThere(int slot, Rule rule, int i, String name) {
        return pair.isPresent(slot)
                || faults.add(rule, pair.position(), 0, "customMetadata", i, name);
    }

    // ---- fields

    /// Visits all fields. Returns false if it ends early, after a fault.
    private boolean walk(Schema schema) {
        walk.wrap(schema);
        fieldCount = 0;
        boolean goOn = true;
        while (goOn && walk.next()) {
            int depth = walk.depth();
            faults.next(depth);
            goOn =
                    isWithinLimits()
                            && (depth < options.limits().depth()
                                    ? field(walk.field(), depth)
                                    : tooDeep(depth));
        }
        return goOn;
    }

    private boolean isWithinLimits() {
        int limit = options.limits().fields();
        if (!size.add(walk.field())) {
            return tooLarge(walk.field());
        }
        Rule broken = FieldLimits.broken(options.limits(), 0, fieldCount++);
        return broken == null || tooLarge(broken, walk.field(), "fields", fieldCount, limit);
    }

    /// Reports a field, and skips it with its siblings.
    private boolean tooDeep(int depth) {
        long limit = options.limits().depth();
        Rule broken = FieldLimits.broken(options.limits(), depth, 0);
        Fault fault = Fault.of(broken, walk.field().position(), limit).with("depth", limit);
        if (!faults.add(fault)) {
            return false;
        }
        isTooDeep = true;
        walk.again(depth - 1);
        walk.skipChildren();
        return true;
    }

    private boolean field(Field field, int depth) {
        hasDictionaries |= field.isPresent(Field.DICTIONARY_SLOT);
        return depth(field, depth + 1)
                && fields.check(field)
                && (!field.dictionary(encoding) || fields.encoding(encoding))
                && metadata(field, "Field", Field.CUSTOM_METADATA_SLOT);
    }

    private boolean depth(Field field, int depth) {
        if (depth <= USUAL_DEPTH || isDeep || !options.has(Check.NESTING)) {
            return true;
        }
        isDeep = true;
        return faults.add(NESTED_DEEPLY, field.position(), depth, "");
    }

    // ---- dictionaries

    /// Compares the types of dictionaries' values. All fields were measured before, so their limits
    /// hold for the types, too.
    private boolean dictionaryTypes(Schema schema) {
        faults.schema();
        TypeComparison comparison = new TypeComparison();
        int levels = Math.min(options.limits().depth(), TypeComparison.MOST_LEVELS);
        Map<Long, List<Object>> types = new HashMap<>();
        return encoded(
                schema,
                (id, position) -> {
                    List<Object> type = comparison.of(walk.field(), levels);
                    List<Object> known = types.putIfAbsent(id, type);
                    return known == null
                            || known.equals(type)
                            || faults.add(DICTIONARY_TYPE, position, id, "dictionary.id");
                });
    }

    /// A check of a dictionary-encoded field.
    public interface EncodedCheck {
        /// @param id of its dictionary
        /// @param position position of the id
        /// @return whether to continue
        boolean check(long id, long position);
    }

    /// Visits the dictionary-encoded fields of a schema that was checked. Faults are reported at
    /// the field.
    public boolean encoded(Schema schema, EncodedCheck check) {
        walk.wrap(schema);
        boolean goOn = true;
        while (goOn && walk.next()) {
            faults.next(walk.depth());
            goOn =
                    !walk.field().dictionary(encoding)
                            || check.check(
                                    encoding.id(), encoding.position(DictionaryEncoding.ID_SLOT));
        }
        return goOn;
    }
}
