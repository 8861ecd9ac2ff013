// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

import dev.fletch.Fault;
import dev.fletch.FileRule;
import dev.fletch.FlatBufferFormatException;
import dev.fletch.FletchException;
import dev.fletch.Rule;
import dev.fletch.ipc.ArrowFormatException;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.schema.InvalidSchemaException;

/// Thrown if an input is invalid. The offset is in the input, the message is one line.
public final class InvalidInput extends FletchException {
    private static final long serialVersionUID = 1L;

    /// @param rule the broken one; null if the input has not the part that was asked for
    /// @param offset byte offset of the fault in the input
    /// @param reason what is wrong
    public InvalidInput(Rule rule, long offset, String reason) {
        this(rule, offset, reason, null);
    }

    /// @param fault whose position is an offset in the input
    public InvalidInput(Fault fault) {
        this(fault.rule(), fault.position(), fault.text());
    }

    /// The sink of readers of complete inputs: throws at the first fault.
    public static void raise(Fault fault) {
        throw new InvalidInput(fault);
    }

    /// Creates the exception for what the format of the output cannot express.
    public static InvalidInput notConvertible(long offset, String reason) {
        return new InvalidInput(FileRule.NOT_CONVERTIBLE, offset, reason);
    }

    private InvalidInput(Rule rule, long offset, String reason, Throwable cause) {
        super(rule, null, offset, reason, cause);
    }

    /// Converts an exception from opening or reading an input.
    ///
    /// @param input null if it could not be opened; the failure's positions are then offsets in the
    ///     input
    /// @return null if the failure is not caused by the bytes
    public static InvalidInput of(Throwable failure, Input input) {
        return input == null
                ? of(failure, null, 0, 0)
                : of(failure, input.frame(), input.metadataOffset(), input.metadataLength());
    }

    /// [#of], or throws a failure that is not caused by the bytes.
    public static InvalidInput required(RuntimeException failure, Input input) {
        InvalidInput found = of(failure, input);
        if (found == null) {
            throw failure;
        }
        return found;
    }

    /// [#of] for an exception from reading the metadata of the message that a frame is bound to.
    static InvalidInput ofMessage(Throwable failure, EncapsulatedMessage frame) {
        return of(failure, frame, frame.metadataOffset(), frame.metadataLength());
    }

    private static InvalidInput of(
            Throwable failure, EncapsulatedMessage frame, long metadataAt, long metadataBytes) {
        return switch (failure) {
            case InvalidInput e -> e;
            // Counts from the input's first byte.
            case ArrowFormatException e -> of(e, e.offset());
            case FlatBufferFormatException e when frame == null -> of(e, e.offset());
            case FlatBufferFormatException e -> inside(e, frame, metadataAt, metadataBytes);
            case InvalidSchemaException e when frame != null ->
                    inside(e, frame, metadataAt, metadataBytes);
            // Invalid offsets in unverified metadata.
            case IndexOutOfBoundsException e when frame != null -> {
                String text = "metadata is malformed: " + e.getMessage();
                yield of(new FlatBufferFormatException(text, frame.offset()), frame.offset());
            }
            default -> null;
        };
    }

    /// Invalid offsets may point anywhere: then the fault is at the start of the metadata.
    private static InvalidInput inside(
            FletchException failure, EncapsulatedMessage frame, long from, long length) {
        long offset = frame.inputOffset(failure.offset());
        return of(failure, offset >= from && offset - from < length ? offset : from);
    }

    private static InvalidInput of(FletchException failure, long at) {
        // The line starts with the offset already.
        String reason = failure.getMessage().replace("offset=" + failure.offset() + ", ", "");
        // Of metadata that does not verify, what is wrong inside.
        Rule rule =
                failure.getCause() instanceof FletchException inner ? inner.rule() : failure.rule();
        return new InvalidInput(rule, at, reason, failure);
    }

    /// Returns this fault at another place.
    public InvalidInput at(long other) {
        return new InvalidInput(rule(), other, getMessage(), getCause());
    }

    /// Returns this fault with appended text.
    public InvalidInput with(String more) {
        return more.isEmpty()
                ? this
                : new InvalidInput(rule(), offset(), getMessage() + more, getCause());
    }

    /// Returns this fault, followed by another.
    public InvalidInput and(InvalidInput other) {
        return with("; " + other.line());
    }

    /// Offset and text.
    public String line() {
        return "offset " + offset() + ": " + getMessage();
    }
}
