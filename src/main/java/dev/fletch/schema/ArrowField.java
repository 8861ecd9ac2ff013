// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.schema;

import static dev.fletch.schema.InvalidSchemaException.require;
import static dev.fletch.schema.InvalidSchemaException.requireUtf8;

import dev.fletch.Rule;
import dev.fletch.format.Field;
import dev.fletch.format.internal.TypeCheck;
import dev.fletch.wire.Escaper;

import java.util.List;
import java.util.Objects;
import java.util.Set;

/// A column, or a child of a nested field.
///
/// The type and children of a dictionary-encoded field are those of the dictionary's values.
///
/// All ways to create a field check the children against the type; an [InvalidSchemaException]
/// names the field and the value. Deviations from the format are accepted, such as nullable run
/// ends; [ArrowSchema] refuses to write them. `equals` is exact; to compare semantically, use
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
/// @param absent the absent slots among [Field#NAME_SLOT], [Field#CHILDREN_SLOT] and
///     [Field#CUSTOM_METADATA_SLOT], rather than an empty string or vector; slots that are not
///     empty are removed from the set
public record ArrowField(
        String name,
        ArrowType type,
        boolean isNullable,
        DictionaryInfo dictionary,
        List<ArrowField> children,
        Metadata metadata,
        Set<Integer> absent) {
    /// Maximum levels of fields: comparing, printing and writing are recursive.
    public static final int MAX_DEPTH = 512;

    /// Checks and copies the components.
    ///
    /// @throws InvalidSchemaException if the children do not fit the type, are nested deeper than
    ///     [#MAX_DEPTH], or the name cannot be encoded in UTF-8
    public ArrowField {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(metadata, "metadata");
        requireUtf8("name", name);
        children = List.copyOf(children);
        check(FieldPath.of(name), type, children);
        int depth = depth(children);
        require(
                depth <= MAX_DEPTH,
                FieldPath.of(name),
                "fields must have at most " + MAX_DEPTH + " levels",
                "depth",
                depth);
        absent =
                AbsentSlots.retain(
                        absent,
                        AbsentSlots.when(name.isEmpty(), Field.NAME_SLOT)
                                | AbsentSlots.when(children.isEmpty(), Field.CHILDREN_SLOT)
                                | AbsentSlots.when(
                                        metadata.entries().isEmpty(), Field.CUSTOM_METADATA_SLOT));
    }

    // ---- rules of the children

    /// Checks children, each of which is already valid. Their names do not matter: producers choose
    /// the names of list items, map entries and run ends.
    private static void check(FieldPath path, ArrowType type, List<ArrowField> children) {
        int size = children.size();
        require(TypeCheck.children(type.id(), size), path, "children", size);
        switch (type) {
            case ArrowType.Union(_, List<Integer> ids, _) ->
                    require(TypeCheck.typeIds(ids.size(), size), path, "typeIds", ids);
            case ArrowType.Map _ -> {
                ArrowField entries = children.getFirst();
                FieldPath at = path.child(entries.name());
                boolean isEncoded = entries.isDictionaryEncoded();
                Rule ofType = TypeCheck.entriesType(entries.type.id(), isEncoded);
                require(ofType, at, "type", entries.typeText());
                int count = entries.children.size();
                require(TypeCheck.entriesChildren(count), at, "children", count);
            }
            case ArrowType.Simple.RUN_END_ENCODED -> {
                ArrowField ends = children.getFirst();
                ArrowType.Int integer = ends.type instanceof ArrowType.Int of ? of : null;
                Rule ofType =
                        TypeCheck.runEnds(
                                ends.type.id(),
                                integer == null ? 0 : integer.bitWidth(),
                                integer != null && integer.isSigned(),
                                ends.isDictionaryEncoded());
                require(ofType, path.child(ends.name()), "type", ends.typeText());
            }
            default -> {}
        }
    }

    private static int depth(List<ArrowField> children) {
        int deepest = 0;
        for (ArrowField child : children) {
            deepest = Math.max(deepest, depth(child.children));
        }
        return 1 + deepest;
    }

    // ---- creating and changing

    /// Creates a field that is not nullable, not dictionary-encoded, and without custom metadata,
    /// whose vector is absent.
    public static ArrowField of(String name, ArrowType type, ArrowField... children) {
        Set<Integer> absent = Set.of(Field.CUSTOM_METADATA_SLOT);
        return new ArrowField(name, type, false, null, List.of(children), Metadata.EMPTY, absent);
    }

    /// {@return a copy with another name}
    public ArrowField withName(String newName) {
        return new ArrowField(newName, type, isNullable, dictionary, children, metadata, absent);
    }

    /// {@return a copy with another type and its children}
    public ArrowField withType(ArrowType newType, ArrowField... newChildren) {
        List<ArrowField> list = List.of(newChildren);
        return new ArrowField(name, newType, isNullable, dictionary, list, metadata, absent);
    }

    /// {@return a copy with other children}
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

    /// {@return a copy with the given custom metadata, which replaces all existing metadata; if
    /// this removes all, the vector is absent}
    public ArrowField withMetadata(Metadata newMetadata) {
        Set<Integer> slots =
                metadata.entries().isEmpty()
                        ? absent
                        : AbsentSlots.with(absent, Field.CUSTOM_METADATA_SLOT);
        return new ArrowField(name, type, isNullable, dictionary, children, newMetadata, slots);
    }

    /// {@return a copy with other absent slots}
    public ArrowField withAbsent(Set<Integer> newAbsent) {
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
        boolean isNameless = absent.contains(Field.NAME_SLOT);
        return (isNameless ? "(no name)" : Escaper.name(name)) + ": " + description();
    }

    /// The part of the line after the name.
    String description() {
        return type.text()
                + (isNullable ? "" : " not null")
                + (dictionary == null ? "" : ", " + dictionary);
    }

    // Those of a record take several frames of the stack for each level until they are compiled:
    // fields of the greatest depth overflow it.

    @Override
    public boolean equals(Object other) {
        return other instanceof ArrowField field
                && isNullable == field.isNullable
                && name.equals(field.name)
                && type.equals(field.type)
                && Objects.equals(dictionary, field.dictionary)
                && metadata.equals(field.metadata)
                && absent.equals(field.absent)
                && children.equals(field.children);
    }

    @Override
    public int hashCode() {
        int own = Objects.hash(name, type, isNullable, dictionary, metadata, absent);
        return 31 * own + children.hashCode();
    }
}
