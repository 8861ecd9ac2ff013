// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.Stream;

/// Every kind of memory that content can lie in: what a contract test runs over, so that no code
/// comes to rely on one of them.
///
/// ```
/// @ParameterizedTest
/// @MethodSource("dev.fletch.testdata.Memories#segments")
/// void reads(SegmentBacking backing) {
///     try (PlacedSegment placed = backing.place(content)) {
///         …(placed.segment(), placed.offset(), placed.length())…
/// ```
public final class Memories {
    private Memories() {}

    /// A way to hold content, in a segment or in a byte buffer.
    public sealed interface Backing permits SegmentBacking, BufferBacking {
        /// Says which, as a test's title.
        String name();

        /// Tells whether the memory can be written to.
        boolean writable();

        /// Returns a copy of `content` in memory of this kind. Skips the calling test, with the
        /// reason, where the machine does not offer it.
        Placed place(byte[] content);
    }

    /// A way to hold content in a segment.
    ///
    /// @param name says which, as a test's title
    /// @param writable whether the segment can be written to
    /// @param placing does it
    public record SegmentBacking(String name, boolean writable, Placing<PlacedSegment> placing)
            implements Backing {
        @Override
        public PlacedSegment place(byte[] content) {
            return Memories.place(placing, content);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /// A way to hold content in a byte buffer.
    ///
    /// @param name says which, as a test's title
    /// @param writable whether the buffer can be written to
    /// @param placing does it
    public record BufferBacking(String name, boolean writable, Placing<PlacedBuffer> placing)
            implements Backing {
        @Override
        public PlacedBuffer place(byte[] content) {
            return Memories.place(placing, content);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /// Copies content to where it is to be.
    @FunctionalInterface
    public interface Placing<P> {
        P place(byte[] content) throws IOException;
    }

    /// Returns all kinds of memory.
    public static List<Backing> all() {
        return Stream.<Backing>concat(segments().stream(), buffers().stream()).toList();
    }

    /// Returns the kinds of memory that can be written to.
    public static List<Backing> writable() {
        return all().stream().filter(Backing::writable).toList();
    }

    /// Returns the kinds of memory that cannot be written to.
    public static List<Backing> readOnly() {
        return all().stream().filter(each -> !each.writable()).toList();
    }

    /// Returns all kinds of segments.
    public static List<SegmentBacking> segments() {
        return SegmentBackings.ALL;
    }

    /// Returns the kinds of segments that can be written to.
    public static List<SegmentBacking> writableSegments() {
        return SegmentBackings.ALL.stream().filter(SegmentBacking::writable).toList();
    }

    /// Returns all kinds of byte buffers.
    public static List<BufferBacking> buffers() {
        return BufferBackings.ALL;
    }

    /// Returns the kinds of byte buffers that can be written to.
    public static List<BufferBacking> writableBuffers() {
        return BufferBackings.ALL.stream().filter(BufferBacking::writable).toList();
    }

    private static <P> P place(Placing<P> placing, byte[] content) {
        try {
            return placing.place(content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
