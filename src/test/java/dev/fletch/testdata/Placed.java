// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

/// Content that lies in memory of some kind: what a contract is held to that takes segments and
/// byte buffers alike. Owns what the memory needs.
public sealed interface Placed extends AutoCloseable permits PlacedSegment, PlacedBuffer {
    /// The content as it is now.
    byte[] content();

    /// Tells whether the bytes around the content are all poison, as at first, as far as they can
    /// be seen.
    boolean surroundingsIntact();

    @Override
    void close();
}
