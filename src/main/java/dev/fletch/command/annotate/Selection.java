// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.annotate;

import dev.fletch.Fault;
import dev.fletch.FileRule;
import dev.fletch.FletchException;
import dev.fletch.command.io.Failures;
import dev.fletch.input.DetectedInput;

import java.io.IOException;
import java.util.List;

/// The regions to show: all, or that of one byte, or those of one message.
final class Selection {
    private final Long position;
    private final Integer message;
    private boolean isFound;
    private int messages;

    /// @param position a byte; null for all
    /// @param message index of a message; null for all
    Selection(Long position, Integer message) {
        this.position = position;
        this.message = message;
    }

    /// {@return a sink that passes the chosen regions on}
    ///
    /// @param input whose regions they are
    AnnotateSink to(AnnotateSink sink, DetectedInput input) {
        boolean isMapped =
                input.base64() == null
                        && (input.form() == DetectedInput.Form.FILE
                                || input.form() == DetectedInput.Form.STREAM);
        String help = "'fletch map --at " + position + "' says whose value it is";
        return new AnnotateSink() {
            @Override
            public void region(Region region, Part part, List<Fault> faults, String note)
                    throws IOException {
                if (needs(part, region.at(), region.end())) {
                    isFound = true;
                    boolean isBody = region.kind() == RegionKind.BODY;
                    boolean isHelped = note == null && position != null && isMapped && isBody;
                    sink.region(region, part, faults, isHelped ? help : note);
                }
            }

            @Override
            public boolean needs(Part part, long from, long to) {
                messages = Math.max(messages, part.message() + 1);
                return (position == null || position >= from && position < to)
                        && (message == null || part.message() == message);
            }
        };
    }

    boolean isAll() {
        return position == null && message == null;
    }

    /// Returns the fault of a selection in which there is nothing; null if a region was chosen.
    ///
    /// @param size of the input in bytes
    Fault fault(long size) {
        if (isFound || isAll()) {
            return null;
        }
        return position != null
                ? Failures.noSuchByte(position, size)
                : Fault.of(FileRule.NO_SUCH_MESSAGE, size, message)
                        .because("message=" + message + ", messages=" + messages);
    }

    /// Requires that a region was chosen.
    ///
    /// @param size of the input in bytes
    void requireFound(long size) {
        Fault fault = fault(size);
        if (fault != null) {
            throw FletchException.inInput(fault);
        }
    }
}
