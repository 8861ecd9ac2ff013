// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.fbs;

import java.util.Locale;

/// Turns names of a `.fbs` file into the Java names that stand for them.
final class FbsNames {
    private FbsNames() {}

    /// Returns `DENSE_ARRAY` for `DenseArray`; a digit never begins a word (`UTF8_VIEW`, `V5`).
    static String upperSnake(String name) {
        return name.replaceAll("([a-z0-9])([A-Z])", "$1_$2").toUpperCase(Locale.ROOT);
    }

    /// Returns `customMetadata` for `custom_metadata`; other capitals stay (`metaDataLength`).
    static String lowerCamel(String name) {
        StringBuilder camel = new StringBuilder(name.length());
        boolean startsWord = false;
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c == '_' && i > 0) {
                startsWord = true;
            } else {
                camel.append(startsWord ? Character.toUpperCase(c) : c);
                startsWord = false;
            }
        }
        return camel.toString();
    }
}
