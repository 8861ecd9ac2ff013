// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.verify;

import java.util.List;

/// The rules of one kind of tables.
///
/// @param name the table's name
/// @param fields its fields, in the order of their slots
public record TableRules(String name, List<FieldRule> fields) {
    /// Checks that the slots ascend.
    public TableRules {
        fields = List.copyOf(fields);
        for (int i = 1; i < fields.size(); i++) {
            if (fields.get(i - 1).slot() >= fields.get(i).slot()) {
                throw new IllegalArgumentException("slots out of order: table=" + name);
            }
        }
    }

    /// {@return the rules of a table}
    public static TableRules of(String name, FieldRule... fields) {
        return new TableRules(name, List.of(fields));
    }

    /// {@return the fields' sizes in the table in bytes, slot 0 in the lowest byte}
    public long sizes() {
        long sizes = 0;
        for (int i = 0; i < fields.size(); i++) { // an iterator would be an allocation
            final FieldRule field = fields.get(i);
            sizes |= (long) field.inlineBytes() << field.slot() * Byte.SIZE;
        }
        return sizes;
    }
}
