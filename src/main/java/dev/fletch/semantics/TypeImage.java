// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.semantics;

import dev.fletch.flatbuf.Utf8Slice;
import dev.fletch.flatbuf.verify.FieldDeclaration;
import dev.fletch.format.DictionaryEncoding;
import dev.fletch.format.Field;
import dev.fletch.format.FieldWalk;
import dev.fletch.format.Int;
import dev.fletch.format.Time;
import dev.fletch.format.Type;
import dev.fletch.format.Union;
import dev.fletch.format.rules.AnyTable;
import dev.fletch.format.rules.TypeFacts;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;

/// Writes the types of dictionaries' values as numbers that are equal if and only if the types are:
/// type, parameters and children; for children also nullability, dictionary and, in structs and
/// unions, name. Names of list items and map entries are not part of a type.
///
/// For a nested dictionary, the image has only the dictionary's id, and its values have their own
/// image. So each field is in at most one image, however dictionaries are nested, and images are not
/// larger than the schema, whose size is limited before.
final class TypeImage {
    private final AnyTable type = new AnyTable();
    private final DictionaryEncoding encoding = new DictionaryEncoding();
    private final Int index = new Int();
    // By level below the field.
    private final BitSet hasNamedChildren = new BitSet();
    private final Utf8Slice text = new Utf8Slice();
    private long[] numbers = new long[32];
    private int length;

    // Equal texts have equal numbers. Keys are the texts' bytes, a char for each.
    private final HashMap<String, Integer> texts = new HashMap<>();

    /// Removes all types.
    void clear() {
        length = 0;
        texts.clear();
    }

    int length() {
        return length;
    }

    void cut(int to) {
        length = to;
    }

    boolean equal(int from, int to, int otherFrom, int otherTo) {
        return Arrays.equals(numbers, from, to, numbers, otherFrom, otherTo);
    }

    /// Appends the type of the values of a walk's current field, and returns to that field.
    ///
    /// @param maxDepth maximum levels to read; deeper schemas are rejected anyway
    void append(FieldWalk walk, int maxDepth) {
        final int top = walk.depth();
        type(walk.field(), 0);
        if (maxDepth == 1) {
            walk.skipChildren();
        }
        while (walk.nextBelow(top)) {
            final int level = walk.depth() - top;
            final boolean isId = child(walk.field(), hasNamedChildren.get(level - 1));
            if (!isId) {
                type(walk.field(), level);
            }
            if (isId || level + 1 >= maxDepth) {
                walk.skipChildren();
            }
        }
        walk.again(top);
    }

    /// Appends a child's properties other than its type.
    ///
    /// @return whether the child has its dictionary's id in place of its type
    private boolean child(Field field, boolean isNamed) {
        put(field.nullable() ? 1 : 0);
        if (isNamed) {
            text(field.name(text));
        }
        if (!field.dictionary(encoding)) {
            put(-1);
            return false;
        }
        put(encoding.isOrdered() ? 1 : 0);
        put(encoding.id());
        final boolean isStored = encoding.indexType(index);
        put(isStored ? index.bitWidth() : TypeFacts.DEFAULT_INDEX_BITS);
        put(isStored && !index.isSigned() ? 0 : 1);
        return true;
    }

    private void type(Field field, int level) {
        final int id = field.typeType();
        hasNamedChildren.set(level, id == Type.STRUCT_ || id == Type.UNION);
        put(id);
        put(field.childrenCount());
        if (!type.bindType(field)) {
            return;
        }
        final List<FieldDeclaration> parameters = type.declaration().fields();
        for (int slot = 0; slot < parameters.size(); slot++) {
            switch (parameters.get(slot).kind()) {
                case STRING -> text(type.string(slot, text));
                case VECTOR -> typeIds(field.childrenCount());
                default -> {
                    // A time's width follows from its unit.
                    if (id != Type.TIME || slot != Time.BIT_WIDTH_SLOT) {
                        put(type.number(slot));
                    }
                }
            }
        }
    }

    /// Appends type ids; implicit ones are 0, 1, 2 and so on.
    private void typeIds(int children) {
        final int count = type.count(Union.TYPE_IDS_SLOT);
        for (int i = 0; i < children; i++) {
            put(i < count ? type.element(Union.TYPE_IDS_SLOT, i) : i);
        }
    }

    /// Appends a text; absent texts count as empty.
    private void text(boolean isPresent) {
        put(isPresent && !text.isEmpty() ? 1 + number() : 0);
    }

    private int number() {
        final int next = texts.size();
        final String key = new String(text.toByteArray(), StandardCharsets.ISO_8859_1);
        final Integer equal = texts.putIfAbsent(key, next);
        return equal == null ? next : equal;
    }

    private void put(long value) {
        if (length == numbers.length) {
            numbers = Arrays.copyOf(numbers, length << 1);
        }
        numbers[length++] = value;
    }
}
