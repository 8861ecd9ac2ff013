// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.semantics;

import static dev.fletch.format.FormatRules.*;
import static dev.fletch.layout.LayoutRules.*;
import static dev.fletch.semantics.SemanticRules.*;

import dev.fletch.Rule;
import dev.fletch.flatbuf.Table;
import dev.fletch.format.DictionaryEncoding;
import dev.fletch.format.Feature;
import dev.fletch.format.Field;
import dev.fletch.format.FieldWalk;
import dev.fletch.format.Int;
import dev.fletch.format.KeyValue;
import dev.fletch.format.Schema;
import dev.fletch.format.SchemaSize;
import dev.fletch.format.rules.AnyTable;
import dev.fletch.format.rules.TypeFacts;
import dev.fletch.ipc.walk.EndiannessCheck;
import dev.fletch.layout.FieldLimits;

/// Visits a schema: measures it, checks the rules of its fields, and records its dictionaries.
///
/// Tables and texts of a FlatBuffer may be shared: [SchemaSize] and [FieldLimits]
/// limit the work. Only texts that are part of a dictionary's type are read.
final class SchemaCheck {
    private static final int NONE = -1;

    /// Number of levels that all readers accept.
    private static final int USUAL_DEPTH = 64;

    final DictionaryStates dictionaries;

    private final Report report;
    private final SemanticOptions options;
    private final FieldCheck fields;
    private final FieldWalk walk = new FieldWalk();
    private final DictionaryEncoding encoding = new DictionaryEncoding();
    private final Int index = new Int();
    private final AnyTable table = new AnyTable();
    private final AnyTable pair = new AnyTable();
    private final SchemaSize size;
    private int fieldCount;
    // Level of the dictionary-encoded field whose fields below are measured; NONE if there is none.
    private int measuredBelow;
    private boolean isSound;
    private boolean dependsOnVersion;
    private boolean isDeep;

    SchemaCheck(Report report, SemanticOptions options) {
        this.report = report;
        this.options = options;
        size = new SchemaSize(options.limits());
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
        dictionaries.clear(options.limits().depth());
        if (!size.begin(schema)) {
            tooLarge(schema);
            return;
        }
        if (!endianness(schema)
                || !features(schema)
                || !metadata(schema, "Schema", Schema.CUSTOM_METADATA_SLOT)) {
            return;
        }
        if (!schema.isPresent(Schema.FIELDS_SLOT)
                && !report.add(NO_FIELDS, schema.position(), 0, "fields")) {
            return;
        }
        int before = report.errors();
        isDeep = false;
        isSound = walk(schema) && report.errors() == before;
        report.schema();
        if (isSound) {
            dictionaries.begin();
        }
    }

    private boolean tooLarge(Rule rule, Table at, String name, long found, long most) {
        report.numbers(name, found, "limit", most);
        report.add(rule, at.position(), found, "");
        return false;
    }

    private boolean tooLarge(Table at) {
        return tooLarge(size.tooLarge(at).rule(), at, "size", size.size(), size.limit());
    }

    private boolean endianness(Schema schema) {
        int value = schema.endianness();
        long at = schema.position(Schema.ENDIANNESS_SLOT);
        boolean onlyLittle = options.checks(SemanticOptions.Check.LITTLE_ENDIAN);
        Rule broken = EndiannessCheck.broken(value, onlyLittle);
        return broken == null || report.add(broken, at, value, "endianness");
    }

    private boolean features(Schema schema) {
        if (!options.checks(SemanticOptions.Check.FEATURES)) {
            return true;
        }
        long at = schema.targetPosition(Schema.FEATURES_SLOT) + Integer.BYTES;
        for (int i = 0; i < schema.featuresCount(); i++) {
            long value = schema.features(i);
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

    /// The rules of the pairs of a table's custom metadata.
    ///
    /// @param name of the table in `format/*.fbs`
    /// @param slot of the pairs
    boolean metadata(Table owner, String name, int slot) {
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
                || report.add(rule, pair.position(), 0, "customMetadata", i, name);
    }

    // ---- fields

    /// Visits all fields. Returns false if it ends early, after a fault.
    private boolean walk(Schema schema) {
        walk.wrap(schema);
        fieldCount = 0;
        measuredBelow = NONE;
        boolean goOn = true;
        for (int row = 0; goOn && walk.next(); row++) {
            int depth = walk.depth();
            report.next(depth);
            goOn =
                    isMeasured(depth)
                            && (depth < options.limits().depth()
                                    ? field(walk.field(), depth, row)
                                    : tooDeep(depth));
        }
        return goOn;
    }

    /// Measures the current field, and of a dictionary all fields below: the type of its values is
    /// compared first. Returns whether the schema is within the limits.
    private boolean isMeasured(int depth) {
        if (depth > measuredBelow && measuredBelow != NONE) {
            return true;
        }
        measuredBelow = NONE;
        if (!isWithinLimits()) {
            return false;
        }
        if (walk.isDictionaryEncoded() && walk.field().childrenCount() != 0) {
            while (walk.nextBelow(depth)) {
                report.next(walk.depth());
                if (!isWithinLimits()) {
                    return false;
                }
            }
            walk.again(depth);
            report.again(depth);
            measuredBelow = depth;
        }
        return true;
    }

    private boolean isWithinLimits() {
        int most = options.limits().fields();
        if (!size.add(walk.field())) {
            return tooLarge(walk.field());
        }
        Rule broken = FieldLimits.broken(options.limits(), 0, fieldCount++);
        return broken == null || tooLarge(broken, walk.field(), "fields", fieldCount, most);
    }

    /// Reports a field, and skips it with its siblings.
    private boolean tooDeep(int depth) {
        long most = options.limits().depth();
        Rule broken = FieldLimits.broken(options.limits(), depth, 0);
        if (!report.add(broken, walk.field().position(), most, "")) {
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
        int bits = encoding.indexType(index) ? index.bitWidth() : TypeFacts.DEFAULT_INDEX_BITS;
        if (!fields.encoding(encoding, index, bits)) {
            return false;
        }
        if (dictionaries.add(encoding.id(), field, row)) {
            return true;
        }
        long at = encoding.position(DictionaryEncoding.ID_SLOT);
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
        DictionaryStates.Dictionary found = dictionaries.find(id);
        if (found == null || found.firstField != row || !dictionaries.isUndefined(found)) {
            return true;
        }
        long at = encoding.position(DictionaryEncoding.ID_SLOT);
        return dictionaries.order.undefined(id, id, at, "dictionary.id", Report.NONE, "");
    }
}
