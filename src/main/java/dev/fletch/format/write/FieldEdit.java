// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.format.DictionaryEncoding;
import dev.fletch.format.Field;
import dev.fletch.wire.Wire;

/// Changes to a field, for [FieldListEdit]. What is not named stays as it is in the source.
///
/// It can be used for any number of messages. While it is being changed, it belongs to one thread.
///
/// Source: `format/Schema.fbs`, table `Field`.
public final class FieldEdit {
    /// By slot of the field.
    private final Change[] field = new Change[Wire.SLOTS];

    /// By slot of its dictionary encoding, null to change that like all others.
    private Change[] encoding;

    /// Creates an edit that changes nothing yet.
    public FieldEdit() {}

    /// Gives the field a name.
    ///
    /// @param text the name
    /// @return this
    /// @throws IllegalArgumentException if a surrogate in it is unpaired
    public FieldEdit name(CharSequence text) {
        field[Field.NAME_SLOT] = new Change.Text(KeyValueEdit.utf8(text));
        return this;
    }

    /// Sets whether there may be nulls.
    ///
    /// @param allowed whether there may be
    /// @return this
    public FieldEdit nullable(boolean allowed) {
        field[Field.NULLABLE_SLOT] = new Change.Number(allowed ? 1 : 0);
        return this;
    }

    /// Gives the field's dictionary another id; a field that has none stays without. To renumber
    /// all dictionaries, see [MetadataEdit#dictionaryIds].
    ///
    /// @param id the id
    /// @return this
    public FieldEdit dictionaryId(long id) {
        encoding = new Change[Wire.SLOTS];
        encoding[DictionaryEncoding.ID_SLOT] = new Change.Renumber(_ -> id);
        return this;
    }

    /// Takes the dictionary encoding away, also after [#dictionaryId]: the field then has the
    /// type of the dictionary's values.
    ///
    /// @return this
    public FieldEdit dropDictionary() {
        field[Field.DICTIONARY_SLOT] = new Change.Drop();
        return this;
    }

    /// Changes the field's key/value pairs.
    ///
    /// @param edit what to change; null for nothing
    /// @return this
    public FieldEdit customMetadata(KeyValueEdit edit) {
        field[Field.CUSTOM_METADATA_SLOT] = edit;
        return this;
    }

    /// Sets which children the field has: some of its own, and any others.
    ///
    /// @param list all children; null for those of the source
    /// @return this
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
