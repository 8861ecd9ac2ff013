// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify.messages;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.format.Message;
import dev.fletch.format.Verifier;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.ids.Type;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.FbsValueWriter;
import dev.fletch.testdata.RandomTables;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// Metadata put together by hand, and what a verification of its meaning finds in it.
public final class Meant {
    static final int V5_VALUE = 4;

    public static final FbsValue.Table INT8 = integer("int8", 8);
    public static final FbsValue.Table INT32 = integer("int32", 32);
    public static final FbsValue.Table UTF8 = field("utf8", Type.UTF8, table("Utf8"));
    public static final FbsValue.Table VIEW = field("view", Type.UTF8_VIEW, table("Utf8View"));

    private Meant() {}

    // ---- values

    /// A table with fields by their `.fbs` names: a name, a value, and so on.
    public static FbsValue.Table table(String table, Object... namesAndValues) {
        return with(new FbsValue.Table(table, new TreeMap<>()), namesAndValues);
    }

    /// The same with other fields; null for one that it shall not have.
    public static FbsValue.Table with(FbsValue.Table table, Object... namesAndValues) {
        SortedMap<String, FbsValue> fields = new TreeMap<>(table.fields());
        for (int i = 0; i < namesAndValues.length; i += 2) {
            fields.remove((String) namesAndValues[i]);
            if (namesAndValues[i + 1] != null) {
                fields.put((String) namesAndValues[i], value(namesAndValues[i + 1]));
            }
        }
        return new FbsValue.Table(table.name(), fields);
    }

    private static FbsValue value(Object value) {
        return switch (value) {
            case FbsValue done -> done;
            case String text -> new FbsValue.Text(text);
            case Number number -> new FbsValue.Number(number.longValue());
            case List<?> list -> new FbsValue.Vector(list.stream().map(Meant::value).toList());
            case long[] numbers -> new FbsValue.Struct(Arrays.stream(numbers).boxed().toList());
            default -> throw new IllegalArgumentException("no value: " + value);
        };
    }

    public static FbsValue.Table field(
            String name, int type, FbsValue.Table typeTable, FbsValue.Table... children) {
        return table(
                "Field",
                "name",
                name,
                "nullable",
                1,
                "type_type",
                type,
                "type",
                typeTable,
                "children",
                Arrays.asList(children));
    }

    public static FbsValue.Table integer(String name, int bits) {
        return field(name, Type.INT, table("Int", "bitWidth", bits, "is_signed", 1));
    }

    public static FbsValue.Table struct(FbsValue.Table... children) {
        return field("struct", Type.STRUCT_, table("Struct_"), children);
    }

    public static FbsValue.Table struct(String name, FbsValue.Table... children) {
        return with(struct(children), "name", name);
    }

    /// A struct whose children are one table twice, whose children are one table twice, and so on.
    public static FbsValue.Table doubled(int levels) {
        FbsValue.Table field = struct();
        for (int i = 0; i < levels; i++) {
            field = struct(field, field);
        }
        return field;
    }

    /// A nullable column of text.
    public static FbsValue.Table utf8(String name) {
        return with(UTF8, "name", name);
    }

    public static FbsValue.Table required(FbsValue.Table field) {
        return with(field, "nullable", 0);
    }

    public static FbsValue.Table encoded(FbsValue.Table values, long id) {
        FbsValue.Table index = table("Int", "bitWidth", 8, "is_signed", 1);
        return with(
                values, "dictionary", table("DictionaryEncoding", "id", id, "indexType", index));
    }

    public static FbsValue.Table schema(FbsValue.Table... columns) {
        return table("Schema", "fields", Arrays.asList(columns));
    }

    public static long[] pair(long first, long second) {
        return new long[] {first, second};
    }

    /// A batch of 3 rows.
    ///
    /// @param nodes length and null count of each
    /// @param buffers offset and length of each
    public static FbsValue.Table batch(List<long[]> nodes, List<long[]> buffers) {
        return table("RecordBatch", "length", 3, "nodes", nodes, "buffers", buffers);
    }

    // ---- messages

    public static FbsValue.Table message(FbsValue.Table header, long bodyLength) {
        int kind =
                switch (header.name()) {
                    case "Schema" -> MessageHeader.SCHEMA;
                    case "DictionaryBatch" -> MessageHeader.DICTIONARY_BATCH;
                    case "Tensor" -> MessageHeader.TENSOR;
                    case "SparseTensor" -> MessageHeader.SPARSE_TENSOR;
                    default -> MessageHeader.RECORD_BATCH;
                };
        FbsValue.Table message =
                table("Message", "version", V5_VALUE, "header_type", kind, "header", header);
        return bodyLength == 0 ? message : with(message, "bodyLength", bodyLength);
    }

    /// A bare schema message.
    public static byte[] schemaMessage(FbsValue.Table... columns) {
        return bytes(message(schema(columns), 0));
    }

    public static byte[] bytes(FbsValue.Table root) {
        return FbsValueWriter.write(RandomTables.ARROW, root, 1);
    }

    /// A message whose structure is accepted.
    public static Message bound(byte[] bytes) {
        Verifier verifier = new Verifier();
        MemorySegment memory = MemorySegment.ofArray(bytes);
        assertTrue(
                verifier.verify(Verifier.Root.MESSAGE, memory), () -> verifier.fault().toString());
        return new Message().wrap(memory);
    }
}
