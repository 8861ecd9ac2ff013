// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.write;

import dev.fletch.FletchException;
import dev.fletch.Rule;

import java.util.Locale;

/// Thrown where a buffer does not fit into the target that a [FlatBufferWriter] or [BufferTarget] was
/// given.
///
/// Nothing outside the target's range was changed. A writer can be used again after
/// [FlatBufferWriter#reset()] or [FlatBufferWriter#wrap].
public class TargetTooSmallException extends FletchException {
    private static final long serialVersionUID = 1L;

    /// A buffer does not fit into the writer's target.
    public static final Rule TARGET_TOO_SMALL =
            new Rule(
                    "target-too-small",
                    Rule.Level.STRUCTURE,
                    Rule.Severity.ERROR,
                    "target too small");

    /// Bytes that the target has too few, at least.
    private final long missingBytes;

    /// Creates an exception.
    ///
    /// @param missingBytes bytes that the target has too few, for what was to be written next
    /// @param neededBytes bytes that were to be written next
    /// @param writtenBytes bytes that have been written
    /// @param targetBytes size of the target
    TargetTooSmallException(
            long missingBytes, long neededBytes, long writtenBytes, long targetBytes) {
        super(
                TARGET_TOO_SMALL,
                null,
                NO_OFFSET,
                String.format(
                        Locale.ROOT,
                        "target too small: missing=%d, needed=%d, written=%d, target=%d",
                        missingBytes,
                        neededBytes,
                        writtenBytes,
                        targetBytes),
                null);
        this.missingBytes = missingBytes;
    }

    /// How many bytes larger the target has to be, at least: enough for what was to be written next;
    /// what would have come after that is not known.
    ///
    /// @return number of bytes, more than 0
    public long missingBytes() {
        return missingBytes;
    }
}
