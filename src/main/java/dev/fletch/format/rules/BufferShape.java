// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.rules;

import static dev.fletch.format.BufferRole.*;

import dev.fletch.format.BufferRole;

/// The buffers of a field's physical layout, in order, without those of its children. [TypeFacts]
/// has the shape of each type.
///
/// Source: Columnar format, "Buffer Listing for Each Layout". For metadata version V4, in which all
/// types but `Null` have a validity buffer: unions before Arrow 1.0, and what Arrow C++ and arrow-rs
/// read and write.
public enum BufferShape {
    /// No buffers: `Null` and run-end encoded.
    NOTHING,

    /// Values of a fixed number of bits.
    FIXED_WIDTH(VALIDITY, DATA),

    /// Binary or text with offsets into the data.
    VARIABLE_WIDTH(VALIDITY, OFFSETS, DATA),

    /// Binary or text views, followed by the field's variadic buffers.
    VIEW(VALIDITY, VIEWS),

    /// Lists and maps.
    LIST(VALIDITY, OFFSETS),

    /// List views.
    LIST_VIEW(VALIDITY, OFFSETS, SIZES),

    /// Structs and fixed-size lists. Run-end encoded of metadata version 4, whose buffer is empty.
    VALIDITY_ONLY(VALIDITY),

    /// Sparse unions.
    SPARSE_UNION(TYPE_IDS),

    /// Dense unions.
    DENSE_UNION(TYPE_IDS, OFFSETS),

    /// Sparse unions of metadata version 4.
    SPARSE_UNION_V4(VALIDITY, TYPE_IDS),

    /// Dense unions of metadata version 4.
    DENSE_UNION_V4(VALIDITY, TYPE_IDS, OFFSETS),

    /// An unknown type: neither its buffers nor later ones can be located.
    UNKNOWN;

    /// Number of bits that hold an ordinal.
    public static final int BITS = 4;

    /// The value of [#roles] for no buffers.
    public static final long NO_ROLES = -1L >>> Byte.SIZE;

    /// Numbers per buffer in an array of them: offset and length.
    public static final int PAIR = 2;

    /// What [#place] returns for an absent role.
    public static final long NO_PLACE = 0xFF;

    private static final int COUNT_SHIFT = 7 * Byte.SIZE;

    private static final BufferShape[] VALUES = values();

    /// For each shape, one byte per role by ordinal: the place of its buffer. The highest byte is
    /// the number of buffers.
    private static final long[] ROLES = new long[1 << BITS];

    static {
        for (BufferShape shape : VALUES) {
            long all = NO_ROLES | (long) shape.roles.length << COUNT_SHIFT;
            for (int i = 0; i < shape.roles.length; i++) {
                final int shift = shape.roles[i].ordinal() * Byte.SIZE;
                all = all & ~(NO_PLACE << shift) | (long) PAIR * i << shift;
            }
            ROLES[shape.ordinal()] = all;
        }
    }

    private final BufferRole[] roles;

    BufferShape(BufferRole... roles) {
        this.roles = roles;
    }

    /// {@return the shape with an ordinal}
    public static BufferShape of(int ordinal) {
        return VALUES[ordinal];
    }

    /// {@return the places of a shape's buffers by role, for [#place] and [#count(long)]}
    public static long roles(int ordinal) {
        return ROLES[ordinal];
    }

    /// {@return number of buffers, without variadic ones}
    ///
    /// @param roles what [#roles] returned
    public static int count(long roles) {
        return (int) (roles >>> COUNT_SHIFT);
    }

    /// {@return the place of the buffer with a role: [#PAIR] times its index, [#NO_PLACE] if there
    /// is none}
    ///
    /// @param roles what [#roles] returned
    public static long place(long roles, BufferRole role) {
        return roles >>> (role.ordinal() * Byte.SIZE) & NO_PLACE;
    }

    /// {@return number of buffers, without variadic ones}
    public int count() {
        return roles.length;
    }

    /// {@return the role of a buffer; indices from [#count()] on are variadic}
    public BufferRole role(int buffer) {
        return buffer < roles.length ? roles[buffer] : BufferRole.VARIADIC;
    }

    /// {@return whether there is one offset more than values}
    public boolean hasEndOffset() {
        return this == VARIABLE_WIDTH || this == LIST;
    }
}
