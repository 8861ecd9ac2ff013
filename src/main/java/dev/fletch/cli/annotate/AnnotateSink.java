// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.annotate;

import dev.fletch.cli.verify.Finding;

import java.io.IOException;
import java.util.List;

/// Takes the regions of an input, from its first byte to its last.
interface AnnotateSink {
    /// A message, a footer, or what is around them.
    ///
    /// @param title for a person
    /// @param message index of a message; [Finding#NO_MESSAGE] if it is none
    /// @param bufferAt offset of its flatbuffer, [Region#NOWHERE] if it has none
    record Part(String title, int message, long bufferAt) {
        /// Whether a region of this part is inside its flatbuffer.
        boolean isInBuffer(Region region) {
            return bufferAt != Region.NOWHERE
                    && region.at() >= bufferAt
                    && region.kind() != RegionKind.BODY;
        }
    }

    /// @param faults those that begin in the region
    /// @param note what else there is to say; or null
    void region(Region region, Part part, List<Finding> faults, String note) throws IOException;
}
