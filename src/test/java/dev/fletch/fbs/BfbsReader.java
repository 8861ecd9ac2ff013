// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.fbs;

import com.google.flatbuffers.reflection.BaseType;
import com.google.flatbuffers.reflection.Enum;
import com.google.flatbuffers.reflection.Field;
import com.google.flatbuffers.reflection.Object;
import com.google.flatbuffers.reflection.Schema;
import com.google.flatbuffers.reflection.Type;

import dev.fletch.fbs.FbsDocument.EnumDecl;
import dev.fletch.fbs.FbsDocument.FieldDecl;
import dev.fletch.fbs.FbsDocument.StructDecl;
import dev.fletch.fbs.FbsDocument.StructField;
import dev.fletch.fbs.FbsDocument.TableDecl;
import dev.fletch.fbs.FbsDocument.UnionDecl;
import dev.fletch.fbs.FbsDocument.Value;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/// Reads declarations from flatc's binary reflection data. Declarations come by name, as flatc
/// sorts them; fields come by slot.
final class BfbsReader {
    private final Schema schema;

    private BfbsReader(Schema schema) {
        this.schema = schema;
    }

    /// @param file the name under which the document lists its root type
    static FbsDocument read(String file, byte[] bfbs) {
        return new BfbsReader(Schema.getRootAsSchema(ByteBuffer.wrap(bfbs))).document(file);
    }

    private FbsDocument document(String file) {
        List<EnumDecl> enums = new ArrayList<>();
        List<UnionDecl> unions = new ArrayList<>();
        for (int i = 0; i < schema.enumsLength(); i++) {
            Enum each = schema.enums(i);
            if (each.isUnion()) {
                unions.add(new UnionDecl(simple(each.name()), values(each)));
            } else {
                FbsScalar underlying = scalar(each.underlyingType().baseType());
                enums.add(new EnumDecl(simple(each.name()), underlying, values(each)));
            }
        }
        List<StructDecl> structs = new ArrayList<>();
        List<TableDecl> tables = new ArrayList<>();
        for (int i = 0; i < schema.objectsLength(); i++) {
            Object each = schema.objects(i);
            if (each.isStruct()) {
                structs.add(struct(each));
            } else {
                tables.add(table(each));
            }
        }
        String root = schema.rootTable().name();
        String namespace = root.substring(0, root.lastIndexOf('.'));
        return new FbsDocument(
                namespace, enums, unions, structs, tables, Map.of(file, simple(root)));
    }

    private static List<Value> values(Enum declared) {
        return IntStream.range(0, declared.valuesLength())
                .mapToObj(declared::values)
                .map(each -> new Value(each.name(), each.value()))
                .toList();
    }

    private StructDecl struct(Object object) {
        List<StructField> fields =
                fieldsBySlot(object).stream()
                        .map(each -> new StructField(each.name(), type(each.type()), each.offset()))
                        .toList();
        return new StructDecl(simple(object.name()), fields, object.bytesize(), object.minalign());
    }

    private TableDecl table(Object object) {
        List<FieldDecl> fields = fieldsBySlot(object).stream().map(this::field).toList();
        return new TableDecl(simple(object.name()), fields);
    }

    private static List<Field> fieldsBySlot(Object object) {
        return IntStream.range(0, object.fieldsLength())
                .mapToObj(object::fields)
                .sorted(Comparator.comparingInt(Field::id))
                .toList();
    }

    private FieldDecl field(Field field) {
        FbsType type = type(field.type());
        // Taken from the vtable position, not from the id: readers go by the former.
        int slot = (field.offset() - 4) / 2;
        long value = field.defaultInteger();
        String text = type.isScalar() ? defaultText(field.type(), value) : "";
        return new FieldDecl(field.name(), type, slot, text, value, field.required());
    }

    private String defaultText(Type type, long value) {
        if (type.index() >= 0) {
            return values(schema.enums(type.index())).stream()
                    .filter(each -> each.value() == value)
                    .map(Value::name)
                    .findFirst()
                    .orElseThrow();
        }
        return type.baseType() == BaseType.Bool
                ? Boolean.toString(value != 0)
                : Long.toString(value);
    }

    private FbsType type(Type type) {
        return type.baseType() == BaseType.Vector
                ? new FbsType.Vector(type(type.element(), type.index()))
                : type(type.baseType(), type.index());
    }

    private FbsType type(byte base, int index) {
        return switch (base) {
            case BaseType.String -> new FbsType.Text();
            case BaseType.Obj -> objectType(schema.objects(index));
            case BaseType.Union -> new FbsType.Union(simple(schema.enums(index).name()));
            case BaseType.UType -> new FbsType.UnionTag(simple(schema.enums(index).name()));
            default ->
                    index < 0
                            ? new FbsType.Scalar(scalar(base))
                            : new FbsType.Enumeration(
                                    simple(schema.enums(index).name()), scalar(base));
        };
    }

    private static FbsType objectType(Object object) {
        String name = simple(object.name());
        return object.isStruct()
                ? new FbsType.Struct(name, object.bytesize(), object.minalign())
                : new FbsType.Table(name);
    }

    private static FbsScalar scalar(byte base) {
        return FbsScalar.valueOf(BaseType.name(base).toUpperCase(Locale.ROOT));
    }

    private static String simple(String qualified) {
        return qualified.substring(qualified.lastIndexOf('.') + 1);
    }
}
