// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.format.DictionaryEncoding;
import dev.fletch.format.Field;
import dev.fletch.wire.Wire;

/// Changes to a field, for [FieldListEdit]. Everything else stays as in the source.
///
/// An edit can be applied to any number of messages. It belongs to one thread while it is modified.
/// Methods that return an edit return this.
///
/// Source: `format/Schema.fbs`, table `Field`.
public final class FieldEdit {
    /// By slot of the field.
    private final Change[] field = new Change[Wire.SLOTS];

    /// By slot of its dictionary encoding; null to change the encoding like all others.
    private Change[] encoding;

    /// Creates an edit that changes nothing yet.
    public FieldEdit() {}

    /// Sets the field's name.
    ///
    /// @param text the new name
    /// @throws IllegalArgumentException if a surrogate in `text` is unpaired
    public FieldEdit name(CharSequence text) {
        field[Field.NAME_SLOT] = new Change.Text(KeyValueEdit.utf8(text));
        return this;
    }

    /// Sets whether values may be null.
    ///
    /// @param allowed whether values may be null
    public FieldEdit nullable(boolean allowed) {
        field[Field.NULLABLE_SLOT] = new Change.Number(allowed ? 1 : 0);
        return this;
    }

    /// Sets the id of the field's dictionary; has no effect on a field without dictionary encoding.
    /// To renumber all dictionaries, see [MetadataEdit#dictionaryIds].
    ///
    /// @param id the new id
    public FieldEdit dictionaryId(long id) {
        encoding = new Change[Wire.SLOTS];
        encoding[DictionaryEncoding.ID_SLOT] = new Change.Renumber(_ -> id);
        return this;
    }

    /// Removes the dictionary encoding, even after [#dictionaryId]: the field then has the type of
    /// the dictionary's values.
    public FieldEdit dropDictionary() {
        field[Field.DICTIONARY_SLOT] = new Change.Drop();
        return this;
    }

    /// Changes the field's key/value pairs.
    ///
    /// @param edit the changes; null for none
    public FieldEdit customMetadata(KeyValueEdit edit) {
        field[Field.CUSTOM_METADATA_SLOT] = edit;
        return this;
    }

    /// Sets the children of the field: children of the source, and other fields.
    ///
    /// @param list all children; null to keep those of the source
    public FieldEdit children(FieldListEdit list) {
        field[Field.CHILDREN_SLOT] = list;
        return this;
    }

    Change[] field() {
        return field;
    }

    Change[] encoding() {
        return encoding;
    }
}
