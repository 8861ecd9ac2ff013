// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.write;

/// Checks what the encoders are given.
final class EncoderArguments {
    private EncoderArguments() {}

    /// Refuses to leave out what the format requires: no reader would take the table.
    static void required(int object, String field) {
        if (object == 0) {
            throw new IllegalArgumentException("required field is absent: field=" + field);
        }
    }
}
