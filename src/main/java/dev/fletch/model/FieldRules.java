// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.model;

import dev.fletch.format.rules.TypeFacts;

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
        FieldPath path = FieldPath.of(name);
        TypeFacts facts = TypeValues.of(type).facts();
        if (facts.children() != TypeFacts.ANY_CHILDREN) {
            count(path, facts, children);
        }
        switch (type) {
            case ArrowType.Union union -> union(path, union, children);
            case ArrowType.Map _ -> map(path, children);
            case ArrowType.RunEndEncoded _ -> runEnds(path, children.getFirst());
            default -> {}
        }
        int depth = 1 + children.stream().mapToInt(ArrowField::depth).max().orElse(0);
        if (depth > SchemaLimits.MAX_DEPTH) {
            throw new InvalidSchemaException(
                    path,
                    "fields must be nested at most " + SchemaLimits.MAX_DEPTH + " deep",
                    "depth",
                    depth);
        }
    }

    private static void count(FieldPath path, TypeFacts facts, List<ArrowField> children) {
        if (children.size() != facts.children()) {
            String many =
                    switch (facts.children()) {
                        case 0 -> "no children";
                        case 1 -> "one child";
                        default -> "two children";
                    };
            throw new InvalidSchemaException(
                    path, facts.name() + " must have " + many, "children", children.size());
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

    private static void runEnds(FieldPath name, ArrowField runEnds) {
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
