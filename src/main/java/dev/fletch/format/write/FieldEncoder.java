// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.Field;
import dev.fletch.format.Type;

/// Writes tables of kind [Field]: a column, or a child of one. See [FlatBufferWriter] for errors,
/// lifetime and threads.
///
/// Source: `format/Schema.fbs`, table `Field`.
public final class FieldEncoder {
    private FieldEncoder() {}

    /// Writes a table, its fields in the order of the `createField` that flatc generates.
    ///
    /// @param writer nothing is open
    /// @param name the name, a string; 0 if absent
    /// @param nullable whether there may be nulls
    /// @param typeType which type `type` is, one of [Type]
    /// @param type the type's table, [TypeEncoder#createEmpty] for one without parameters; 0 if
    ///     absent
    /// @param dictionary the dictionary's table, for a field that is dictionary-encoded; 0 if
    ///     absent
    /// @param children vector of the children, each written by this encoder; 0 if absent
    /// @param customMetadata vector of key/value pairs, each written by [KeyValueEncoder]; 0 if
    ///     absent
    /// @return where the table is
    public static int create(
            FlatBufferWriter writer,
            int name,
            boolean nullable,
            int typeType,
            int type,
            int dictionary,
            int children,
            int customMetadata) {
        writer.startTable();
        writer.addOffset(Field.CUSTOM_METADATA_SLOT, customMetadata);
        writer.addOffset(Field.CHILDREN_SLOT, children);
        writer.addOffset(Field.DICTIONARY_SLOT, dictionary);
        writer.addOffset(Field.TYPE_SLOT, type);
        writer.addOffset(Field.NAME_SLOT, name);
        writer.addInt8(Field.TYPE_TYPE_SLOT, typeType, Type.NONE);
        writer.addBoolean(Field.NULLABLE_SLOT, nullable, false);
        return writer.endTable();
    }
}
