// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteConstraints;

import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.schema.internal.IntegrationJson;
import dev.fletch.schema.internal.Jackson;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/// Schemas in integration JSON, the format of the integration tests of Arrow's implementations.
///
/// ```java
/// ArrowSchema schema = SchemaJson.parse("""
///         {"fields": [{"name": "price", "nullable": false, "children": [],
///                      "type": {"name": "decimal", "precision": 38, "scale": 10}}]}""");
/// String json = SchemaJson.text(schema);
/// ```
///
/// **Reading.** The input is a schema, or an integration file `{"schema": …, "dictionaries": …,
/// "batches": …}`, of which only the schema is read. Keys may have any order but must not repeat;
/// unknown keys are skipped. Old forms are accepted: union modes `Sparse` and `Dense`, decimals
/// without `bitWidth`, which then is 128, and timestamps without `timezone`. `children`,
/// `metadata`, `dictionary`, `timezone`, `typeIds`, `keysSorted`, `isOrdered` and `indexType` may
/// be absent or null, with the same meaning as in the bytes. A null or absent `name` is an absent
/// slot.
///
/// **Writing.** Keys have the order of Arrow's test files. There are no spaces. Absent names and
/// keys are written as empty strings, implicit type ids are written explicitly. Any schema can be
/// written; reading a large or deep schema may need limits other than [Limits#DEFAULT].
///
/// **Not in this format**: byte order and features. A schema read from JSON is little-endian and
/// has no features.
///
/// **Errors.** Text that is not JSON or not in this format, or whose schema breaks a rule of the
/// Arrow format, throws a [FletchException] with the rule [MeaningRule#INVALID_JSON]. Its fault has
/// the path in the document, such as `fields[2].type.bitWidth`, and line and column from 1 as
/// details. A missing `jackson-core` throws an [IllegalStateException].
///
/// Source: `docs/source/format/Integration.rst` of Apache Arrow.
public final class SchemaJson {
    private SchemaJson() {}

    // ---- reading

    /// Reads a schema within [Limits#DEFAULT].
    ///
    /// @param json a schema or an integration file
    public static ArrowSchema parse(String json) {
        try {
            return read(new StringReader(json), Limits.DEFAULT);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // cannot happen, there is no input
        }
    }

    /// Reads a schema.
    ///
    /// @param from a schema or an integration file, in UTF-8; read to its end and not closed
    public static ArrowSchema read(InputStream from, Limits limits) throws IOException {
        // This decoder reports malformed bytes.
        return read(new InputStreamReader(from, StandardCharsets.UTF_8.newDecoder()), limits);
    }

    static ArrowSchema read(Reader from, Limits limits) throws IOException {
        try {
            return SchemaJsonReader.read(from, limits);
        } catch (NoClassDefFoundError e) {
            throw Jackson.missing("integration JSON", e);
        }
    }

    // ---- writing

    /// Writes a schema as text.
    ///
    /// @return `{"fields":[…]}`, on one line
    public static String text(ArrowSchema schema) {
        try {
            return Writer.text(schema);
        } catch (NoClassDefFoundError e) {
            throw Jackson.missing("integration JSON", e);
        }
    }

    /// The only class for writing that needs `jackson-core`.
    private static final class Writer {
        private static final JsonFactory FACTORY =
                new JsonFactoryBuilder()
                        .streamWriteConstraints(
                                StreamWriteConstraints.builder()
                                        .maxNestingDepth(SchemaJsonReader.MAX_LEVELS)
                                        .build())
                        .build();

        private static final Rule[] ANY_RULE = MeaningRule.values();

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
}
