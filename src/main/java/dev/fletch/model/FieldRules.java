// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.model;

import java.util.List;

/// What the children of a field have to keep to, by the field's type.
///
/// Names are no part of it: producers call list items, map entries and the like as they like.
final class FieldRules {
    private FieldRules() {}

    /// Checks children, of which each is valid by itself.
    ///
    /// @throws InvalidSchemaException whose path begins with `name`
    static void check(String name, ArrowType type, List<ArrowField> children) {
        check(FieldPath.of(name), type, children);
        int depth = Children.depthAbove(children);
        if (depth > SchemaLimits.MAX_DEPTH) {
            throw new InvalidSchemaException(
                    FieldPath.of(name),
                    "fields must be nested at most " + SchemaLimits.MAX_DEPTH + " deep",
                    "depth",
                    depth);
        }
    }

    private static void check(FieldPath name, ArrowType type, List<ArrowField> children) {
        switch (type) {
            case ArrowType.Struct _ -> {}
            case ArrowType.Union union -> union(name, union, children);
            case ArrowType.Map _ -> map(name, children);
            case ArrowType.RunEndEncoded _ -> runEndEncoded(name, children);
            case ArrowType.List _,
                    ArrowType.LargeList _,
                    ArrowType.ListView _,
                    ArrowType.LargeListView _,
                    ArrowType.FixedSizeList _ ->
                    count(name, type, children, 1);
            case ArrowType.Null _,
                    ArrowType.Int _,
                    ArrowType.FloatingPoint _,
                    ArrowType.Binary _,
                    ArrowType.Utf8 _,
                    ArrowType.Bool _,
                    ArrowType.Decimal _,
                    ArrowType.Date _,
                    ArrowType.Time _,
                    ArrowType.Timestamp _,
                    ArrowType.Interval _,
                    ArrowType.FixedSizeBinary _,
                    ArrowType.Duration _,
                    ArrowType.LargeBinary _,
                    ArrowType.LargeUtf8 _,
                    ArrowType.BinaryView _,
                    ArrowType.Utf8View _ ->
                    count(name, type, children, 0);
        }
    }

    private static void count(
            FieldPath name, ArrowType type, List<ArrowField> children, int expected) {
        if (children.size() != expected) {
            String many =
                    expected == 0 ? "no children" : expected == 1 ? "one child" : "two children";
            throw new InvalidSchemaException(
                    name, TypeText.name(type) + " must have " + many, "children", children.size());
        }
    }

    private static void union(FieldPath name, ArrowType.Union type, List<ArrowField> children) {
        if (children.size() != type.typeIds().size()) {
            throw new InvalidSchemaException(
                    name,
                    "union must have a type id for each child: children=" + children.size(),
                    "typeIds",
                    type.typeIds());
        }
    }

    private static void map(FieldPath name, List<ArrowField> children) {
        count(name, new ArrowType.Map(false), children, 1);
        ArrowField entries = children.getFirst();
        FieldPath path = name.child(entries.name());
        if (!(entries.type() instanceof ArrowType.Struct) || entries.isDictionaryEncoded()) {
            throw new InvalidSchemaException(
                    path, "child of a map must be a struct", "type", entries.typeText());
        }
        notNullable("entries of a map", path, entries);
        if (entries.children().size() != 2) {
            throw new InvalidSchemaException(
                    path,
                    "entries of a map must have two children",
                    "children",
                    entries.children().size());
        }
        ArrowField key = entries.children().getFirst();
        notNullable("keys of a map", path.child(key.name()), key);
    }

    private static void runEndEncoded(FieldPath name, List<ArrowField> children) {
        count(name, new ArrowType.RunEndEncoded(), children, 2);
        ArrowField runEnds = children.getFirst();
        FieldPath path = name.child(runEnds.name());
        boolean valid =
                runEnds.type() instanceof ArrowType.Int integer
                        && integer.isSigned()
                        && integer.bitWidth() >= 16
                        && !runEnds.isDictionaryEncoded();
        if (!valid) {
            throw new InvalidSchemaException(
                    path, "run ends must be int16, int32 or int64", "type", runEnds.typeText());
        }
        notNullable("run ends", path, runEnds);
    }

    private static void notNullable(String what, FieldPath path, ArrowField field) {
        if (field.isNullable()) {
            throw new InvalidSchemaException(
                    path, what + " must not be nullable", "nullable", true);
        }
    }
}
