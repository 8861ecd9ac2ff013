// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.write;

/// Thrown if a buffer does not fit into the target of a [FlatBufferWriter], a template or a
/// projector.
///
/// Nothing outside the target's range is changed. A writer is usable again after
/// [FlatBufferWriter#reset()] or [FlatBufferWriter#wrap].
public final class TargetTooSmallException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final long missingBytes;

    /// Creates an exception about the next object, of `needed` bytes.
    public TargetTooSmallException(long needed, long written, long target) {
        long missing = needed - (target - written);
        String sizes = "needed=" + needed + ", written=" + written + ", target=" + target;
        String message = "target too small: missing=" + missing + ", " + sizes;
        super(message);
        missingBytes = missing;
    }

    /// {@return minimum number of missing bytes: enough for the next object} The size of later
    /// objects is unknown.
    public long missingBytes() {
        return missingBytes;
    }
}
