// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

import dev.fletch.Fault;
import dev.fletch.FletchException;
import dev.fletch.format.FrameKind;
import dev.fletch.format.Message;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.internal.FrameCheck;
import dev.fletch.schema.InvalidSchemaException;
import dev.fletch.schema.internal.JsonFault;

/// Faults of an input from the exceptions of its readers: the position is an offset in the input.
public final class InputFaults {
    private InputFaults() {}

    /// Converts an exception from opening or reading an input.
    ///
    /// @param input null if it could not be opened; the failure's positions are then offsets in the
    ///     input
    /// @return null if the failure is not caused by the bytes
    public static Fault of(Throwable failure, Input input) {
        return switch (failure) {
            // Of a schema that is no input's.
            case InvalidSchemaException _ when input == null -> null;
            case JsonFault _ -> null;
            case FletchException e when e.isInInput() || input == null -> e.fault();
            case FletchException e -> input.placed(e);
            default -> null;
        };
    }

    /// [#of], or throws a failure that is not caused by the bytes.
    public static Fault required(RuntimeException failure, Input input) {
        Fault fault = of(failure, input);
        if (fault == null) {
            throw failure;
        }
        return fault;
    }

    /// [#required] for an exception from reading the message that a frame is bound to.
    ///
    /// @param index of the message; [Fault#NO_MESSAGE] if unknown
    public static Fault ofMessage(RuntimeException failure, EncapsulatedMessage frame, int index) {
        if (!(failure instanceof FletchException e)) {
            throw failure;
        }
        return e.isInInput()
                ? e.fault().inMessage(index)
                : placed(e, frame, index, frame.inputOffset(e.offset()));
    }

    /// A fault of the message that a frame is bound to, at its offset in the input.
    ///
    /// @param fault its position is in the memory of the metadata
    /// @param index of the message
    public static Fault placed(Fault fault, EncapsulatedMessage frame, int index) {
        return fault.in(index, frame.inputOffset(fault.position()));
    }

    /// Throws if the first message of a stream, which a frame is bound to, is not its schema.
    public static void requireSchema(EncapsulatedMessage frame, Message message) {
        int index = frame.kind() == FrameKind.MESSAGE ? 0 : Fault.NO_MESSAGE;
        FrameCheck.leadingSchema(
                frame.offset(),
                frame.kind(),
                message,
                fault -> FletchException.raiseInInput(fault.inMessage(index)));
    }

    /// The fault of an exception from reading a message, at its offset in the input. An exception
    /// may have none, or an invalid one that points anywhere: then it is that of the metadata.
    ///
    /// @param frame bound to the message
    /// @param offset in the input of the exception's position in the metadata or the body
    public static Fault placed(
            FletchException e, EncapsulatedMessage frame, int index, long offset) {
        boolean isInside =
                e.offset() != FletchException.NO_OFFSET
                        && offset >= frame.metadataOffset()
                        && offset - frame.bodyOffset() < frame.bodyLength();
        return e.fault().in(index, isInside ? offset : frame.metadataOffset());
    }
}
