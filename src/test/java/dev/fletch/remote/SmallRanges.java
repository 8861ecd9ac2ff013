// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.remote;

import dev.fletch.remote.internal.RangeOptions;

/// Options of range requests other than the default: smaller, so that small files need several.
public record SmallRanges(int merge, int request, int inFlight, int end, int headers) {
    public static final SmallRanges OF = of(RangeOptions.DEFAULT);

    private static SmallRanges of(RangeOptions of) {
        return new SmallRanges(
                of.mergeBytes(),
                of.requestBytes(),
                of.requestsInFlight(),
                of.endBytes(),
                of.maxHeaderBytes());
    }

    public RangeOptions options() {
        return new RangeOptions(merge, request, inFlight, end, headers);
    }

    public SmallRanges mergeBytes(int bytes) {
        return new SmallRanges(bytes, request, inFlight, end, headers);
    }

    public SmallRanges requestBytes(int bytes) {
        return new SmallRanges(merge, bytes, inFlight, end, headers);
    }

    public SmallRanges requestsInFlight(int requests) {
        return new SmallRanges(merge, request, requests, end, headers);
    }

    public SmallRanges endBytes(int bytes) {
        return new SmallRanges(merge, request, inFlight, bytes, headers);
    }

    public SmallRanges maxHeaderBytes(int bytes) {
        return new SmallRanges(merge, request, inFlight, end, bytes);
    }
}
