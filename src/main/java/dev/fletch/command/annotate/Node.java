// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.annotate;

import dev.fletch.flatbuf.internal.FieldDeclaration;
import dev.fletch.flatbuf.internal.TableDeclaration;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// An object of a flatbuffer; it owns regions.
final class Node {
    enum Kind {
        VTABLE,
        TABLE,
        STRING,
        VECTOR
    }

    static final int NO_ELEMENT = -1;

    // The most steps of a path: hostile input may nest very deeply.
    private static final int LONGEST_PATH = 40;

    final Kind kind;

    /// Offset in the input of its first byte.
    final long at;

    /// The table that refers to this object, through [#field]; null for a root and a vtable.
    final Node from;

    final FieldDeclaration field;

    /// Index in a vector of tables; [#NO_ELEMENT] if in no vector.
    final int element;

    /// The rules of a table; null for other objects.
    final TableDeclaration rules;

    /// Offset in the input of the offset that points here; for a vtable, of the first table that
    /// uses it.
    final long reference;

    /// End in the input, by the object's own size.
    long end;

    /// For a table: offset of its vtable in the input.
    long vtable;

    /// For a table or vtable: number of readable slots; -1 for a damaged vtable.
    int slots;

    /// Number of offsets that point here.
    int references = 1;

    /// For a vtable: the kinds of tables that use it; empty for other objects.
    final List<TableDeclaration> kinds;

    /// For a vector of tables: those of its elements, in order.
    final List<Node> elements = new ArrayList<>(0);

    /// For a table with a name or key: offset and length in the input of that text; else 0.
    long nameAt;

    int nameLength;

    /// Links the objects of a bucket in a [FlatbufferWalk]; null for the last one.
    Node other;

    /// Whether its heading was printed.
    boolean isShown;

    private Node(
            Kind kind,
            long position,
            Node from,
            FieldDeclaration field,
            int element,
            TableDeclaration rules,
            long reference) {
        this.kind = kind;
        this.at = position;
        this.end = position;
        this.from = from;
        this.field = field;
        this.element = element;
        this.rules = rules;
        this.reference = reference;
        this.kinds = kind == Kind.VTABLE ? new ArrayList<>(1) : List.of();
    }

    static Node table(
            TableDeclaration rules,
            long position,
            Node from,
            FieldDeclaration field,
            int element,
            long reference) {
        return new Node(Kind.TABLE, position, from, field, element, rules, reference);
    }

    /// Creates an object other than a table.
    static Node of(Kind kind, long position, Node from, FieldDeclaration field, long reference) {
        return new Node(kind, position, from, field, NO_ELEMENT, null, reference);
    }

    /// Adds a table that uses this vtable.
    void usedBy(Node table) {
        references++;
        if (!kinds.contains(table.rules)) {
            kinds.add(table.rules);
        }
    }

    /// The field of a slot; null if there is none.
    static FieldDeclaration field(TableDeclaration table, int slot) {
        return table.fields().stream().filter(each -> each.slot() == slot).findFirst().orElse(null);
    }

    /// The path from the root, as verifiers print it: `header.schema.fields[0]`. Empty for a root.
    String path() {
        String path = "";
        Node each = this;
        for (int i = 0; i < LONGEST_PATH && each.field != null; i++) {
            path = each.step() + (path.isEmpty() ? "" : "." + path);
            each = each.from;
        }
        return each.field == null ? path : "…." + path;
    }

    /// The step from [#from], as in [#path]. Not for a root or a vtable.
    String step() {
        String step = field.name();
        if (field.namesMember() && kind == Kind.TABLE) {
            String member = rules.name();
            step += "." + Character.toLowerCase(member.charAt(0)) + member.substring(1);
        }
        return element == NO_ELEMENT ? step : step + "[" + element + "]";
    }

    /// The type of a table, string or vector in `.fbs` syntax.
    String type() {
        return kind == Kind.TABLE ? rules.name() : Region.typeName(field);
    }

    /// Whether another object has the same position and is read in the same way.
    boolean isSameObject(Node that) {
        return at == that.at && type().equals(that.type());
    }

    /// The name in headings: `table Field`, `vector fields`.
    String title() {
        return switch (kind) {
            case VTABLE ->
                    kinds.stream()
                            .map(TableDeclaration::name)
                            .collect(Collectors.joining(", ", "vtable of ", ""));
            case TABLE -> "table " + rules.name();
            case STRING -> "string " + field.name();
            case VECTOR -> "vector " + field.name();
        };
    }

    /// @param base offset of the flatbuffer in the input
    String place(long base) {
        return title() + " at +" + (at - base);
    }

    /// The line above its regions: title, path, position and references.
    ///
    /// @param base offset of the flatbuffer in the input
    String heading(long base) {
        String path = path();
        String title = title() + (path.isEmpty() ? "" : ", " + path) + " at +" + (at - base);
        if (isShown) {
            return title + ", continued";
        }
        int others = references - 1;
        if (kind == Kind.VTABLE) {
            String more = others > 0 ? " and " + others + " more" : "";
            return title + ", used by +" + (reference - base) + more;
        }
        return others > 0 ? title + ", " + references + " offsets point here" : title;
    }
}
