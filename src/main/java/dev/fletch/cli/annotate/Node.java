// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.annotate;

import dev.fletch.flatbuf.verify.FieldRule;
import dev.fletch.flatbuf.verify.TableRules;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Set;

/// An object of a flatbuffer: what owns regions.
public final class Node {
    /// What it is.
    enum Kind {
        BUFFER,
        VTABLE,
        TABLE,
        STRING,
        VECTOR
    }

    /// How many of a vtable's tables are named.
    static final int NAMED_USERS = 4;

    private static final int NO_ELEMENT = -1;
    // Bytes can nest tables as deep as they are long; nobody reads a longer path.
    private static final int LONGEST_PATH = 40;

    final Kind kind;

    /// Offset in the input of its first byte.
    final long at;

    /// The table that leads here, null for a root.
    final Node from;

    /// Its field that does; null for a root and for vtables.
    final FieldRule field;

    /// Its place in a vector of tables.
    final int element;

    /// What is known of a table; of a vtable, of the first table that uses it.
    final TableRules rules;

    /// Where it ends, by what its first words say.
    long end;

    /// Of a vtable: how many slots can be read.
    int slots;

    /// How many offsets lead here.
    int references = 1;

    /// Of a vtable: the first tables that use it, and of which kinds all are.
    final long[] users;

    final Set<TableRules> kinds;

    /// Whether its heading has been shown.
    boolean isShown;

    private Node(Kind kind, long at, Node from, FieldRule field, int element, TableRules rules) {
        this.kind = kind;
        this.at = at;
        this.end = at;
        this.from = from;
        this.field = field;
        this.element = element;
        this.rules = rules;
        this.users = kind == Kind.VTABLE ? new long[NAMED_USERS] : null;
        this.kinds = kind == Kind.VTABLE ? new LinkedHashSet<>() : null;
    }

    static Node buffer(long at) {
        return new Node(Kind.BUFFER, at, null, null, NO_ELEMENT, null);
    }

    static Node root(long at, TableRules rules) {
        return new Node(Kind.TABLE, at, null, null, NO_ELEMENT, rules);
    }

    static Node table(long at, Node from, FieldRule field, TableRules rules) {
        return new Node(Kind.TABLE, at, from, field, NO_ELEMENT, rules);
    }

    static Node element(long at, Node from, FieldRule field, int element, TableRules rules) {
        return new Node(Kind.TABLE, at, from, field, element, rules);
    }

    static Node string(long at, Node from, FieldRule field) {
        return new Node(Kind.STRING, at, from, field, NO_ELEMENT, null);
    }

    static Node vector(long at, Node from, FieldRule field) {
        return new Node(Kind.VECTOR, at, from, field, NO_ELEMENT, null);
    }

    static Node vtable(long at) {
        Node vtable = new Node(Kind.VTABLE, at, null, null, NO_ELEMENT, null);
        vtable.references = 0;
        return vtable;
    }

    /// Of a vtable: takes down a table that uses it.
    void usedBy(Node table) {
        if (references < NAMED_USERS) {
            users[references] = table.at;
        }
        references++;
        kinds.add(table.rules);
    }

    /// The fields that lead here from the root, as verifiers write it: `header.schema.fields[0]`.
    /// Empty for a root.
    String path() {
        Deque<Node> way = new ArrayDeque<>();
        Node last = this;
        while (last != null && last.field != null && way.size() < LONGEST_PATH) {
            way.addFirst(last);
            last = last.from;
        }
        StringBuilder path = new StringBuilder(last != null && last.field != null ? "…" : "");
        for (Node each : way) {
            path.append(path.isEmpty() ? "" : ".").append(each.field.name());
            if (each.field.namesMember() && each.kind == Kind.TABLE) {
                String member = each.rules.name();
                path.append('.').append(Character.toLowerCase(member.charAt(0)));
                path.append(member, 1, member.length());
            }
            if (each.element != NO_ELEMENT) {
                path.append('[').append(each.element).append(']');
            }
        }
        return path.toString();
    }

    /// The path of one of a table's fields.
    String path(FieldRule of) {
        String path = path();
        return of == null ? path : path.isEmpty() ? of.name() : path + "." + of.name();
    }

    /// One of a table's fields; null if there is none of that slot.
    FieldRule field(int slot) {
        return field(rules, slot);
    }

    static FieldRule field(TableRules of, int slot) {
        for (FieldRule each : of.fields()) {
            if (each.slot() == slot) {
                return each;
            }
        }
        return null;
    }

    /// What it is called: `table Field`, `vector fields`.
    String title() {
        return switch (kind) {
            case BUFFER -> "flatbuffer";
            case VTABLE -> "vtable of " + String.join(", ", kindNames());
            case TABLE -> "table " + rules.name();
            case STRING -> "string " + field.name();
            case VECTOR -> "vector " + field.name();
        };
    }

    /// Of a vtable: the names of the tables' kinds.
    Iterable<String> kindNames() {
        return kinds.stream().map(TableRules::name).toList();
    }
}
