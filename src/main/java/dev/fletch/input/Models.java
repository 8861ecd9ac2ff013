// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

import dev.fletch.Fault;
import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.MeaningRule;
import dev.fletch.format.KnownSchema;
import dev.fletch.format.Schema;
import dev.fletch.format.Verifier;
import dev.fletch.format.write.CustomMetadata;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.schema.InvalidSchemaException;
import dev.fletch.schema.Metadata;
import dev.fletch.schema.SchemaJson;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Valid schemas of inputs as immutable values.
public final class Models {
    private Models() {}

    /// Reads the schema of an input.
    ///
    /// @throws FletchException if the schema breaks a rule of the Arrow format: see
    ///     [InputFaults#of]
    public static ArrowSchema of(Input input) throws IOException {
        return of(input, input.schema());
    }

    /// Reads the schema of an input to show or compare it: see [ArrowSchema#escaping].
    ///
    /// @throws FletchException if the schema breaks another rule of the Arrow format
    public static ArrowSchema shown(Input input) throws IOException {
        return shown(input, input.schema());
    }

    /// [#shown(Input)] for the schema that [Input#schema] has returned.
    public static ArrowSchema shown(Input input, Schema schema) {
        try {
            return of(input, schema);
        } catch (InvalidSchemaException _) {
            return ArrowSchema.escaping(schema, input.limits());
        }
    }

    /// Reads integration JSON to write its schema.
    ///
    /// @throws FletchException if the JSON is wrong, or its schema one that readers refuse, such as
    ///     for its depth
    public static ArrowSchema ofJson(InputStream json) throws IOException {
        ArrowSchema schema = SchemaJson.read(json, Limits.DEFAULT);
        MemorySegment message = schema.toMessage(EmissionOrder.ARROW_CPP, MeaningRule.values());
        Verifier reader = new Verifier();
        if (!reader.verify(Verifier.Root.MESSAGE, message)) {
            Fault found = reader.fault();
            throw FletchException.of(found.rule(), "value=" + found.value());
        }
        return schema;
    }

    /// Reads a schema to compare it.
    ///
    /// @return null if the schema breaks a rule of the Arrow format, or is too large
    public static ArrowSchema orNull(Schema schema, Limits limits) {
        try {
            return ArrowSchema.escaping(schema, limits);
        } catch (FletchException _) {
            return null;
        }
    }

    /// Custom metadata of a message or footer as that of a schema without fields, to compare it.
    /// Text that is not UTF-8 is taken for ISO 8859-1, so that other bytes are other text.
    public static ArrowSchema metadata(CustomMetadata pairs) {
        String[] keysAndValues = new String[2 * pairs.count()];
        for (int i = 0; i < pairs.count(); i++) {
            keysAndValues[2 * i] = text(pairs.key(i));
            keysAndValues[2 * i + 1] = text(pairs.value(i));
        }
        return ArrowSchema.of().withMetadata(Metadata.of(keysAndValues));
    }

    private static String text(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        return Arrays.equals(text.getBytes(StandardCharsets.UTF_8), bytes)
                ? text
                : new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /// [#of(Input)] for the schema of the footer or of the current message.
    public static ArrowSchema of(Input input, Schema schema) {
        KnownSchema known = input.knownSchema();
        return known == null
                ? ArrowSchema.of(schema, input.limits())
                : ArrowSchema.of(known, schema, input.limits());
    }
}
