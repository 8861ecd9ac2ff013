// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.remote;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;

/// An immutable object with random access to its bytes, such as a file or an HTTP resource. A
/// source that detects a changed object fails.
///
/// Thread-safe. A read returns all bytes of its range or throws an [IOException]; the
/// message of this library's names the source and the range. After an exception, the
/// segment's content is unspecified.
public interface RangeSource extends AutoCloseable {
    /// {@return the object's name in errors and output, without secrets}
    String name();

    /// {@return size of the object in bytes; constant}
    long size() throws IOException;

    /// Reads a range of a segment's length.
    ///
    /// @param offset of the first byte
    /// @param into any memory writable by the calling thread
    /// @throws IOException if the bytes cannot be read, or the range is not inside the object
    void read(long offset, MemorySegment into) throws IOException;

    /// Reads the last bytes of the object. Some sources determine the size in the same request.
    ///
    /// @param most maximum number of bytes; a shorter object is read completely
    default byte[] readEnd(int most) throws IOException {
        long size = size();
        if (size < 0) {
            throw new IOException("negative size: size=" + size);
        }
        byte[] end = new byte[(int) Math.min(most, size)];
        if (end.length > 0) {
            read(size - end.length, MemorySegment.ofArray(end));
        }
        return end;
    }

    /// {@return whether an interrupt ends a read early and leaves the source usable}
    default boolean isInterruptible() {
        return true;
    }

    /// Closes the source and its underlying resource.
    @Override
    void close() throws IOException;

    /// Opens a file, with its path as name.
    ///
    /// @throws IOException if the file cannot be opened
    static RangeSource open(Path path) throws IOException {
        return of(FileChannel.open(path), path.toString());
    }

    /// Creates a source from a channel. A [FileChannel] is read with concurrent positional reads;
    /// another channel is read sequentially, which changes its position. Interrupting a thread that
    /// calls this source closes the channel; Fletch does not interrupt such threads.
    ///
    /// @param channel closed by [#close]; its current size is the object's
    /// @throws IOException if the channel has no size, or a negative one
    static RangeSource of(SeekableByteChannel channel, String name) throws IOException {
        long size = channel.size();
        if (size < 0) {
            throw new IOException("channel has a negative size: name=" + name + ", size=" + size);
        }
        return new ChannelSource(channel, name, size);
    }
}
