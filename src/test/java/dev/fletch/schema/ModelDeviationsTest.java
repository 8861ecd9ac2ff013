// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.fletch.Checks;
import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.batch.BatchLayout;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.verify.messages.SemanticVerifier;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A schema value holds what `fletch verify` reports as a deviation; writing refuses it.
class ModelDeviationsTest {
    private static final ArrowType STRUCT = ArrowType.Simple.STRUCT;
    private static final ArrowField INT32 = ArrowField.of("i", new ArrowType.Int(32, true));
    private static final ArrowField UTF8 = ArrowField.of("k", ArrowType.Simple.UTF8);

    private static ArrowField map(ArrowField entries) {
        return ArrowField.of("m", new ArrowType.Map(false), entries);
    }

    private static ArrowField metadata(String key, String value) {
        return INT32.withMetadata(Metadata.of(key, value));
    }

    private static Map<Rule, ArrowField> fields() {
        return Map.of(
                MeaningRule.RUN_ENDS_NULLABLE,
                ArrowField.of("r", ArrowType.Simple.RUN_END_ENCODED, INT32.nullable(), UTF8),
                MeaningRule.MAP_ENTRIES_NULLABLE,
                map(ArrowField.of("e", STRUCT, UTF8, INT32).nullable()),
                MeaningRule.MAP_KEY_NULLABLE,
                map(ArrowField.of("e", STRUCT, UTF8.nullable(), INT32)),
                MeaningRule.NO_KEY,
                metadata(null, "v"),
                MeaningRule.NO_VALUE,
                metadata("k", null));
    }

    @Test
    void deviationIsWrittenOnlyIfItsRuleIsAllowed() {
        fields().forEach(
                        (rule, field) -> {
                            ArrowSchema schema = ArrowSchema.of(UTF8, field);
                            var refused =
                                    assertThrows(InvalidSchemaException.class, schema::toTable);
                            assertEquals(rule, refused.rule());
                            String start =
                                    rule.id() + ": " + rule.description() + ": path=fields[1].";
                            assertEquals(start, refused.getMessage().substring(0, start.length()));
                            assertThrows(
                                    InvalidSchemaException.class,
                                    () -> schema.toTable(MeaningRule.RUN_END_NULLS));
                            Schema written = schema.toTable(rule);
                            assertEquals(List.of(rule.id()), faults(written));
                            ArrowSchema read = ArrowSchema.of(written);
                            assertEquals(schema, read);
                            assertEquals(schema.hashCode(), read.hashCode());
                            assertEquals(List.of(), schema.diff(read));
                            assertEquals(schema.toString(), read.toString());
                            BatchLayout.compile(written, MetadataVersion.V5);
                        });
    }

    private static List<String> faults(Schema schema) {
        List<String> found = new ArrayList<>();
        new SemanticVerifier(Checks.DEFAULT, fault -> found.add(fault.rule().id())).schema(schema);
        return found;
    }

    /// Two fields cannot share a dictionary of different types: no reader can trust that.
    @Test
    void errorsOfAWholeSchemaAreRefused() {
        DictionaryInfo dictionary = DictionaryInfo.implicit(7, false);
        ArrowSchema schema =
                ArrowSchema.of(INT32.withDictionary(dictionary), UTF8.withDictionary(dictionary));
        var refused = assertThrows(InvalidSchemaException.class, schema::toTable);
        assertEquals(MeaningRule.DICTIONARY_TYPE, refused.rule());
    }
}
