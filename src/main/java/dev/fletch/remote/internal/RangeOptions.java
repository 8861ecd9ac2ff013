// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.remote.internal;

/// Options of range requests. Sizes are in bytes. Immutable.
///
/// @param mergeBytes ranges with a smaller gap are merged into one request
/// @param requestBytes maximum length of a request: longer ranges are split, and merging does not
///     exceed it
/// @param requestsInFlight maximum number of concurrent requests; fewer if their buffers would
///     exceed 16 MiB
/// @param endBytes length of the first request, at the end of the file
/// @param maxHeaderBytes maximum total length of headers (prefix and metadata) requested and kept
///     at a time; a single header may be longer
public record RangeOptions(
        int mergeBytes, int requestBytes, int requestsInFlight, int endBytes, int maxHeaderBytes) {

    /// Merges gaps below 64 KiB, up to 8 requests of up to 8 MiB at a time, starts with the last 64
    /// KiB, and keeps 64 MiB of headers.
    public static final RangeOptions DEFAULT =
            new RangeOptions(64 << 10, 8 << 20, 8, 64 << 10, 64 << 20);

    private static final int LEAST_END_BYTES = 64;

    /// Creates options.
    ///
    /// @throws IllegalArgumentException if `mergeBytes` is negative, `endBytes` is below 64, or
    ///     another number is below 1
    public RangeOptions {
        require("mergeBytes", mergeBytes, 0);
        require("requestBytes", requestBytes, 1);
        require("requestsInFlight", requestsInFlight, 1);
        require("endBytes", endBytes, LEAST_END_BYTES);
        require("maxHeaderBytes", maxHeaderBytes, 1);
    }

    private static void require(String name, int value, int least) {
        if (value < least) {
            throw new IllegalArgumentException(
                    "option is too small: " + name + "=" + value + ", minimum=" + least);
        }
    }

    /// {@return a copy with other [#mergeBytes]}
    public RangeOptions withMergeBytes(int bytes) {
        return new RangeOptions(bytes, requestBytes, requestsInFlight, endBytes, maxHeaderBytes);
    }

    /// {@return a copy with other [#requestBytes]}
    public RangeOptions withRequestBytes(int bytes) {
        return new RangeOptions(mergeBytes, bytes, requestsInFlight, endBytes, maxHeaderBytes);
    }

    /// {@return a copy with other [#requestsInFlight]}
    public RangeOptions withRequestsInFlight(int requests) {
        return new RangeOptions(mergeBytes, requestBytes, requests, endBytes, maxHeaderBytes);
    }

    /// {@return a copy with other [#endBytes]}
    public RangeOptions withEndBytes(int bytes) {
        return new RangeOptions(mergeBytes, requestBytes, requestsInFlight, bytes, maxHeaderBytes);
    }

    /// {@return a copy with another [#maxHeaderBytes]}
    public RangeOptions withMaxHeaderBytes(int bytes) {
        return new RangeOptions(mergeBytes, requestBytes, requestsInFlight, endBytes, bytes);
    }
}
