// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import java.util.Arrays;
import java.util.List;

/// Names of the members of one enum or union, whose values count up from 0 without a gap: as in
/// every declaration of `format/*.fbs`. Lookups allocate nothing for a known value.
final class IdNames {
    private final String idName;
    private final String[] members;

    /// @param idName the enum's or union's own name, for values that have none
    /// @param members the spelling of value 0, 1, 2 and so on
    IdNames(String idName, String... members) {
        this.idName = idName;
        this.members = members;
    }

    /// The enum's or union's own name.
    String idName() {
        return idName;
    }

    /// The names from a value on, in the order of the values.
    List<String> from(int value) {
        return List.of(Arrays.copyOfRange(members, value, members.length));
    }

    /// Tells whether `value` has a name.
    boolean isKnown(long value) {
        return value >= 0 && value < members.length;
    }

    /// Returns the name of `value`, or the enum's name and the number, such as `Type(42)`.
    String name(long value) {
        return isKnown(value) ? members[(int) value] : unknown(value);
    }

    private String unknown(long value) {
        return idName + "(" + value + ")";
    }
}
