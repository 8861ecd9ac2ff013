// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import com.google.flatbuffers.FlatBufferBuilder;

import dev.fletch.testdata.GeneratedTables;

import org.apache.arrow.flatbuf.Field;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.Schema;
import org.apache.arrow.flatbuf.Type;

/// Schema messages that are well-formed, and meant to hurt.
public final class Hostile {
    private Hostile() {}

    /// A schema without a vector of fields.
    static byte[] emptySchema() {
        FlatBufferBuilder builder = new FlatBufferBuilder();
        Schema.startSchema(builder);
        return message(builder, Schema.endSchema(builder));
    }

    /// One column whose children are one table twice, whose children are one table twice, and so
    /// on.
    ///
    /// @param encoded whether the column is encoded by a dictionary
    public static byte[] doubling(int levels, boolean encoded) {
        FlatBufferBuilder builder = new FlatBufferBuilder();
        int name = builder.createString("x");
        int field = GeneratedTables.field(builder, name, true, Type.Struct_, 0, 0, 0, 0);
        for (int i = 1; i <= levels; i++) {
            int children = Field.createChildrenVector(builder, new int[] {field, field});
            int encoding =
                    encoded && i == levels
                            ? GeneratedTables.dictionaryEncoding(builder, 5, 0, false, (short) 0)
                            : 0;
            field =
                    GeneratedTables.field(
                            builder, name, true, Type.Struct_, 0, encoding, children, 0);
        }
        int fields = Schema.createFieldsVector(builder, new int[] {field});
        return message(builder, GeneratedTables.schema(builder, (short) 0, fields, 0, 0));
    }

    private static byte[] message(FlatBufferBuilder builder, int schema) {
        builder.finish(GeneratedTables.message(builder, MessageHeader.Schema, schema, 0));
        return builder.sizedByteArray();
    }
}
