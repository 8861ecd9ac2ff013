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

/// Schemas in the JSON by which Arrow's implementations are tested against each other.
///
/// ```java
/// ArrowSchema schema = SchemaJson.parse("""
///         {"fields": [{"name": "price", "nullable": false, "children": [],
///                      "type": {"name": "decimal", "precision": 38, "scale": 10}}]}""");
/// String json = SchemaJson.text(schema);
/// ```
///
/// **What is read.** A schema, or a whole integration file, `{"schema": …, "dictionaries": …,
/// "batches": …}`: all but the schema is skipped as it comes by, at any length. Keys may stand in
/// any order, each once, and those that are not known are skipped, however many and whatever is in
/// them. What the format once was is read too: union
/// modes `Sparse` and `Dense`, decimals without `bitWidth`, which then is 128, timestamps without
/// `timezone`. `children`, `metadata`, `dictionary`, `timezone`, `typeIds`, `keysSorted`,
/// `isOrdered` and `indexType` may be absent or null, and mean then what they mean in the bytes; a
/// `name` that is null or absent is an omitted one.
///
/// **What is written.** Keys in the order of Arrow's own test files, without spaces. A text that
/// cannot be stored otherwise is what it means: an absent name or key is an empty one, ids that are
/// left out are written. Any schema can be written; one of more or longer texts, or deeper, than
/// [SchemaLimits#DEFAULT] has is read again by limits that have room for it.
///
/// **What JSON has no words for.** Byte order and features: a schema that is read is little-endian
/// and has none. So of what is written and read again the rest means the same.
///
/// **Errors.** An [InvalidJsonException] for any fault of the text, however deep, long or damaged
/// it is; an [IllegalStateException] if `jackson-core` is not there.
///
/// Source: `docs/source/format/Integration.rst` of Apache Arrow.
public final class SchemaJson {
    private SchemaJson() {}

    // ---- reading

    /// Reads a schema, by [SchemaLimits#DEFAULT].
    ///
    /// @param json a schema or an integration file
    /// @return the schema
    /// @throws InvalidJsonException if it is neither
    /// @throws IllegalStateException if `jackson-core` is not there
    public static ArrowSchema parse(String json) {
        try {
            return read(new StringReader(json));
        } catch (IOException e) {
            throw new UncheckedIOException(e); // there is no input
        }
    }

    /// Reads a schema, by [SchemaLimits#DEFAULT].
    ///
    /// @param from a schema or an integration file, in UTF-8; it is read to its end and stays open
    /// @return the schema
    /// @throws InvalidJsonException if it is neither
    /// @throws IllegalStateException if `jackson-core` is not there
    /// @throws IOException if reading fails
    public static ArrowSchema read(InputStream from) throws IOException {
        return read(from, SchemaLimits.DEFAULT);
    }

    /// Reads a schema.
    ///
    /// @param from a schema or an integration file, in UTF-8; it is read to its end and stays open
    /// @param limits how much a schema may hold
    /// @return the schema
    /// @throws InvalidJsonException if it is neither
    /// @throws IllegalStateException if `jackson-core` is not there
    /// @throws IOException if reading fails
    public static ArrowSchema read(InputStream from, SchemaLimits limits) throws IOException {
        // A decoder of its own refuses bytes that are no UTF-8.
        return read(new InputStreamReader(from, StandardCharsets.UTF_8.newDecoder()), limits);
    }

    /// Reads a schema, by [SchemaLimits#DEFAULT].
    ///
    /// @param from a schema or an integration file; it is read to its end and stays open
    /// @return the schema
    /// @throws InvalidJsonException if it is neither
    /// @throws IllegalStateException if `jackson-core` is not there
    /// @throws IOException if reading fails
    public static ArrowSchema read(Reader from) throws IOException {
        return read(from, SchemaLimits.DEFAULT);
    }

    /// Reads a schema.
    ///
    /// @param from a schema or an integration file; it is read to its end and stays open
    /// @param limits how much a schema may hold
    /// @return the schema
    /// @throws InvalidJsonException if it is neither
    /// @throws IllegalStateException if `jackson-core` is not there
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
    /// @throws IllegalStateException if `jackson-core` is not there
    public static String text(ArrowSchema schema) {
        StringWriter out = new StringWriter();
        try {
            write(schema, out);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // there is no output
        }
        return out.toString();
    }

    /// Writes a schema as text.
    ///
    /// @param schema any schema
    /// @param to where `{"fields":[…]}` goes, without a line break; it stays open, not flushed
    /// @throws IllegalStateException if `jackson-core` is not there
    /// @throws IOException if writing fails
    public static void write(ArrowSchema schema, Writer to) throws IOException {
        try {
            SchemaWriter.write(schema, to);
        } catch (NoClassDefFoundError e) {
            throw Jackson.missing("integration JSON", e);
        }
    }
}
