// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.format.Field;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/// Which fields a schema or a field is to have, in their order, for [MetadataEdit] and [FieldEdit]:
/// some of the source's own, and any others. What is not listed is left out:
///
/// ```java
/// new FieldListEdit().keep(0, 3).keepFrom(4);                        // drops field 3
/// new FieldListEdit().keep(0, 3).add(other).keepFrom(4);             // replaces it
/// new FieldListEdit().keep(0, 3).add(other).keepFrom(3);             // inserts before it
/// new FieldListEdit().keep(3).keep(0, 3).keepFrom(4);                // moves it to the front
/// new FieldListEdit().keep(0, 3).keep(3, new FieldEdit().name("n")).keepFrom(4);  // renames it
/// ```
///
/// It can be used for any number of messages that have the fields that it keeps; for another one
/// the [MetadataWriter] throws an [IndexOutOfBoundsException]. While it is being changed, it
/// belongs to one thread.
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
        /// Returns the end of the range in a source with that many fields.
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
                                "field to keep is not there: from=%d, to=%d, fields=%d",
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
    /// @param index which one; that the source has it is checked when the edit is applied
    /// @return this
    /// @throws IndexOutOfBoundsException if `index` is negative
    public FieldListEdit keep(int index) {
        return keep(index, null);
    }

    /// Keeps one of the source's fields, changed.
    ///
    /// @param index which one; that the source has it is checked when the edit is applied
    /// @param edit what to change; null for nothing
    /// @return this
    /// @throws IndexOutOfBoundsException if `index` is negative
    public FieldListEdit keep(int index, FieldEdit edit) {
        Objects.checkIndex(index, TO_THE_LAST);
        return append(new Item(index, index + 1, null, edit));
    }

    /// Keeps a range of the source's fields.
    ///
    /// @param from the first one
    /// @param to one more than the last one; that the source has it is checked when the edit is
    ///     applied
    /// @return this
    /// @throws IndexOutOfBoundsException if `from` is negative or above `to`
    public FieldListEdit keep(int from, int to) {
        Objects.checkFromToIndex(from, to, TO_THE_LAST);
        return append(new Item(from, to, null, null));
    }

    /// Keeps the source's fields from one of them to the last; none if the source has no such
    /// field.
    ///
    /// @param from the first one
    /// @return this
    /// @throws IndexOutOfBoundsException if `from` is negative
    public FieldListEdit keepFrom(int from) {
        Objects.checkIndex(from, TO_THE_LAST);
        return append(new Item(from, TO_THE_LAST, null, null));
    }

    /// Adds a field of any message, with its children and its metadata.
    ///
    /// @param field bound to the field, and still bound to it whenever this edit is applied
    /// @return this
    public FieldListEdit add(Field field) {
        return add(field, null);
    }

    /// Adds a field of any message, changed.
    ///
    /// @param field bound to the field, and still bound to it whenever this edit is applied
    /// @param edit what to change; null for nothing
    /// @return this
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
