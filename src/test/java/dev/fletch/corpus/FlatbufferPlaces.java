// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import dev.fletch.fbs.FbsDocument;
import dev.fletch.fbs.FbsDocument.FieldDecl;
import dev.fletch.fbs.FbsType;
import dev.fletch.testdata.RandomTables;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// Positions of the parts of a flatbuffer.
///
/// Places are found by paths of `.fbs` names, such as `header.fields[0].name`; the root's path is
/// empty. A path is followed through the bytes, so it must lead through sound tables.
final class FlatbufferPlaces {
    private static final FbsDocument ARROW = RandomTables.ARROW;

    /// A table at a position.
    private record Found(String table, int at) {}

    private final String root;
    private final ByteBuffer words;

    /// @param root name of the root table
    FlatbufferPlaces(byte[] flatbuffer, String root) {
        this.root = root;
        this.words = ByteBuffer.wrap(flatbuffer).order(ByteOrder.LITTLE_ENDIAN);
    }

    /// The position of a part of what is at a path.
    ///
    /// @param part `field` (the value or offset, also of an element of a vector of tables),
    ///     `target` (where this offset leads to), `slot` (of the field in the vtable), `table`,
    ///     `vtable`, `root` (the offset of the root), or `last` (the end of the flatbuffer)
    int position(String part, String path) {
        return switch (part) {
            case "field" -> field(path);
            case "target" -> target(path);
            case "slot" -> slot(path);
            case "table" -> find(path).at;
            case "vtable" -> vtable(find(path).at);
            case "root" -> 0;
            case "last" -> words.limit();
            default -> throw new IllegalArgumentException("no part: " + part);
        };
    }

    private int vtable(int table) {
        return table - words.getInt(table);
    }

    private int slot(String path) {
        Found parent = find(parent(path));
        return vtable(parent.at) + field(parent, path).vtableOffset();
    }

    private int field(String path) {
        int element = index(path);
        if (element < 0) {
            return find(parent(path)).at + Short.toUnsignedInt(words.getShort(slot(path)));
        }
        return target(path.substring(0, path.lastIndexOf('['))) + Integer.BYTES * (1 + element);
    }

    private int target(String path) {
        int at = field(path);
        return at + words.getInt(at);
    }

    private Found find(String path) {
        if (path.isEmpty()) {
            return new Found(root, words.getInt(0));
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
        int member = words.get(field(tag));
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
}
