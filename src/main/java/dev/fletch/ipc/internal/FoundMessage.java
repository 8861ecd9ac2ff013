// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc.internal;

import dev.fletch.Rule;

/// A message whose metadata verifies, or an end-of-stream marker.
///
/// @param bodyLength not negative, but may be longer than the input
/// @param kind header type, or [#MARKER]
/// @param broken the rule of meaning that the message breaks; null if there is none
public record FoundMessage(
        long offset, int prefixLength, int metadataLength, long bodyLength, int kind, Rule broken) {
    static final int MARKER = -1;

    boolean isMarker() {
        return kind == MARKER;
    }

    boolean isSound() {
        return broken == null;
    }

    public long metadataOffset() {
        return offset + prefixLength;
    }

    long bodyOffset() {
        return metadataOffset() + metadataLength;
    }

    /// The end, by its own lengths.
    public long end() {
        return bodyOffset() + bodyLength;
    }
}
