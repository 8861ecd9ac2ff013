// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.text;

/// Numbers in sentences.
public final class Numbers {
    private Numbers() {}

    /// A number of things, such as `1 file` or `2 files`.
    public static String count(long count, String one, String many) {
        return count + " " + (count == 1 ? one : many);
    }

    /// A number of bytes.
    public static String bytes(long count) {
        return count(count, "byte", "bytes");
    }
}
