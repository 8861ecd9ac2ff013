// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.Field;
import dev.fletch.format.Type;

/// Writes tables of kind [Field]: a column, or a child of one.
///
/// To add the fields in another order than that of [#create], start the table with
/// [FlatBufferWriter#startTable()], add them one by one, and end it with
/// [FlatBufferWriter#endTable()].
///
/// Errors, lifetime and threads: those of the [FlatBufferWriter].
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
    /// @param type the type's table, [EmptyTypeEncoder] for one without parameters; 0 if absent
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
        addCustomMetadata(writer, customMetadata);
        addChildren(writer, children);
        addDictionary(writer, dictionary);
        addType(writer, type);
        addName(writer, name);
        addTypeType(writer, typeType);
        addNullable(writer, nullable);
        return writer.endTable();
    }

    /// Adds `name`.
    ///
    /// @param writer a table is open
    /// @param name the name, a string; 0 if absent
    public static void addName(FlatBufferWriter writer, int name) {
        writer.addOffset(Field.NAME_SLOT, name);
    }

    /// Adds `nullable`, unless it is the default.
    ///
    /// @param writer a table is open
    /// @param nullable whether there may be nulls
    public static void addNullable(FlatBufferWriter writer, boolean nullable) {
        writer.addBoolean(Field.NULLABLE_SLOT, nullable, Field.NULLABLE_DEFAULT != 0);
    }

    /// Adds `type_type`, unless it is the default.
    ///
    /// @param writer a table is open
    /// @param typeType which type `type` is, one of [Type]
    public static void addTypeType(FlatBufferWriter writer, int typeType) {
        writer.addInt8(Field.TYPE_TYPE_SLOT, typeType, Field.TYPE_TYPE_DEFAULT);
    }

    /// Adds `type`.
    ///
    /// @param writer a table is open
    /// @param type the type's table, [EmptyTypeEncoder] for one without parameters; 0 if absent
    public static void addType(FlatBufferWriter writer, int type) {
        writer.addOffset(Field.TYPE_SLOT, type);
    }

    /// Adds `dictionary`.
    ///
    /// @param writer a table is open
    /// @param dictionary the dictionary's table, for a field that is dictionary-encoded; 0 if
    ///     absent
    public static void addDictionary(FlatBufferWriter writer, int dictionary) {
        writer.addOffset(Field.DICTIONARY_SLOT, dictionary);
    }

    /// Adds `children`.
    ///
    /// @param writer a table is open
    /// @param children vector of the children, each written by this encoder; 0 if absent
    public static void addChildren(FlatBufferWriter writer, int children) {
        writer.addOffset(Field.CHILDREN_SLOT, children);
    }

    /// Adds `custom_metadata`.
    ///
    /// @param writer a table is open
    /// @param customMetadata vector of key/value pairs, each written by [KeyValueEncoder]; 0 if
    ///     absent
    public static void addCustomMetadata(FlatBufferWriter writer, int customMetadata) {
        writer.addOffset(Field.CUSTOM_METADATA_SLOT, customMetadata);
    }
}
