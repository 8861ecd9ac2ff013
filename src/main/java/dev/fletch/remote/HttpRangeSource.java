// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.remote;

import dev.fletch.remote.errors.HttpNotAllowedException;
import dev.fletch.remote.errors.RangeException;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.lang.foreign.MemorySegment;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;

/// Reads byte ranges of a link: see [RangeSource#http(String, HttpOptions)].
///
/// Source: RFC 9110, chapters 8.8 (validators), 13.1 (preconditions) and 14 (ranges).
final class HttpRangeSource implements RangeSource {
    private static final int MOST_REDIRECTS = 5;
    private static final int MOST_PORT = 65_535;

    private static final long LONGEST_RETRY_AFTER = 5;

    private static final long LEAST_BYTES_PER_MILLISECOND = 100;

    // Statuses of a redirect's target after which the link is requested again.
    private static final Set<Integer> GONE = Set.of(401, 403, 404, 410);

    private static final Pattern LOOPBACK =
            Pattern.compile("localhost|127(\\.(25[0-5]|2[0-4]\\d|1?\\d?\\d)){3}|\\[::1]");

    private static final Pattern STRONG_ETAG = Pattern.compile("\"[!#-~]*\"");

    private static final Pattern DATE = Pattern.compile("[ -~]+");

    /// The values that all responses must share.
    ///
    /// @param etag null if absent
    /// @param lastModified null if absent
    private record Validators(long size, String etag, String lastModified) {
        boolean isStrong() {
            return etag != null && STRONG_ETAG.matcher(etag).matches();
        }

        boolean isDated() {
            return lastModified != null && DATE.matcher(lastModified).matches();
        }

        static Validators of(Answer answer, long size) {
            return new Validators(size, answer.header("ETag"), answer.header("Last-Modified"));
        }
    }

    private interface Attempt<T> {
        T run() throws Failure, InterruptedException;
    }

    private final URI link;
    private final String name;
    private final HttpOptions options;
    private final HttpClient client;
    private final boolean ownsClient;
    // Number of requests sent so far, including retries and redirects.
    final AtomicLong requests = new AtomicLong();
    private final ReentrantLock firstRequest = new ReentrantLock();
    private final Secrets secrets;
    // The target of the link's redirects.
    private volatile URI target;
    // Null before the first response.
    private volatile Validators validators;
    private volatile boolean isClosed;

    private HttpRangeSource(URI link, HttpOptions options, HttpClient client, boolean ownsClient) {
        this.link = link;
        this.options = options;
        this.client = client;
        this.ownsClient = ownsClient;
        name = shown(link);
        target = link;
        secrets = new Secrets(link, options.headers.values());
    }

    /// Creates a source with the client that all sources share, or with its own one if its time-out
    /// to connect is another.
    static HttpRangeSource of(String link, HttpOptions options) {
        boolean isOwn = !options.connectTimeout.equals(HttpOptions.DEFAULT.connectTimeout);
        HttpClient client = isOwn ? newClient(options) : Shared.CLIENT;
        return new HttpRangeSource(checked(link, options), options, client, isOwn);
    }

    private static final class Shared {
        static final HttpClient CLIENT = newClient(HttpOptions.DEFAULT);
    }

    private static HttpClient newClient(HttpOptions options) {
        return HttpClient.newBuilder()
                .version(Version.HTTP_1_1)
                .followRedirects(Redirect.NEVER)
                .connectTimeout(options.connectTimeout)
                .build();
    }

    /// Creates a source with the caller's client.
    static HttpRangeSource of(String link, HttpOptions options, HttpClient client) {
        Redirect redirect = client.followRedirects();
        if (redirect != Redirect.NEVER) {
            throw new IllegalArgumentException(
                    "client must not follow redirects: followRedirects=" + redirect);
        }
        return new HttpRangeSource(checked(link, options), options, client, false);
    }

    private static URI checked(String link, HttpOptions options) {
        URI parsed;
        try {
            parsed = checked(new URI(link), "link", options);
        } catch (URISyntaxException _) { // contains the query
            throw new IllegalArgumentException("link is malformed");
        }
        if (isHttp(parsed) && !isHere(parsed) && !options.headers.isEmpty()) {
            throw new IllegalArgumentException("no headers are sent over http: " + shown(parsed));
        }
        return parsed;
    }

    private static URI checked(URI link, String what, HttpOptions options) {
        String scheme = link.getScheme() == null ? "" : lower(link.getScheme());
        String authority = link.getRawAuthority();
        if (authority != null && authority.indexOf('@') >= 0) {
            throw new IllegalArgumentException(what + " has user information, which is refused");
        }
        if (!scheme.equals("https") && !scheme.equals("http")) {
            throw new IllegalArgumentException(
                    what + " is not https://host/path: scheme=" + scheme);
        }
        if (link.getHost() == null) {
            throw new IllegalArgumentException(
                    what + " is not https://host/path: no valid host or port");
        }
        if (link.getPort() == 0 || link.getPort() > MOST_PORT) {
            throw new IllegalArgumentException(
                    what + " has a port that does not exist: port=" + link.getPort());
        }
        if (isHttp(link) && !isHere(link) && !options.allowsHttp) {
            throw new HttpNotAllowedException(
                    what + " must be https, http is only for localhost: host=" + link.getHost());
        }
        return link;
    }

