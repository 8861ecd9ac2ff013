// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import com.google.flatbuffers.Table;

import dev.fletch.fbs.FbsDocument;
import dev.fletch.fbs.FbsDocument.FieldDecl;
import dev.fletch.fbs.FbsDocument.Value;
import dev.fletch.fbs.FbsType;

import org.apache.arrow.flatbuf.Message;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// Reads any table through the accessors of flatc's generated classes, found by name: what other
/// readers are compared with. Numbers that are absent come with their defaults, as they cannot be
/// told apart.
public final class GeneratedReader {
    private static final String PACKAGE = Message.class.getPackageName() + ".";

    private final FbsDocument document;

    private GeneratedReader(FbsDocument document) {
        this.document = document;
    }

    /// Returns what a flatbuffer holds whose root, at the buffer's position, is this table.
    public static FbsValue.Table read(FbsDocument document, String table, ByteBuffer bytes) {
        try {
            Object root =
                    generated(table)
                            .getMethod("getRootAs" + table, ByteBuffer.class)
                            .invoke(null, bytes.duplicate());
            return new GeneratedReader(document).table(table, root);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Class<?> generated(String name) throws ClassNotFoundException {
        return Class.forName(PACKAGE + name);
    }

    private FbsValue.Table table(String name, Object object) throws ReflectiveOperationException {
        SortedMap<String, FbsValue> fields = new TreeMap<>();
        for (FieldDecl field : document.table(name).fields()) {
            FbsValue value =
                    field.type() instanceof FbsType.Union(String union)
                            ? union(object, field, union)
                            : value(object, field);
            if (value != null) {
                fields.put(field.name(), value);
            }
        }
        return new FbsValue.Table(name, fields);
    }

    private FbsValue value(Object object, FieldDecl field) throws ReflectiveOperationException {
        String name = field.javaName();
        if (!(field.type() instanceof FbsType.Vector(FbsType element))) {
            return value(field.type(), call(object, name));
        }
        if (call(object, name + "Vector") == null) {
            return null;
        }
        int count = (int) call(object, name + "Length");
        List<FbsValue> elements = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Object each = object.getClass().getMethod(name, int.class).invoke(object, i);
            elements.add(value(element, each));
        }
        return new FbsValue.Vector(elements);
    }

    private FbsValue value(FbsType type, Object read) throws ReflectiveOperationException {
        if (read == null) {
            return null;
        }
        return switch (type) {
            case FbsType.Scalar _, FbsType.Enumeration _ -> new FbsValue.Number(number(read));
            case FbsType.UnionTag _ -> new FbsValue.Number(number(read) & 0xFF);
            case FbsType.Text _ -> new FbsValue.Text((String) read);
            case FbsType.Table(String name) -> table(name, read);
            case FbsType.Struct(String name, _, _) -> struct(name, read);
            default -> throw new IllegalArgumentException("not a value by itself: " + type);
        };
    }

    private FbsValue.Struct struct(String name, Object object) throws ReflectiveOperationException {
        List<Long> values = new ArrayList<>();
        for (var field : document.struct(name).fields()) {
            values.add(number(call(object, field.javaName())));
        }
        return new FbsValue.Struct(values);
    }

    /// A value of an unknown member reads as a table without fields.
    private FbsValue union(Object object, FieldDecl field, String union)
            throws ReflectiveOperationException {
        long tag = number(call(object, field.javaName() + "Type")) & 0xFF;
        String member =
                document.union(union).members().stream()
                        .filter(each -> each.value() == tag && tag != 0)
                        .map(Value::name)
                        .findFirst()
                        .orElse("Null");
        Object target = generated(member).getConstructor().newInstance();
        Object read =
                object.getClass().getMethod(field.javaName(), Table.class).invoke(object, target);
        return read == null ? null : table(member, read);
    }

    private static Object call(Object object, String name) throws ReflectiveOperationException {
        return object.getClass().getMethod(name).invoke(object);
    }

    private static long number(Object value) {
        return value instanceof Boolean flag ? (flag ? 1 : 0) : ((Number) value).longValue();
    }
}
