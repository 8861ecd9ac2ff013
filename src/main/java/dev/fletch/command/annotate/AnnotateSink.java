// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.annotate;

import dev.fletch.Fault;

import java.io.IOException;
import java.util.List;

/// Receives the regions of an input, from its first byte to its last.
interface AnnotateSink {
    /// A message, a footer, or the bytes around them.
    ///
    /// @param title the heading
    /// @param message index of the message; [Fault#NO_MESSAGE] for other parts
    /// @param bufferAt offset of its flatbuffer in the input; [Region#NOWHERE] if it has none
    /// @param owners of the nodes and buffers of the current message
    record Part(String title, int message, long bufferAt, BatchOwners owners) {
        /// Whether a region of this part is inside its flatbuffer.
        boolean isInBuffer(Region region) {
            return bufferAt != Region.NOWHERE
                    && region.at() >= bufferAt
                    && region.kind() != RegionKind.BODY;
        }
    }

    /// @param faults faults that begin in the region
    /// @param note a note; null if there is none
    void region(Region region, Part part, List<Fault> faults, String note) throws IOException;

    /// {@return whether any region of a flatbuffer is needed}
    ///
    /// @param part whose flatbuffer it is
    /// @param from its first byte in the input
    /// @param to its end
    default boolean needs(Part part, long from, long to) {
        return true;
    }
}
