// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.internal;

import dev.fletch.flatbuf.Utf8Slice;
import dev.fletch.flatbuf.internal.FieldDeclaration;
import dev.fletch.format.DictionaryEncoding;
import dev.fletch.format.Field;
import dev.fletch.format.Int;
import dev.fletch.format.Time;
import dev.fletch.format.Union;
import dev.fletch.format.ids.Type;
import dev.fletch.format.internal.tables.AnyTable;
import dev.fletch.format.internal.tables.TypeFacts;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// Types of dictionaries' values as nested lists, which are equal if the types are: type,
/// parameters and children; of children also nullability, dictionary and, in structs and unions,
/// name. Names of list items and map entries are not part of a type. Absent texts are empty. Texts
/// are compared byte by byte, as they need not be UTF-8.
///
/// Of a nested dictionary, only the encoding is compared: its values have a type of their own. So a
/// schema with many dictionaries takes no longer than its fields, whose number is limited before.
public final class TypeComparison {
    /// Maximum levels of fields of a type: [#of] is recursive.
    static final int MOST_LEVELS = 1_024;

    private final AnyTable type = new AnyTable();
    private final Utf8Slice text = new Utf8Slice();
    private final DictionaryEncoding encoding = new DictionaryEncoding();
    private final Int index = new Int();

    /// {@return the type of a field's values}
    ///
    /// @param levels of fields to compare, at least 1; deeper schemas are rejected anyway
    public List<Object> of(Field field, int levels) {
        int id = field.typeType();
        int children = field.childrenCount();
        List<Object> parts = new ArrayList<>();
        parts.add(id);
        type.bindType(field, field.typeType(), Field.TYPE_SLOT);
        for (FieldDeclaration each : TypeFacts.of(id).parameters()) {
            int slot = each.slot();
            boolean isImplied = id == Type.TIME && slot == Time.BIT_WIDTH_SLOT; // by the unit
            parts.add(
                    switch (each.kind()) {
                        case STRING -> text(type.string(slot, text));
                        case VECTOR -> typeIds(children);
                        default -> isImplied ? "" : type.number(slot);
                    });
        }
        boolean areNamed = TypeFacts.of(id).hasNamedChildren();
        for (int i = 0; i < children && levels > 1; i++) {
            Field child = field.children(i, new Field());
            parts.add(child.nullable());
            parts.add(areNamed ? text(child.name(text)) : "");
            parts.add(child.dictionary(encoding) ? encoding() : of(child, levels - 1));
        }
        return parts;
    }

    /// The bytes of the bound text, each as a character.
    private String text(boolean isPresent) {
        return isPresent ? new String(text.toByteArray(), StandardCharsets.ISO_8859_1) : "";
    }

    /// The bound union's type ids; absent ones are 0, 1, 2 and so on.
    private List<Long> typeIds(int children) {
        boolean areStored = type.isPresent(Union.TYPE_IDS_SLOT);
        int count = areStored ? Math.min(children, type.count(Union.TYPE_IDS_SLOT)) : children;
        return IntStream.range(0, count)
                .mapToObj(i -> areStored ? type.element(Union.TYPE_IDS_SLOT, i) : (Long) (long) i)
                .toList();
    }

    private List<Object> encoding() {
        boolean hasIndex = encoding.indexType(index);
        int bits = hasIndex ? index.bitWidth() : TypeFacts.DEFAULT_INDEX_BITS;
        boolean isSigned = !hasIndex || index.isSigned();
        return List.of(encoding.id(), encoding.isOrdered(), bits, isSigned);
    }
}
