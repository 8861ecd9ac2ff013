// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import dev.fletch.flatbuf.Utf8Slice;
import dev.fletch.format.Field;

/// Names of fields, compared by their bytes.
public final class FieldNames {
    private FieldNames() {}

    /// {@return whether a field has a name; an absent name reads as empty}
    public static boolean is(Field field, byte[] utf8) {
        Utf8Slice name = new Utf8Slice();
        return field.nameLength() == utf8.length
                && (!field.name(name) || name.contentEquals(utf8, 0, utf8.length));
    }
}
