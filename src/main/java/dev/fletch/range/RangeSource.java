// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.range;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;

/// An object whose bytes can be read by ranges, such as a file or what a server has behind a link. It does
/// not change: a source that notices another version fails.
///
/// Several threads may use one at the same time. All bytes of a range are read, or an [IOException] is thrown;
/// the implementations here throw a [RangeException] that names the range. What is in the segment after an
/// exception is unspecified.
public interface RangeSource extends AutoCloseable {
    /// {@return what to call the object in errors and output; without secrets}
    String name();

    /// {@return number of bytes of the object; always the same}
    ///
    /// @throws IOException if it cannot be found out
    long size() throws IOException;

    /// Reads a range, as long as a segment.
    ///
    /// @param offset of the first byte
    /// @param into any memory that the calling thread may write to
    /// @throws IOException if the bytes cannot be read, or are not all inside the object
    void read(long offset, MemorySegment into) throws IOException;

    /// Reads the last bytes of the object. For some sources this also finds out the size, in the same request.
    ///
    /// @param most how many; all bytes of an object that has fewer
    /// @return the bytes
    /// @throws IOException if they cannot be read
    default byte[] readEnd(int most) throws IOException {
        final byte[] end = new byte[(int) Math.min(most, size())];
        if (end.length > 0) {
            read(size() - end.length, MemorySegment.ofArray(end));
        }
        return end;
    }

    /// {@return whether an interrupt ends a read early, and does the source no harm}
    default boolean isInterruptible() {
        return true;
    }

    /// Closes the source, and what it reads from.
    ///
    /// @throws IOException if that fails
    @Override
    void close() throws IOException;

    /// Opens a file.
    ///
    /// @param path the file
    /// @return a source that is named after it
    /// @throws IOException if it cannot be opened
    static RangeSource open(Path path) throws IOException {
        return of(FileChannel.open(path), path.toString());
    }

    /// Reads from a channel. Those of a [FileChannel] are positional reads, also at the same time. Those of
    /// another channel come one after the other, and change its position. An interrupt closes the channel if
    /// it comes during a direct call of this source; a [RangeReader] does not interrupt it.
    ///
    /// @param channel closed by [#close]; its size now is the object's
    /// @param name what to call it
    /// @return the source
    /// @throws IOException if the channel has no size
    static RangeSource of(SeekableByteChannel channel, String name) throws IOException {
        return new ChannelSource(channel, name, channel.size());
    }
}
