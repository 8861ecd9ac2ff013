// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

import dev.fletch.Checks;
import dev.fletch.Fault;
import dev.fletch.Rule.Severity;
import dev.fletch.format.Schema;
import dev.fletch.schema.FieldPath;
import dev.fletch.schema.internal.FieldSelection;
import dev.fletch.verify.messages.SemanticVerifier;

import java.util.ArrayList;
import java.util.List;

/// The errors of an input's schema, at their offsets and with the names of the fields.
public final class SchemaErrors {
    private SchemaErrors() {}

    /// The first error of the schema that [Input#schema] has bound, or of the message or footer that
    /// has it, as verifying finds them; its text names more. Null if there is none.
    public static Fault fault(Input input, Schema schema) {
        List<Fault> errors = new ArrayList<>();
        long[] count = {0};
        SemanticVerifier verifier =
                new SemanticVerifier(
                        Checks.DEFAULT.withLimits(input.limits()),
                        each -> {
                            boolean isError = each.rule().severity() == Severity.ERROR;
                            if (isError && count[0]++ <= InputDamage.MOST_NAMED) {
                                errors.add(placed(each, input, schema));
                            }
                        });
        input.verifySchema(verifier);
        return count[0] == 0
                ? null
                : errors.getFirst()
                        .followedBy(InputDamage.also(errors, 1, count[0], "more errors"));
    }

    /// An error of a schema at its offset in the input, with the name of the field.
    public static Fault placed(Fault error, Input input, Schema schema) {
        FieldPath path = null;
        for (String name : FieldSelection.names(error.path(), schema)) {
            path = path == null ? FieldPath.of(name) : path.child(name);
        }
        return input.placed(
                path == null
                        ? error
                        : error.because(
                                "field=" + path.shown() + ", " + FieldSelection.details(error)));
    }
}
