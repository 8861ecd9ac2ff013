// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.internal.tables;

import static dev.fletch.format.ids.BufferRole.*;

import dev.fletch.format.ids.BufferRole;

/// The buffers of a field's physical layout, in order, without those of its children. [TypeFacts]
/// has the shape of each type.
///
/// Source: Columnar format, "Buffer Listing for Each Layout". For metadata version V4, in which all
/// types but `Null` have a validity buffer: unions before Arrow 1.0, and what Arrow C++ and
/// arrow-rs read and write.
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

    LIST_VIEW(VALIDITY, OFFSETS, SIZES),

    /// Structs and fixed-size lists. Run-end encoded of metadata version 4, whose buffer is empty.
    VALIDITY_ONLY(VALIDITY),

    // Unions, and those of metadata version 4.
    SPARSE_UNION(TYPE_IDS),
    DENSE_UNION(TYPE_IDS, OFFSETS),
    SPARSE_UNION_V4(VALIDITY, TYPE_IDS),
    DENSE_UNION_V4(VALIDITY, TYPE_IDS, OFFSETS),

    /// An unknown type: neither its buffers nor later ones can be located.
    UNKNOWN;

    /// Number of bits of a [#code].
    public static final int BITS = 5;

    /// Numbers per buffer in an array of them: offset and length.
    public static final int PAIR = 2;

    private static final int COUNT_BITS = 2;

    /// By their codes.
    private static final BufferShape[] SHAPES = new BufferShape[1 << BITS];

    static {
        for (BufferShape shape : values()) {
            shape.code = shape.roles.length;
            while (SHAPES[shape.code] != null) {
                shape.code += 1 << COUNT_BITS;
            }
            SHAPES[shape.code] = shape;
        }
    }

    private final BufferRole[] roles;
    private int code;

    BufferShape(BufferRole... roles) {
        this.roles = roles;
    }

    /// {@return a number of [#BITS] bits; the number of buffers is in the lowest}
    public int code() {
        return code;
    }

    /// {@return the shape with a code}
    public static BufferShape of(int code) {
        return SHAPES[code];
    }

    /// {@return number of buffers, without variadic ones}
    ///
    /// @param code of the shape, in the lowest bits
    public static int count(int code) {
        return code & (1 << COUNT_BITS) - 1; // bound told to C2
    }

    /// {@return number of buffers, without variadic ones}
    public int count() {
        return roles.length;
    }

    /// {@return the role of a buffer; indices from [#count()] on are variadic}
    public BufferRole role(int buffer) {
        return buffer < roles.length ? roles[buffer] : BufferRole.VARIADIC;
    }

    /// {@return index of the buffer with a role; -1 if there is none, or if several may have it}
    public int index(BufferRole role) {
        int index = roles.length - 1;
        while (index >= 0 && roles[index] != role) {
            index--;
        }
        return index;
    }

    /// {@return whether there is a buffer with a role}
    public boolean has(BufferRole role) {
        return role == BufferRole.VARIADIC ? this == VIEW : index(role) >= 0;
    }

    /// {@return number of offsets or other numbers in a buffer: of offsets between values, one more}
    ///
    /// @param values their number; a negative one, and the greatest, stay as they are
    public long count(BufferRole role, long values) {
        boolean hasEnd = role == BufferRole.OFFSETS && (this == VARIABLE_WIDTH || this == LIST);
        return hasEnd && values >= 0 && values < Long.MAX_VALUE ? values + 1 : values;
    }

    /// {@return position of the first buffer in an array with some nodes before it, which have two
    /// numbers, too: in a batch, the length of the vector of buffers is between them}
    public static int firstPosition(int nodes) {
        return PAIR * nodes + 1;
    }
}
