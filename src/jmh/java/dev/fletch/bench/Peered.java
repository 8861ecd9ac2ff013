// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.bench;

import java.io.IOException;
import java.nio.file.Path;

/// A benchmark that the peer in C++ does as well. Its setup has been called.
interface Peered {
    /// The bytes that the peer reads.
    ///
    /// @param folder for a file made for the peer alone
    Path input(Path folder) throws IOException;

    /// How many rounds are compared before the peer is measured: of a stream more than it has batches.
    default int rounds() {
        return 1;
    }

    /// What the peer answers after some rounds.
    ///
    /// @param sum of what all rounds have returned
    default long answer(long sum) {
        return sum;
    }

    /// FNV-1a, which the peer makes of what it has written.
    static long hash(byte[] content) {
        long hash = 0xcbf29ce484222325L;
        for (byte each : content) {
            hash = (hash ^ (each & 0xFF)) * 0x100000001b3L;
        }
        return hash;
    }
}
