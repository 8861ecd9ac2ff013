// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.http;

import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;

/// How to request ranges from a server. Immutable.
///
/// @param connectTimeout longest time to connect; for the client that a source makes
/// @param requestTimeout longest time for a request and its whole answer, and a second more for every
///     100 kB of the range
/// @param retries how often a request is repeated; after a time-out only once
/// @param retryDelay time before the first repetition; twice as long before each further one
/// @param headers to send with each request, such as `Authorization`; never sent to another host or port
///     than the link's. Never shown
/// @param acceptsUnversioned whether to read from a server that sends neither `ETag` nor `Last-Modified`, so
///     that only another size shows that the object has changed
public record HttpOptions(
        Duration connectTimeout,
        Duration requestTimeout,
        int retries,
        Duration retryDelay,
        Map<String, String> headers,
        boolean acceptsUnversioned) {

    private static final Duration MOST = Duration.ofDays(1);

    /// 10 seconds to connect, 30 seconds for a request, 3 retries after 0.2 seconds and more, no headers.
    public static final HttpOptions DEFAULT =
            new HttpOptions(
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(30),
                    3,
                    Duration.ofMillis(200),
                    Map.of(),
                    false);

    /// Makes options.
    ///
    /// @throws IllegalArgumentException if a time-out is below a millisecond, a number or the delay is
    ///     negative, a time is above a day, or a header cannot be sent
    public HttpOptions {
        require("connectTimeout", connectTimeout, Duration.ofMillis(1));
        require("requestTimeout", requestTimeout, Duration.ofMillis(1));
        require("retryDelay", retryDelay, Duration.ZERO);
        if (retries < 0) {
            throw new IllegalArgumentException("number is negative: retries=" + retries);
        }
        headers = Map.copyOf(headers);
        headers.forEach(HttpOptions::requireHeader);
    }

    private static void require(String name, Duration time, Duration least) {
        if (time.compareTo(least) < 0 || time.compareTo(MOST) > 0) {
            throw new IllegalArgumentException(
                    String.format(
                            Locale.ROOT,
                            "time is out of range: %s=%s, least=%s, most=%s",
                            name,
                            time,
                            least,
                            MOST));
        }
    }

    /// The client's exception would show the value.
    private static void requireHeader(String name, String value) {
        try {
            HttpRequest.newBuilder(URI.create("https://localhost/")).header(name, value);
        } catch (IllegalArgumentException _) {
            throw new IllegalArgumentException("header cannot be sent: name=" + name);
        }
    }

    /// {@return a copy with another [#connectTimeout]}
    ///
    /// @param time the new value
    public HttpOptions withConnectTimeout(Duration time) {
        return new HttpOptions(
                time, requestTimeout, retries, retryDelay, headers, acceptsUnversioned);
    }

    /// {@return a copy with another [#requestTimeout]}
    ///
    /// @param time the new value
    public HttpOptions withRequestTimeout(Duration time) {
        return new HttpOptions(
                connectTimeout, time, retries, retryDelay, headers, acceptsUnversioned);
    }

    /// {@return a copy with other [#retries]}
    ///
    /// @param times the new value
    public HttpOptions withRetries(int times) {
        return new HttpOptions(
                connectTimeout, requestTimeout, times, retryDelay, headers, acceptsUnversioned);
    }

    /// {@return a copy with another [#retryDelay]}
    ///
    /// @param time the new value
    public HttpOptions withRetryDelay(Duration time) {
        return new HttpOptions(
                connectTimeout, requestTimeout, retries, time, headers, acceptsUnversioned);
    }

    /// {@return a copy with other [#headers]}
    ///
    /// @param values by name
    public HttpOptions withHeaders(Map<String, String> values) {
        return new HttpOptions(
                connectTimeout, requestTimeout, retries, retryDelay, values, acceptsUnversioned);
    }

    /// {@return a copy with another [#acceptsUnversioned]}
    ///
    /// @param accepts the new value
    public HttpOptions withAcceptsUnversioned(boolean accepts) {
        return new HttpOptions(
                connectTimeout, requestTimeout, retries, retryDelay, headers, accepts);
    }

    /// {@return the options; of the headers only the names}
    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "connectTimeout=%s, requestTimeout=%s, retries=%d, retryDelay=%s, headers=%s,"
                        + " acceptsUnversioned=%s",
                connectTimeout,
                requestTimeout,
                retries,
                retryDelay,
                headers.keySet(),
                acceptsUnversioned);
    }
}
