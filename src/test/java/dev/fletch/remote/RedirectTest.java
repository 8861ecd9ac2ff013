// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.remote;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fletch.remote.FaultyServer.Answering;
import dev.fletch.remote.FaultyServer.Request;
import dev.fletch.remote.errors.RangeException;
import dev.fletch.testdata.Processes;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/// A link that leads to another server, as those of catalogs lead to object stores. Both servers
/// have a certificate that the JDK's keytool makes.
class RedirectTest {
    private static final char[] PASSWORD = "changeit".toCharArray();

    private static final HttpOptions OPTIONS =
            HttpOptions.DEFAULT
                    .withRetries(3, Duration.ofMillis(5))
                    .withHeaders(Map.of("Authorization", "Bearer 5ecr3t-token"));

    private static SSLContext tls;

    private final byte[] object = new byte[10_000];
    private HttpClient client;
    private FaultyServer catalog;
    private FaultyServer store;
    private HttpRangeSource source;

    @BeforeAll
    static void makeCertificate(@TempDir Path folder) throws Exception {
        Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        assumeTrue(Files.isExecutable(keytool), "this JDK has no keytool; skipped");
        Path file = folder.resolve("keys");
        String call =
                " -genkeypair -alias fletch -keyalg EC -dname CN=localhost -ext san=dns:localhost"
                        + " -storetype PKCS12 -storepass changeit -keystore ";
        Processes.printed(new ProcessBuilder((keytool + call + file).split(" ")));
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            keys.load(in, PASSWORD);
        }
        KeyManagerFactory own =
                KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(keys, PASSWORD);
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("fletch", keys.getCertificate("fletch"));
        TrustManagerFactory trust =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        tls = SSLContext.getInstance("TLS");
        tls.init(own.getKeyManagers(), trust.getTrustManagers(), null);
    }

    @BeforeEach
    void start() throws IOException {
        for (int i = 0; i < object.length; i++) {
            object[i] = (byte) (i * 31);
        }
        client = HttpClient.newBuilder().sslContext(tls).build();
        store = new FaultyServer(object, tls);
        catalog = new FaultyServer(object, tls);
        redirect(302, store.link("/bucket/key?X-Signature=5ecr3t-signature"));
        source = HttpRangeSource.of(catalog.link("/table"), OPTIONS, client);
    }

    @AfterEach
    void stop() throws IOException {
        client.shutdownNow();
        catalog.close();
        store.close();
    }

    private void redirect(int status, String location) {
        catalog.fault = (number, request, answer) -> redirect(answer, status, location);
    }

    private static void redirect(Answering answer, int status, String location) {
        answer.status = status;
        answer.body = new byte[0];
        answer.headers.remove("Content-Range");
        answer.headers.put("Location", location);
    }

    private void assertReads(int offset, int length) throws IOException {
        byte[] bytes = new byte[length];
        source.read(offset, MemorySegment.ofArray(bytes));
        assertArrayEquals(Arrays.copyOfRange(object, offset, offset + length), bytes);
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 303, 307, 308})
    void laterRequestsGoToTheTarget(int status) throws IOException {
        redirect(status, store.link("/bucket/key?X-Signature=5ecr3t-signature"));
        assertEquals(10_000, source.size());
        assertReads(10, 20);
        assertReads(5_000, 3_000);
        assertEquals(1, catalog.requests.size());
        assertEquals(3, store.requests.size());
        assertEquals(catalog.link("/table"), source.name());
        for (Request request : store.requests) {
            assertEquals("/bucket/key?X-Signature=5ecr3t-signature", request.target());
            assertEquals("GET", request.method());
        }
    }

    @Test
    void callersHeadersStayWithTheLinksServer() throws IOException {
        source.size();
        assertEquals("Bearer 5ecr3t-token", catalog.requests.getFirst().header("authorization"));
        assertNull(store.requests.getFirst().header("authorization"));
        assertEquals("identity", store.requests.getFirst().header("accept-encoding"));
    }

    @Test
    void relativeRedirectsStayOnTheServer() throws IOException {
        catalog.fault =
                (number, request, answer) -> {
                    if (request.target().equals("/table")) {
                        redirect(answer, 307, "other/place");
                    }
                };
        assertEquals(10_000, source.size());
        Request second = catalog.requests.get(1);
        assertEquals("/other/place", second.target());
        assertEquals("Bearer 5ecr3t-token", second.header("authorization"));
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403, 404, 410})
    void linkIsUsedAgainOnceWhenTheTargetStopsWorking(int status) throws IOException {
        source.size();
        store.fault =
                (number, request, answer) -> {
                    if (request.target().endsWith("5ecr3t-signature")) {
                        answer.status = status;
                    }
                };
        redirect(302, store.link("/bucket/key?X-Signature=5ecr3t-renewed"));
        assertReads(10, 20);
        assertReads(30, 20);
        assertEquals(2, catalog.requests.size());
        assertEquals(4, store.requests.size());
        store.fault = (number, request, answer) -> answer.status = status;
        var failure = assertThrows(RangeException.class, () -> assertReads(10, 20));
        assertEquals(
                source.name() + ": bytes 10 to 29: server rejected the request: status=" + status,
                failure.getMessage());
        assertEquals(3, catalog.requests.size());
    }

    @Test
    void targetOfAnotherVersionIsAnError() throws IOException {
        source.size();
        store.fault =
                (number, request, answer) -> {
                    if (request.target().endsWith("5ecr3t-signature")) {
                        answer.status = 403;
                    }
                };
        store.etag = "\"v2\"";
        redirect(302, store.link("/bucket/key?X-Signature=5ecr3t-renewed"));
        var failure = assertThrows(RangeException.class, () -> assertReads(10, 20));
        assertTrue(failure.getMessage().endsWith("object has changed: status=412"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "http://127.0.0.1:1/x?5ecr3t | redirect target is not https: http://127.0.0.1:1/x",
                "http://example.org/x?5ecr3t | redirect target is not https: http://example.org/x",
                "https://5ecr3t@example.org/x | redirect has user information, which is refused",
                "https://example.org:70000/x | redirect has a port that does not exist: port=70000",
                "file:///etc/passwd | redirect is not https://host/path: scheme=file",
                "https://a b?5ecr3t | redirect has no valid Location",
            })
    void redirectsToInvalidTargetsAreRefused(String location, String reason) {
        redirect(302, location);
        var failure = assertThrows(RangeException.class, () -> source.readEnd(5));
        assertEquals(source.name() + ": last 5 bytes: " + reason, failure.getMessage());
        assertNull(failure.getCause());
        assertEquals(1, catalog.requests.size());
    }

    @Test
    void aRedirectWithoutTargetIsRefused() {
        catalog.fault = (number, request, answer) -> answer.status = 302;
        var failure = assertThrows(RangeException.class, () -> source.readEnd(5));
        assertTrue(failure.getMessage().endsWith("last 5 bytes: redirect has no Location"));
        assertEquals(1, catalog.requests.size());
    }

    @Test
    void fromHttpsToHttpIsRefusedEvenIfHttpIsAllowed() {
        redirect(302, "http://127.0.0.1:1/x?5ecr3t");
        HttpOptions options = OPTIONS.withAllowsHttp(true);
        try (var other = HttpRangeSource.of(catalog.link("/table"), options, client)) {
            var failure = assertThrows(RangeException.class, () -> other.readEnd(5));
            assertTrue(failure.getMessage().endsWith("is not https: http://127.0.0.1:1/x"));
        }
        assertEquals(1, catalog.requests.size());
    }

    /// 0.0.0.0 is not among the names of this machine, but leads to it.
    @Test
    void httpLeadsToAnotherHostOnlyIfAllowed() throws IOException {
        assumeTrue(System.getProperty("os.name").equals("Linux"), "0.0.0.0 is a host on Linux");
        HttpOptions options = HttpOptions.DEFAULT.withRetries(3, Duration.ofMillis(5));
        try (FaultyServer plain = new FaultyServer(object);
                FaultyServer lan = new FaultyServer(object)) {
            String there = lan.link("/x").replace("127.0.0.1", "0.0.0.0");
            plain.fault = (number, request, answer) -> redirect(answer, 302, there);
            try (var other = HttpRangeSource.of(plain.link("/a"), options)) {
                var failure = assertThrows(RangeException.class, () -> other.readEnd(5));
                assertTrue(failure.getMessage().contains("redirect must be https"));
            }
            assertEquals(0, lan.requests.size());
            HttpOptions allowing = options.withAllowsHttp(true);
            try (var other = HttpRangeSource.of(plain.link("/a"), allowing)) {
                assertEquals(10_000, other.size());
            }
            assertEquals(1, lan.requests.size());
            // To another place of this machine, and to https.
            plain.fault = (number, request, answer) -> redirect(answer, 302, lan.link("/y"));
            try (var other = HttpRangeSource.of(plain.link("/a"), options)) {
                assertEquals(10_000, other.size());
            }
            plain.fault = (number, request, answer) -> redirect(answer, 302, store.link("/z"));
            try (var other = HttpRangeSource.of(plain.link("/a"), OPTIONS, client)) {
                assertEquals(10_000, other.size());
            }
            assertNull(store.requests.getLast().header("authorization"));
        }
    }

    @Test
    void redirectsInACircleEnd() {
        redirect(302, "/table?5ecr3t");
        var failure = assertThrows(RangeException.class, () -> source.readEnd(5));
        assertEquals(
                source.name() + ": last 5 bytes: too many redirects: limit=5",
                failure.getMessage());
        assertEquals(6, catalog.requests.size());
        redirect(302, "");
        assertThrows(RangeException.class, () -> source.readEnd(5));
    }

    @Test
    void certificatesAreChecked() {
        try (HttpRangeSource other = HttpRangeSource.of(store.link("/x?5ecr3t"), OPTIONS)) {
            var failure = assertThrows(RangeException.class, () -> other.readEnd(5));
            assertTrue(failure.getMessage().contains("certification path"), failure.getMessage());
            assertTrue(!failure.getMessage().contains("5ecr3t"));
        }
    }
}
