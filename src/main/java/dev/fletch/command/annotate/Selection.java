// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.annotate;

import dev.fletch.check.Finding;
import dev.fletch.input.InvalidInput;

import java.io.IOException;
import java.util.List;

/// The regions to show: all, or that of one byte, or those of one message.
final class Selection {
    private final Long at;
    private final Integer message;
    private boolean isFound;

    /// @param at a byte; null for all
    /// @param message index of a message; null for all
    Selection(Long at, Integer message) {
        this.at = at;
        this.message = message;
    }

    /// {@return a sink that passes the chosen regions on}
    AnnotateSink to(AnnotateSink sink) {
        return (region, part, faults, note) -> pass(region, part, faults, note, sink);
    }

    private void pass(
            Region region,
            AnnotateSink.Part part,
            List<Finding> faults,
            String note,
            AnnotateSink sink)
            throws IOException {
        boolean hasByte = at == null || at >= region.at() && at - region.at() < region.length();
        boolean isPart = message == null || part.message() == message;
        if (hasByte && isPart) {
            isFound = true;
            boolean isBody = at != null && region.kind() == RegionKind.BODY;
            String hint = isBody ? "'fletch map --at " + at + "' says what it is for" : note;
            sink.region(region, part, faults, hint);
        }
    }

    /// Requires that a region was chosen.
    ///
    /// @param size of the input in bytes
    void requireFound(long size) {
        if (!isFound && at != null) {
            throw new InvalidInput(at, "no such byte: size=" + size + inMessage());
        }
        if (!isFound && message != null) {
            throw new InvalidInput(0, "no such message: message=" + message);
        }
    }

    private String inMessage() {
        return message == null ? "" : ", message=" + message;
    }
}
