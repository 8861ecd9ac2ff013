// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.http;

import java.lang.foreign.MemorySegment;
import java.net.http.HttpHeaders;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A response: its headers, and its body in pieces that the calling thread consumes. The client delivers the
/// next piece after the last one is consumed, and never writes to the caller's memory.
final class Answer implements Flow.Subscriber<List<ByteBuffer>>, AutoCloseable {
    // Statuses that are retried.
    private static final Set<Integer> TEMPORARY = Set.of(408, 429, 500, 502, 503, 504);

    private static final Pattern CONTENT_RANGE =
            Pattern.compile(
                    "bytes +(?:(\\d{1,18})-(\\d{1,18})|\\*)/(\\d{1,18})", Pattern.CASE_INSENSITIVE);

    private static final Pattern SECONDS = Pattern.compile("\\d{1,9}");

    /// Marks the end of the body.
    private static final Object END = new Object();

    final int status;
    private final HttpHeaders headers;
    private final long deadline;
    // Lists of byte buffers, END, or a Throwable.
    private final BlockingQueue<Object> pieces = new LinkedBlockingQueue<>();
    // Null until the client is ready.
    private Flow.Subscription subscription;
    private boolean isClosed;
    private boolean hasEnded;

    /// @param deadline in terms of [System#nanoTime]
    Answer(int status, HttpHeaders headers, long deadline) {
        this.status = status;
        this.headers = headers;
        this.deadline = deadline;
    }

    // ---- headers

    /// A header `Content-Range`.
    record Range(long from, long to, long total) {
        long length() {
            return to - from + 1;
        }

        /// Requires the positions of the first and the last byte.
        void require(long first, long last) throws Failure {
            if (from != first || to != last) {
                throw wrong();
            }
        }

        private Failure wrong() {
            return new Failure(
                    "response has another range: bytes " + from + "-" + to + "/" + total);
        }
    }

    /// {@return the value of a header; null if it is absent}
    String header(String name) {
        return headers.firstValue(name).orElse(null);
    }

    /// Checks the headers of a 206 response.
    Range range() throws Failure {
        final String type = header("Content-Type");
        if (type != null && type.toLowerCase(Locale.ROOT).startsWith("multipart/")) {
            throw new Failure("server has sent several parts");
        }
        final String encoding = header("Content-Encoding");
        if (encoding != null && !encoding.equalsIgnoreCase("identity")) {
            throw new Failure("server has encoded the bytes");
        }
        final List<String> found = headers.allValues("Content-Range");
        final Matcher parts = CONTENT_RANGE.matcher(found.size() == 1 ? found.getFirst() : "");
        if (!parts.matches() || parts.group(1) == null) {
            throw new Failure("response has no valid range with a size: Content-Range=" + found);
        }
        final var range =
                new Range(
                        Long.parseLong(parts.group(1)),
                        Long.parseLong(parts.group(2)),
                        Long.parseLong(parts.group(3)));
        if (range.from > range.to || range.to >= range.total) {
            throw range.wrong();
        }
        final long length = headers.firstValueAsLong("Content-Length").orElse(range.length());
        if (length != range.length()) {
            throw new Failure(
                    length < range.length() ? Failure.Kind.RETRY : Failure.Kind.FINAL,
                    "length of the response differs from its range: Content-Length="
                            + length
                            + ", range="
                            + range.length());
        }
        return range;
    }

    /// {@return the object's size in a 416 response; -1 if absent}
    long sizeInRefusal() {
        final Matcher parts =
                CONTENT_RANGE.matcher(Optional.ofNullable(header("Content-Range")).orElse(""));
        return parts.matches() && parts.group(1) == null ? Long.parseLong(parts.group(3)) : -1;
    }

    /// Returns whether the response means that the object is empty.
    boolean isEmptyObject() throws Failure, InterruptedException {
        if (status == 416) {
            return sizeInRefusal() == 0;
        }
        return status == 200 && next().length == 0;
    }

    Failure refusal() {
        final String text = "server rejected the request: status=" + status;
        if (!TEMPORARY.contains(status)) {
            return new Failure(text);
        }
        final String after = Optional.ofNullable(header("Retry-After")).orElse("");
        final boolean isKnown = SECONDS.matcher(after).matches();
        return new Failure(
                Failure.Kind.RETRY,
                isKnown ? text + ", Retry-After=" + after : text,
                isKnown ? Long.parseLong(after) : 0);
    }

    // ---- the body

    /// Copies the body, which must have the length of a segment.
    void body(MemorySegment into) throws Failure, InterruptedException {
        long done = 0;
        for (ByteBuffer[] piece = next(); piece.length > 0; piece = next()) {
            for (ByteBuffer bytes : piece) {
                final int length = bytes.remaining();
                if (length > into.byteSize() - done) {
                    throw new Failure("response is longer than the range");
                }
                MemorySegment.copy(MemorySegment.ofBuffer(bytes), 0, into, done, length);
                done += length;
            }
        }
        if (done < into.byteSize()) {
            throw new Failure(
                    Failure.Kind.RETRY, "response is shorter than the range: received=" + done);
        }
    }

    /// {@return the next buffers with bytes; none at the end}
    private ByteBuffer[] next() throws Failure, InterruptedException {
        while (!hasEnded) {
            final Object piece = pieces.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            switch (piece) {
                case null -> throw Failure.late("response is incomplete");
                case List<?> list -> {
                    request();
                    final ByteBuffer[] buffers =
                            list.stream()
                                    .map(ByteBuffer.class::cast)
                                    .filter(ByteBuffer::hasRemaining)
                                    .toArray(ByteBuffer[]::new);
                    if (buffers.length > 0) {
                        return buffers;
                    }
                }
                case Throwable failure -> {
                    hasEnded = true;
                    throw Failure.of(failure);
                }
                default -> hasEnded = true;
            }
        }
        return new ByteBuffer[0];
    }

    /// Closes the connection, unless the body is consumed completely.
    @Override
    public synchronized void close() {
        isClosed = true;
        if (!hasEnded && subscription != null) {
            subscription.cancel();
        }
    }

    private synchronized void request() {
        subscription.request(1);
    }

    @Override
    public synchronized void onSubscribe(Flow.Subscription to) {
        subscription = to;
        if (isClosed) {
            to.cancel();
        } else {
            to.request(1);
        }
    }

    @Override
    public void onNext(List<ByteBuffer> piece) {
        pieces.add(piece);
    }

    @Override
    public void onError(Throwable failure) {
        pieces.add(failure);
    }

    @Override
    public void onComplete() {
        pieces.add(END);
    }
}
