// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.write;

import dev.fletch.FletchException;
import dev.fletch.flatbuf.StructureRules;

import java.util.Locale;

/// Thrown if a buffer does not fit into the target of a [FlatBufferWriter] or [BufferTarget].
///
/// Nothing outside the target's range is changed. A writer is usable again after
/// [FlatBufferWriter#reset()] or [FlatBufferWriter#wrap].
public class TargetTooSmallException extends FletchException {
    private static final long serialVersionUID = 1L;

    /// Minimum number of missing bytes.
    private final long missingBytes;

    /// Creates an exception about the next object, of `needed` bytes.
    TargetTooSmallException(long needed, long written, long target) {
        super(
                StructureRules.TARGET_TOO_SMALL,
                null,
                NO_OFFSET,
                String.format(
                        Locale.ROOT,
                        "target too small: missing=%d, needed=%d, written=%d, target=%d",
                        needed - (target - written),
                        needed,
                        written,
                        target),
                null);
        missingBytes = needed - (target - written);
    }

    /// {@return minimum number of missing bytes: enough for the next object} The size of later
    /// objects is unknown.
    public long missingBytes() {
        return missingBytes;
    }
}
