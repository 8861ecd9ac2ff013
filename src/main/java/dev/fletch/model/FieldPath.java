// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.model;

import dev.fletch.wire.Escaper;

import java.io.Serializable;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;

/// The names of the fields that lead to a field: a column's, then those below it.
///
/// A path knows its parent's, and its text is made when it is asked for: names may be long, and
/// there may be many fields below them. Paths never change and may be shared.
public final class FieldPath implements Serializable {
    private static final long serialVersionUID = 1L;

    private static final int SHOWN_CHARS = 240;

    /// Null for a column.
    private final FieldPath parent;

    /// Any text.
    private final String name;

    /// How often the name has come among the siblings, itself included.
    private final int ordinal;

    private FieldPath(FieldPath parent, String name, int ordinal) {
        this.parent = parent;
        this.name = Objects.requireNonNull(name, "name");
        this.ordinal = ordinal;
    }

    /// The path of a column, or of a field by itself.
    ///
    /// @param name its name
    /// @return a path of one name
    public static FieldPath of(String name) {
        return new FieldPath(null, name, 1);
    }

    /// The path of a child.
    ///
    /// @param childName its name
    /// @return this path with one name more
    public FieldPath child(String childName) {
        return new FieldPath(this, childName, 1);
    }

    /// The path of one of several siblings.
    ///
    /// @param parent null for a column
    /// @param ordinal how often its name has come among them, itself included
    static FieldPath of(FieldPath parent, String name, int ordinal) {
        return new FieldPath(parent, name, ordinal);
    }

    /// The same below another field: the first name, which is that field's too, is replaced.
    ///
    /// @param root the path of the field that the first name stands for
    /// @return the path from the column on
    public FieldPath under(FieldPath root) {
        return parent == null ? root : new FieldPath(parent.under(root), name, ordinal);
    }

    /// {@return the path as a person reads it: a name in quotes where it could be mistaken, and cut
    /// where it is long, on one line that can be read}
    public String shown() {
        StringBuilder out = new StringBuilder();
        for (FieldPath each : names()) {
            out.append(each.parent == null ? "" : ".").append(Escaper.shortenedName(each.name));
            if (each.ordinal > 1) {
                out.append('#').append(each.ordinal);
            }
            if (out.length() > SHOWN_CHARS && each != this) {
                return out.append("….").append(Escaper.shortenedName(name)).toString();
            }
        }
        return out.toString();
    }

    private Deque<FieldPath> names() {
        Deque<FieldPath> names = new ArrayDeque<>();
        for (FieldPath each = this; each != null; each = each.parent) {
            names.addFirst(each);
        }
        return names;
    }

    /// Compares the names.
    ///
    /// @param other anything
    /// @return whether `other` is a path of the same names, and of the same siblings among equal ones
    @Override
    public boolean equals(Object other) {
        return other instanceof FieldPath path
                && name.equals(path.name)
                && ordinal == path.ordinal
                && Objects.equals(parent, path.parent);
    }

    /// {@return a hash of the names}
    @Override
    public int hashCode() {
        return 31 * Objects.hash(name, ordinal) + (parent == null ? 0 : parent.hashCode());
    }

    /// {@return the names joined by dots, `#2` and so on behind one that has come before among its
    /// siblings}
    @Override
    public String toString() {
        StringBuilder out = new StringBuilder();
        for (FieldPath each : names()) {
            out.append(each.parent == null ? "" : ".").append(each.name);
            if (each.ordinal > 1) {
                out.append('#').append(each.ordinal);
            }
        }
        return out.toString();
    }
}
