// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.internal;

import dev.fletch.Rule;
import dev.fletch.StructureRule;
import dev.fletch.wire.Wire;

import java.util.List;

/// Describes one field of a table for verification: its kind, its type or target, and its name.
///
/// @param slot the slot's number, 0 to 7
/// @param name the field's name in paths
/// @param kind the kind of field
/// @param type of the number or struct, or of a vector's elements; null for other kinds
/// @param absent a number's default
/// @param required whether the field must be present
/// @param targets names of the tables that the field refers to: one, or a union's members in the
///     order of their tags, from 1
/// @param tagSlot slot of a union's tag; -1 if the field is not a union
/// @param namesMember whether paths include the name of a union's member
public record FieldDeclaration(
        int slot,
        String name,
        Kind kind,
        InlineType type,
        long absent,
        boolean required,
        List<String> targets,
        int tagSlot,
        boolean namesMember) {
    private static final int NONE = -1;

    /// The kind of a field.
    public enum Kind {
        /// A number, a boolean or an enum.
        SCALAR(StructureRule.SCALAR_MISALIGNED, StructureRule.SCALAR_OUT_OF_RANGE),
        /// The tag of a union.
        UNION_TAG(StructureRule.SCALAR_MISALIGNED, StructureRule.UNION_TAG_OUT_OF_RANGE),
        /// A struct inside the table.
        STRUCT(StructureRule.STRUCT_MISALIGNED, StructureRule.STRUCT_OUT_OF_RANGE),
        /// A string.
        STRING,
        /// A vector of numbers or structs.
        VECTOR,
        /// A table.
        TABLE,
        /// A vector of tables.
        TABLES,
        /// The value of a union, which is a table.
        UNION;

        private final boolean isOffset;
        private final Rule misaligned;
        private final Rule outOfRange;

        Kind() {
            isOffset = true;
            misaligned = StructureRule.OFFSET_MISALIGNED;
            outOfRange = StructureRule.OFFSET_OUT_OF_RANGE;
        }

        Kind(Rule misaligned, Rule outOfRange) {
            isOffset = false;
            this.misaligned = misaligned;
            this.outOfRange = outOfRange;
        }
    }

    private static FieldDeclaration of(
            int slot, String name, Kind kind, InlineType type, String... targets) {
        List<String> to = List.of(targets);
        return new FieldDeclaration(slot, name, kind, type, 0, false, to, NONE, false);
    }

    /// {@return the rule of a number, a boolean or an enum}
    public static FieldDeclaration scalar(int slot, String name, InlineType type) {
        return of(slot, name, Kind.SCALAR, type);
    }

    /// {@return the rule of the tag of a union}
    public static FieldDeclaration unionTag(int slot, String name, InlineType type) {
        return of(slot, name, Kind.UNION_TAG, type);
    }

    /// {@return the rule of a struct inside the table}
    public static FieldDeclaration struct(int slot, String name, InlineType type) {
        return of(slot, name, Kind.STRUCT, type);
    }

    /// {@return the rule of a string}
    public static FieldDeclaration string(int slot, String name) {
        return of(slot, name, Kind.STRING, null);
    }

    /// {@return the rule of a vector of numbers or structs of a type}
    public static FieldDeclaration vector(int slot, String name, InlineType type) {
        return of(slot, name, Kind.VECTOR, type);
    }

    /// {@return the rule of a table}
    public static FieldDeclaration table(int slot, String name, String target) {
        return of(slot, name, Kind.TABLE, null, target);
    }

    /// {@return the rule of a vector of tables}
    public static FieldDeclaration tables(int slot, String name, String target) {
        return of(slot, name, Kind.TABLES, null, target);
    }

    /// {@return the rule of the value of a union; `members` begins with the one of tag 1}
    public static FieldDeclaration union(int slot, String name, int tagSlot, List<String> members) {
        return new FieldDeclaration(
                slot, name, Kind.UNION, null, 0, false, members, tagSlot, false);
    }

    /// {@return a copy with a default other than 0}
    public FieldDeclaration withAbsent(long value) {
        return new FieldDeclaration(
                slot, name, kind, type, value, required, targets, tagSlot, namesMember);
    }

    /// {@return a copy that is required}
    public FieldDeclaration asRequired() {
        return new FieldDeclaration(
                slot, name, kind, type, absent, true, targets, tagSlot, namesMember);
    }

    /// {@return a copy whose member is named in paths}
    public FieldDeclaration namingMember() {
        return new FieldDeclaration(
                slot, name, kind, type, absent, required, targets, tagSlot, true);
    }

    /// {@return size in bytes of the number, struct or vector element; 1 for a string; that of an
    /// offset for tables and unions}
    public int bytes() {
        return type != null ? type.bytes() : kind == Kind.STRING ? 1 : Wire.OFFSET_BYTES;
    }

    /// {@return alignment in bytes of the same value}
    public int alignment() {
        return type != null ? type.alignment() : bytes();
    }

    /// {@return whether the table stores an offset to the field's value}
    public boolean isOffset() {
        return kind.isOffset;
    }

    boolean isUnion() {
        return kind == Kind.UNION;
    }

    boolean leadsToTables() {
        return kind == Kind.TABLE || kind == Kind.TABLES || isUnion();
    }

    Rule misaligned() {
        return kind.misaligned;
    }

    /// {@return the rule that is broken if the inline value or offset is not inside the buffer}
    public Rule outOfRange() {
        return kind.outOfRange;
    }

    /// {@return size in bytes of the inline value or offset}
    public int inlineBytes() {
        return isOffset() ? Wire.OFFSET_BYTES : bytes();
    }

    int inlineAlignment() {
        return isOffset() ? Wire.OFFSET_BYTES : alignment();
    }
}
