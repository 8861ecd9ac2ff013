// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import java.io.IOException;
import java.nio.file.Path;

/// A benchmark with a C++ peer, after its set-up.
interface Peered {
    /// Returns the peer's input.
    ///
    /// @param folder for a file that only the peer needs
    Path input(Path folder) throws IOException;

    /// Number of rounds to compare before measuring the peer: for a stream, more than its batches.
    default int rounds() {
        return 1;
    }

    /// Returns the expected checksum after some rounds.
    ///
    /// @param sum of the results of all rounds
    default long answer(long sum) {
        return sum;
    }

    /// FNV-1a, the peer's hash of the bytes it writes.
    static long hash(byte[] content) {
        long hash = 0xcbf29ce484222325L;
        for (byte each : content) {
            hash = (hash ^ (each & 0xFF)) * 0x100000001b3L;
        }
        return hash;
    }
}
