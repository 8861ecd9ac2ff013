// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.model;

import dev.fletch.UnreadableFileException;
import dev.fletch.format.Field;
import dev.fletch.format.rules.AnyTable;
import dev.fletch.format.rules.TypeFacts;

import java.util.List;
import java.util.Objects;
import java.util.Set;

/// A column, or a child of a nested field.
///
/// The type and children of a dictionary-encoded field are those of the dictionary's values.
///
/// The constructor checks the children against the type; an [InvalidSchemaException] names the
/// field and the value. Deviations from the format are accepted, such as nullable run ends;
/// [ArrowSchema] refuses to write them. `equals` is exact; to compare semantically, use
/// [ArrowSchema#semanticallyEquals].
///
/// Source: `format/Schema.fbs`, table `Field`.
///
/// @param name any text, need not be unique; empty if absent
/// @param type the type of the values
/// @param isNullable whether values may be null
/// @param dictionary null if the field is not dictionary-encoded
/// @param children the children of a nested type, in their order
/// @param metadata the custom metadata
/// @param absent the absent slots among [AbsentSlot#NAME], [AbsentSlot#CHILDREN] and
///     [AbsentSlot#METADATA]; slots that are not empty are removed from the set
public record ArrowField(
        String name,
        ArrowType type,
        boolean isNullable,
        DictionaryInfo dictionary,
        List<ArrowField> children,
        Metadata metadata,
        Set<AbsentSlot> absent) {
    /// Checks and copies the components.
    ///
    /// @throws InvalidSchemaException if the children do not fit the type, are nested deeper than
    ///     [SchemaLimits#MAX_DEPTH], or the name cannot be encoded in UTF-8
    public ArrowField {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(metadata, "metadata");
        InvalidSchemaException.requireUtf8("name", name);
        children = List.copyOf(children);
        check(FieldPath.of(name), type, children);
        int depth = depth(children);
        InvalidSchemaException.require(
                depth <= SchemaLimits.MAX_DEPTH,
                FieldPath.of(name),
                "fields must have at most " + SchemaLimits.MAX_DEPTH + " levels",
                "depth",
                depth);
        absent =
                AbsentSlot.retain(
                        absent,
                        AbsentSlot.NAME.when(name.isEmpty())
                                | AbsentSlot.CHILDREN.when(children.isEmpty())
                                | AbsentSlot.METADATA.when(metadata.isEmpty()));
    }

    // ---- rules of the children

    /// Checks children, each of which is already valid. Their names do not matter: producers choose
    /// the names of list items, map entries and run ends.
    private static void check(FieldPath path, ArrowType type, List<ArrowField> children) {
        TypeFacts facts = TypeFacts.of(type.id());
        int size = children.size();
        if (facts.children() != TypeFacts.ANY_CHILDREN && size != facts.children()) {
            String expected =
                    switch (facts.children()) {
                        case 0 -> "no children";
                        case 1 -> "one child";
                        default -> "two children";
                    };
            String rule = facts.name() + " must have " + expected;
            throw new InvalidSchemaException(rule, path, "children", size);
        }
        switch (type) {
            case ArrowType.Union union ->
                    InvalidSchemaException.require(
                            size == union.typeIds().size(),
                            path,
                            "union must have a type id for each child: children=" + size,
                            "typeIds",
                            union.typeIds());
            case ArrowType.Map _ -> checkEntries(path, children.getFirst());
            case ArrowType.RunEndEncoded _ -> checkRunEnds(path, children.getFirst());
            default -> {}
        }
    }

    private static void checkEntries(FieldPath map, ArrowField entries) {
        FieldPath path = map.child(entries.name());
        InvalidSchemaException.require(
                entries.type() instanceof ArrowType.Struct && !entries.isDictionaryEncoded(),
                path,
                "child of a map must be a struct",
                "type",
                entries.typeText());
        InvalidSchemaException.require(
                entries.children().size() == 2,
                path,
                "entries of a map must have two children",
                "children",
                entries.children().size());
    }

    private static void checkRunEnds(FieldPath parent, ArrowField runEnds) {
        FieldPath path = parent.child(runEnds.name());
        InvalidSchemaException.require(
                runEnds.type() instanceof ArrowType.Int(int bitWidth, boolean isSigned)
                        && isSigned
                        && bitWidth >= 16
                        && !runEnds.isDictionaryEncoded(),
                path,
                "run ends must be int16, int32 or int64",
                "type",
                runEnds.typeText());
    }

    private static int depth(List<ArrowField> children) {
        int deepest = 0;
        for (ArrowField child : children) {
            deepest = Math.max(deepest, depth(child.children));
        }
        return 1 + deepest;
    }

    // ---- creating and changing

    /// Creates a field that is not nullable, not dictionary-encoded, and without custom metadata.
    ///
    /// @param name any text
    /// @param type the type of the values
    /// @param children the children of a nested type, in their order
    /// @return the field; its metadata vector is absent
    /// @throws InvalidSchemaException if the children do not fit the type
    public static ArrowField of(String name, ArrowType type, ArrowField... children) {
        Set<AbsentSlot> absent = Set.of(AbsentSlot.METADATA);
        return new ArrowField(name, type, false, null, List.of(children), Metadata.EMPTY, absent);
    }

    /// Reads a field with its children, within [SchemaLimits#DEFAULT]. Errors are those of
    /// [ArrowSchema].
    ///
    /// @param field bound to the field
    /// @return a copy
    public static ArrowField of(Field field) {
        try {
            AnyTable table = new AnyTable().bind(field, "Field");
            return new SchemaReader(SchemaLimits.DEFAULT).field(null, 1, table);
        } catch (InternalError e) {
            throw UnreadableFileException.of(e);
        }
    }

    /// {@return a copy with another name}
    ///
    /// @param newName any text
    public ArrowField withName(String newName) {
        return new ArrowField(newName, type, isNullable, dictionary, children, metadata, absent);
    }

    /// {@return a copy with another type and its children}
    ///
    /// @param newType the type of the values
    /// @param newChildren the children of a nested type, in their order
    /// @throws InvalidSchemaException if the children do not fit the type
    public ArrowField withType(ArrowType newType, ArrowField... newChildren) {
        List<ArrowField> list = List.of(newChildren);
        return new ArrowField(name, newType, isNullable, dictionary, list, metadata, absent);
    }

    /// {@return a copy with other children}
    ///
    /// @param newChildren in their order
    /// @throws InvalidSchemaException if they do not fit the type
    public ArrowField withChildren(List<ArrowField> newChildren) {
        return new ArrowField(name, type, isNullable, dictionary, newChildren, metadata, absent);
    }

    /// {@return a copy whose values may be null}
    public ArrowField nullable() {
        return new ArrowField(name, type, true, dictionary, children, metadata, absent);
    }

    /// {@return a copy that is dictionary-encoded}
    ///
    /// @param newDictionary null to remove the encoding
    public ArrowField withDictionary(DictionaryInfo newDictionary) {
        return new ArrowField(name, type, isNullable, newDictionary, children, metadata, absent);
    }

    /// {@return a copy with the given custom metadata; if this removes all, the vector is absent}
    ///
    /// @param newMetadata replaces the custom metadata
    public ArrowField withMetadata(Metadata newMetadata) {
        Set<AbsentSlot> slots = metadata.isEmpty() ? absent : AbsentSlot.METADATA.addedTo(absent);
        return new ArrowField(name, type, isNullable, dictionary, children, newMetadata, slots);
    }

    /// {@return a copy with the given custom metadata, which replaces all existing metadata}
    ///
    /// @param keysAndValues a key, its value, the next key and so on
    /// @throws IllegalArgumentException if the last key has no value
    public ArrowField withMetadata(String... keysAndValues) {
        return withMetadata(Metadata.of(keysAndValues));
    }

    /// {@return a copy with other absent slots}
    ///
    /// @param newAbsent the slots to omit if they are empty
    public ArrowField withAbsent(Set<AbsentSlot> newAbsent) {
        return new ArrowField(name, type, isNullable, dictionary, children, metadata, newAbsent);
    }

    // ---- text

    /// {@return whether the field is dictionary-encoded}
    public boolean isDictionaryEncoded() {
        return dictionary != null;
    }

    /// {@return type and dictionary on one line, such as `utf8, dictionary 0 (int8)`}
    public String typeText() {
        return dictionary == null ? type.text() : type.text() + ", " + dictionary;
    }

    /// {@return the field on one line, such as `price: decimal(38, 10) not null`, without children
    /// and metadata}
    @Override
    public String toString() {
        return SchemaText.line(this);
    }
}
