// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

import dev.fletch.FlatBufferFormatException;
import dev.fletch.format.KnownSchema;
import dev.fletch.format.Schema;
import dev.fletch.model.ArrowSchema;
import dev.fletch.model.InvalidSchemaException;
import dev.fletch.model.SchemaLimits;

import java.io.IOException;

/// Valid schemas of inputs as immutable values.
public final class Models {
    /// Same depth as `fletch schema`.
    public static final SchemaLimits LIMITS =
            new SchemaLimits(
                    SchemaWalk.MAX_DEPTH,
                    SchemaLimits.DEFAULT.tables(),
                    SchemaLimits.DEFAULT.textBytes());

    private Models() {}

    /// Reads the schema of an input.
    ///
    /// @throws InvalidInput if the schema breaks a rule of the Arrow format
    public static ArrowSchema of(Input input) throws IOException {
        return of(input, input.schema());
    }

    /// Reads the schema of an input.
    ///
    /// @param schema that of the footer or of the current message
    /// @throws InvalidInput if the schema breaks a rule of the Arrow format
    public static ArrowSchema of(Input input, Schema schema) {
        KnownSchema known = input.knownSchema();
        try {
            SchemaWalk.check(schema);
            return known == null
                    ? ArrowSchema.of(schema, LIMITS)
                    : ArrowSchema.of(known, schema, LIMITS);
        } catch (FlatBufferFormatException e) {
            throw new InvalidInput(input.frame().inputOffset(e.offset()), e.getMessage());
        } catch (InvalidSchemaException e) {
            if (e.offset() < 0) {
                throw new InvalidInput(input.metadataOffset(), e.getMessage());
            }
            // The line starts with the offset already.
            String reason = e.getMessage().replace("offset=" + e.offset() + ", ", "");
            throw new InvalidInput(input.frame().inputOffset(e.offset()), reason);
        }
    }
}
