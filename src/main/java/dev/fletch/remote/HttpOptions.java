// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.remote;

import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;

/// Options of HTTP range requests. Immutable; `with…` methods return a changed copy.
public final class HttpOptions {
    private static final Duration MOST = Duration.ofDays(1);

    /// 10 seconds to connect, 30 seconds per request, 3 retries after 0.2, 0.4 and 0.8 seconds, no
    /// headers.
    public static final HttpOptions DEFAULT =
            new HttpOptions(
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(30),
                    3,
                    Duration.ofMillis(200),
                    Map.of(),
                    false,
                    false);

    final Duration connectTimeout;
    final Duration requestTimeout;
    final int retries;
    final Duration retryDelay;
    final Map<String, String> headers;
    final boolean acceptsUnversioned;
    final boolean allowsHttp;

    private HttpOptions(
            Duration connectTimeout,
            Duration requestTimeout,
            int retries,
            Duration retryDelay,
            Map<String, String> headers,
            boolean acceptsUnversioned,
            boolean allowsHttp) {
        require("connectTimeout", connectTimeout, Duration.ofMillis(1));
        require("requestTimeout", requestTimeout, Duration.ofMillis(1));
        require("retryDelay", retryDelay, Duration.ZERO);
        if (retries < 0) {
            throw new IllegalArgumentException("option is negative: retries=" + retries);
        }
        this.connectTimeout = connectTimeout;
        this.requestTimeout = requestTimeout;
        this.retries = retries;
        this.retryDelay = retryDelay;
        this.headers = Map.copyOf(headers);
        this.acceptsUnversioned = acceptsUnversioned;
        this.allowsHttp = allowsHttp;
        headers.forEach(HttpOptions::requireHeader);
    }

    private static void require(String name, Duration time, Duration least) {
        if (time.compareTo(least) < 0 || time.compareTo(MOST) > 0) {
            String limits = ", minimum=" + least + ", maximum=" + MOST;
            throw new IllegalArgumentException(
                    "time is out of range: " + name + "=" + time + limits);
        }
    }

    /// Hides the client's exception, which contains the value.
    private static void requireHeader(String name, String value) {
        try {
            HttpRequest.newBuilder(URI.create("https://localhost/")).header(name, value);
        } catch (IllegalArgumentException _) {
            throw new IllegalArgumentException("header cannot be sent: name=" + name);
        }
    }

    /// Changes the time-outs.
    ///
    /// @param connect maximum time to connect; ignored with a client of the caller
    /// @param request maximum time for a request and its complete response, plus one second per
    ///     100 kB of the range
    /// @throws IllegalArgumentException if one is below 1 ms or above one day
    public HttpOptions withTimeouts(Duration connect, Duration request) {
        return new HttpOptions(
                connect, request, retries, retryDelay, headers, acceptsUnversioned, allowsHttp);
    }

    /// Changes how often a request is repeated.
    ///
    /// @param times maximum number of retries of a request; at most one after a time-out
    /// @param delay before the first retry; doubled for each further one
    /// @throws IllegalArgumentException if one is negative, or the delay above one day
    public HttpOptions withRetries(int times, Duration delay) {
        return new HttpOptions(
                connectTimeout,
                requestTimeout,
                times,
                delay,
                headers,
                acceptsUnversioned,
                allowsHttp);
    }

    /// Changes the headers.
    ///
    /// @param values sent with each request, such as `Authorization`; never sent to another scheme,
    ///     host or port than the link's, and never in errors or output
    /// @throws IllegalArgumentException if a header is not permitted
    public HttpOptions withHeaders(Map<String, String> values) {
        return with(values, acceptsUnversioned, allowsHttp);
    }

    /// Accepts or refuses a server that sends neither `ETag` nor `Last-Modified`, so that only a
    /// different size reveals a changed object.
    public HttpOptions withAcceptsUnversioned(boolean accepts) {
        return with(headers, accepts, allowsHttp);
    }

    /// Accepts or refuses `http` links to other machines, without encryption. No headers are sent
    /// to them.
    public HttpOptions withAllowsHttp(boolean allows) {
        return with(headers, acceptsUnversioned, allows);
    }

    private HttpOptions with(Map<String, String> values, boolean accepts, boolean allows) {
        return new HttpOptions(
                connectTimeout, requestTimeout, retries, retryDelay, values, accepts, allows);
    }

    /// {@return the options, with only the names of headers}
    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "connectTimeout=%s, requestTimeout=%s, retries=%d, retryDelay=%s, headers=%s,"
                        + " acceptsUnversioned=%s, allowsHttp=%s",
                connectTimeout,
                requestTimeout,
                retries,
                retryDelay,
                headers.keySet(),
                acceptsUnversioned,
                allowsHttp);
    }
}
