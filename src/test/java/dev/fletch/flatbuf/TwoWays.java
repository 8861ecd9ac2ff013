// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import dev.fletch.flatbuf.VerifierOptions.Check;
import dev.fletch.flatbuf.verify.DeclaredTables;
import dev.fletch.flatbuf.verify.VerifierEngine;
import dev.fletch.wire.MemoryRange;

import java.lang.foreign.MemorySegment;

/// The two ways in which an engine comes to a verdict, each on its own: the quick one, which only
/// accepts, and the thorough one.
public final class TwoWays {
    private final VerifierEngine quick;
    private final VerifierEngine thorough;
    private final MemoryRange source = new MemoryRange();

    /// Creates both ways, without the checks that only the thorough one knows.
    public TwoWays(DeclaredTables rules, VerifierOptions asked) {
        VerifierOptions options = asked;
        for (Check check : asked.checks()) {
            options = options.with(check, VerifierEngine.QUICK_CHECKS.contains(check));
        }
        quick = new VerifierEngine(rules, options);
        thorough = new VerifierEngine(rules, options);
        // With a sink the quick way is not tried.
        thorough.setSink(_ -> {}, 1);
    }

    /// Tells whether the quick way accepts a buffer.
    public boolean quickly(int root, MemorySegment buffer) {
        source.wrap(buffer, 0, buffer.byteSize());
        return quick.isAccepted(root, source);
    }

    public boolean thoroughly(int root, MemorySegment buffer) {
        return thorough.verify(root, buffer, 0, buffer.byteSize());
    }

    /// Tells whether both ways have reached the same tables and read the same of strings.
    public boolean agree() {
        return quick.tablesVisited() == thorough.tablesVisited()
                && quick.stringBytesRead() == thorough.stringBytesRead();
    }

    /// How many tables both ways have reached.
    public long tables() {
        return thorough.tablesVisited();
    }
}
