// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

import dev.fletch.Fault;
import dev.fletch.FletchException;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.schema.InvalidSchemaException;
import dev.fletch.schema.json.InvalidJsonException;

/// Faults of an input from the exceptions of its readers: the position is an offset in the input.
public final class InputFaults {
    private InputFaults() {}

    /// Converts an exception from opening or reading an input.
    ///
    /// @param input null if it could not be opened; the failure's positions are then offsets in the
    ///     input
    /// @return null if the failure is not caused by the bytes
    public static Fault of(Throwable failure, Input input) {
        return input == null
                ? of(failure, null, Fault.NO_MESSAGE, 0, 0)
                : of(
                        failure,
                        input.frame(),
                        input.metadataIndex(),
                        input.metadataOffset(),
                        input.metadataLength());
    }

    /// [#of], or throws a failure that is not caused by the bytes.
    public static Fault required(RuntimeException failure, Input input) {
        Fault found = of(failure, input);
        if (found == null) {
            throw failure;
        }
        return found;
    }

    /// [#of] for an exception from reading the message that a frame is bound to.
    ///
    /// @param index of the message; [Fault#NO_MESSAGE] if unknown
    public static Fault ofMessage(Throwable failure, EncapsulatedMessage frame, int index) {
        Fault found = of(failure, frame, index, frame.metadataOffset(), frame.metadataLength());
        return found == null ? null : found.in(index, found.position());
    }

    private static Fault of(
            Throwable failure,
            EncapsulatedMessage frame,
            int index,
            long metadataAt,
            long metadataBytes) {
        return switch (failure) {
            // Of a schema that is no input's.
            case InvalidSchemaException _ when frame == null -> null;
            case InvalidJsonException _ -> null;
            case FletchException e when e.isInInput() || frame == null -> e.fault();
            case FletchException e -> {
                // Invalid offsets may point anywhere: then the fault is at the start of the
                // metadata.
                long at = frame.inputOffset(e.offset());
                boolean isInside =
                        e.offset() != FletchException.NO_OFFSET
                                && at >= metadataAt
                                && at - metadataAt < metadataBytes;
                yield e.fault().in(index, isInside ? at : metadataAt);
            }
            default -> null;
        };
    }
}
