// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema;

import dev.fletch.wire.Escaper;

import java.io.Serializable;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.function.UnaryOperator;

/// The names of the fields from a column down to a field.
///
/// A path refers to its parent's path and creates its text on demand: names may be long, and many
/// fields may be below them.
///
/// @param parent null for a column, or for a standalone field
/// @param name the field's name, any text
/// @param ordinal number of siblings with this name, up to and including the field; from 1
public record FieldPath(FieldPath parent, String name, int ordinal) implements Serializable {
    private static final int SHOWN_CHARS = 240;

    /// Checks the name.
    public FieldPath {
        Objects.requireNonNull(name, "name");
    }

    /// {@return the path of a column, or of a standalone field}
    public static FieldPath of(String name) {
        return new FieldPath(null, name, 1);
    }

    /// {@return the path of a child}
    public FieldPath child(String childName) {
        return new FieldPath(this, childName, 1);
    }

    /// {@return this path with its first name replaced by a path}
    ///
    /// @param root the path of the field with the first name
    FieldPath under(FieldPath root) {
        return parent == null ? root : new FieldPath(parent.under(root), name, ordinal);
    }

    /// {@return the path on one line for messages: special names quoted, long ones shortened}
    public String shown() {
        return text(Escaper::shortenedName, SHOWN_CHARS);
    }

    /// {@return the names joined by dots, with `#2` and so on after a repeated sibling's name}
    @Override
    public String toString() {
        return text(name -> name, Integer.MAX_VALUE);
    }

    /// @param maxChars if the text exceeds this length, only the last name follows
    private String text(UnaryOperator<String> form, int maxChars) {
        Deque<FieldPath> fields = new ArrayDeque<>();
        for (FieldPath each = this; each != null; each = each.parent) {
            fields.addFirst(each);
        }
        StringBuilder out = new StringBuilder();
        for (FieldPath each : fields) {
            out.append(each.parent == null ? "" : ".").append(form.apply(each.name));
            if (each.ordinal > 1) {
                out.append('#').append(each.ordinal);
            }
            if (out.length() > maxChars && each != this) {
                return out.append("….").append(form.apply(name)).toString();
            }
        }
        return out.toString();
    }
}
