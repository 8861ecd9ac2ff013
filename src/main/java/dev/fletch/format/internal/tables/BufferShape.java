// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.internal.tables;

import static dev.fletch.format.ids.BufferRole.*;

import dev.fletch.format.ids.BufferRole;

import java.util.Arrays;

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

    /// Number of bits that hold an ordinal.
    public static final int BITS = 4;

    /// Numbers per buffer in an array of them: offset and length.
    public static final int PAIR = 2;

    /// What [#place] returns for an absent role: plus any index of an array, it is negative.
    public static final int NO_PLACE = Integer.MIN_VALUE;

    private static final BufferShape[] VALUES = values();

    private static final int ROLE_BITS = 3;
    private static final int ROLES = 1 << ROLE_BITS;

    /// For each shape, the place of each role's buffer, and at the end the number of buffers.
    private static final int[] PLACES = new int[ROLES << BITS];

    static {
        Arrays.fill(PLACES, NO_PLACE);
        for (BufferShape shape : VALUES) {
            int first = roles(shape.ordinal());
            for (int i = 0; i < shape.roles.length; i++) {
                PLACES[first + shape.roles[i].ordinal()] = PAIR * i;
            }
            PLACES[first + ROLES - 1] = shape.roles.length;
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

    /// {@return a key of a shape's buffers, for [#place] and [#count(int)]}
    ///
    /// @param ordinal of the shape
    public static int roles(int ordinal) {
        return ordinal << ROLE_BITS;
    }

    /// {@return number of buffers, without variadic ones}
    ///
    /// @param roles what [#roles] returned
    public static int count(int roles) {
        return PLACES[roles + ROLES - 1] & ROLES - 1; // bound told to C2
    }

    /// {@return the place of the buffer with a role: [#PAIR] times its index, [#NO_PLACE] if there
    /// is none}
    ///
    /// @param roles what [#roles] returned
    public static int place(int roles, BufferRole role) {
        return PLACES[roles + role.ordinal()];
    }

    /// {@return number of buffers, without variadic ones}
    public int count() {
        return roles.length;
    }

    /// {@return the role of a buffer; indices from [#count()] on are variadic}
    public BufferRole role(int buffer) {
        return buffer < roles.length ? roles[buffer] : BufferRole.VARIADIC;
    }

    /// {@return whether there is a buffer with a role}
    public boolean has(BufferRole role) {
        return role == BufferRole.VARIADIC
                ? this == VIEW
                : place(roles(ordinal()), role) != NO_PLACE;
    }

    /// {@return whether there is one offset more than values}
    public boolean hasEndOffset() {
        return this == VARIABLE_WIDTH || this == LIST;
    }
}
