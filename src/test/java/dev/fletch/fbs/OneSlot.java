// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.fbs;

import com.google.flatbuffers.Table;

import dev.fletch.fbs.FbsDocument.FieldDecl;
import dev.fletch.fbs.FbsDocument.TableDecl;

import org.apache.arrow.flatbuf.Null;

import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// A table's bytes with a single slot present, and what a generated class reads out of them: shows
/// which slot an accessor goes to, and what it returns without one.
///
/// ```
///   0  vtable: its size, the table's size, one u16 per slot
///  64  table: soffset to the vtable
///  72  the field: a number other than the default, or an offset of 8 to what follows
///  80  zeros: an empty string or vector, a table without fields, a struct
/// ```
final class OneSlot {
    private static final int TABLE = 64;
    private static final int FIELD_IN_TABLE = 8;
    private static final int FIELD = TABLE + FIELD_IN_TABLE;
    private static final int TARGET_FROM_FIELD = 8;
    private static final int SIZE = 128;

    private OneSlot() {}

    /// Returns the bytes of a table of which only `present` is stored.
    static ByteBuffer bytes(TableDecl table, FieldDecl present) {
        ByteBuffer bytes = ByteBuffer.allocate(SIZE).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putShort(0, (short) (4 + 2 * table.slotCount()));
        bytes.putShort(2, (short) (SIZE - TABLE));
        bytes.putInt(TABLE, TABLE);
        bytes.putShort(present.vtableOffset(), (short) FIELD_IN_TABLE);
        long value = present.type().isScalar() ? otherThanDefault(present) : TARGET_FROM_FIELD;
        bytes.putLong(FIELD, value);
        return bytes;
    }

    /// A value that is not the field's default and fits every kind of number.
    static long otherThanDefault(FieldDecl field) {
        return field.defaultValue() == 0 ? 1 : 0;
    }

    /// Returns what the generated class reads: a scalar's value, otherwise 1 if the field is
    /// present and 0 if it is absent.
    static long read(Class<?> type, ByteBuffer bytes, FieldDecl field)
            throws ReflectiveOperationException {
        Object table = type.getConstructor().newInstance();
        type.getMethod("__assign", int.class, ByteBuffer.class).invoke(table, TABLE, bytes);
        String name = field.javaName();
        return switch (field.type()) {
            case FbsType.Union _ -> {
                Method accessor = type.getMethod(name, Table.class);
                yield presence(accessor.invoke(table, new Null()));
            }
            case FbsType.Vector _ -> presence(call(table, name + "Vector"));
            case FbsType.Text _, FbsType.Table _, FbsType.Struct _ -> presence(call(table, name));
            case FbsType.Scalar _, FbsType.Enumeration _, FbsType.UnionTag _ ->
                    number(call(table, name));
        };
    }

    /// Returns what `read` must give, with only `present` stored.
    static long expected(FieldDecl field, FieldDecl present) {
        boolean stored = field.equals(present);
        if (field.type().isScalar()) {
            return stored ? otherThanDefault(field) : field.defaultValue();
        }
        return stored ? 1 : 0;
    }

    /// Reads a number out of a struct that starts at 0.
    static long readStruct(Class<?> type, ByteBuffer bytes, String name)
            throws ReflectiveOperationException {
        Object struct = type.getConstructor().newInstance();
        type.getMethod("__assign", int.class, ByteBuffer.class).invoke(struct, 0, bytes);
        return number(call(struct, name));
    }

    private static Object call(Object target, String name) throws ReflectiveOperationException {
        return target.getClass().getMethod(name).invoke(target);
    }

    private static long presence(Object value) {
        return value == null ? 0 : 1;
    }

    private static long number(Object value) {
        return value instanceof Boolean flag ? (flag ? 1 : 0) : ((Number) value).longValue();
    }
}
