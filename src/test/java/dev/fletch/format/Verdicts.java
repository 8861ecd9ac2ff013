// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Checks;
import dev.fletch.Fault;
import dev.fletch.Rule;
import dev.fletch.format.Verifier.Root;
import dev.fletch.testdata.Memories;
import dev.fletch.testdata.Memories.Backing;
import dev.fletch.testdata.Placed;
import dev.fletch.testdata.PlacedBuffer;
import dev.fletch.testdata.PlacedSegment;

import java.lang.foreign.MemorySegment;
import java.util.List;

/// Verdicts that must be the same in every kind of memory: what the tests of crafted buffers share.
public final class Verdicts {
    static final Checks ARROW = Checks.ARROW_CPP;

    /// Those that need a file of gigabytes take long to place; the others see every crafted buffer.
    private static final List<Backing> MEMORIES =
            Memories.all().stream().filter(each -> !each.name().contains("GiB")).toList();

    private Verdicts() {}

    /// Fails if the bytes are refused in any memory, or cannot be read afterwards.
    public static void accepts(Checks options, Root root, byte[] bytes) {
        Verifier verifier = new Verifier(options);
        for (Backing backing : MEMORIES) {
            try (Placed placed = backing.place(bytes)) {
                boolean verdict = verdict(verifier, root, placed);
                assertTrue(verdict, () -> backing.name() + ": " + verifier.fault());
                assertNull(verifier.fault(), backing.name());
            }
        }
        FullWalk walk = FullWalk.bounded();
        walk.root(root.table(), MemorySegment.ofArray(bytes), 0, bytes.length);
        assertEquals(
                0, walk.formatFaults() + walk.indexFaults(), "what was accepted cannot be read");
    }

    /// Fails if the bytes are accepted in any memory, or for another reason.
    ///
    /// @param position of the fault, from the first byte
    public static void refuses(
            Checks options, Root root, byte[] bytes, Rule rule, long position, String path) {
        Verifier verifier = new Verifier(options);
        for (Backing backing : MEMORIES) {
            try (Placed placed = backing.place(bytes)) {
                assertFalse(verdict(verifier, root, placed), backing.name());
                Fault fault = verifier.fault();
                String what = backing.name() + ": " + fault;
                assertNotNull(fault, what);
                assertEquals(rule, fault.rule(), what);
                assertEquals(start(placed) + position, fault.position(), what);
                assertEquals(path, fault.path(), what);
            }
        }
    }

    private static boolean verdict(Verifier verifier, Root root, Placed placed) {
        return switch (placed) {
            case PlacedSegment in -> verifier.verify(root, in.segment(), in.offset(), in.length());
            case PlacedBuffer in -> {
                int limit = in.buffer().limit();
                int start = in.buffer().position();
                boolean verdict = verifier.verify(root, in.buffer());
                assertEquals(start, in.buffer().position());
                assertEquals(limit, in.buffer().limit());
                yield verdict;
            }
        };
    }

    private static long start(Placed placed) {
        return placed instanceof PlacedSegment in
                ? in.offset()
                : ((PlacedBuffer) placed).buffer().position();
    }
}
