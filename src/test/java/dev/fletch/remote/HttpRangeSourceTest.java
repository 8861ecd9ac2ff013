// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.remote;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.remote.FaultyServer.Answering;
import dev.fletch.remote.FaultyServer.Fault;
import dev.fletch.remote.FaultyServer.Request;
import dev.fletch.remote.errors.HttpNotAllowedException;
import dev.fletch.remote.errors.RangeException;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;

class HttpRangeSourceTest {
    private static final String SECRET = "X-Signature=5ecr3t5ignature";

    private static final HttpOptions FAST =
            HttpOptions.DEFAULT
                    .withRetries(3, Duration.ofMillis(5))
                    .withTimeouts(Duration.ofSeconds(10), Duration.ofSeconds(5));

    private final byte[] object = new byte[100_000];
    private FaultyServer server;
    private HttpRangeSource source;

    @BeforeEach
    void start() throws IOException {
        new Random(20).nextBytes(object);
        server = new FaultyServer(object);
        source = source(FAST);
    }

    @AfterEach
    void stop() throws IOException {
        source.close();
        server.close();
    }

    private HttpRangeSource source(HttpOptions options) {
        return HttpRangeSource.of(server.link("/data/trades.arrow?" + SECRET + "#part"), options);
    }

    private byte[] read(long offset, int length) throws IOException {
        byte[] bytes = new byte[length];
        source.read(offset, MemorySegment.ofArray(bytes));
        return bytes;
    }

    private byte[] expected(int offset, int length) {
        return Arrays.copyOfRange(object, offset, offset + length);
    }

    /// All that a user may see of a failure names the link and the range, and no secrets.
    private RangeException assertFails(long offset, int length, String reason) {
        var failure = assertThrows(RangeException.class, () -> read(offset, length));
        assertShows(failure, "bytes " + offset + " to " + (offset + length - 1), reason);
        return failure;
    }

    private RangeException assertEndFails(int length, String reason) {
        var failure = assertThrows(RangeException.class, () -> source.readEnd(length));
        assertShows(failure, "last " + length + " bytes", reason);
        return failure;
    }

    private void assertShows(RangeException failure, String range, String reason) {
        assertEquals(
                server.link("/data/trades.arrow") + ": " + range + ": " + reason,
                failure.getMessage());
        assertNull(failure.getCause());
        assertFalse(failure.toString().contains("5ecr3t"));
    }

    // ---- a good server

    @Test
    void firstRequestReadsTheEndAndLearnsTheSize() throws IOException {
        assertArrayEquals(expected(99_000, 1_000), source.readEnd(1_000));
        assertEquals(100_000, source.size());
        assertEquals(1, server.requests.size());
        Request first = server.requests.getFirst();
        assertEquals("GET", first.method());
        assertEquals("/data/trades.arrow?" + SECRET, first.target());
        assertEquals("bytes=-1000", first.header("range"));
        assertEquals("identity", first.header("accept-encoding"));
        assertArrayEquals(expected(99_990, 10), source.readEnd(10));
    }

    @Test
    void furtherRequestsAreExactAndOfTheSameVersion() throws IOException {
        source.size();
        assertArrayEquals(expected(500, 70_000), read(500, 70_000));
        assertArrayEquals(expected(0, 100_000), read(0, 100_000));
        assertArrayEquals(new byte[0], read(100_000, 0));
        assertEquals(3, source.requests.get());
        Request second = server.requests.get(1);
        assertEquals("bytes=500-70499", second.header("range"));
        assertEquals("\"v1\"", second.header("if-match"));
        assertNull(second.header("if-unmodified-since"));
        assertEquals(3, server.requests.size());
    }

