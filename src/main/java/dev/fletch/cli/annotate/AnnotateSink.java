// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.annotate;

import dev.fletch.cli.verify.Finding;

import java.io.IOException;
import java.util.List;

/// Takes an annotated input, from its first byte to its last.
public interface AnnotateSink {
    /// What is to come: a message, a footer, or what lies around them.
    ///
    /// @param title for a person
    /// @param message index of a message; [Finding#NO_MESSAGE] if it is none
    /// @param at offset of its first byte
    /// @param bufferAt offset of its flatbuffer, [Region#NOWHERE] if it has none
    record Part(String title, int message, long at, long bufferAt) {
        /// Whether bytes are inside the flatbuffer of this part.
        boolean hasBuffer() {
            return bufferAt != Region.NOWHERE;
        }
    }

    void start(AnnotateInput input) throws IOException;

    void part(Part part) throws IOException;

    /// The object that the next regions belong to; where others lie in it, it comes again.
    void node(Node node, Part part) throws IOException;

    /// @param isInBuffer whether the region is a part of the flatbuffer
    /// @param faults what is wrong there
    /// @param note what else there is to say; null if there is nothing
    void region(Region region, Part part, boolean isInBuffer, List<Finding> faults, String note)
            throws IOException;

    /// @param outside faults that are at no byte
    void end(AnnotateFaults faults, List<Finding> outside) throws IOException;
}
