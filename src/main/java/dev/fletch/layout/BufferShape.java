// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import static dev.fletch.layout.BufferRole.DATA;
import static dev.fletch.layout.BufferRole.OFFSETS;
import static dev.fletch.layout.BufferRole.SIZES;
import static dev.fletch.layout.BufferRole.TYPE_IDS;
import static dev.fletch.layout.BufferRole.VALIDITY;
import static dev.fletch.layout.BufferRole.VIEWS;

import dev.fletch.format.MetadataVersion;
import dev.fletch.format.Type;
import dev.fletch.format.UnionMode;

/// Which buffers a field owns besides those of its children, in order: the one place that says so.
///
/// Source: the chapter "Buffer Listing for Each Layout" of Arrow's columnar format; for unions of
/// metadata version 4, the changes of Arrow 1.0.
public enum BufferShape {
    /// No buffers.
    NOTHING,

    /// Values of a fixed number of bits.
    FIXED_WIDTH(VALIDITY, DATA),

    /// Bytes or text, with offsets into the data.
    VARIABLE_WIDTH(VALIDITY, OFFSETS, DATA),

    /// Bytes or text as views, and as many variadic buffers as the batch says.
    VIEW(VALIDITY, VIEWS),

    /// Lists and maps.
    LIST(VALIDITY, OFFSETS),

    /// Lists with an offset and a size each.
    LIST_VIEW(VALIDITY, OFFSETS, SIZES),

    /// Structs and lists of a fixed size.
    CHILDREN_ONLY(VALIDITY),

    /// Sparse unions.
    SPARSE_UNION(TYPE_IDS),

    /// Dense unions.
    DENSE_UNION(TYPE_IDS, OFFSETS),

    /// Sparse unions of metadata version 4.
    SPARSE_UNION_V4(VALIDITY, TYPE_IDS),

    /// Dense unions of metadata version 4.
    DENSE_UNION_V4(VALIDITY, TYPE_IDS, OFFSETS),

    /// An unknown type: neither its buffers nor those behind it can be placed.
    UNKNOWN;

    private static final BufferShape[] VALUES = values();

    /// No role has an index.
    static final long NO_ROLES = -1L >>> Byte.SIZE;

    private static final int COUNT_SHIFT = 7 * Byte.SIZE;

    /// The index of a role that there is not.
    static final int NO_INDEX = 0xFF;

    /// For each shape a byte for each role, by ordinal: which buffer has it. In the highest byte, the
    /// number of buffers.
    private static final long[] ROLES = new long[1 << FieldTable.SHAPE_BITS];

    static {
        for (BufferShape shape : VALUES) {
            long all = NO_ROLES | (long) shape.roles.length << COUNT_SHIFT;
            for (int i = 0; i < shape.roles.length; i++) {
                final int shift = shape.roles[i].ordinal() * Byte.SIZE;
                all = all & ~((long) NO_INDEX << shift) | (long) i << shift;
            }
            ROLES[shape.ordinal()] = all;
        }
    }

    private final BufferRole[] roles;

    BufferShape(BufferRole... roles) {
        this.roles = roles;
    }

    static BufferShape of(int ordinal) {
        return VALUES[ordinal];
    }

    /// Which buffers have which roles, for [#index], in the shape of an ordinal.
    static long roles(int ordinal) {
        return ROLES[ordinal];
    }

    /// The number of buffers, variadic ones left out.
    ///
    /// @param roles what [#roles] returned
    static int count(long roles) {
        return (int) (roles >>> COUNT_SHIFT);
    }

    /// The index of the buffer of a role, [#NO_INDEX] if there is none.
    ///
    /// @param roles what [#roles] returned
    static int index(long roles, BufferRole role) {
        return (int) (roles >>> (role.ordinal() * Byte.SIZE)) & NO_INDEX;
    }

    /// The shape of a field of a type.
    ///
    /// @param typeType one of [Type]
    /// @param unionMode of a union; any other type has none
    /// @param version of the metadata, one of [MetadataVersion]
    /// @return the shape
    public static BufferShape of(int typeType, int unionMode, int version) {
        return switch (typeType) {
            case Type.NULL, Type.RUN_END_ENCODED -> NOTHING;
            case Type.INT,
                    Type.FLOATING_POINT,
                    Type.BOOL,
                    Type.DECIMAL,
                    Type.DATE,
                    Type.TIME,
                    Type.TIMESTAMP,
                    Type.INTERVAL,
                    Type.DURATION,
                    Type.FIXED_SIZE_BINARY ->
                    FIXED_WIDTH;
            case Type.BINARY, Type.UTF8, Type.LARGE_BINARY, Type.LARGE_UTF8 -> VARIABLE_WIDTH;
            case Type.BINARY_VIEW, Type.UTF8_VIEW -> VIEW;
            case Type.LIST, Type.LARGE_LIST, Type.MAP -> LIST;
            case Type.LIST_VIEW, Type.LARGE_LIST_VIEW -> LIST_VIEW;
            case Type.STRUCT_, Type.FIXED_SIZE_LIST -> CHILDREN_ONLY;
            case Type.UNION -> union(unionMode, version);
            default -> UNKNOWN;
        };
    }

    private static BufferShape union(int mode, int version) {
        final boolean old = version == MetadataVersion.V4;
        return switch (mode) {
            case UnionMode.SPARSE -> old ? SPARSE_UNION_V4 : SPARSE_UNION;
            case UnionMode.DENSE -> old ? DENSE_UNION_V4 : DENSE_UNION;
            default -> UNKNOWN;
        };
    }

    /// Number of buffers, variadic ones left out.
    ///
    /// @return how many
    public int count() {
        return roles.length;
    }

    /// The role of a buffer; those behind are variadic.
    ///
    /// @param buffer its index
    /// @return its role
    public BufferRole role(int buffer) {
        return buffer < roles.length ? roles[buffer] : BufferRole.VARIADIC;
    }
}
