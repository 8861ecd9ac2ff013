// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema.internal;

import dev.fletch.Fault;
import dev.fletch.format.Field;
import dev.fletch.format.Schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// Selects fields of a schema that [dev.fletch.format.internal.SchemaSize] accepts: FlatBuffers may
/// share tables, so a few hundred bytes may expand to an exponential number of fields.
public final class FieldSelection {
    private static final Pattern STEP = Pattern.compile("(?:fields|children)\\[(\\d+)\\](?:\\.|$)");

    private FieldSelection() {}

    /// {@return all columns, or the fields with a path. Names may repeat and may contain dots, so a
    /// path may match several fields, or none}
    ///
    /// @param path names joined by dots; null for all columns
    public static List<Field> of(Schema schema, String path) {
        List<Field> selected = new ArrayList<>();
        for (int i = 0; i < schema.fieldsCount(); i++) {
            select(schema.fields(i, new Field()), path, selected);
        }
        return selected;
    }

    private static void select(Field field, String path, List<Field> selected) {
        String name = orEmpty(field.nameString());
        if (path == null || path.equals(name)) {
            selected.add(field);
        }
        if (path != null && path.startsWith(name) && path.startsWith(".", name.length())) {
            String rest = path.substring(name.length() + 1);
            for (int i = 0; i < field.childrenCount(); i++) {
                select(field.children(i, new Field()), rest, selected);
            }
        }
    }

    /// {@return the names from the column down to the field that a fault's path leads to, empty
    /// where they are absent; none if it leads to no field}
    ///
    /// @param path such as `header.schema.fields[2].type`
    public static List<String> names(String path, Schema schema) {
        Field field = new Field();
        List<String> names = new ArrayList<>();
        for (MatchResult each : STEP.matcher(path).results().toList()) {
            int index = Integer.parseInt(each.group(1));
            Field next = new Field();
            field = names.isEmpty() ? schema.fields(index, next) : field.children(index, next);
            names.add(orEmpty(field.nameString()));
        }
        return names;
    }

    /// {@return the details of a fault, with the name of its field in place of `value`}
    public static String details(Fault fault) {
        String leaf = fault.path().substring(fault.path().lastIndexOf('.') + 1);
        boolean isNamed = !leaf.isEmpty() && !leaf.endsWith("]");
        return isNamed && fault.details().equals("value=" + fault.value())
                ? leaf + "=" + fault.value()
                : fault.details();
    }

    /// Returns an empty text for an absent one, as the format defines.
    public static String orEmpty(String text) {
        return Objects.requireNonNullElse(text, "");
    }
}
