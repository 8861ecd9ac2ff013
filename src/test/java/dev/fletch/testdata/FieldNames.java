// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import dev.fletch.flatbuf.Utf8Slice;
import dev.fletch.format.Field;

import java.util.ArrayList;
import java.util.List;

/// Names of fields: compared by their bytes, and such as few have.
public final class FieldNames {
    private FieldNames() {}

    /// {@return whether a field has a name; an absent name reads as empty}
    public static boolean is(Field field, byte[] utf8) {
        Utf8Slice name = new Utf8Slice();
        return field.nameLength() == utf8.length
                && (!field.name(name) || name.contentEquals(utf8, 0, utf8.length));
    }

    /// As many names as `bits` allow, of one hash: "Aa" and "BB" have the same, and so have all
    /// texts of as many of them.
    public static List<String> ofEqualHashes(int bits) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 1 << bits; i++) {
            StringBuilder name = new StringBuilder();
            for (int bit = 0; bit < bits; bit++) {
                name.append((i >> bit & 1) == 0 ? "Aa" : "BB");
            }
            names.add(name.toString());
        }
        return names;
    }
}
