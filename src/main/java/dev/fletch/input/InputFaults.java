// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

import dev.fletch.Fault;
import dev.fletch.FletchException;
import dev.fletch.Rule;
import dev.fletch.StructureRule;
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
                ? of(failure, null, 0, 0)
                : of(failure, input.frame(), input.metadataOffset(), input.metadataLength());
    }

    /// [#of], or throws a failure that is not caused by the bytes.
    public static Fault required(RuntimeException failure, Input input) {
        Fault found = of(failure, input);
        if (found == null) {
            throw failure;
        }
        return found;
    }

    /// [#of] for an exception from reading the metadata of the message that a frame is bound to.
    static Fault ofMessage(Throwable failure, EncapsulatedMessage frame) {
        return of(failure, frame, frame.metadataOffset(), frame.metadataLength());
    }

    private static Fault of(
            Throwable failure, EncapsulatedMessage frame, long metadataAt, long metadataBytes) {
        return switch (failure) {
            // Of a schema that is no input's.
            case InvalidSchemaException _ when frame == null -> null;
            case InvalidJsonException _ -> null;
            case FletchException e when e.isInInput() || frame == null -> inner(e);
            case FletchException e -> {
                // Invalid offsets may point anywhere: then the fault is at the start of the
                // metadata.
                long at = frame.inputOffset(e.offset());
                boolean isInside =
                        e.offset() != FletchException.NO_OFFSET
                                && at >= metadataAt
                                && at - metadataAt < metadataBytes;
                yield inner(e.in(null, isInside ? at : metadataAt));
            }
            // Invalid offsets in unverified metadata.
            case IndexOutOfBoundsException e when frame != null -> {
                String text = "metadata is malformed: " + e.getMessage();
                yield FletchException.malformed(text, frame.offset()).fault();
            }
            default -> null;
        };
    }

    /// Of metadata that does not verify, the rule is the one that is broken inside.
    private static Fault inner(FletchException e) {
        Rule rule = e.rule();
        boolean isOutside =
                rule == StructureRule.METADATA_INVALID || rule == StructureRule.FOOTER_INVALID;
        return isOutside && e.getCause() instanceof FletchException cause
                ? e.fault().under(cause.rule())
                : e.fault();
    }
}
