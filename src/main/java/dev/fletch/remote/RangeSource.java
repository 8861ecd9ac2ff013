// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.remote;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.MemorySegment;
import java.net.http.HttpClient;
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
    /// @param limit maximum number of bytes; a shorter object is read completely
    default byte[] readEnd(int limit) throws IOException {
        long size = size();
        if (size < 0) {
            throw new IOException("negative size: size=" + size);
        }
        byte[] end = new byte[(int) Math.min(limit, size)];
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

    /// [#http(String, HttpOptions)] with [HttpOptions#DEFAULT].
    static RangeSource http(String link) {
        return http(link, HttpOptions.DEFAULT);
    }

    /// Creates a source for an absolute `https` link, or an `http` link to this machine
    /// (`localhost`, `127.0.0.0/8`, `[::1]`) or, with [HttpOptions#withAllowsHttp], to any. Nothing
    /// is requested before the first read.
    ///
    /// **Requests** are `GET` requests with a range, over HTTP/1.1, so links signed for `GET` work.
    /// The first request asks for the last bytes and so determines the size; if the server does not
    /// support suffix ranges, a second one asks for the first bytes.
    ///
    /// **Versions.** All bytes have the version of the first response. Later requests send its
    /// `ETag` as `If-Match` or, if that is weak or absent, its `Last-Modified` as
    /// `If-Unmodified-Since`. Both headers, size and range of each response are compared too; a
    /// difference is an error, and the bytes are not used. A server that sends neither header is
    /// rejected after the first response, unless [HttpOptions#withAcceptsUnversioned].
    ///
    /// **Retries.** A request is retried if the connection fails, the response is too short, its
    /// status is 408, 429, 500, 502, 503 or 504 (after `Retry-After` of up to 5 seconds), and once
    /// after a time-out.
    ///
    /// **Redirects** are followed up to 5 times, never from `https` to `http`. Later requests go
    /// directly to the target, and again to the link if the target responds with 401, 403, 404 or
    /// 410.
    ///
    /// **Secrets.** Names and errors contain no query, fragment or user information of a link or
    /// redirect, and no headers of the caller. Links with user information are rejected, and
    /// headers for an `http` link to another machine.
    ///
    /// **Errors.** An [IOException] with the range and the last failure; an
    /// [InterruptedIOException] if the thread is interrupted, which stays interrupted; an
    /// [IllegalArgumentException] if a link is rejected.
    ///
    /// **Threads.** Thread-safe. Sources share one client and its connections until the process
    /// ends, but those with another time-out to connect.
    static RangeSource http(String link, HttpOptions options) {
        return HttpRangeSource.of(link, options);
    }

    /// [#http(String, HttpOptions)] with the caller's client.
    ///
    /// @param client must not follow redirects; [#close] does not close it
    @SuppressWarnings("exports") // who has a client reads its module
    static RangeSource http(String link, HttpOptions options, HttpClient client) {
        return HttpRangeSource.of(link, options, client);
    }
}
