// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.semantics;

import static dev.fletch.format.FormatRules.*;
import static dev.fletch.layout.LayoutRules.*;
import static dev.fletch.semantics.SemanticRules.*;

import dev.fletch.flatbuf.Table;
import dev.fletch.format.DictionaryEncoding;
import dev.fletch.format.Endianness;
import dev.fletch.format.Feature;
import dev.fletch.format.Field;
import dev.fletch.format.FieldWalk;
import dev.fletch.format.Int;
import dev.fletch.format.KeyValue;
import dev.fletch.format.Schema;
import dev.fletch.format.SchemaSize;
import dev.fletch.format.rules.RuleTable;
import dev.fletch.format.rules.TypeFacts;

/// Measures a schema; then visits it, checks the rules of its fields, and records its dictionaries.
///
/// Tables and texts of a FlatBuffer may be shared: [SchemaSize] and [dev.fletch.layout.LayoutLimits]
/// limit the work. Only texts that are part of a dictionary's type are read.
final class SchemaCheck {
    /// Number of levels that all readers accept.
    private static final int USUAL_DEPTH = 64;

    final DictionaryStates dictionaries;

    private final Report report;
    private final SemanticOptions options;
    private final FieldCheck fields;
    private final FieldWalk walk = new FieldWalk();
    private final DictionaryEncoding encoding = new DictionaryEncoding();
    private final Int index = new Int();
    private final RuleTable owner = new RuleTable();
    private final RuleTable entry = new RuleTable();

    private final SchemaSize size = new SchemaSize();
    private boolean isSound;
    private boolean dependsOnVersion;
    private boolean isDeep;

    SchemaCheck(Report report, SemanticOptions options) {
        this.report = report;
        this.options = options;
        dictionaries = new DictionaryStates(report);
        fields = new FieldCheck(report);
    }

    /// Returns whether the fields of the last schema are valid, so that it has layouts.
    boolean isSound() {
        return isSound;
    }

    /// Returns whether the last schema has a field whose buffers depend on the metadata version.
    boolean dependsOnVersion() {
        return dependsOnVersion;
    }

    /// Checks a schema.
    void check(Schema schema) {
        isSound = false;
        dependsOnVersion = false;
        dictionaries.clear(options.limits().maxDepth());
        if (!isMeasured(schema)
                || !endianness(schema)
                || !features(schema)
                || !metadata(schema, "Schema", Schema.CUSTOM_METADATA_SLOT)) {
            return;
        }
        if (!schema.isPresent(Schema.FIELDS_SLOT)
                && !report.add(NO_FIELDS, schema.position(), 0, "fields")) {
            return;
        }
        final int before = report.errors();
        isDeep = false;
        isSound = walk(schema) && report.errors() == before;
        report.schema();
        if (isSound) {
            dictionaries.begin();
        }
    }

    /// Returns whether the schema is within the limits.
    private boolean isMeasured(Schema schema) {
        if (!size.begin(schema)) {
            return tooLarge(schema, "size", size.size(), size.limit());
        }
        final int maxFields = options.limits().maxFields();
        int count = 0;
        walk.wrap(schema);
        while (walk.next()) {
            report.next(walk.depth());
            if (!size.add(walk.field())) {
                return tooLarge(walk.field(), "size", size.size(), size.limit());
            }
            if (++count > maxFields) {
                return tooLarge(walk.field(), "fields", count, maxFields);
            }
        }
        report.schema();
        return true;
    }

    private boolean tooLarge(Table at, String name, long found, long most) {
        report.numbers(name, found, "limit", most);
        report.add(SCHEMA_TOO_LARGE, at.position(), found, "");
        return false;
    }

    private boolean endianness(Schema schema) {
        final int value = schema.endianness();
        final long at = schema.position(Schema.ENDIANNESS_SLOT);
        if (!Endianness.NAMES.isKnown(value)) {
            return report.add(UNKNOWN_ENDIANNESS, at, value, "endianness");
        }
        return value == Endianness.LITTLE
                || !options.checks(SemanticOptions.Check.LITTLE_ENDIAN)
                || report.add(FOREIGN_ENDIANNESS, at, value, "endianness");
    }

