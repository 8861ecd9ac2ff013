// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

import dev.fletch.Checks;
import dev.fletch.Fault;
import dev.fletch.Rule.Severity;
import dev.fletch.format.Field;
import dev.fletch.format.Schema;
import dev.fletch.schema.FieldPath;
import dev.fletch.verify.messages.SemanticVerifier;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The errors of an input's schema, at their offsets and with the names of the fields.
public final class SchemaErrors {
    private static final Pattern FIELD =
            Pattern.compile("(?:fields|children)\\[(\\d+)\\](?:\\.|$)");

    private SchemaErrors() {}

    /// The first error of the schema that [Input#schema] has bound, or of the message or footer that
    /// has it, as verifying finds them; its text names more. Null if there is none.
    public static Fault fault(Input input, Schema schema) {
        List<Fault> errors = new ArrayList<>();
        long count = find(input, schema, 1 + InputDamage.MOST_NAMED, errors);
        return count == 0
                ? null
                : errors.getFirst().followedBy(InputDamage.also(errors, 1, count, "more errors"));
    }

    /// The first error of a schema, without the text of others; null if there is none.
    static Fault first(Input input, Schema schema) {
        List<Fault> errors = new ArrayList<>();
        return find(input, schema, 1, errors) == 0 ? null : errors.getFirst();
    }

    /// Finds the errors of a schema.
    ///
    /// @param limit how many to add to the list
    /// @return their number
    private static long find(Input input, Schema schema, int limit, List<Fault> errors) {
        long[] count = {0};
        SemanticVerifier verifier =
                new SemanticVerifier(
                        Checks.DEFAULT.withLimits(input.limits()),
                        each -> {
                            boolean isError = each.rule().severity() == Severity.ERROR;
                            if (isError && count[0]++ < limit) {
                                errors.add(placed(each, input, schema));
                            }
                        });
        input.verifySchema(verifier);
        return count[0];
    }

    /// An error of a schema at its offset in the input, with the name of the field.
    public static Fault placed(Fault error, Input input, Schema schema) {
        String field = field(error.path(), schema);
        String leaf = error.path().substring(error.path().lastIndexOf('.') + 1);
        boolean isNamed = !field.isEmpty() && !leaf.isEmpty() && !leaf.endsWith("]");
        boolean isPlain = error.details().equals("value=" + error.value());
        String details = isNamed && isPlain ? leaf + "=" + error.value() : error.details();
        return input.placed(error.because(field + details));
    }

    /// The field of a path such as `header.schema.fields[2].type`, for a text; empty if it leads to
    /// none.
    private static String field(String path, Schema schema) {
        Field field = new Field();
        FieldPath names = null;
        Matcher steps = FIELD.matcher(path);
        for (MatchResult each : steps.results().toList()) {
            int index = Integer.parseInt(each.group(1));
            Field next = new Field();
            next = names == null ? schema.fields(index, next) : field.children(index, next);
            String name = next.nameString() == null ? "" : next.nameString();
            names = names == null ? FieldPath.of(name) : names.child(name);
            field = next;
        }
        return names == null ? "" : "field=" + names.shown() + ", ";
    }
}
