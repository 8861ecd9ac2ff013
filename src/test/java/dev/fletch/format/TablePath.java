// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.fbs.FbsDocument.FieldDecl;
import dev.fletch.fbs.FbsDocument.TableDecl;
import dev.fletch.fbs.FbsType;
import dev.fletch.flatbuf.Table;
import dev.fletch.testdata.FbsValue;
import dev.fletch.testdata.FbsValueWriter;
import dev.fletch.testdata.RandomTables;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/// A shortest way from a root table to another: only a root can be wrapped, so a buffer that is to
/// show any other table has to lead there.
///
/// @param root the table that the buffer begins with
/// @param steps empty for a root
record TablePath(String root, List<Step> steps) {
    /// A field of a table, and the table that it leads to; of a union the member.
    record Step(FieldDecl field, String to) {
        FbsValue valueOf(FbsValue.Table target) {
            return field.type() instanceof FbsType.Vector
                    ? new FbsValue.Vector(List.of(target))
                    : target;
        }

        Table follow(Table from) {
            Table into = Flyweights.freshTable(to);
            Class<?> type = from.getClass();
            String name = field.javaName();
            if (field.type() instanceof FbsType.Vector) {
                var accessor = Flyweights.method(type, name, int.class, into.getClass());
                return (Table) Flyweights.invoke(accessor, from, 0, into);
            }
            var accessor = Flyweights.method(type, name, into.getClass());
            if (!(boolean) Flyweights.invoke(accessor, from, into)) {
                throw new AssertionError("nothing at " + type.getSimpleName() + "." + name);
            }
            return into;
        }
    }

    TablePath {
        steps = List.copyOf(steps);
    }

    /// Returns the path to a table, by whatever root is nearest.
    static TablePath to(String table) {
        Queue<TablePath> open = new ArrayDeque<>();
        for (String root : new TreeSet<>(Flyweights.ARROW.roots().values())) {
            open.add(new TablePath(root, List.of()));
        }
        Set<String> seen = new HashSet<>();
        while (!open.isEmpty()) {
            TablePath path = open.remove();
            if (path.target().equals(table)) {
                return path;
            }
            if (seen.add(path.target())) {
                open.addAll(path.longer());
            }
        }
        throw new AssertionError("no root leads to " + table);
    }

    private List<TablePath> longer() {
        TableDecl from = Flyweights.ARROW.table(target());
        List<TablePath> paths = new ArrayList<>();
        for (FieldDecl field : from.fields()) {
            for (String next : tablesBehind(field.type())) {
                List<Step> more = new ArrayList<>(steps);
                more.add(new Step(field, next));
                paths.add(new TablePath(root, more));
            }
        }
        return paths;
    }

    private static List<String> tablesBehind(FbsType type) {
        return switch (type) {
            case FbsType.Table(String name) -> List.of(name);
            case FbsType.Vector(FbsType element) -> tablesBehind(element);
            case FbsType.Union(String union) ->
                    Flyweights.ARROW.union(union).members().stream()
                            .skip(1)
                            .map(each -> each.name())
                            .toList();
            default -> List.of();
        };
    }

    /// The table at the end.
    String target() {
        return steps.isEmpty() ? root : steps.getLast().to();
    }

    /// Returns a buffer that begins with the root and has `value` at the end.
    byte[] bytes(FbsValue.Table value, long seed) {
        return FbsValueWriter.write(Flyweights.ARROW, around(value), seed);
    }

    /// Returns such a buffer with random content at the end.
    byte[] random(long seed) {
        return bytes(RandomTables.value(Flyweights.ARROW, target(), seed), seed);
    }

    /// Returns the root's value that has `value` at the end, and nothing else.
    FbsValue.Table around(FbsValue.Table value) {
        FbsValue.Table inner = value;
        for (int i = steps.size() - 1; i >= 0; i--) {
            Step step = steps.get(i);
            SortedMap<String, FbsValue> fields = new TreeMap<>();
            fields.put(step.field().name(), step.valueOf(inner));
            if (step.field().type() instanceof FbsType.Union(String union)) {
                fields.put(step.field().name() + "_type", tag(union, step.to()));
            }
            inner = new FbsValue.Table(i == 0 ? root : steps.get(i - 1).to(), fields);
        }
        return inner;
    }

    static FbsValue tag(String union, String member) {
        return Flyweights.ARROW.union(union).members().stream()
                .filter(each -> each.name().equals(member))
                .map(each -> new FbsValue.Number(each.value()))
                .findFirst()
                .orElseThrow();
    }

    /// Returns a flyweight of the table at the end, bound by way of those between.
    Table follow(Table boundRoot) {
        Table at = boundRoot;
        for (Step step : steps) {
            at = step.follow(at);
        }
        return at;
    }

    /// Returns a flyweight of the table at the end of a buffer, bound.
    Table bind(byte[] bytes) {
        return follow(Flyweights.wrap(Flyweights.freshTable(root), bytes));
    }

    /// Returns a table value of these fields.
    static FbsValue.Table table(String name, Map<String, FbsValue> fields) {
        return new FbsValue.Table(name, new TreeMap<>(fields));
    }

    /// Returns the paths to all tables that have a flyweight.
    static Stream<TablePath> all() {
        return Flyweights.tables().stream().map(each -> to(each.name()));
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(root);
        for (Step step : steps) {
            text.append('.').append(step.field().name()).append(':').append(step.to());
        }
        return text.toString();
    }
}
