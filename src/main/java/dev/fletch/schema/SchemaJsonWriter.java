// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteConstraints;

import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.schema.internal.IntegrationJson;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;

/// Writes a schema. The only class for writing that needs `jackson-core`.
final class SchemaJsonWriter {
    private static final JsonFactory FACTORY =
            new JsonFactoryBuilder()
                    .streamWriteConstraints(
                            StreamWriteConstraints.builder()
                                    .maxNestingDepth(SchemaJsonReader.MAX_LEVELS)
                                    .build())
                    .build();

    private static final Rule[] ANY_RULE = MeaningRule.values();

    private SchemaJsonWriter() {}

    static String text(ArrowSchema schema) {
        StringWriter to = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(to)) {
            new IntegrationJson(json).write(schema.toTable(ANY_RULE), null);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // cannot happen, there is no output
        }
        return to.toString();
    }
}
