// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema.internal;

import dev.fletch.format.Field;
import dev.fletch.format.Schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// The names of the fields that a fault's path leads through.
public final class FieldNames {
    private static final Pattern FIELD =
            Pattern.compile("(?:fields|children)\\[(\\d+)\\](?:\\.|$)");

    private FieldNames() {}

    /// {@return the names from the column down to the field, empty where they are absent; none if
    /// the path leads to no field}
    ///
    /// @param path such as `header.schema.fields[2].type`
    public static List<String> of(String path, Schema schema) {
        Field field = new Field();
        List<String> names = new ArrayList<>();
        for (MatchResult each : FIELD.matcher(path).results().toList()) {
            int index = Integer.parseInt(each.group(1));
            Field next = new Field();
            field = names.isEmpty() ? schema.fields(index, next) : field.children(index, next);
            names.add(Objects.requireNonNullElse(field.nameString(), ""));
        }
        return names;
    }
}
