// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.verify;

import dev.fletch.Rule;
import dev.fletch.flatbuf.StructureRules;
import dev.fletch.wire.Wire;

import java.util.List;
import java.util.Locale;

/// How one field of a table is verified: what kind it is, where it leads, and what it is called.
///
/// @param slot the slot's number, 0 to 7
/// @param name the field's name in paths
/// @param kind what it is
/// @param type of the number or struct, or of one element of a vector of them; else null
/// @param absent what an absent number reads as
/// @param required whether it must be present
/// @param targets names of the tables it leads to: one, or a union's members in the order of their
///     tags from 1 on
/// @param tagSlot slot of a union's tag, -1 if this is no union
/// @param namesMember whether paths show which member a union has
public record FieldRule(
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

    /// What a field is.
    public enum Kind {
        /// A number, a boolean or an enum.
        SCALAR,
        /// The tag of a union.
        UNION_TAG,
        /// A struct inside the table.
        STRUCT,
        /// A string.
        STRING,
        /// A vector of numbers or structs.
        VECTOR,
        /// A table.
        TABLE,
        /// A vector of tables.
        TABLES,
        /// The value of a union, which is a table.
        UNION
    }

    /// Checks the numbers.
    ///
    /// @throws IllegalArgumentException if no table can have that slot
    public FieldRule {
        targets = List.copyOf(targets);
        if (slot < 0 || slot >= Wire.SLOTS) {
            throw new IllegalArgumentException(
                    String.format(Locale.ROOT, "no such field: name=%s, slot=%d", name, slot));
        }
    }

    private static FieldRule inline(int slot, String name, Kind kind, InlineType type) {
        return new FieldRule(slot, name, kind, type, 0, false, List.of(), NONE, false);
    }

    private static FieldRule leading(int slot, String name, Kind kind, List<String> to) {
        return new FieldRule(slot, name, kind, null, 0, false, to, NONE, false);
    }

    /// {@return the rule of a number, a boolean or an enum}
    ///
    /// @param slot the slot's number
    /// @param name the field's name
    /// @param type its type
    public static FieldRule scalar(int slot, String name, InlineType type) {
        return inline(slot, name, Kind.SCALAR, type);
    }

    /// {@return the rule of the tag of a union}
    ///
    /// @param slot the slot's number
    /// @param name the field's name
    /// @param type its type
    public static FieldRule unionTag(int slot, String name, InlineType type) {
        return inline(slot, name, Kind.UNION_TAG, type);
    }

    /// {@return the rule of a struct inside the table}
    ///
    /// @param slot the slot's number
    /// @param name the field's name
    /// @param type its type
    public static FieldRule struct(int slot, String name, InlineType type) {
        return inline(slot, name, Kind.STRUCT, type);
    }

    /// {@return the rule of a string}
    ///
    /// @param slot the slot's number
    /// @param name the field's name
    public static FieldRule string(int slot, String name) {
        return leading(slot, name, Kind.STRING, List.of());
    }

    /// {@return the rule of a vector of numbers or structs}
    ///
    /// @param slot the slot's number
    /// @param name the field's name
    /// @param type an element's type
    public static FieldRule vector(int slot, String name, InlineType type) {
        return inline(slot, name, Kind.VECTOR, type);
    }

    /// {@return the rule of a table}
    ///
    /// @param slot the slot's number
    /// @param name the field's name
    /// @param target the table's name
    public static FieldRule table(int slot, String name, String target) {
        return leading(slot, name, Kind.TABLE, List.of(target));
    }

    /// {@return the rule of a vector of tables}
    ///
    /// @param slot the slot's number
    /// @param name the field's name
    /// @param target the tables' name
    public static FieldRule tables(int slot, String name, String target) {
        return leading(slot, name, Kind.TABLES, List.of(target));
    }

    /// {@return the rule of the value of a union}
    ///
    /// @param slot the slot's number
    /// @param name the field's name
    /// @param tagSlot slot of its tag
    /// @param members names of the members' tables, that of tag 1 first
    public static FieldRule union(int slot, String name, int tagSlot, List<String> members) {
        return new FieldRule(slot, name, Kind.UNION, null, 0, false, members, tagSlot, false);
    }

    /// {@return the same number, with another default than 0}
    ///
    /// @param value what it reads as
    public FieldRule withAbsent(long value) {
        return new FieldRule(
                slot, name, kind, type, value, required, targets, tagSlot, namesMember);
    }

    /// {@return the same field, which must be present}
    public FieldRule asRequired() {
        return new FieldRule(slot, name, kind, type, absent, true, targets, tagSlot, namesMember);
    }

    /// {@return the same union, whose member is shown in paths}
    public FieldRule namingMember() {
        return new FieldRule(slot, name, kind, type, absent, required, targets, tagSlot, true);
    }

    /// {@return size in bytes of the number or struct, or of one element of a vector of them; 1 for a
    /// string; for tables and unions, that of an offset}
    public int bytes() {
        return type != null ? type.bytes() : kind == Kind.STRING ? 1 : Wire.OFFSET_BYTES;
    }

    /// {@return the alignment of the same}
    public int alignment() {
        return type != null ? type.alignment() : bytes();
    }

    /// {@return whether what stands in the table is an offset to the field}
    public boolean isOffset() {
        return switch (kind) {
            case STRING, VECTOR, TABLE, TABLES, UNION -> true;
            case SCALAR, UNION_TAG, STRUCT -> false;
        };
    }

    boolean leadsToTables() {
        return kind == Kind.TABLE || kind == Kind.TABLES || kind == Kind.UNION;
    }

    boolean isUnion() {
        return kind == Kind.UNION;
    }

    Rule misaligned() {
        return isOffset()
                ? StructureRules.OFFSET_MISALIGNED
                : kind == Kind.STRUCT
                        ? StructureRules.STRUCT_MISALIGNED
                        : StructureRules.SCALAR_MISALIGNED;
    }

    /// {@return the rule that is broken where what stands in the table is not inside the buffer}
    public Rule outOfRange() {
        return isOffset()
                ? StructureRules.OFFSET_OUT_OF_RANGE
                : switch (kind) {
                    case STRUCT -> StructureRules.STRUCT_OUT_OF_RANGE;
                    case UNION_TAG -> StructureRules.UNION_TAG_OUT_OF_RANGE;
                    default -> StructureRules.SCALAR_OUT_OF_RANGE;
                };
    }

    /// {@return size in bytes of what stands in the table: the value itself, or an offset}
    public int inlineBytes() {
        return isOffset() ? Wire.OFFSET_BYTES : bytes();
    }

    int inlineAlignment() {
        return isOffset() ? Wire.OFFSET_BYTES : alignment();
    }
}
