// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.flatbuf.TreeShape;

import java.util.Arrays;

/// What [FieldWalk] looks at: the slots of a field, and the parameters of each type.
///
/// Source: `format/Schema.fbs`, table `Field` and union `Type`.
final class FieldShape {
    /// For each type the sizes of its parameters in bytes, slot 0 in the lowest byte.
    private static final int[] TYPE_SIZES = new int[Type.DURATION + 1];

    /// For each type what its slot 1 holds: 1 for a string, 3 for a vector of `int`, else 0.
    private static final byte[] TYPE_VECTORS = new byte[TYPE_SIZES.length];

    /// The slot of all types that have a unit.
    static final int UNIT_SLOT = 0;

    /// For each type's number what an absent unit reads as; negative where there is none.
    static final byte[] ABSENT_UNITS = new byte[256];

    static {
        Arrays.fill(ABSENT_UNITS, (byte) -1);
        ABSENT_UNITS[Type.DATE] = Date.UNIT_DEFAULT;
        ABSENT_UNITS[Type.TIME] = Time.UNIT_DEFAULT;
        ABSENT_UNITS[Type.TIMESTAMP] = Timestamp.UNIT_DEFAULT;
        ABSENT_UNITS[Type.INTERVAL] = Interval.UNIT_DEFAULT;
        ABSENT_UNITS[Type.DURATION] = Duration.UNIT_DEFAULT;
        TYPE_SIZES[Type.INT] = (int) Int.SIZES;
        TYPE_SIZES[Type.FLOATING_POINT] = (int) FloatingPoint.SIZES;
        TYPE_SIZES[Type.DECIMAL] = (int) Decimal.SIZES;
        TYPE_SIZES[Type.DATE] = (int) Date.SIZES;
        TYPE_SIZES[Type.TIME] = (int) Time.SIZES;
        TYPE_SIZES[Type.TIMESTAMP] = (int) Timestamp.SIZES;
        TYPE_SIZES[Type.INTERVAL] = (int) Interval.SIZES;
        TYPE_SIZES[Type.UNION] = (int) Union.SIZES;
        TYPE_SIZES[Type.FIXED_SIZE_BINARY] = (int) FixedSizeBinary.SIZES;
        TYPE_SIZES[Type.FIXED_SIZE_LIST] = (int) FixedSizeList.SIZES;
        TYPE_SIZES[Type.MAP] = (int) Map.SIZES;
        TYPE_SIZES[Type.DURATION] = (int) Duration.SIZES;
        TYPE_VECTORS[Type.TIMESTAMP] = 1;
        TYPE_VECTORS[Type.UNION] = 3;
    }

    /// What a walk looks at.
    static final TreeShape SHAPE =
            new TreeShape(
                    Field.SIZES,
                    Field.NAME_SLOT,
                    Field.NULLABLE_SLOT,
                    Field.TYPE_TYPE_SLOT,
                    Field.TYPE_SLOT,
                    Field.DICTIONARY_SLOT,
                    Field.CHILDREN_SLOT,
                    Field.CUSTOM_METADATA_SLOT,
                    TYPE_SIZES,
                    TYPE_VECTORS,
                    TreeShape.oddSlots(TYPE_SIZES));

    private FieldShape() {}
}