    @Test
    void readOnlyMemoryIsRefused() {
        MemorySegment readOnly = MemorySegment.ofArray(new byte[100]).asReadOnly();
        assertThrows(IllegalArgumentException.class, () -> source.read(0, readOnly));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 999, 1_000, 1_001})
    void objectAboutAsLongAsTheFirstRequestIsReadAtOnce(int size) throws IOException {
        server.object = expected(0, size);
        assertArrayEquals(
                expected(Math.max(0, size - 1_000), Math.min(size, 1_000)), source.readEnd(1_000));
        assertEquals(size, source.size());
        assertEquals(1, server.requests.size());
    }

    @Test
    void rangesOutsideOfTheObjectAreNotRequested() throws IOException {
        source.size();
        assertFails(99_999, 2, "range is not inside the object: size=100000");
        assertThrows(RangeException.class, () -> read(-1, 2));
        assertThrows(RangeException.class, () -> read(Long.MAX_VALUE, 2));
        assertEquals(1, server.requests.size());
    }

    @Test
    void nameOmitsTheQuery() {
        assertEquals(server.link("/data/trades.arrow"), source.name());
        assertEquals(source.name(), source.toString());
    }

    // ---- links

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "http://example.org/f?q=5ecr3t | link must be https, http is only for localhost:"
                        + " host=example.org",
                "http://127.0.0.1.example.org/f | link must be https, http is only for localhost:"
                        + " host=127.0.0.1.example.org",
                "http://127.0.0.256/f | link is not https://host/path: no valid host or port",
                "https://localhost:65536/f | link has a port that does not exist: port=65536",
                "http://localhost:0/f | link has a port that does not exist: port=0",
                "https://me:5ecr3t@example.org/f | link has user information, which is refused",
                "ftp://example.org/5ecr3t | link is not https://host/path: scheme=ftp",
                "/f?5ecr3t | link is not https://host/path: scheme=",
                "https:///f?5ecr3t | link is not https://host/path: no valid host or port",
                "https://example.org/a b?5ecr3t | link is malformed",
            })
    void invalidLinksAreRefused(String link, String message) {
        var failure = assertThrows(IllegalArgumentException.class, () -> RangeSource.http(link));
        assertEquals(message, failure.getMessage());
        assertNull(failure.getCause());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://example.org/f",
                "HTTP://LocalHost:80/f",
                "http://127.1.2.255/f",
                "http://[::1]:9/f"
            })
    void validLinksAreAccepted(String link) {
        HttpRangeSource.of(link, HttpOptions.DEFAULT).close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://example.org/f", "HTTP://10.0.0.7:8080/f", "http://[fe80::1]/f"})
    void httpLinksAreAcceptedIfAllowed(String link) {
        assertThrows(HttpNotAllowedException.class, () -> RangeSource.http(link));
        HttpRangeSource.of(link, FAST.withAllowsHttp(true)).close();
        assertThrows(
                IllegalArgumentException.class,
                () ->
                        HttpRangeSource.of(
                                link.replace("//", "//me:5ecr3t@"), FAST.withAllowsHttp(true)));
    }

    @Test
    void headersAreNotSentOverHttp() throws IOException {
        HttpOptions options =
                FAST.withAllowsHttp(true).withHeaders(Map.of("Authorization", "Bearer 5ecr3t"));
        var failure =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> HttpRangeSource.of("http://example.org/f?q=5ecr3t", options));
        assertEquals("no headers are sent over http: http://example.org/f", failure.getMessage());
        try (HttpRangeSource here = source(options)) { // this machine
            here.size();
        }
        assertEquals("Bearer 5ecr3t", server.requests.getFirst().header("authorization"));
    }

    @Test
    void clientThatFollowsRedirectsIsRefused() {
        try (HttpClient client = HttpClient.newBuilder().followRedirects(Redirect.ALWAYS).build()) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> HttpRangeSource.of("https://example.org/", FAST, client));
        }
    }

    @Test
    void callersClientStaysOpen() throws IOException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            try (HttpRangeSource other = HttpRangeSource.of(server.link("/f"), FAST, client)) {
                assertEquals(100_000, other.size());
            }
            assertFalse(client.isTerminated());
        }
    }

    @Test
    void headersAreSentAndNotShown() throws IOException {
        HttpOptions options = FAST.withHeaders(Map.of("Authorization", "Bearer 5ecr3t"));
        assertFalse(options.toString().contains("5ecr3t"));
        try (HttpRangeSource other = source(options)) {
            other.size();
        }
        assertEquals("Bearer 5ecr3t", server.requests.getFirst().header("authorization"));
        var failure =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> FAST.withHeaders(Map.of("Authorization", "5ecr3t\r\nX: y")));
        assertEquals("header cannot be sent: name=Authorization", failure.getMessage());
    }

    // ---- servers that cannot do all

    @Test
    void serverWithoutSuffixRangesIsAskedForTheStart() throws IOException {
        server.fault = HttpRangeSourceTest::ignoreSuffix;
        assertArrayEquals(expected(99_000, 1_000), source.readEnd(1_000));
        assertEquals(
                List.of("bytes=-1000", "bytes=0-999", "bytes=99000-99999"),
                server.requests.stream().map(each -> each.header("range")).toList());
        assertTrue(server.bodyBytes.get() < 110_000);
    }

    @Test
    void shortObjectOfAServerWithoutSuffixRangesIsRead() throws IOException {
        server.fault = HttpRangeSourceTest::ignoreSuffix;
        server.object = expected(0, 700);
        assertArrayEquals(server.object, source.readEnd(1_000));
        assertEquals(2, server.requests.size());
    }

    private static void ignoreSuffix(int number, Request request, Answering answer) {
        if (request.header("range").startsWith("bytes=-")) {
            ignoreRange(answer, new byte[100_000]);
        }
    }

    private static void ignoreRange(Answering answer, byte[] body) {
        answer.status = 200;
        answer.headers.remove("Content-Range");
        answer.body = body;
    }

    @Test
    void serverWithoutRangesIsAClearErrorAndItsBodyIsNotRead() throws IOException {
        server.object = new byte[50_000_000];
        server.fault = (number, request, answer) -> ignoreRange(answer, server.object);
        assertEndFails(1_000, "server does not support byte ranges: status=200");
        assertEquals(2, server.requests.size());
        assertTrue(server.bodyBytes.get() < 20_000_000, "sent=" + server.bodyBytes);
    }

    @Test
    void emptyObjectOfAServerWithoutRangesIsRead() throws IOException {
        server.object = new byte[0];
        server.fault = (number, request, answer) -> ignoreRange(answer, server.object);
        assertEquals(0, source.readEnd(1_000).length);
        assertEquals(0, source.size());
    }

    // ---- versions

    @Test
    void changedTagIsAnError() throws IOException {
        source.size();
        server.etag = "\"v2\"";
        assertFails(5, 10, "object has changed: status=412");
        assertEquals(2, server.requests.size());
    }

    /// The fault that comes with a later answer, of a server that ignores preconditions.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ETag | \"v2\" | object has changed: ETag was \"v1\", is \"v2\"",
                "ETag | W/\"v1\" | object has changed: ETag was \"v1\", is W/\"v1\"",
                "ETag | '' | response may have another version: it has no ETag",
                "Last-Modified | Tue, 03 Jan 2006 15:04:05 GMT | object has changed: Last-Modified"
                        + " was Mon, 02 Jan 2006 15:04:05 GMT, is Tue, 03 Jan 2006 15:04:05 GMT",
                "Content-Range | bytes 5-14/100001 | object has changed: size was 100000, is"
                        + " 100001",
                "Content-Range | bytes 6-15/100000 | response has another range: bytes"
                        + " 6-15/100000",
                "Content-Range | bytes 5-13/100000 | length of the response differs from its range:"
                        + " Content-Length=10, range=9",
                "Content-Range | bytes 5-14/* | response has no valid range with a size:"
                        + " Content-Range=[bytes 5-14/*]",
                "Content-Range | bytes 15-14/100000 | response has another range: bytes"
                        + " 15-14/100000",
                "Content-Range | bytes 5-99999999999999999999/100000 | response has no valid range"
                        + " with a size: Content-Range=[bytes 5-99999999999999999999/100000]",
                "Content-Range | '' | response has no valid range with a size: Content-Range=[]",
                "Content-Encoding | gzip | server has encoded the bytes",
                "Content-Type | multipart/byteranges; boundary=x | server has sent several parts",
            })
    void wrongHeaderIsAnError(String header, String value, String reason) throws IOException {
        source.size();
        server.fault = (number, request, answer) -> answer.headers.put(header, value);
        assertFails(5, 10, reason);
        assertEquals(2, server.requests.size());
    }

    /// The JDK's client throws an unchecked exception.
    @Test
    void contentLengthThatIsNoNumberIsAnError() throws IOException {
        source.size();
        server.fault = (number, request, answer) -> answer.headers.put("Content-Length", "x");
        var failure = assertThrows(RangeException.class, () -> read(5, 10));
        assertTrue(failure.getMessage().contains(": bytes 5 to 14: "), failure.getMessage());
        assertFalse(failure.toString().contains("5ecr3t"));
    }

    @Test
    void weakTagFallsBackToTheDate() throws IOException {
        server.etag = "W/\"v1\"";
        source.size();
        assertArrayEquals(expected(5, 10), read(5, 10));
        Request second = server.requests.get(1);
        assertNull(second.header("if-match"));
        assertEquals(server.lastModified, second.header("if-unmodified-since"));
        server.lastModified = "Tue, 03 Jan 2006 15:04:05 GMT";
        assertFails(5, 10, "object has changed: status=412");
        server.fault =
                (number, request, answer) -> {
                    answer.status = 206;
                    answer.headers.put("Content-Range", "bytes 5-14/100000");
                    answer.headers.put("Last-Modified", "");
                    answer.body = new byte[10];
                };
        assertFails(5, 10, "response may have another version: it has no Last-Modified");
    }

    @Test
    void serverWithoutTagsAndDatesIsRefusedAfterTheFirstAnswer() throws IOException {
        server.etag = "";
        server.lastModified = "";
        assertArrayEquals(expected(99_000, 1_000), source.readEnd(1_000));
        assertFails(
                5,
                10,
                "server sends neither ETag nor Last-Modified, so changes of the object cannot be"
                        + " detected");
        try (HttpRangeSource other = source(FAST.withAcceptsUnversioned(true))) {
            byte[] bytes = new byte[10];
            other.read(5, MemorySegment.ofArray(bytes));
            assertArrayEquals(expected(5, 10), bytes);
        }
    }

    // ---- faults that go away, or do not

    private interface Break {
        void apply(Answering answer);
    }

    private static Fault until(int end, Break fault) {
        return (number, request, answer) -> {
            if (number < end) {
                fault.apply(answer);
            }
        };
    }

    private static final Map<String, Break> PASSING =
            Map.of(
                    "cut", answer -> answer.cutAt = answer.body.length / 2,
                    "cut before the body", answer -> answer.cutAt = 0,
                    "reset", answer -> answer.isReset = true,
                    "408", answer -> refuse(answer, 408),
                    "429", answer -> refuse(answer, 429),
                    "500", answer -> refuse(answer, 500),
                    "503", answer -> refuse(answer, 503),
                    "short", answer -> shorten(answer));

    private static void refuse(Answering answer, int status) {
        answer.status = status;
        answer.body = new byte[100];
        answer.headers.put("Retry-After", "0");
    }

    /// A body that is right in itself, but shorter than the range.
    private static void shorten(Answering answer) {
        answer.body = Arrays.copyOf(answer.body, answer.body.length - 1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"cut", "cut before the body", "reset", "408", "429", "500", "503", "short"})
    void faultsAreRetriedThreeTimes(String name) throws IOException {
        server.fault = until(3, PASSING.get(name));
        assertArrayEquals(expected(99_000, 1_000), source.readEnd(1_000));
        assertEquals(4, server.requests.size());
        server.fault = until(6, PASSING.get(name));
        assertArrayEquals(expected(100, 50_000), read(100, 50_000));
        assertEquals(7, server.requests.size());
        long before = source.requests.get();
        server.fault = until(Integer.MAX_VALUE, PASSING.get(name));
        var failure = assertThrows(RangeException.class, () -> read(100, 50_000));
        assertTrue(
                failure.getMessage().startsWith(source.name() + ": bytes 100 to 50099: "),
                failure.getMessage());
        assertTrue(failure.getMessage().endsWith("; tries=4"), failure.getMessage());
        assertNull(failure.getCause());
        assertEquals(4, source.requests.get() - before); // the client repeats some by itself
    }

    @ParameterizedTest
    @ValueSource(ints = {304, 400, 401, 403, 404, 410, 418, 204})
    void otherStatusIsNotRetried(int status) throws IOException {
        server.fault = until(1, answer -> refuse(answer, status));
        if (status == 204 || status == 304) {
            server.fault =
                    until(
                            1,
                            answer -> {
                                answer.status = status;
                                answer.body = new byte[0];
                                answer.headers.remove("Content-Range");
                            });
        }
        assertEndFails(9, "server rejected the request: status=" + status);
        assertEquals(1, server.requests.size());
        assertEquals(100_000, source.size());
    }

    @Test
    void bodyThatIsLongerThanTheRangeIsNotUsed() throws IOException {
        source.size();
        server.fault =
                (number, request, answer) -> {
                    answer.body = Arrays.copyOf(answer.body, answer.body.length + 1);
                    answer.headers.put("Content-Length", "");
                    answer.headers.put("Connection", "close");
                };
        assertFails(5, 10, "response is longer than the range");
    }

    @Test
    void longRetryAfterIsAnError() throws IOException {
        source.size();
        server.fault =
                (number, request, answer) -> {
                    refuse(answer, 503);
                    answer.headers.put("Retry-After", "3600");
                };
        assertFails(5, 10, "server rejected the request: status=503, Retry-After=3600");
        assertEquals(2, server.requests.size());
    }

    @Test
    void slowBytesEndInATimeOutThatIsRetriedOnce() throws IOException {
        source.close();
        source = source(FAST.withTimeouts(Duration.ofSeconds(10), Duration.ofMillis(300)));
        source.size();
        server.fault = (number, request, answer) -> answer.millisPerByte = 20;
        long start = System.nanoTime();
        assertFails(0, 5_000, "time-out: response is incomplete; tries=2");
        assertTrue(System.nanoTime() - start < 3_000_000_000L);
        assertEquals(3, server.requests.size());
    }

    @Test
    void serverThatDoesNotAnswerEndsInATimeOut() throws IOException {
        source.close();
        source = source(FAST.withTimeouts(Duration.ofSeconds(10), Duration.ofMillis(200)));
        server.fault = (number, request, answer) -> answer.millisBefore = 1_000;
        assertEndFails(5_000, "time-out: no response; tries=2");
    }

    @Test
    void unreachableServerIsAnError() throws IOException {
        // A port that is bound, so that no test beside this one gets it, and does not listen.
        try (Socket silent = new Socket()) {
            silent.bind(new InetSocketAddress("127.0.0.1", 0));
            String link = "http://127.0.0.1:" + silent.getLocalPort() + "/f?" + SECRET;
            try (HttpRangeSource absent = HttpRangeSource.of(link, FAST)) {
                var failure = assertThrows(RangeException.class, () -> absent.readEnd(10));
                assertTrue(
                        failure.getMessage()
                                .contains(
                                        ": last 10 bytes: connection has failed: refused or"
                                                + " closed"),
                        failure.getMessage());
                assertFalse(failure.getMessage().contains("5ecr3t"));
            }
        }
    }

    @Test
    void secretsRepeatedByTheServerAreNotShown() throws IOException {
        server.fault =
                (number, request, answer) ->
                        answer.headers.put("Content-Encoding", request.target());
        assertEndFails(10, "server has encoded the bytes");
        server.fault =
                (number, request, answer) -> answer.headers.put("Content-Range", request.target());
        assertEndFails(
                10,
                "response has no valid range with a size: Content-Range=[/data/trades.arrow?…]");
    }

    @Test
    void interruptEndsTheReadAndIsKept() throws Exception {
        source.size();
        server.fault = (number, request, answer) -> answer.millisBefore = 5_000;
        AtomicReference<Object> found = new AtomicReference<>();
        Thread reader =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    try {
                                        read(0, 10);
                                    } catch (IOException e) {
                                        found.set(
                                                e.getClass().getSimpleName()
                                                        + Thread.currentThread().isInterrupted());
                                    }
                                });
        while (server.requests.size() < 2) {
            Thread.sleep(5);
        }
        reader.interrupt();
        reader.join(2_000);
        assertEquals(InterruptedIOException.class.getSimpleName() + "true", found.get());
    }
}
