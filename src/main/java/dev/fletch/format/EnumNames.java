// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import java.util.List;

/// The names of an enum's or union's values, which count up from 0 without a gap, as in every
/// declaration of `format/*.fbs`. A newer file may hold values that have no name here.
///
/// Source: the enums and unions of `format/*.fbs`.
///
/// Lookups allocate for an unknown value only. Immutable; any number of threads may share one.
public final class EnumNames {
    private final String enumName;
    private final String[] members;

    /// @param enumName the enum's or union's own name
    /// @param members the names of value 0, 1, 2 and so on
    EnumNames(String enumName, String... members) {
        this.enumName = enumName;
        this.members = members;
    }

    /// {@return the enum's or union's own name}
    public String enumName() {
        return enumName;
    }

    /// {@return the names of all values, from 0 on}
    public List<String> all() {
        return List.of(members);
    }

    /// Tells whether this version of the format declares a value; 0 is declared, also where it means
    /// "none".
    ///
    /// @param value any number
    /// @return whether it has a name
    public boolean isKnown(long value) {
        return value >= 0 && value < members.length;
    }

    /// Names a value.
    ///
    /// @param value any number
    /// @return its name; for an unknown one the enum's name and the number, such as `Type(42)`
    public String name(long value) {
        return isKnown(value) ? members[(int) value] : enumName + "(" + value + ")";
    }
}
