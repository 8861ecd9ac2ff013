// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

import dev.fletch.FlatBufferFormatException;

/// Thrown if the bytes of an input break the format: where and why, for one line.
public final class InvalidInput extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final long offset;

    /// @param offset of the fault in the input, from its first byte
    /// @param reason what is wrong
    public InvalidInput(long offset, String reason) {
        this(offset, reason, null);
    }

    private InvalidInput(long offset, String reason, Throwable cause) {
        super(reason, cause);
        this.offset = offset;
    }

    /// Takes over a failure while an input was opened or read.
    ///
    /// @param input null if it could not be opened: then positions are offsets of the input
    /// @return null if the failure does not concern the bytes
    public static InvalidInput of(RuntimeException failure, Input input) {
        return switch (failure) {
            case InvalidInput e -> e;
            case FlatBufferFormatException e -> {
                long at = input == null ? e.offset() : input.offsetOf(e);
                // The line starts with the offset; once is enough.
                String reason = e.getMessage().replace("offset=" + at + ", ", "");
                yield new InvalidInput(at, reason, e);
            }
            // Wrong offsets may also lead out of the memory.
            case IndexOutOfBoundsException e when input != null ->
                    new InvalidInput(
                            input.frame().offset(), "metadata is malformed: " + e.getMessage(), e);
            default -> null;
        };
    }

    /// The same fault with more text.
    public InvalidInput with(String more) {
        return more.isEmpty() ? this : new InvalidInput(offset, getMessage() + more, getCause());
    }

    /// Byte offset in the input.
    public long offset() {
        return offset;
    }
}
