// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.format.Field;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/// The fields that a schema or field will have, in order, for [MetadataEdit] and [FieldEdit]:
/// fields of the source, and other fields. Fields that are not listed are omitted:
///
/// ```java
/// new FieldListEdit().keep(0, 3).keepFrom(4);                        // drops field 3
/// new FieldListEdit().keep(0, 3).add(other).keepFrom(4);             // replaces it
/// new FieldListEdit().keep(0, 3).add(other).keepFrom(3);             // inserts before it
/// new FieldListEdit().keep(3).keep(0, 3).keepFrom(4);                // moves it to the front
/// new FieldListEdit().keep(0, 3).keep(3, new FieldEdit().name("n")).keepFrom(4);  // renames it
/// ```
///
/// An edit can be applied to any number of messages that have the fields it keeps; for other
/// messages, the [MetadataWriter] throws an [IndexOutOfBoundsException]. It belongs to one thread
/// while it is modified.
/// Methods that return an edit return this.
///
/// Source: `format/Schema.fbs`, the vectors `Schema.fields` and `Field.children`.
public final class FieldListEdit implements Change {
    private static final int TO_THE_LAST = Integer.MAX_VALUE;

    private final List<Item> items = new ArrayList<>();

    /// A range of the source's fields, or another field.
    ///
    /// @param field null for a range
    /// @param edit null for none
    record Item(int from, int to, Field field, FieldEdit edit) {
        /// Returns the end of the range in a source with `available` fields.
        int end(int available) {
            if (field != null) {
                return to;
            }
            if (to == TO_THE_LAST) {
                return available;
            }
            if (to > available) {
                throw new IndexOutOfBoundsException(
                        String.format(
                                Locale.ROOT,
                                "kept fields out of range: from=%d, to=%d, fields=%d",
                                from,
                                to,
                                available));
            }
            return to;
        }
    }

    /// Creates a list without fields.
    public FieldListEdit() {}

    /// Keeps one of the source's fields.
    ///
    /// @param index of the field; checked against the source when the edit is applied
    /// @throws IndexOutOfBoundsException if `index` is negative
    public FieldListEdit keep(int index) {
        return keep(index, null);
    }

    /// Keeps one of the source's fields, with changes.
    ///
    /// @param index of the field; checked against the source when the edit is applied
    /// @param edit the changes; null for none
    /// @throws IndexOutOfBoundsException if `index` is negative
    public FieldListEdit keep(int index, FieldEdit edit) {
        Objects.checkIndex(index, TO_THE_LAST);
        return append(new Item(index, index + 1, null, edit));
    }

    /// Keeps a range of the source's fields.
    ///
    /// @param from index of the first one
    /// @param to index after the last one; checked against the source when the edit is applied
    /// @throws IndexOutOfBoundsException if `from` is negative or above `to`
    public FieldListEdit keep(int from, int to) {
        Objects.checkFromToIndex(from, to, TO_THE_LAST);
        return append(new Item(from, to, null, null));
    }

    /// Keeps the source's fields from an index to the last field; none if the index is too large.
    ///
    /// @param from index of the first one
    /// @throws IndexOutOfBoundsException if `from` is negative
    public FieldListEdit keepFrom(int from) {
        Objects.checkIndex(from, TO_THE_LAST);
        return append(new Item(from, TO_THE_LAST, null, null));
    }

    /// Adds a field of any message, with its children and its metadata.
    ///
    /// @param field bound to the field; must stay bound to it until the edit is applied
    public FieldListEdit add(Field field) {
        return add(field, null);
    }

    /// Adds a field of any message, with changes.
    ///
    /// @param field bound to the field; must stay bound to it until the edit is applied
    /// @param edit the changes; null for none
    public FieldListEdit add(Field field, FieldEdit edit) {
        return append(new Item(0, 1, Objects.requireNonNull(field, "field"), edit));
    }

    private FieldListEdit append(Item item) {
        items.add(item);
        return this;
    }

    int count() {
        return items.size();
    }

    Item item(int index) {
        return items.get(index);
    }
}
