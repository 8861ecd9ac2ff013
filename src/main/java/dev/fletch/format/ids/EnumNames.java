// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.ids;

import java.util.List;

/// The names of the values of an enum or union, which are 0, 1, 2 and so on, as in all declarations
/// of `format/*.fbs`. A newer file may have values without a name here.
///
/// Source: the enums and unions of `format/*.fbs`.
///
/// Lookups allocate only for an unknown value. Immutable and thread-safe.
public final class EnumNames {
    private final String enumName;
    private final String[] members;

    /// @param enumName name of the enum or union
    /// @param members names of the values 0, 1, 2 and so on
    EnumNames(String enumName, String... members) {
        this.enumName = enumName;
        this.members = members;
    }

    /// {@return name of the enum or union}
    public String enumName() {
        return enumName;
    }

    /// {@return names of all values, from 0 on}
    public List<String> all() {
        return List.of(members);
    }

    /// {@return whether the format declares a value; 0 is declared even if it means "none"}
    public boolean isKnown(long value) {
        return value >= 0 && value < members.length;
    }

    /// {@return a value's name; for an unknown value the enum's name with the number, such as
    /// `Type(42)`}
    public String name(long value) {
        return isKnown(value) ? members[(int) value] : enumName + "(" + value + ")";
    }
}
