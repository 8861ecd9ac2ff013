// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/// UTF-8 as strings of a FlatBuffer carry it. Takes memory as [Wire] does: a heap array, or null and
/// a segment.
final class Utf8 {
    private Utf8() {}

    /// Decodes; what is no UTF-8 becomes U+FFFD, as in [String].
    static String decode(byte[] a, MemorySegment s, long at, int length) {
        if (a != null) {
            return new String(a, (int) at, length, StandardCharsets.UTF_8);
        }
        final byte[] bytes = new byte[length];
        MemorySegment.copy(s, ValueLayout.JAVA_BYTE, at, bytes, 0, length);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /// Tells whether bytes are exactly the encoding of a text. Allocates nothing. A text with an
    /// unpaired surrogate has no encoding and equals nothing.
    static boolean equals(byte[] a, MemorySegment s, long at, int length, CharSequence text) {
        return Utf8Text.equals(a, s, at, length, text, 0, text.length());
    }
}
