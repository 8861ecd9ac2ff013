// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.annotate;

import dev.fletch.flatbuf.verify.FieldRule;
import dev.fletch.flatbuf.verify.TableRules;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Set;

/// An object of a flatbuffer, which owns regions.
final class Node {
    /// What it is.
    enum Kind {
        BUFFER,
        VTABLE,
        TABLE,
        STRING,
        VECTOR
    }

    static final int NO_ELEMENT = -1;

    // How many of a vtable's tables are listed.
    private static final int LISTED_USERS = 4;
    // Tables nest as deep as the bytes are long; a longer path helps no one.
    private static final int LONGEST_PATH = 40;

    final Kind kind;

    /// Offset in the input of its first byte.
    final long at;

    /// The table that leads here; null for a root, a vtable and the flatbuffer.
    final Node from;

    /// Its field that does; null for the same.
    final FieldRule field;

    /// Its index in a vector of tables; [#NO_ELEMENT] if it is in none.
    final int element;

    /// The rules of a table; else null.
    final TableRules rules;

    /// Its end, as its first words say.
    long end;

    /// Of a table: offset in the input of its vtable.
    long vtable;

    /// Of a table or vtable: number of readable slots; of a damaged vtable -1.
    int slots;

    /// How many offsets lead here.
    int references = 1;

    /// Of a vtable: the kinds of tables that use it.
    final Set<TableRules> kinds;

    /// Of a vtable: the first tables that use it.
    private final long[] users;

    /// Whether its heading has been shown.
    boolean isShown;

    /// Offset in the input of the word that leads here.
    final long reference;

    private Node(
            Kind kind,
            long at,
            Node from,
            FieldRule field,
            int element,
            TableRules rules,
            long reference) {
        this.kind = kind;
        this.at = at;
        this.end = at;
        this.from = from;
        this.field = field;
        this.element = element;
        this.rules = rules;
        this.reference = reference;
        this.users = kind == Kind.VTABLE ? new long[LISTED_USERS] : null;
        this.kinds = kind == Kind.VTABLE ? new LinkedHashSet<>() : null;
    }

    /// An object that is no table.
    static Node of(Kind kind, long at, Node from, FieldRule field, long reference) {
        return new Node(kind, at, from, field, NO_ELEMENT, null, reference);
    }

    static Node table(
            long at, Node from, FieldRule field, int element, TableRules rules, long reference) {
        return new Node(Kind.TABLE, at, from, field, element, rules, reference);
    }

    /// Finds the field of a slot; null if there is none.
    static FieldRule field(TableRules of, int slot) {
        for (FieldRule each : of.fields()) {
            if (each.slot() == slot) {
                return each;
            }
        }
        return null;
    }

    /// Adds a table that uses this vtable.
    void usedBy(Node table) {
        if (references < LISTED_USERS) {
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

    /// What it is called: `table Field`, `vector fields`.
    String title() {
        return switch (kind) {
            case BUFFER -> "flatbuffer";
            case VTABLE ->
                    "vtable of " + String.join(", ", kinds.stream().map(TableRules::name).toList());
            case TABLE -> "table " + rules.name();
            case STRING -> "string " + field.name();
            case VECTOR -> "vector " + field.name();
        };
    }

    /// A line above its regions: title, path, place, and what leads here.
    ///
    /// @param base first byte of the flatbuffer
    /// @param place the place as text, or empty
    String heading(long base, String place) {
        StringBuilder heading = new StringBuilder(title());
        String path = path();
        heading.append(path.isEmpty() ? "" : ", ").append(path).append(place);
        if (isShown) {
            heading.append(", continued");
        } else if (kind == Kind.VTABLE) {
            heading.append(", used by");
            for (int i = 0; i < Math.min(references, LISTED_USERS); i++) {
                heading.append(i == 0 ? " +" : ", +").append(users[i] - base);
            }
            if (references > LISTED_USERS) {
                heading.append(" and ").append(references - LISTED_USERS).append(" more");
            }
        } else if (references > 1) {
            heading.append(", ").append(references).append(" offsets lead here");
        }
        return heading.toString();
    }
}
