// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.json;

import dev.fletch.model.ArrowSchema;
import dev.fletch.model.SchemaLimits;
import dev.fletch.wire.Jackson;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;

/// Schemas in integration JSON, the format of the tests between Arrow's implementations.
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
/// without `bitWidth`, which then is 128, and timestamps without `timezone`. `children`, `metadata`,
/// `dictionary`, `timezone`, `typeIds`, `keysSorted`, `isOrdered` and `indexType` may be absent or
/// null, with the same meaning as in the bytes. A `name` that is null or absent is an absent slot.
///
/// **Writing.** Keys have the order of Arrow's own test files. There are no spaces. Absent names and
/// keys are written as empty strings, implicit type ids are written. Any schema can be written; to
/// read a large or deep one again may need other limits than [SchemaLimits#DEFAULT].
///
/// **Not in this format**: byte order and features. A schema that is read is little-endian and has no
/// features.
///
/// **Errors.** An [InvalidJsonException] for any fault of the text; an [IllegalStateException] if
/// `jackson-core` is missing.
///
/// Source: `docs/source/format/Integration.rst` of Apache Arrow.
public final class SchemaJson {
    private SchemaJson() {}

    // ---- reading

    /// Reads a schema within [SchemaLimits#DEFAULT].
    ///
    /// @param json a schema or an integration file
    /// @return the schema
    public static ArrowSchema parse(String json) {
        try {
            return read(new StringReader(json), SchemaLimits.DEFAULT);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // cannot happen, there is no input
        }
    }

    /// Reads a schema.
    ///
    /// @param from a schema or an integration file, in UTF-8; it is read to its end and stays open
    /// @param limits how much a schema may hold
    /// @return the schema
    /// @throws IOException if reading fails
    public static ArrowSchema read(InputStream from, SchemaLimits limits) throws IOException {
        // Malformed bytes are an error for this decoder.
        return read(new InputStreamReader(from, StandardCharsets.UTF_8.newDecoder()), limits);
    }

    /// Reads a schema.
    ///
    /// @param from a schema or an integration file; it is read to its end and stays open
    /// @param limits how much a schema may hold
    /// @return the schema
    /// @throws IOException if reading fails
    public static ArrowSchema read(Reader from, SchemaLimits limits) throws IOException {
        try {
            return DocumentReader.read(from, limits);
        } catch (NoClassDefFoundError e) {
            throw Jackson.missing("integration JSON", e);
        }
    }

    // ---- writing

    /// Writes a schema as text.
    ///
    /// @param schema any schema
    /// @return `{"fields":[…]}`, on one line
    public static String text(ArrowSchema schema) {
        StringWriter out = new StringWriter();
        try {
            write(schema, out);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // cannot happen, there is no output
        }
        return out.toString();
    }

    /// Writes a schema.
    ///
    /// @param schema any schema
    /// @param to gets `{"fields":[…]}` without a line break; stays open and is not flushed
    /// @throws IOException if writing fails
    public static void write(ArrowSchema schema, Writer to) throws IOException {
        try {
            SchemaWriter.write(schema, to);
        } catch (NoClassDefFoundError e) {
            throw Jackson.missing("integration JSON", e);
        }
    }
}
