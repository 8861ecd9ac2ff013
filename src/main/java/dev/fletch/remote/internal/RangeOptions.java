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
}
