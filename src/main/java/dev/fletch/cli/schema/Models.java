// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.schema;

import dev.fletch.FlatBufferFormatException;
import dev.fletch.format.Schema;
import dev.fletch.input.Input;
import dev.fletch.input.InvalidInput;
import dev.fletch.input.SchemaWalk;
import dev.fletch.model.ArrowSchema;
import dev.fletch.model.InvalidSchemaException;
import dev.fletch.model.SchemaLimits;

import java.io.IOException;

/// Schemas of inputs as values, for commands that need a valid one.
public final class Models {
    /// As deep as `fletch schema` goes.
    public static final SchemaLimits LIMITS =
            new SchemaLimits(
                    SchemaWalk.MAX_DEPTH,
                    SchemaLimits.DEFAULT.tables(),
                    SchemaLimits.DEFAULT.textBytes());

    private Models() {}

    /// Reads the schema of an input.
    ///
    /// @throws InvalidInput if it breaks a rule of the Arrow format
    public static ArrowSchema of(Input input) throws IOException {
        Schema schema = input.schema();
        try {
            SchemaWalk.check(schema);
            return ArrowSchema.of(schema, LIMITS);
        } catch (FlatBufferFormatException e) {
            throw new InvalidInput(input.frame().inputOffset(e.offset()), e.getMessage());
        } catch (InvalidSchemaException e) {
            if (e.offset() < 0) {
                throw new InvalidInput(input.metadataOffset(), e.getMessage());
            }
            // The line starts with the offset; once is enough.
            String reason = e.getMessage().replace("offset=" + e.offset() + ", ", "");
            throw new InvalidInput(input.frame().inputOffset(e.offset()), reason);
        }
    }
}
