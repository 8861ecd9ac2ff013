// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

/// Changes to a field, for [FieldListEdit]. What is not named stays as it is in the source.
///
/// It can be used for any number of messages. While it is being changed, it belongs to one thread.
///
/// Source: `format/Schema.fbs`, table `Field`.
public final class FieldEdit {
    private static final int AS_IT_IS = -1;

    private byte[] name;
    private int nullable = AS_IT_IS;
    private boolean dropsDictionary;
    private boolean changesDictionaryId;
    private long dictionaryId;
    private KeyValueEdit customMetadata;
    private FieldListEdit children;

    /// Creates an edit that changes nothing yet.
    public FieldEdit() {}

    /// Gives the field a name.
    ///
    /// @param text the name
    /// @return this
    /// @throws IllegalArgumentException if a surrogate in it is unpaired
    public FieldEdit name(CharSequence text) {
        name = KeyValueEdit.utf8(text);
        return this;
    }

    /// Sets whether there may be nulls.
    ///
    /// @param allowed whether there may be
    /// @return this
    public FieldEdit nullable(boolean allowed) {
        nullable = allowed ? 1 : 0;
        return this;
    }

    /// Gives the field's dictionary another id; a field that has none stays without. To renumber all
    /// dictionaries, see [MetadataEdit#dictionaryIds].
    ///
    /// @param id the id
    /// @return this
    public FieldEdit dictionaryId(long id) {
        dictionaryId = id;
        changesDictionaryId = true;
        return this;
    }

    /// Takes the dictionary encoding away, whatever [#dictionaryId] says: the field then has the type
    /// of the dictionary's values.
    ///
    /// @return this
    public FieldEdit dropDictionary() {
        dropsDictionary = true;
        return this;
    }

    /// Changes the field's key/value pairs.
    ///
    /// @param edit what to change; null for nothing
    /// @return this
    public FieldEdit customMetadata(KeyValueEdit edit) {
        customMetadata = edit;
        return this;
    }

    /// Sets which children the field has: some of its own, and any others.
    ///
    /// @param list all children; null for those of the source
    /// @return this
    public FieldEdit children(FieldListEdit list) {
        children = list;
        return this;
    }

    /// The name in UTF-8, null to keep the source's.
    byte[] name() {
        return name;
    }

    boolean changesNullable() {
        return nullable != AS_IT_IS;
    }

    boolean nullable() {
        return nullable == 1;
    }

    boolean dropsDictionary() {
        return dropsDictionary;
    }

    boolean changesDictionaryId() {
        return changesDictionaryId;
    }

    long dictionaryId() {
        return dictionaryId;
    }

    /// Null to keep the source's.
    KeyValueEdit customMetadata() {
        return customMetadata;
    }

    /// Null to keep the source's.
    FieldListEdit children() {
        return children;
    }
}
