// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.io;

import dev.fletch.FlatBufferFormatException;

/// Thrown where an input's bytes are not what the format says: where, and why, for one line.
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

    /// Takes over what was found before there was an input to ask.
    public static InvalidInput of(FlatBufferFormatException fault) {
        return at(fault.offset(), fault);
    }

    /// Takes over what was found while an input was read.
    ///
    /// @return null if it is no fault of the bytes
    public static InvalidInput of(RuntimeException failure, Input input) {
        return switch (failure) {
            case InvalidInput e -> e;
            case FlatBufferFormatException e -> at(input.offsetOf(e), e);
            // The other way in which bytes that lead astray may end.
            case IndexOutOfBoundsException e ->
                    new InvalidInput(
                            input.frame().offset(), "metadata is malformed: " + e.getMessage(), e);
            default -> null;
        };
    }

    private static InvalidInput at(long offset, FlatBufferFormatException fault) {
        // The line starts with the offset; once is enough.
        String reason = fault.getMessage().replace("offset=" + offset + ", ", "");
        return new InvalidInput(offset, reason, fault);
    }

    /// Byte offset in the input.
    long offset() {
        return offset;
    }
}
