// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

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
    ALL
}
