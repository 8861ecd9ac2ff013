// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.internal;

import dev.fletch.Checks;
import dev.fletch.wire.MemoryRange;

import java.lang.foreign.MemorySegment;

/// The two passes in which an engine comes to a verdict, each on its own: the quick pass, which
/// only accepts, and the full pass.
public final class BothPasses {
    private final VerifierEngine quick;
    private final VerifierEngine full;
    private final MemoryRange source = new MemoryRange();

    /// Creates both passes.
    public BothPasses(DeclaredTables rules, Checks options) {
        quick = new VerifierEngine(rules, options);
        full = new VerifierEngine(rules, options);
        // With a sink the quick pass is not tried.
        full.setSink(_ -> {}, 1);
    }

    /// Tells whether the quick pass accepts a buffer.
    public boolean isAcceptedQuickly(int root, MemorySegment buffer) {
        source.wrap(buffer, 0, buffer.byteSize());
        return quick.isAccepted(root, source);
    }

    public boolean isAcceptedInFull(int root, MemorySegment buffer) {
        return full.verify(root, buffer, 0, buffer.byteSize());
    }

    /// Tells whether both passes have reached the same tables and read the same of strings.
    public boolean reachTheSame() {
        return quick.tablesVisited() == full.tablesVisited()
                && quick.stringBytesRead() == full.stringBytesRead();
    }

    /// How many tables both passes have reached.
    public long tables() {
        return full.tablesVisited();
    }
}