    private static boolean isHttp(URI link) {
        return lower(link.getScheme()).equals("http");
    }

    /// Whether a link leads to this machine.
    private static boolean isHere(URI link) {
        return LOOPBACK.matcher(lower(link.getHost())).matches();
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }

    /// A link without user information, query and fragment.
    private static String shown(URI link) {
        String port = link.getPort() < 0 ? "" : ":" + link.getPort();
        return lower(link.getScheme()) + "://" + link.getHost() + port + link.getRawPath();
    }

    private static String origin(URI link) {
        String scheme = lower(link.getScheme());
        int usual = scheme.equals("https") ? 443 : 80;
        int port = link.getPort() < 0 ? usual : link.getPort();
        return scheme + "://" + lower(link.getHost()) + ":" + port;
    }

    // ---- the source

    @Override
    public String name() {
        return name;
    }

    @Override
    public String toString() {
        return name;
    }

    @Override
    public long size() throws IOException {
        if (validators == null) {
            readEnd(1);
        }
        return validators.size;
    }

    @Override
    public byte[] readEnd(int limit) throws IOException {
        try {
            firstRequest.lockInterruptibly();
        } catch (InterruptedException _) {
            throw interrupted();
        }
        try {
            if (validators == null && limit > 0) {
                byte[] end = retrying(RangeException.AT_END, limit, () -> first(limit));
                if (end != null) {
                    return end;
                }
            }
        } finally {
            firstRequest.unlock();
        }
        return RangeSource.super.readEnd(limit);
    }

    @Override
    public void read(long offset, MemorySegment into) throws IOException {
        long length = into.byteSize();
        long size = size();
        if (offset < 0 || length > size - offset) {
            throw failed(offset, length, "range is not inside the object: size=" + size);
        }
        if (into.isReadOnly()) {
            throw new IllegalArgumentException("segment is read-only: offset=" + offset);
        }
        if (length == 0) {
            return;
        }
        if (validators.etag == null
                && validators.lastModified == null
                && !options.acceptsUnversioned) {
            String reason = "server sends neither ETag nor Last-Modified";
            throw failed(offset, length, reason + ", so changes of the object cannot be detected");
        }
        retrying(offset, length, () -> exact(offset, into));
    }

    @Override
    public void close() {
        isClosed = true;
        if (ownsClient) {
            client.shutdownNow();
        }
    }

    private RangeException failed(long offset, long length, String reason) {
        return new RangeException(name, offset, length, secrets.removed(reason), null);
    }

    private <T> T retrying(long offset, long length, Attempt<T> attempt) throws IOException {
        boolean hasTimedOut = false;
        long delay = options.retryDelay.toMillis();
        try {
            for (int tries = 1; ; tries++) {
                if (isClosed) {
                    throw failed(offset, length, "source is closed");
                }
                try {
                    return attempt.run();
                } catch (Failure e) {
                    boolean isTimeout = e.kind == Failure.Kind.RETRY_ONCE;
                    if (e.kind == Failure.Kind.FINAL
                            || isTimeout && hasTimedOut
                            || isClosed
                            || tries > options.retries
                            || e.retryAfter > LONGEST_RETRY_AFTER) {
                        String tried = tries == 1 ? "" : "; tries=" + tries;
                        throw failed(offset, length, e.getMessage() + tried);
                    }
                    hasTimedOut |= isTimeout;
                    Thread.sleep(Math.max(delay, e.retryAfter * 1000));
                    delay *= 2;
                }
            }
        } catch (InterruptedException _) {
            throw interrupted();
        }
    }

    private InterruptedIOException interrupted() {
        Thread.currentThread().interrupt();
        return new InterruptedIOException(name + ": interrupted");
    }

    // ---- the first response

    /// Requests the last bytes.
    ///
    /// @return null if the caller must request them again with the known size
    private byte[] first(int limit) throws Failure, InterruptedException {
        try (Answer answer = send("bytes=-" + limit, limit)) {
            if (answer.status == 206 || answer.isEmptyObject()) {
                return take(answer, limit, true);
            }
            if (answer.status != 200 && answer.status != 416) {
                throw answer.refusal();
            }
        }
        try (Answer answer = send("bytes=0-" + (limit - 1), limit)) {
            if (answer.status == 206 || answer.isEmptyObject()) {
                byte[] start = take(answer, limit, false);
                return start.length == validators.size ? start : null;
            }
            throw answer.status == 200
                    ? new Failure("server does not support byte ranges: status=200")
                    : answer.refusal();
        }
    }

    /// Takes the bytes of the first response, none if the object is empty.
    ///
    /// @param isEnd whether the last bytes were requested; else the first ones
    private byte[] take(Answer answer, int limit, boolean isEnd)
            throws Failure, InterruptedException {
        byte[] bytes = {};
        long size = 0;
        if (answer.status == 206) {
            Answer.Range range = answer.range();
            size = range.total();
            bytes = new byte[(int) Math.min(limit, size)];
            long from = isEnd ? size - bytes.length : 0;
            range.require(from, from + bytes.length - 1);
            answer.body(MemorySegment.ofArray(bytes));
        }
        validators = Validators.of(answer, size);
        return bytes;
    }