    private boolean features(Schema schema) {
        if (!options.checks(SemanticOptions.Check.FEATURES)) {
            return true;
        }
        final long at = schema.targetPosition(Schema.FEATURES_SLOT) + Integer.BYTES;
        for (int i = 0; i < schema.featuresCount(); i++) {
            final long value = schema.features(i);
            if (!Feature.NAMES.isKnown(value)
                    && !report.add(
                            UNKNOWN_FEATURE,
                            at + (long) i * Long.BYTES,
                            value,
                            "features",
                            i,
                            "")) {
                return false;
            }
        }
        return true;
    }

    // ---- custom metadata

    /// The rules of custom metadata.
    ///
    /// @param table with the custom metadata
    /// @param name the table's name
    /// @param slot of the vector
    boolean metadata(Table table, String name, int slot) {
        if (!table.isPresent(slot)) {
            return true;
        }
        final int count = owner.bind(table, name).count(slot);
        boolean goOn = true;
        for (int i = 0; i < count && goOn; i++) {
            owner.table(slot, i, entry);
            final long at = entry.position();
            goOn =
                    (entry.isPresent(KeyValue.KEY_SLOT)
                                    || report.add(NO_KEY, at, 0, "customMetadata", i, "key"))
                            && (entry.isPresent(KeyValue.VALUE_SLOT)
                                    || report.add(NO_VALUE, at, 0, "customMetadata", i, "value"));
        }
        return goOn;
    }

    // ---- fields

    /// Visits all fields. Returns false if it ends early, after a fault.
    private boolean walk(Schema schema) {
        walk.wrap(schema);
        boolean goOn = true;
        for (int row = 0; goOn && walk.next(); row++) {
            final int depth = walk.depth();
            report.next(depth);
            goOn =
                    depth < options.limits().maxDepth()
                            ? field(walk.field(), depth, row)
                            : tooDeep(depth);
        }
        return goOn;
    }

    /// Reports a field, and skips it with its siblings.
    private boolean tooDeep(int depth) {
        final long most = options.limits().maxDepth();
        if (!report.add(SCHEMA_TOO_DEEP, walk.field().position(), most, "")) {
            return false;
        }
        walk.again(depth - 1);
        walk.skipChildren();
        return true;
    }

    private boolean field(Field field, int depth, int row) {
        dependsOnVersion |= TypeFacts.of(field.typeType()).dependsOnVersion();
        return depth(field, depth + 1)
                && fields.check(field)
                && dictionary(field, row)
                && metadata(field, "Field", Field.CUSTOM_METADATA_SLOT);
    }

    private boolean depth(Field field, int depth) {
        if (depth <= USUAL_DEPTH || isDeep || !options.checks(SemanticOptions.Check.NESTING)) {
            return true;
        }
        isDeep = true;
        return report.add(NESTED_DEEPLY, field.position(), depth, "");
    }

    private boolean dictionary(Field field, int row) {
        if (!field.dictionary(encoding)) {
            return true;
        }
        final int bits =
                encoding.indexType(index) ? index.bitWidth() : TypeFacts.DEFAULT_INDEX_BITS;
        if (!fields.encoding(encoding, index, bits)) {
            return false;
        }
        if (dictionaries.add(encoding.id(), walk, row)) {
            return true;
        }
        final long at = encoding.position(DictionaryEncoding.ID_SLOT);
        return report.add(DICTIONARY_TYPE, at, encoding.id(), "dictionary.id");
    }

    /// Reports the dictionaries of the last, valid schema that are used but not defined.
    ///
    /// @param schema the same schema
    void undefined(Schema schema) {
        walk.wrap(schema);
        boolean goOn = true;
        for (int row = 0; goOn && walk.next(); row++) {
            report.next(walk.depth());
            goOn = !walk.field().dictionary(encoding) || isDefined(encoding.id(), row);
        }
    }

    private boolean isDefined(long id, int row) {
        final DictionaryStates.Dictionary found = dictionaries.find(id);
        if (found == null || found.firstField != row || !dictionaries.isUndefined(found)) {
            return true;
        }
        final long at = encoding.position(DictionaryEncoding.ID_SLOT);
        return report.add(DICTIONARY_UNDEFINED, at, id, "dictionary.id");
    }
}
