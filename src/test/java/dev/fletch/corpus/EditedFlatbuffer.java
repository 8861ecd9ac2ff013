// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import dev.fletch.fbs.FbsDocument;
import dev.fletch.fbs.FbsDocument.FieldDecl;
import dev.fletch.fbs.FbsType;
import dev.fletch.testdata.RandomTables;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/// A flatbuffer whose words are changed one by one.
///
/// Places are found by paths of `.fbs` names, such as `header.fields[0].name`; the root's path is
/// empty. A path is followed through the current bytes, so it must lead through sound tables.
final class EditedFlatbuffer {
    private static final FbsDocument ARROW = RandomTables.ARROW;
    private static final int ALIGNMENT = Long.BYTES;

    /// A table at a position.
    private record Found(String table, int at) {}

    private final String root;
    private byte[] bytes;
    private ByteBuffer words;

    /// @param flatbuffer is padded with zeros to a multiple of 8 bytes
    /// @param root name of the root table
    EditedFlatbuffer(byte[] flatbuffer, String root) {
        this.root = root;
        resize(flatbuffer, flatbuffer.length + ALIGNMENT - 1 & -ALIGNMENT);
    }

    private void resize(byte[] from, int size) {
        bytes = Arrays.copyOf(from, size);
        words = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    byte[] bytes() {
        return bytes;
    }

    int size() {
        return bytes.length;
    }

    // ---- places

    /// Position of a table.
    int table(String path) {
        return find(path).at;
    }

    /// Position of a table's vtable.
    int vtable(String path) {
        return vtable(table(path));
    }

    private int vtable(int table) {
        return table - i32(table);
    }

    /// Position of a field's slot in the vtable.
    int slot(String path) {
        Found parent = find(parent(path));
        return vtable(parent.at) + field(parent, path).vtableOffset();
    }

    /// Position of a field's value, or of an element of a vector of tables.
    int field(String path) {
        int element = index(path);
        if (element < 0) {
            return find(parent(path)).at + u16(slot(path));
        }
        return target(path.substring(0, path.lastIndexOf('['))) + Integer.BYTES * (1 + element);
    }

    /// Where the offset of a field or element leads to.
    int target(String path) {
        int at = field(path);
        return at + i32(at);
    }

    private Found find(String path) {
        if (path.isEmpty()) {
            return new Found(root, i32(0));
        }
        Found parent = find(parent(path));
        FieldDecl field = field(parent, path);
        String name =
                switch (field.type()) {
                    case FbsType.Table(String table) -> table;
                    case FbsType.Vector(FbsType.Table(String table)) -> table;
                    case FbsType.Union(String union) -> member(union, parent(path), field);
                    default -> throw new IllegalArgumentException("no table: " + path);
                };
        return new Found(name, target(path));
    }

    private String member(String union, String parent, FieldDecl field) {
        String tag = (parent.isEmpty() ? "" : parent + ".") + field.name() + "_type";
        int member = bytes[field(tag)];
        return ARROW.union(union).members().stream()
                .filter(each -> each.value() == member)
                .findFirst()
                .orElseThrow()
                .name();
    }

    private static FieldDecl field(Found in, String path) {
        String name = path.substring(path.lastIndexOf('.') + 1);
        int bracket = name.indexOf('[');
        return ARROW.table(in.table).field(bracket < 0 ? name : name.substring(0, bracket));
    }

    private static String parent(String path) {
        return path.substring(0, Math.max(0, path.lastIndexOf('.')));
    }

    /// The index at the end of a path; -1 if there is none.
    private static int index(String path) {
        return path.endsWith("]")
                ? Integer.parseInt(path, path.lastIndexOf('[') + 1, path.length() - 1, 10)
                : -1;
    }

    // ---- words

    int u16(int at) {
        return Short.toUnsignedInt(words.getShort(at));
    }

    int i32(int at) {
        return words.getInt(at);
    }

    EditedFlatbuffer u8(int at, int value) {
        words.put(at, (byte) value);
        return this;
    }

    EditedFlatbuffer u16(int at, int value) {
        words.putShort(at, (short) value);
        return this;
    }

    EditedFlatbuffer i32(int at, int value) {
        words.putInt(at, value);
        return this;
    }

    /// Adds to the 16-bit number at a position.
    EditedFlatbuffer add16(int at, int difference) {
        return u16(at, u16(at) + difference);
    }

    /// Adds to the 32-bit number at a position.
    EditedFlatbuffer add32(int at, int difference) {
        return i32(at, i32(at) + difference);
    }

    /// Lets the offset at a position lead to another.
    EditedFlatbuffer lead(int at, int target) {
        return i32(at, target - at);
    }

    /// Lets the offset of a field or element lead to a position.
    EditedFlatbuffer lead(String path, int target) {
        return lead(field(path), target);
    }

    /// Lets a table end with its last field.
    EditedFlatbuffer trim(String path) {
        Found found = find(path);
        int vtable = vtable(found.at);
        int end = Integer.BYTES;
        for (FieldDecl each : ARROW.table(found.table).fields()) {
            boolean isThere = each.vtableOffset() < u16(vtable);
            int distance = isThere ? u16(vtable + each.vtableOffset()) : 0;
            end = Math.max(end, distance == 0 ? 0 : distance + each.type().inlineBytes());
        }
        return u16(vtable + Short.BYTES, end);
    }

    // ---- the end

    /// Appends zeros up to a multiple of 8 bytes.
    ///
    /// @return position of the last bytes
    int append(int count) {
        resize(bytes, bytes.length + count + ALIGNMENT - 1 & -ALIGNMENT);
        return bytes.length - count;
    }

    /// Appends bytes, so that they are the last.
    ///
    /// @return their position
    int append(byte[] added) {
        int at = append(added.length);
        words.put(at, added);
        return at;
    }

    /// Appends a table, so that it is at the end, and its vtable.
    ///
    /// @param size of the table
    /// @param slots distances of the fields
    /// @return position of the table
    int appendTable(int size, int... slots) {
        int vtableBytes = 2 * Short.BYTES + Short.BYTES * slots.length;
        int vtable = append(vtableBytes);
        int table = append(size);
        u16(vtable, vtableBytes).u16(vtable + Short.BYTES, size).i32(table, table - vtable);
        for (int i = 0; i < slots.length; i++) {
            u16(vtable + 2 * Short.BYTES + Short.BYTES * i, slots[i]);
        }
        return table;
    }

    /// Moves a number, tag or struct to the end, which is then that of its table, too.
    EditedFlatbuffer moveToEnd(String path) {
        Found parent = find(parent(path));
        int width = field(parent, path).type().inlineBytes();
        int from = field(path);
        int to = append(Arrays.copyOfRange(bytes, from, from + width));
        u16(vtable(parent.at) + Short.BYTES, size() - parent.at);
        return u16(slot(path), to - parent.at);
    }

    /// Moves a vector to the end. Not for one that has tables, which stay behind it.
    ///
    /// @param behind zeros after it
    EditedFlatbuffer moveVector(String path, int behind) {
        byte[] vector = vector(path);
        return lead(path, append(Arrays.copyOf(vector, vector.length + behind)));
    }

    /// Moves a vector some bytes further, over what is there.
    EditedFlatbuffer shiftVector(String path, int distance) {
        byte[] vector = vector(path);
        int to = target(path) + distance;
        words.put(target(path), new byte[distance]).put(to, vector);
        return lead(path, to);
    }

    private byte[] vector(String path) {
        int at = target(path);
        FbsType element = ((FbsType.Vector) field(find(parent(path)), path).type()).element();
        return Arrays.copyOfRange(bytes, at, at + Integer.BYTES + i32(at) * element.inlineBytes());
    }

    /// Removes the last bytes.
    EditedFlatbuffer cut(int count) {
        resize(bytes, bytes.length - count);
        return this;
    }
}
