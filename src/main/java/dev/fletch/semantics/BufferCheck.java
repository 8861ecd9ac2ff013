// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.semantics;

import static dev.fletch.layout.LayoutRules.BUFFER_OUT_OF_BODY;
import static dev.fletch.semantics.SemanticRules.*;

import dev.fletch.Rule;
import dev.fletch.format.Buffer;

/// The rules of a buffer's place in its body, for batches and tensors.
final class BufferCheck {
    private static final int ALIGNMENT = 8;

    // The second number of a buffer is 8 bytes after the first.
    private static final int LENGTH_AT = Long.BYTES;

    private final Report report;
    private final boolean checkEmptyBuffers;

    // The current buffer, and its path.
    private Buffer buffer;
    private String name;
    private int index;
    private boolean isInside;

    BufferCheck(Report report, SemanticOptions options) {
        this.report = report;
        checkEmptyBuffers = options.checks(SemanticOptions.Check.EMPTY_BUFFERS);
    }

    /// Checks an element of a vector of buffers.
    ///
    /// @param element of the vector `name`, at `at`
    /// @param bodyLength in bytes; negative if unknown
    /// @return whether to continue
    boolean check(Buffer element, long bodyLength, String name, int at) {
        buffer = element;
        this.name = name;
        index = at;
        return check(bodyLength);
    }

    /// Checks a single buffer: see [#check(Buffer, long, String, int)].
    boolean check(Buffer single, long bodyLength, String name) {
        return check(single, bodyLength, name, Report.NONE);
    }

    private boolean check(long bodyLength) {
        final long offset = buffer.offset();
        final long length = buffer.length();
        isInside = false;
        if (length < 0) {
            return atLength(NEGATIVE_BUFFER_LENGTH, length);
        }
        if (length == 0 && !checkEmptyBuffers) {
            isInside = true;
            return true;
        }
        if (offset < 0) {
            return atOffset(NEGATIVE_BUFFER_OFFSET);
        }
        return range(offset, length, bodyLength)
                && (offset % ALIGNMENT == 0 || atOffset(BUFFER_UNALIGNED));
    }

    private boolean range(long offset, long length, long bodyLength) {
        if (offset > Long.MAX_VALUE - length) {
            return atLength(BUFFER_OVERFLOW, length);
        }
        isInside = bodyLength < 0 || offset + length <= bodyLength;
        return isInside || atLength(BUFFER_OUT_OF_BODY, offset + length);
    }

    /// Returns whether the last buffer is inside the body, as far as its length is known.
    boolean isInside() {
        return isInside;
    }

    /// Reports a fault of the last buffer's offset.
    boolean atOffset(Rule code) {
        return report.add(code, buffer.position(), buffer.offset(), name, index, "offset");
    }

    /// Reports a fault of the last buffer's length.
    boolean atLength(Rule code, long value) {
        return report.add(code, buffer.position() + LENGTH_AT, value, name, index, "length");
    }
}
