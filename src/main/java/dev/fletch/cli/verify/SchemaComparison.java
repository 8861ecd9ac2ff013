// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.verify;

import dev.fletch.format.Schema;
import dev.fletch.input.Models;
import dev.fletch.model.ArrowSchema;
import dev.fletch.model.InvalidSchemaException;
import dev.fletch.model.SchemaChange;

/// Compares the schema message of a file with the schema in its footer.
final class SchemaComparison {
    private SchemaComparison() {}

    /// Adds a finding for each difference. Does not compare two schemas that are both invalid or too
    /// large: other findings report that.
    ///
    /// @param index of the schema message
    static void run(Schema ofFooter, Schema ofMessage, int index, Findings findings) {
        ArrowSchema footer = model(ofFooter);
        ArrowSchema message = model(ofMessage);
        if (footer == null || message == null) {
            if (footer != message) {
                String readable = footer == null ? "message" : "footer";
                add("only the schema of the " + readable + " is valid", ofMessage, index, findings);
            }
            return;
        }
        for (SchemaChange each : footer.diff(message)) {
            add(each.toString(), ofMessage, index, findings);
        }
    }

    private static ArrowSchema model(Schema schema) {
        try {
            return ArrowSchema.of(schema, Models.LIMITS);
        } catch (InvalidSchemaException _) {
            return null;
        }
    }

    private static void add(String text, Schema ofMessage, int index, Findings findings) {
        findings.add(InputRules.SCHEMA_DIFFERS, index, null, ofMessage.position(), text);
    }
}
