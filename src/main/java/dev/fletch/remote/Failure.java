// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.remote;

import java.net.http.HttpTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;

/// A failed attempt to read a range. Has no cause, because exceptions of the JDK's client may
/// contain the link.
final class Failure extends Exception {
    private static final long serialVersionUID = 1L;

    /// Whether to retry.
    enum Kind {
        FINAL,
        RETRY,
        RETRY_ONCE
    }

    final Kind kind;

    /// Value of `Retry-After` in seconds; 0 if absent.
    final long retryAfter;

    Failure(Kind kind, String reason, long retryAfter) {
        super(reason, null, false, false);
        this.kind = kind;
        this.retryAfter = retryAfter;
    }

    Failure(Kind kind, String reason) {
        this(kind, reason, 0);
    }

    /// A failure that is not retried.
    Failure(String reason) {
        this(Kind.FINAL, reason);
    }

    static Failure late(String what) {
        return new Failure(Kind.RETRY_ONCE, "time-out: " + what);
    }

    /// Converts an exception of the client.
    static Failure of(Throwable thrown) {
        Throwable cause = thrown;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (thrown instanceof HttpTimeoutException || cause instanceof HttpTimeoutException) {
            return late("no connection");
        }
        return new Failure(Kind.RETRY, "connection has failed: " + reason(cause));
    }

    private static String reason(Throwable cause) {
        return switch (cause) {
            case UnresolvedAddressException _ -> "unknown host";
            case ClosedChannelException _ -> "refused or closed"; // the JDK gives no other reason
            default -> {
                String text = cause.getMessage();
                yield cause.getClass().getSimpleName() + (text == null ? "" : ": " + text);
            }
        };
    }

    static Failure changed(String what, Object first, Object now) {
        return new Failure("object has changed: " + what + " was " + first + ", is " + now);
    }
}
