// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.remote;

import dev.fletch.remote.internal.RangeOptions;

/// Options of range requests other than the default: smaller, so that small files need several.
public record SmallRanges(RangeOptions options) {
    public static final SmallRanges OF = new SmallRanges(RangeOptions.DEFAULT);

    private static SmallRanges of(int merge, int request, int inFlight, int end, int headers) {
        return new SmallRanges(new RangeOptions(merge, request, inFlight, end, headers));
    }

    public SmallRanges mergeBytes(int bytes) {
        return of(
                bytes,
                options.requestBytes(),
                options.requestsInFlight(),
                options.endBytes(),
                options.maxHeaderBytes());
    }

    public SmallRanges requestBytes(int bytes) {
        return of(
                options.mergeBytes(),
                bytes,
                options.requestsInFlight(),
                options.endBytes(),
                options.maxHeaderBytes());
    }

    public SmallRanges requestsInFlight(int requests) {
        return of(
                options.mergeBytes(),
                options.requestBytes(),
                requests,
                options.endBytes(),
                options.maxHeaderBytes());
    }

    public SmallRanges endBytes(int bytes) {
        return of(
                options.mergeBytes(),
                options.requestBytes(),
                options.requestsInFlight(),
                bytes,
                options.maxHeaderBytes());
    }

    public SmallRanges maxHeaderBytes(int bytes) {
        return of(
                options.mergeBytes(),
                options.requestBytes(),
                options.requestsInFlight(),
                options.endBytes(),
                bytes);
    }
}
