// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.internal;

import static dev.fletch.MeaningRule.CHILD_LENGTH;
import static dev.fletch.MeaningRule.CHILD_SHORTER;
import static dev.fletch.MeaningRule.LIST_CHILD_LENGTH;
import static dev.fletch.MeaningRule.LIST_CHILD_SHORTER;
import static dev.fletch.MeaningRule.RUN_COUNT;
import static dev.fletch.MeaningRule.RUN_END_NULLS;
import static dev.fletch.MeaningRule.UNION_CHILD_SHORTER;

import dev.fletch.Rule;
import dev.fletch.format.ids.Type;

/// The rules of the nodes of children whose least length the parent determines. Each method returns
/// the broken rule, or null.
///
/// Source: Columnar format, "Physical Memory Layout".
public final class ChildLength {
    private ChildLength() {}

    /// The rule of a child of a struct, a fixed-size list or a sparse union; null for others.
    ///
    /// @param type of the parent, one of [Type]
    /// @param isDense whether the parent is a dense union
    /// @param size number of elements in a fixed-size list
    /// @param above length of the parent
    /// @param nulls null count of the parent
    /// @param length of the child
    public static Rule of(
            int type, boolean isDense, long size, long above, long nulls, long length) {
        return switch (type) {
            case Type.STRUCT_ -> ofStruct(above, nulls, length);
            case Type.FIXED_SIZE_LIST -> ofList(size, above, nulls, length);
            case Type.UNION -> isDense || length >= above ? null : UNION_CHILD_SHORTER;
            default -> null;
        };
    }

    private static Rule ofStruct(long above, long nulls, long length) {
        if (length >= above) {
            return null;
        }
        return length < values(above, nulls) ? CHILD_LENGTH : CHILD_SHORTER;
    }

    private static Rule ofList(long size, long above, long nulls, long length) {
        if (size <= 0 || above <= length / size) {
            return null;
        }
        return length / size < values(above, nulls) ? LIST_CHILD_LENGTH : LIST_CHILD_SHORTER;
    }

    /// The rule of the number of run ends.
    public static Rule runEnds(long above, long length) {
        return length == 0 && above > 0 ? RUN_COUNT : null;
    }

    /// The rule of the null count of run ends.
    public static Rule runEndNulls(long nulls) {
        return nulls == 0 ? null : RUN_END_NULLS;
    }

    /// The rule of the number of run values.
    ///
    /// @param runEnds their number
    public static Rule runValues(long runEnds, long length) {
        return length < runEnds ? RUN_COUNT : null;
    }

    /// The number of the parent's values that are not null.
    private static long values(long length, long nulls) {
        return length - Math.max(0, Math.min(nulls, length));
    }
}
