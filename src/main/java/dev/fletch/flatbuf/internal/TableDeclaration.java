// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.internal;

import java.util.List;

/// A table as `format/*.fbs` declares it.
///
/// @param name the table's name
/// @param fields its fields, in the order of their slots
public record TableDeclaration(String name, List<FieldDeclaration> fields) {
    /// {@return the declaration of a table}
    public static TableDeclaration of(String name, FieldDeclaration... fields) {
        return new TableDeclaration(name, List.of(fields));
    }

    /// {@return a field}
    ///
    /// @throws java.util.NoSuchElementException if there is none with the name
    public FieldDeclaration field(String fieldName) {
        return fields.stream()
                .filter(each -> each.name().equals(fieldName))
                .findFirst()
                .orElseThrow();
    }

    /// {@return the fields' sizes in the table in bytes, slot 0 in the lowest byte}
    public long sizes() {
        long sizes = 0;
        for (int i = 0; i < fields.size(); i++) { // an iterator would be an allocation
            FieldDeclaration field = fields.get(i);
            sizes |= (long) field.inlineBytes() << field.slot() * Byte.SIZE;
        }
        return sizes;
    }
}