    // ---- later responses

    /// @return the same segment
    private MemorySegment exact(long offset, MemorySegment into)
            throws Failure, InterruptedException {
        Validators first = validators;
        long last = offset + into.byteSize() - 1;
        try (Answer answer = send("bytes=" + offset + "-" + last, into.byteSize())) {
            switch (answer.status) {
                case 206 -> {}
                case 200 -> throw new Failure("server ignored the range: status=200");
                case 412 -> throw new Failure("object has changed: status=412");
                case 416 -> {
                    long now = answer.sizeInRefusal();
                    throw now < 0 || now == first.size
                            ? answer.refusal()
                            : Failure.changed("size", first.size, now);
                }
                default -> throw answer.refusal();
            }
            Answer.Range range = answer.range();
            if (range.total() != first.size) {
                throw Failure.changed("size", first.size, range.total());
            }
            range.require(offset, last);
            Validators now = Validators.of(answer, range.total());
            compare("ETag", first.etag, now.etag, true);
            compare("Last-Modified", first.lastModified, now.lastModified, !first.isStrong());
            answer.body(into);
            return into;
        }
    }

    private static void compare(String header, String first, String now, boolean isRequired)
            throws Failure {
        if (first == null || now == null && !isRequired) {
            return;
        }
        if (now == null) {
            throw new Failure("response may have another version: it has no " + header);
        }
        if (!first.equals(now)) {
            throw Failure.changed(header, first, now);
        }
    }

    // ---- one request and its redirects

    private Answer send(String range, long length) throws Failure, InterruptedException {
        Duration limit = options.requestTimeout.plusMillis(length / LEAST_BYTES_PER_MILLISECOND);
        long deadline = System.nanoTime() + limit.toNanos();
        URI start = target;
        Answer answer = follow(start, range, deadline);
        if (start.equals(link) || !GONE.contains(answer.status)) {
            return answer;
        }
        answer.close();
        target = link;
        return follow(link, range, deadline);
    }

    private Answer follow(URI start, String range, long deadline)
            throws Failure, InterruptedException {
        URI uri = start;
        for (int redirects = 0; ; redirects++) {
            Answer answer = exchange(uri, range, deadline);
            switch (answer.status) {
                case 301, 302, 303, 307, 308 -> {
                    answer.close();
                    if (redirects == MOST_REDIRECTS) {
                        throw new Failure("too many redirects: limit=" + MOST_REDIRECTS);
                    }
                    uri = redirected(uri, answer.header("Location"));
                }
                case 206 -> {
                    target = uri;
                    return answer;
                }
                default -> {
                    return answer;
                }
            }
        }
    }

    private URI redirected(URI from, String location) throws Failure {
        if (location == null) {
            throw new Failure("redirect has no Location");
        }
        URI to;
        try {
            to = from.resolve(new URI(location));
        } catch (URISyntaxException _) {
            throw new Failure("redirect has no valid Location");
        }
        secrets.add(to);
        try {
            checked(to, "redirect", options.withAllowsHttp(options.allowsHttp || !isHttp(from)));
        } catch (IllegalArgumentException e) {
            throw new Failure(e.getMessage());
        }
        if (isHttp(to) && !isHttp(from)) {
            throw new Failure("redirect target is not https: " + shown(to));
        }
        return to;
    }

    private Answer exchange(URI uri, String range, long deadline)
            throws Failure, InterruptedException {
        requests.incrementAndGet();
        // Not by `send`, which resolves names on this thread, without time-out and interrupts.
        CompletableFuture<HttpResponse<InputStream>> future =
                client.sendAsync(request(uri, range), BodyHandlers.ofInputStream());
        try {
            long left = deadline - System.nanoTime();
            return new Answer(future.get(left, TimeUnit.NANOSECONDS), deadline);
        } catch (TimeoutException _) {
            abandon(future);
            throw Failure.late("no response");
        } catch (InterruptedException e) {
            abandon(future);
            throw e;
        } catch (ExecutionException e) {
            throw Failure.of(e.getCause());
        }
    }

    private static void abandon(CompletableFuture<HttpResponse<InputStream>> future) {
        if (!future.cancel(true) && !future.isCompletedExceptionally()) {
            new Answer(future.join(), 0).close(); // it completed in the meantime
        }
    }

    private HttpRequest request(URI uri, String range) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).version(Version.HTTP_1_1);
        if (origin(uri).equals(origin(link))) {
            options.headers.forEach(request::setHeader);
        }
        request.setHeader("Accept-Encoding", "identity").setHeader("Range", range);
        Validators first = validators;
        if (first != null && first.isStrong()) {
            request.setHeader("If-Match", first.etag);
        } else if (first != null && first.isDated()) {
            request.setHeader("If-Unmodified-Since", first.lastModified);
        }
        return request.build();
    }
}
