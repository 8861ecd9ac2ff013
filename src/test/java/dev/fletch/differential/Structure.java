// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.differential;

import dev.fletch.fbs.FbsDocument;
import dev.fletch.fbs.FbsDocument.FieldDecl;
import dev.fletch.fbs.FbsDocument.Value;
import dev.fletch.fbs.FbsType;
import dev.fletch.format.Verifier.Root;
import dev.fletch.testdata.RandomTables;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Where the words of a well-formed flatbuffer stand that hold it together, found by the `.fbs`
/// declarations alone, and how many tables it has and how deep they lie.
final class Structure {
    /// What a word is for.
    enum Kind {
        /// Leads forward to a table, string or vector: of a field or the root.
        OFFSET,
        /// Leads forward to a table: of a vector's element.
        ELEMENT,
        /// Leads from a table to its vtable.
        VTABLE_OFFSET,
        /// Number of bytes of a vtable.
        VTABLE_SIZE,
        /// Number of bytes of a table.
        TABLE_SIZE,
        /// Distance of a field from its table.
        SLOT,
        /// Number of a vector's elements, or of a string's bytes.
        COUNT,
        /// The byte behind a string.
        TERMINATOR,
        /// Tag of a union.
        TAG,
        /// A number or struct inside a table.
        VALUE
    }

    /// A word.
    ///
    /// @param at its position
    /// @param base what a slot's value counts from; of a count, bytes of an element
    record Word(int at, Kind kind, int base) {}

    private static final FbsDocument ARROW = RandomTables.ARROW;

    private final ByteBuffer bytes;
    private final Set<Word> seen = new HashSet<>();
    private final List<Word> words = new ArrayList<>();
    private final Set<Integer> objects = new HashSet<>();
    private final Set<Integer> vtables = new HashSet<>();
    private long tables;
    private int deepest;

    private Structure(byte[] bytes) {
        this.bytes = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /// Returns the structure of a flatbuffer that must be well-formed.
    static Structure of(Root root, byte[] bytes) {
        Structure structure = new Structure(bytes);
        structure.table(root.table(), structure.target(0, Kind.OFFSET), 1);
        return structure;
    }

    /// The words, each once.
    List<Word> words() {
        return words;
    }

    /// Positions of tables, strings and vectors, each once.
    int[] objects() {
        return sorted(objects);
    }

    /// Positions of vtables, each once.
    int[] vtables() {
        return sorted(vtables);
    }

    /// Number of tables, each as often as it is reached.
    long tables() {
        return tables;
    }

    /// Number of levels of tables.
    int depth() {
        return deepest;
    }

    private static int[] sorted(Set<Integer> positions) {
        return positions.stream().mapToInt(each -> each).sorted().toArray();
    }

    private void word(int at, Kind kind, int base) {
        Word word = new Word(at, kind, base);
        if (seen.add(word)) {
            words.add(word);
        }
    }

    private int target(int at, Kind kind) {
        word(at, kind, 0);
        int target = at + bytes.getInt(at);
        objects.add(target);
        return target;
    }

    private void table(String name, int at, int depth) {
        tables++;
        deepest = Math.max(deepest, depth);
        word(at, Kind.VTABLE_OFFSET, 0);
        int vtable = at - bytes.getInt(at);
        vtables.add(vtable);
        word(vtable, Kind.VTABLE_SIZE, 0);
        word(vtable + Short.BYTES, Kind.TABLE_SIZE, 0);
        List<FieldDecl> fields = ARROW.table(name).fields();
        for (FieldDecl field : fields) {
            int slot = vtable + field.vtableOffset();
            if (field.vtableOffset() < vtableSize(vtable)) {
                word(slot, Kind.SLOT, at);
                int distance = Short.toUnsignedInt(bytes.getShort(slot));
                if (distance != 0) {
                    field(name, field, at, at + distance, depth);
                }
            }
        }
    }

    private int vtableSize(int vtable) {
        return Short.toUnsignedInt(bytes.getShort(vtable));
    }

    private void field(String table, FieldDecl field, int base, int at, int depth) {
        switch (field.type()) {
            case FbsType.Scalar _, FbsType.Enumeration _, FbsType.Struct _ ->
                    word(at, Kind.VALUE, 0);
            case FbsType.UnionTag _ -> word(at, Kind.TAG, 0);
            case FbsType.Text _ -> string(target(at, Kind.OFFSET));
            case FbsType.Table(String name) -> table(name, target(at, Kind.OFFSET), depth + 1);
            case FbsType.Union(String union) -> union(table, field, union, base, at, depth);
            case FbsType.Vector(FbsType element) -> vector(element, target(at, Kind.OFFSET), depth);
        }
    }

    private void string(int at) {
        word(at, Kind.COUNT, 1);
        word(at + Integer.BYTES + bytes.getInt(at), Kind.TERMINATOR, 0);
    }

    private void union(String table, FieldDecl field, String union, int base, int at, int depth) {
        int target = target(at, Kind.OFFSET);
        int tagSlot = ARROW.table(table).field(field.name() + "_type").vtableOffset();
        int vtable = base - bytes.getInt(base);
        int distance =
                tagSlot < vtableSize(vtable)
                        ? Short.toUnsignedInt(bytes.getShort(vtable + tagSlot))
                        : 0;
        int tag = distance == 0 ? 0 : Byte.toUnsignedInt(bytes.get(base + distance));
        for (Value member : ARROW.union(union).members()) {
            if (tag != 0 && member.value() == tag) {
                table(member.name(), target, depth + 1);
            }
        }
    }

    private void vector(FbsType element, int at, int depth) {
        word(at, Kind.COUNT, element.inlineBytes());
        if (element instanceof FbsType.Table(String name)) {
            for (int i = 0; i < bytes.getInt(at); i++) {
                table(name, target(at + Integer.BYTES * (1 + i), Kind.ELEMENT), depth + 1);
            }
        }
    }
}
