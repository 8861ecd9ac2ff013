// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import dev.fletch.format.ids.Type;
import dev.fletch.ipc.Frames;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.FbsValueWriter;
import dev.fletch.testdata.RandomTables;
import dev.fletch.verify.messages.Meant;

import java.util.Arrays;

/// Schemas that no real writer writes, as values.
public final class SchemaTables {
    private SchemaTables() {}

    /// A table with fields by their `.fbs` names: a name, a value, and so on. A value is a string,
    /// a number, a list of these, or a table.
    public static FbsValue.Table table(String table, Object... namesAndValues) {
        return Meant.table(table, namesAndValues);
    }

    public static FbsValue.Table schema(FbsValue.Table... fields) {
        return table("Schema", "fields", Arrays.asList(fields));
    }

    /// The numbers of a struct.
    public static FbsValue.Struct struct(long... numbers) {
        return new FbsValue.Struct(Arrays.stream(numbers).boxed().toList());
    }

    /// A flatbuffer whose root is a table.
    public static byte[] bytes(FbsValue.Table root) {
        return FbsValueWriter.write(RandomTables.ARROW, root, 0);
    }

    /// A nullable column of text.
    public static FbsValue.Table utf8(String name) {
        return field(name, Type.UTF8, table("Utf8"));
    }

    public static FbsValue.Table struct(String name, FbsValue.Table... children) {
        return Meant.with(Meant.struct(children), "name", name);
    }

    public static FbsValue.Table field(String name, int typeId, FbsValue.Table type) {
        return table("Field", "name", name, "nullable", 1, "type_type", typeId, "type", type);
    }

    /// A stream of the schema alone.
    public static byte[] stream(FbsValue.Table schema) {
        return Frames.schemaStream(schema, 0);
    }
}
