// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch;

/// An optional check, by which a [Checks] is stricter than readers must be.
///
/// Source of those of [MeaningRule]: Columnar format, "Serialization and Interprocess
/// Communication (IPC)".
public enum Check {
    // ---- structure

    /// Alignment of tables, vtables, fields and length words, counted from the buffer's first byte.
    ALIGNMENT(StructureRule.class),
    /// Strings are UTF-8 as Unicode defines it: no over-long forms, no surrogates, nothing above
    /// U+10FFFF.
    UTF8(StructureRule.class),
    /// A union has both tag and value, or neither. A stored tag NONE counts as absent.
    UNION_PAIRS(StructureRule.class),
    /// The table size in the vtable is at least 4 and inside the buffer, and all fields are inside
    /// it. A vtable too small for that word passes.
    TABLE_SIZE(StructureRule.class),
    /// A vtable has at least the 4 bytes of its two sizes.
    VTABLE_SIZE(StructureRule.class),
    /// No element of a vector of tables has the offset 0. Offsets of fields are always checked.
    ZERO_OFFSETS(StructureRule.class),
    /// The elements of a vector are aligned to their own size. The official rules align only the
    /// length word, to 4 bytes, so an element of 8 bytes may be at 4 mod 8.
    VECTOR_ALIGNMENT(StructureRule.class),
    /// As [#VECTOR_ALIGNMENT], for the position after the length word of an empty vector. Some
    /// writers leave empty vectors at 4 mod 8.
    EMPTY_VECTOR_ALIGNMENT(StructureRule.class),

    // ---- meaning

    /// Buffers of length 0 are inside the body and aligned, as all others.
    EMPTY_BUFFERS(MeaningRule.class),
    /// A batch has no more nodes, buffers and variadic buffer counts than its fields need. Fewer
    /// are always a fault.
    EXACT_COUNTS(MeaningRule.class),
    /// A child is not longer than its struct or sparse union, run ends are not more than the
    /// values, and run values not more than the run ends. Fewer are always a fault.
    EXACT_CHILDREN(MeaningRule.class),
    /// Fields are nested at most 64 levels deep, which all readers accept.
    NESTING(MeaningRule.class),
    /// A batch's buffers ascend and do not overlap; empty buffers may have any offset.
    BUFFER_ORDER(MeaningRule.class),
    /// A buffer is large enough for its field's number of values, by the length in the metadata. Of
    /// compressed buffers, only those of length 0 are checked.
    BUFFER_SIZES(MeaningRule.class),
    /// A compressed buffer is large enough by its uncompressed length, if the body is available.
    UNCOMPRESSED_SIZES(MeaningRule.class),
    /// A field of variable size without values has an offset all the same.
    FIRST_OFFSET(MeaningRule.class),
    /// The schema's features are declared in the format.
    FEATURES(MeaningRule.class),
    /// Bodies are little-endian, for readers that support only these (Schema.fbs, `endianness`).
    /// Readers of messages and files check this, too.
    LITTLE_ENDIAN(MeaningRule.class),

    // ---- values

    /// If values are checked and sound, bytes of bodies that no value uses are 0, so that none are
    /// left from other data. Verifiers of complete inputs check the same of metadata that no table
    /// has, and of gaps between the messages of a file.
    UNUSED_BYTES(ValueRule.class);

    private final Class<? extends Rule> rules;

    Check(Class<? extends Rule> rules) {
        this.rules = rules;
    }

    /// {@return the class of the rules that are checked}
    public Class<? extends Rule> rules() {
        return rules;
    }
}
