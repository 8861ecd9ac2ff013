// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import java.util.List;

/// How one field of a table is verified: what kind it is, where it leads, and what it is called.
///
/// @param slot the slot's number, 0 to 7
/// @param name the field's name in paths
/// @param kind what it is
/// @param bytes size of the number or struct, or of one element of a vector
/// @param alignment alignment of the number or struct, or of one element
/// @param required whether it must be present
/// @param targets names of the tables it leads to: one, or a union's members in the order of their
///     tags from 1 on
/// @param tagSlot slot of a union's tag, -1 if this is no union
/// @param namesMember whether paths show which member a union has
public record FieldRule(
        int slot,
        String name,
        Kind kind,
        int bytes,
        int alignment,
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
    public FieldRule {
        targets = List.copyOf(targets);
        if (slot < 0 || slot >= Slots.COUNT || bytes < 1 || Integer.bitCount(alignment) != 1) {
            throw new IllegalArgumentException(
                    "no such field: name=%s, slot=%d, bytes=%d, alignment=%d"
                            .formatted(name, slot, bytes, alignment));
        }
    }

    private static FieldRule of(int slot, String name, Kind kind, int bytes, int alignment) {
        return new FieldRule(slot, name, kind, bytes, alignment, false, List.of(), NONE, false);
    }

    private static FieldRule leading(int slot, String name, Kind kind, String to) {
        final int bytes = Wire.OFFSET_BYTES;
        return new FieldRule(slot, name, kind, bytes, bytes, false, List.of(to), NONE, false);
    }

    /// Declares a number, a boolean or an enum.
    ///
    /// @param slot the slot's number
    /// @param name the field's name
    /// @param bytes its size
    /// @return the rule
    public static FieldRule scalar(int slot, String name, int bytes) {
        return of(slot, name, Kind.SCALAR, bytes, bytes);
    }

    /// Declares the tag of a union.
    ///
    /// @param slot the slot's number
    /// @param name the field's name
    /// @return the rule
    public static FieldRule unionTag(int slot, String name) {
        return of(slot, name, Kind.UNION_TAG, 1, 1);
    }

    /// Declares a struct inside the table.
    ///
    /// @param slot the slot's number
    /// @param name the field's name
    /// @param bytes its size
    /// @param alignment its alignment
    /// @return the rule
    public static FieldRule struct(int slot, String name, int bytes, int alignment) {
        return of(slot, name, Kind.STRUCT, bytes, alignment);
    }

    /// Declares a string.
    ///
    /// @param slot the slot's number
    /// @param name the field's name
    /// @return the rule
    public static FieldRule string(int slot, String name) {
        return of(slot, name, Kind.STRING, 1, 1);
    }

    /// Declares a vector of numbers or structs.
    ///
    /// @param slot the slot's number
    /// @param name the field's name
    /// @param bytes size of an element
    /// @param alignment alignment of an element
    /// @return the rule
    public static FieldRule vector(int slot, String name, int bytes, int alignment) {
        return of(slot, name, Kind.VECTOR, bytes, alignment);
    }

    /// Declares a table.
    ///
    /// @param slot the slot's number
    /// @param name the field's name
    /// @param target the table's name
    /// @return the rule
    public static FieldRule table(int slot, String name, String target) {
        return leading(slot, name, Kind.TABLE, target);
    }

    /// Declares a vector of tables.
    ///
    /// @param slot the slot's number
    /// @param name the field's name
    /// @param target the tables' name
    /// @return the rule
    public static FieldRule tables(int slot, String name, String target) {
        return leading(slot, name, Kind.TABLES, target);
    }

    /// Declares the value of a union.
    ///
    /// @param slot the slot's number
    /// @param name the field's name
    /// @param tagSlot slot of its tag
    /// @param members names of the members' tables, that of tag 1 first
    /// @return the rule
    public static FieldRule union(int slot, String name, int tagSlot, List<String> members) {
        final int bytes = Wire.OFFSET_BYTES;
        return new FieldRule(slot, name, Kind.UNION, bytes, bytes, false, members, tagSlot, false);
    }

    /// {@return the same field, which must be present}
    public FieldRule asRequired() {
        return new FieldRule(
                slot, name, kind, bytes, alignment, true, targets, tagSlot, namesMember);
    }

    /// {@return the same union, whose member is shown in paths}
    public FieldRule namingMember() {
        return new FieldRule(slot, name, kind, bytes, alignment, required, targets, tagSlot, true);
    }

    /// Tells whether an offset stands in the table.
    boolean isOffset() {
        return switch (kind) {
            case STRING, VECTOR, TABLE, TABLES, UNION -> true;
            case SCALAR, UNION_TAG, STRUCT -> false;
        };
    }

    boolean isUnion() {
        return kind == Kind.UNION;
    }

    FaultCode misaligned() {
        return isOffset()
                ? FaultCode.OFFSET_MISALIGNED
                : kind == Kind.STRUCT ? FaultCode.STRUCT_MISALIGNED : FaultCode.SCALAR_MISALIGNED;
    }

    FaultCode outOfRange() {
        return isOffset()
                ? FaultCode.OFFSET_OUT_OF_RANGE
                : switch (kind) {
                    case STRUCT -> FaultCode.STRUCT_OUT_OF_RANGE;
                    case UNION_TAG -> FaultCode.UNION_TAG_OUT_OF_RANGE;
                    default -> FaultCode.SCALAR_OUT_OF_RANGE;
                };
    }

    /// What the table itself holds.
    int inlineBytes() {
        return isOffset() ? Wire.OFFSET_BYTES : bytes;
    }

    int inlineAlignment() {
        return isOffset() ? Wire.OFFSET_BYTES : alignment;
    }
}
