// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;

/// Segments as byte buffers, which channels and streams want. A message's parts usually lie in the
/// same segments as those of the message before, so a view is kept for each place in the body.
final class SegmentViews {
    private MemorySegment[] segments = new MemorySegment[0];
    private ByteBuffer[] views = new ByteBuffer[0];

    /// Returns a view of all of a segment. Allocates it where this place had another segment
    /// before.
    ///
    /// @param place number of the part
    /// @return null if there can be none: it is longer than an `int` tells, or an array other than
    ///     `byte[]`
    ByteBuffer of(int place, MemorySegment segment) {
        if (place >= segments.length) {
            final int more = Math.max(place + 1, 2 * segments.length);
            segments = Arrays.copyOf(segments, more);
            views = Arrays.copyOf(views, more);
        }
        if (segments[place] != segment) {
            views[place] = segment.byteSize() <= Integer.MAX_VALUE ? view(segment) : null;
            segments[place] = segment;
        }
        return views[place];
    }

    /// Returns a view of a segment, null if it is an array other than `byte[]`.
    static ByteBuffer view(MemorySegment segment) {
        try {
            return segment.asByteBuffer();
        } catch (UnsupportedOperationException _) {
            return null; // the one way to tell it of a read-only array
        }
    }
}
