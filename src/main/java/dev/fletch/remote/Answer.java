// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.remote;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A response: its headers, and its body, which the calling thread reads in pieces. The client
/// receives little more than was read, and never writes to the caller's memory.
final class Answer implements AutoCloseable {
    private static final int PIECE_BYTES = 16 << 10;

    // Statuses that are retried.
    private static final Set<Integer> TEMPORARY = Set.of(408, 429, 500, 502, 503, 504);

    private static final Pattern CONTENT_RANGE =
            Pattern.compile(
                    "bytes +(?:(\\d{1,18})-(\\d{1,18})|\\*)/(\\d{1,18})", Pattern.CASE_INSENSITIVE);

    private static final Pattern SECONDS = Pattern.compile("\\d{1,9}");

    final int status;
    private final HttpHeaders headers;
    private final InputStream body;
    private final long deadline;
    // Closes the body at the deadline, unless it is completed before.
    private final CompletableFuture<Void> timer = new CompletableFuture<>();

    /// @param deadline in terms of [System#nanoTime]
    Answer(HttpResponse<InputStream> response, long deadline) {
        status = response.statusCode();
        headers = response.headers();
        body = response.body();
        this.deadline = deadline;
        timer.orTimeout(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)
                .whenComplete((_, _) -> closeBody());
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
        String type = header("Content-Type");
        if (type != null && type.toLowerCase(Locale.ROOT).startsWith("multipart/")) {
            throw new Failure("server has sent several parts");
        }
        String encoding = header("Content-Encoding");
        if (encoding != null && !encoding.equalsIgnoreCase("identity")) {
            throw new Failure("server has encoded the bytes");
        }
        List<String> found = headers.allValues("Content-Range");
        Matcher parts = CONTENT_RANGE.matcher(found.size() == 1 ? found.getFirst() : "");
        if (!parts.matches() || parts.group(1) == null) {
            throw new Failure("response has no valid range with a size: Content-Range=" + found);
        }
        var range =
                new Range(
                        Long.parseLong(parts.group(1)),
                        Long.parseLong(parts.group(2)),
                        Long.parseLong(parts.group(3)));
        if (range.from > range.to || range.to >= range.total) {
            throw range.wrong();
        }
        long length = headers.firstValueAsLong("Content-Length").orElse(range.length());
        if (length != range.length()) {
            String numbers = "Content-Length=" + length + ", range=" + range.length();
            throw new Failure(
                    length < range.length() ? Failure.Kind.RETRY : Failure.Kind.FINAL,
                    "length of the response differs from its range: " + numbers);
        }
        return range;
    }

    /// {@return the object's size in a 416 response; -1 if absent}
    long sizeInRefusal() {
        Matcher parts = CONTENT_RANGE.matcher(headers.firstValue("Content-Range").orElse(""));
        return parts.matches() && parts.group(1) == null ? Long.parseLong(parts.group(3)) : -1;
    }

    /// Returns whether the response means that the object is empty.
    boolean isEmptyObject() throws Failure, InterruptedException {
        return status == 416 ? sizeInRefusal() == 0 : status == 200 && read(new byte[1]) < 0;
    }

    Failure refusal() {
        String text = "server rejected the request: status=" + status;
        if (!TEMPORARY.contains(status)) {
            return new Failure(text);
        }
        String after = headers.firstValue("Retry-After").orElse("");
        boolean isKnown = SECONDS.matcher(after).matches();
        return new Failure(
                Failure.Kind.RETRY,
                isKnown ? text + ", Retry-After=" + after : text,
                isKnown ? Long.parseLong(after) : 0);
    }

    // ---- the body

    /// Copies the body, which must have the length of a segment.
    void body(MemorySegment into) throws Failure, InterruptedException {
        byte[] piece = new byte[PIECE_BYTES];
        MemorySegment from = MemorySegment.ofArray(piece);
        long done = 0;
        for (int length = read(piece); length >= 0; length = read(piece)) {
            if (length > into.byteSize() - done) {
                throw new Failure("response is longer than the range");
            }
            MemorySegment.copy(from, 0, into, done, length);
            done += length;
        }
        if (done < into.byteSize()) {
            throw new Failure(
                    Failure.Kind.RETRY, "response is shorter than the range: received=" + done);
        }
    }

    /// {@return number of bytes; negative at the end}
    private int read(byte[] into) throws Failure, InterruptedException {
        try {
            return body.read(into);
        } catch (IOException e) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            throw System.nanoTime() - deadline >= 0
                    ? Failure.late("response is incomplete")
                    : Failure.of(e);
        }
    }

    /// Closes the connection, unless the body is read completely.
    @Override
    public void close() {
        timer.complete(null);
    }

    private void closeBody() {
        try {
            body.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // the client's stream throws none
        }
    }
}
