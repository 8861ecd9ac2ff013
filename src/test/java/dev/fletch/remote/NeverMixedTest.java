// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.remote;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.remote.FaultyServer.Answering;
import dev.fletch.remote.errors.RangeException;
import dev.fletch.remote.internal.ByteRange;
import dev.fletch.remote.internal.RangeOptions;
import dev.fletch.remote.internal.RangeReader;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/// What is read with several requests in flight is complete and of one version, or there is an
/// error that names a range.
class NeverMixedTest {
    private static final int SIZE = 40_000;

    // With the usual timeout: a request that is repeated changes the number of those behind it.
    private static final HttpOptions OPTIONS =
            HttpOptions.DEFAULT.withRetries(3, Duration.ofMillis(1));
    private static final HttpOptions SHORT_TIMEOUT =
            OPTIONS.withTimeouts(Duration.ofSeconds(10), Duration.ofMillis(250));

    private static final RangeOptions PIECES =
            SmallRanges.OF.requestBytes(4_000).endBytes(64).options();

    private final byte[] first = new byte[SIZE];
    private final byte[] second = new byte[SIZE];

    NeverMixedTest() {
        Arrays.fill(first, (byte) 1);
        Arrays.fill(second, (byte) 2);
    }

    /// Which validators a server has, and whether it compares them itself.
    enum Kind {
        PRECONDITIONS,
        ETAG,
        WEAK_ETAG,
        DATE
    }

    /// Returns the bytes, or null after an error.
    private byte[] read(HttpRangeSource source) throws IOException {
        byte[] bytes = new byte[SIZE];
        try {
            source.size();
            new RangeReader(source, PIECES)
                    .read(List.of(new ByteRange(0, SIZE)), List.of(MemorySegment.ofArray(bytes)));
            return bytes;
        } catch (RangeException e) {
            assertTrue(e.getMessage().startsWith(source.name() + ": "), e.getMessage());
            assertTrue(e.getMessage().contains("byte"), e.getMessage());
            return null;
        }
    }

    @ParameterizedTest
    @EnumSource
    void objectThatChangesAtAnyRequestIsNeverMixed(Kind kind) throws IOException {
        int errors = 0;
        for (int change = 0; change <= 11; change++) {
            int at = change;
            try (FaultyServer server = new FaultyServer(first);
                    HttpRangeSource source = HttpRangeSource.of(server.link("/f"), OPTIONS)) {
                server.fault =
                        (number, request, answer) -> {
                            boolean isNew = number >= at;
                            if (kind == Kind.PRECONDITIONS && isNew && number > 0 && at > 0) {
                                answer.status = 412;
                                return;
                            }
                            if (isNew) {
                                Arrays.fill(answer.body, (byte) 2);
                            }
                            String version = isNew ? "\"v2\"" : "\"v1\"";
                            answer.headers.put(
                                    "ETag",
                                    switch (kind) {
                                        case PRECONDITIONS, ETAG -> version;
                                        case WEAK_ETAG -> "W/" + version;
                                        case DATE -> "";
                                    });
                            answer.headers.put(
                                    "Last-Modified",
                                    "Mon, 02 Jan 2006 15:04:0" + (isNew ? 6 : 5) + " GMT");
                        };
                server.etag = ""; // so that the server itself compares nothing
                server.lastModified = "";
                byte[] found = read(withoutPreconditions(server, source));
                if (found == null) {
                    errors++;
                } else {
                    assertArrayEquals(at == 0 ? second : first, found);
                }
            }
        }
        assertEquals(10, errors);
    }

    /// The server sends what it has for any precondition.
    private static HttpRangeSource withoutPreconditions(
            FaultyServer server, HttpRangeSource source) {
        FaultyServer.Fault own = server.fault;
        server.fault =
                (number, request, answer) -> {
                    if (answer.status == 412) {
                        server.answerRange(request, answer);
                    }
                    own.change(number, request, answer);
                };
        return source;
    }

    @Test
    void randomFaultsNeverGiveWrongBytes() throws IOException {
        byte[] object = new byte[SIZE];
        new Random(3).nextBytes(object);
        int complete = 0;
        int errors = 0;
        for (int round = 0; round < 30; round++) {
            Random random = new Random(round);
            int often = 1 + round % 4;
            try (FaultyServer server = new FaultyServer(object);
                    HttpRangeSource source = HttpRangeSource.of(server.link("/f"), SHORT_TIMEOUT)) {
                server.fault =
                        (number, request, answer) -> {
                            synchronized (random) {
                                if (random.nextInt(12) < often) {
                                    damage(answer, random);
                                }
                            }
                        };
                byte[] found = read(source);
                if (found == null) {
                    errors++;
                } else {
                    complete++;
                    assertArrayEquals(object, found);
                }
            }
        }
        System.out.println("Random faults: complete=" + complete + ", errors=" + errors);
        assertTrue(complete > 3 && errors > 3);
    }

    private static void damage(Answering answer, Random random) {
        switch (random.nextInt(9)) {
            case 0 -> answer.cutAt = random.nextInt(answer.body.length + 1);
            case 1 -> answer.isReset = true;
            case 2 -> answer.status = 503;
            case 3 -> answer.status = 200;
            case 4 -> answer.headers.put("ETag", "\"other\"");
            case 5 -> answer.headers.put("Content-Range", "bytes 0-9/" + SIZE);
            case 6 -> answer.body = Arrays.copyOf(answer.body, answer.body.length / 2);
            case 7 -> answer.body = Arrays.copyOf(answer.body, answer.body.length + 9);
            default -> answer.headers.put("Content-Length", "" + answer.body.length / 3);
        }
    }
}
