// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.model;

import dev.fletch.format.Field;
import dev.fletch.format.rules.TypeFacts;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/// A column, or a child of a nested one.
///
/// For a field that is dictionary-encoded, type and children are those of the dictionary's values.
///
/// Children are checked against the type when a field is made; an [InvalidSchemaException] names
/// field and value. `equals` is exact, [#sameMeaning] compares what it means.
///
/// Source: `format/Schema.fbs`, table `Field`.
///
/// @param name any text, need not be unique; empty if it is absent
/// @param type the type of the values
/// @param isNullable whether there may be nulls
/// @param dictionary null where values are stored plainly
/// @param children of nested types, in their order
/// @param metadata pairs of the application
/// @param omitted what the bytes leave out: [Omitted#NAME], [Omitted#CHILDREN], [Omitted#METADATA]
public record ArrowField(
        String name,
        ArrowType type,
        boolean isNullable,
        DictionaryInfo dictionary,
        List<ArrowField> children,
        Metadata metadata,
        Set<Omitted> omitted) {
    /// Checks and copies the parts.
    ///
    /// @throws InvalidSchemaException if the children are not those of the type, or nested deeper
    ///     than [SchemaLimits#MAX_DEPTH] allows, something is named as omitted and not empty, or the
    ///     name has no encoding in UTF-8
    public ArrowField {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(metadata, "metadata");
        Texts.check("name", name);
        children = List.copyOf(children);
        check(name, type, children);
        omitted = Omitted.checked(omitted, empty(name, children, metadata));
    }

    private static Set<Omitted> empty(String name, List<ArrowField> children, Metadata metadata) {
        Set<Omitted> empty = EnumSet.noneOf(Omitted.class);
        if (name.isEmpty()) {
            empty.add(Omitted.NAME);
        }
        if (children.isEmpty()) {
            empty.add(Omitted.CHILDREN);
        }
        if (metadata.isEmpty()) {
            empty.add(Omitted.METADATA);
        }
        return empty;
    }

    // ---- rules of the children

    /// Checks children, of which each is valid by itself. Their names do not matter: producers name
    /// list items, map entries and the like as they like.
    ///
    /// @throws InvalidSchemaException whose path begins with `name`
    private static void check(String name, ArrowType type, List<ArrowField> children) {
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

    // ---- making one

    /// A field without nulls, plainly stored, without metadata.
    ///
    /// @param name any text
    /// @param type the type of the values
    /// @param children of nested types, in their order
    /// @return a field whose metadata vector is omitted
    /// @throws InvalidSchemaException if the children are not those of the type
    public static ArrowField of(String name, ArrowType type, ArrowField... children) {
        return new ArrowField(
                name,
                type,
                false,
                null,
                List.of(children),
                Metadata.EMPTY,
                Set.of(Omitted.METADATA));
    }

    /// Reads a field and all that is below it by [SchemaLimits#DEFAULT]; errors are those of
    /// [ArrowSchema].
    ///
    /// @param field bound to it
    /// @return a copy of what it says, independent of the bytes
    public static ArrowField of(Field field) {
        return of(field, SchemaLimits.DEFAULT);
    }

    /// Reads a field and all that is below it; errors are those of [ArrowSchema].
    ///
    /// @param field bound to it
    /// @param limits how much is read
    /// @return a copy of what it says, independent of the bytes
    public static ArrowField of(Field field, SchemaLimits limits) {
        return new SchemaReader(limits).field(field);
    }

    /// {@return levels of fields, this one included}
    int depth() {
        return 1 + children.stream().mapToInt(ArrowField::depth).max().orElse(0);
    }

    /// {@return whether its values are indexes into a dictionary}
    public boolean isDictionaryEncoded() {
        return dictionary != null;
    }

    /// {@return type and dictionary on one line, such as `utf8, dictionary 0 (int8)`}
    public String typeText() {
        return dictionary == null ? type.text() : type.text() + ", " + dictionary;
    }

    // ---- the same with a change

    private ArrowField with(
            ArrowType newType, DictionaryInfo newDictionary, List<ArrowField> newChildren) {
        Set<Omitted> newOmitted =
                newChildren.isEmpty() ? omitted : Omitted.changed(omitted, Omitted.CHILDREN, false);
        return new ArrowField(
                name, newType, isNullable, newDictionary, newChildren, metadata, newOmitted);
    }

    /// The same with another name.
    ///
    /// @param newName any text
    /// @return a new field
    public ArrowField withName(String newName) {
        Set<Omitted> newOmitted = Omitted.changed(omitted, Omitted.NAME, false);
        return new ArrowField(
                newName, type, isNullable, dictionary, children, metadata, newOmitted);
    }

    /// The same with another type and the children that it needs.
    ///
    /// @param newType the type of the values
    /// @param newChildren of nested types, in their order
    /// @return a new field
    /// @throws InvalidSchemaException if the children are not those of the type
    public ArrowField withType(ArrowType newType, ArrowField... newChildren) {
        return with(newType, dictionary, List.of(newChildren));
    }

    /// The same with other children.
    ///
    /// @param newChildren in their order
    /// @return a new field
    /// @throws InvalidSchemaException if they are not those of the type
    public ArrowField withChildren(List<ArrowField> newChildren) {
        return with(type, dictionary, newChildren);
    }

    /// {@return the same where there may be nulls}
    public ArrowField nullable() {
        return new ArrowField(name, type, true, dictionary, children, metadata, omitted);
    }

    /// {@return the same without nulls}
    public ArrowField notNull() {
        return new ArrowField(name, type, false, dictionary, children, metadata, omitted);
    }

    /// The same stored as indexes into a dictionary.
    ///
    /// @param newDictionary null for plainly stored
    /// @return a new field
    public ArrowField withDictionary(DictionaryInfo newDictionary) {
        return with(type, newDictionary, children);
    }

    /// The same with other metadata, all of it; where there is none the vector stays as it was, if
    /// there was none before, and is else omitted.
    ///
    /// @param newMetadata pairs of the application
    /// @return a new field
    public ArrowField withMetadata(Metadata newMetadata) {
        boolean isOmitted =
                newMetadata.isEmpty()
                        && (!metadata.isEmpty() || omitted.contains(Omitted.METADATA));
        return new ArrowField(
                name,
                type,
                isNullable,
                dictionary,
                children,
                newMetadata,
                Omitted.changed(omitted, Omitted.METADATA, isOmitted));
    }

    /// The same with other metadata, all of it.
    ///
    /// @param keysAndValues a key, its value, the next key and so on
    /// @return a new field
    /// @throws IllegalArgumentException if the last key has no value
    public ArrowField withMetadata(String... keysAndValues) {
        return withMetadata(Metadata.of(keysAndValues));
    }

    /// The same with other empty parts left out.
    ///
    /// @param newOmitted what the bytes leave out
    /// @return a new field
    /// @throws InvalidSchemaException if one of them is not empty
    public ArrowField withOmitted(Set<Omitted> newOmitted) {
        return new ArrowField(name, type, isNullable, dictionary, children, metadata, newOmitted);
    }

    // ---- comparing and showing

    /// Compares what it means: apart from what is absent or empty, the order of metadata's keys,
    /// the ids of dictionaries, and other things that say the same in two ways.
    ///
    /// Names count where they tell fields apart: not those of list items, map entries, keys and
    /// values, and of the children of a run-end-encoded field, which producers call as they like.
    ///
    /// @param other any field
    /// @return whether both mean the same
    public boolean sameMeaning(ArrowField other) {
        return Normal.field(this).equals(Normal.field(other));
    }

    /// Lists what makes another field mean something else.
    ///
    /// @param after the other one
    /// @return changes from this field to `after`, in the order of their paths' fields
    public List<SchemaChange> diff(ArrowField after) {
        List<SchemaChange> changes = new ArrayList<>();
        new SchemaDiff(changes).field(FieldPath.of(name), this, after);
        return List.copyOf(changes);
    }

    /// {@return the field on one line, such as `price: decimal(38, 10) not null`; its children and
    /// its metadata are not shown}
    @Override
    public String toString() {
        return SchemaText.line(this);
    }
}
