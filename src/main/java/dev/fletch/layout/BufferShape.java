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

/// The buffers of a field's physical layout, in order, without those of its children. The only definition of
/// it in the library.
///
/// Source: Columnar format, "Buffer Listing for Each Layout". For metadata version V4, in which all types but
/// `Null` have a validity buffer: unions before Arrow 1.0, and what Arrow C++ and arrow-rs read and write.
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

    /// Structs and fixed-size lists.
    CHILDREN_ONLY(VALIDITY),

    /// Sparse unions.
    SPARSE_UNION(TYPE_IDS),

    /// Dense unions.
    DENSE_UNION(TYPE_IDS, OFFSETS),

    /// Sparse unions of metadata version 4.
    SPARSE_UNION_V4(VALIDITY, TYPE_IDS),

    /// Dense unions of metadata version 4.
    DENSE_UNION_V4(VALIDITY, TYPE_IDS, OFFSETS),

    /// Run-end encoded, of metadata version 4. The buffer is empty.
    RUN_END_ENCODED_V4(VALIDITY),

    /// An unknown type: neither its buffers nor later ones can be located.
    UNKNOWN;

    private static final BufferShape[] VALUES = values();

    /// The value of [#roles] for no buffers.
    static final long NO_ROLES = -1L >>> Byte.SIZE;

    private static final int COUNT_SHIFT = 7 * Byte.SIZE;

    /// Numbers per buffer in an array of them: offset and length.
    static final int PAIR = 2;

    /// What [#place] returns for an absent role.
    static final long NO_PLACE = 0xFF;

    /// For each shape, one byte per role by ordinal: the place of its buffer. The highest byte is the number
    /// of buffers.
    private static final long[] ROLES = new long[1 << FieldTable.SHAPE_BITS];

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

    static BufferShape of(int ordinal) {
        return VALUES[ordinal];
    }

    /// The places of a shape's buffers by role, for [#place] and [#count].
    static long roles(int ordinal) {
        return ROLES[ordinal];
    }

    /// The number of buffers, without variadic ones.
    ///
    /// @param roles what [#roles] returned
    static int count(long roles) {
        return (int) (roles >>> COUNT_SHIFT);
    }

    /// The place of the buffer with a role: [#PAIR] times its index, [#NO_PLACE] if there is none.
    ///
    /// @param roles what [#roles] returned
    static long place(long roles, BufferRole role) {
        return roles >>> (role.ordinal() * Byte.SIZE) & NO_PLACE;
    }

    /// {@return whether the shape of a type depends on the metadata version}
    ///
    /// @param typeType one of [Type]
    public static boolean dependsOnVersion(int typeType) {
        return typeType == Type.UNION || typeType == Type.RUN_END_ENCODED;
    }

    /// Returns the shape of a type.
    ///
    /// @param typeType one of [Type]
    /// @param unionMode one of [UnionMode]; ignored for other types
    /// @param version metadata version, one of [MetadataVersion]
    /// @return the shape; [#UNKNOWN] for an unknown type or union mode
    public static BufferShape of(int typeType, int unionMode, int version) {
        return switch (typeType) {
            case Type.NULL -> NOTHING;
            case Type.RUN_END_ENCODED -> isOld(version) ? RUN_END_ENCODED_V4 : NOTHING;
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
        return switch (mode) {
            case UnionMode.SPARSE -> isOld(version) ? SPARSE_UNION_V4 : SPARSE_UNION;
            case UnionMode.DENSE -> isOld(version) ? DENSE_UNION_V4 : DENSE_UNION;
            default -> UNKNOWN;
        };
    }

    private static boolean isOld(int version) {
        return version == MetadataVersion.V4;
    }

    /// Returns the number of buffers, without variadic ones.
    ///
    /// @return number of buffers
    public int count() {
        return roles.length;
    }

    /// Returns the role of a buffer; indices from [#count] on are variadic.
    ///
    /// @param buffer its index
    /// @return its role
    public BufferRole role(int buffer) {
        return buffer < roles.length ? roles[buffer] : BufferRole.VARIADIC;
    }
}
