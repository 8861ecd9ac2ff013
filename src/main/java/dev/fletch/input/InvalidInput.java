// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

import dev.fletch.FlatBufferFormatException;
import dev.fletch.FletchException;
import dev.fletch.model.InvalidSchemaException;

/// Thrown if an input is invalid. The message is one line.
public final class InvalidInput extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final long offset;

    /// @param offset byte offset of the fault in the input
    /// @param reason what is wrong
    public InvalidInput(long offset, String reason) {
        this(offset, reason, null);
    }

    private InvalidInput(long offset, String reason, Throwable cause) {
        super(reason, cause);
        this.offset = offset;
    }

    /// Converts an exception from opening or reading an input.
    ///
    /// @param input null if it could not be opened; the failure's positions are then offsets in the input
    /// @return null if the failure is not caused by the bytes
    public static InvalidInput of(Throwable failure, Input input) {
        return switch (failure) {
            case InvalidInput e -> e;
            case FlatBufferFormatException e ->
                    of(e, input == null ? e.offset() : input.offsetOf(e));
            case InvalidSchemaException e when input != null -> of(e, input.offsetOf(e));
            // Invalid offsets in unverified metadata.
            case IndexOutOfBoundsException e when input != null ->
                    new InvalidInput(
                            input.frame().offset(), "metadata is malformed: " + e.getMessage(), e);
            default -> null;
        };
    }

    private static InvalidInput of(FletchException failure, long at) {
        // The line starts with the offset already.
        String reason = failure.getMessage().replace("offset=" + failure.offset() + ", ", "");
        return new InvalidInput(at, reason, failure);
    }

    /// Returns this fault with appended text.
    public InvalidInput with(String more) {
        return more.isEmpty() ? this : new InvalidInput(offset, getMessage() + more, getCause());
    }

    /// Byte offset in the input.
    public long offset() {
        return offset;
    }
}
