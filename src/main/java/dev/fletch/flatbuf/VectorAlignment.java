// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import dev.fletch.wire.Wire;

/// Which vectors must have their elements aligned to the elements' own size, counted from the
/// buffer's first byte: what [VerifierOptions#withVectorAlignment] asks for.
///
/// The official rules align the length word alone, to 4 bytes, so an element of 8 may lie at 4 mod
/// 8.
public enum VectorAlignment {
    /// No vector: the official rule.
    NONE,

    /// Vectors that have elements. Some writers leave empty ones at 4 mod 8.
    NON_EMPTY,

    /// All vectors; of an empty one, the place where its first element would be.
    ALL;

    /// Tells whether a vector may be at a position.
    ///
    /// @param vector position of its length word
    /// @param count how many elements it has
    /// @param alignment that of its elements
    /// @return whether it may
    public boolean allows(long vector, long count, int alignment) {
        return this == NONE
                || ((vector + Wire.OFFSET_BYTES) & (alignment - 1)) == 0
                || (this == NON_EMPTY && count == 0);
    }
}
