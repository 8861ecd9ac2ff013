// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Fault;
import dev.fletch.Rule;
import dev.fletch.flatbuf.VerifierOptions;
import dev.fletch.format.Verifier.Root;
import dev.fletch.testdata.FbsValueWriter;
import dev.fletch.testdata.Memories;
import dev.fletch.testdata.Memories.BufferBacking;
import dev.fletch.testdata.Memories.SegmentBacking;
import dev.fletch.testdata.PlacedBuffer;
import dev.fletch.testdata.PlacedSegment;

import java.lang.foreign.MemorySegment;
import java.util.List;

/// Verdicts that must be the same in every kind of memory: what the tests of crafted buffers share.
final class Verdicts {
    static final VerifierOptions ARROW = VerifierOptions.ARROW_CPP;
    static final VerifierOptions UNALIGNED = ARROW.with(VerifierOptions.Check.ALIGNMENT, false);

    /// Those that need a file of gigabytes take long to place; the others see every crafted buffer.
    private static final List<SegmentBacking> SEGMENTS =
            Memories.segments().stream().filter(each -> !each.name().contains("GiB")).toList();

    private static final List<BufferBacking> BUFFERS = Memories.buffers();

    private Verdicts() {}

    /// A buffer in which the root and the tables below it, for two levels, have all their fields.
    static byte[] full(Root root) {
        return FbsValueWriter.write(Flyweights.ARROW, FullTables.table(root.table(), 2), 1);
    }

    /// Fails if the bytes are refused in any memory, or cannot be read afterwards.
    static void accepts(VerifierOptions options, Root root, byte[] bytes) {
        Verifier verifier = new Verifier(options);
        everywhere(verifier, root, bytes, true, null, 0, "");
        FullWalk walk = FullWalk.bounded();
        MemorySegment segment = MemorySegment.ofArray(bytes);
        walk.root(root.table(), segment, 0, bytes.length);
        assertEquals(
                0, walk.formatFaults() + walk.indexFaults(), "what was accepted cannot be read");
    }

    /// Fails if the bytes are accepted in any memory, or for another reason.
    static void refuses(
            VerifierOptions options,
            Root root,
            byte[] bytes,
            Rule code,
            long position,
            String path) {
        everywhere(new Verifier(options), root, bytes, false, code, position, path);
    }

    private static void everywhere(
            Verifier verifier,
            Root root,
            byte[] bytes,
            boolean expected,
            Rule code,
            long position,
            String path) {
        assertEquals(
                expected,
                verifier.verify(root, MemorySegment.ofArray(bytes), 0, bytes.length),
                () -> "" + verifier.fault());
        assertFault(verifier.fault(), code, position, path, "plain");
        for (SegmentBacking backing : SEGMENTS) {
            try (PlacedSegment placed = backing.place(bytes)) {
                boolean verdict =
                        verifier.verify(root, placed.segment(), placed.offset(), placed.length());
                assertEquals(expected, verdict, backing.name());
                long at = placed.offset() + position;
                assertFault(verifier.fault(), code, at, path, backing.name());
            }
        }
        for (BufferBacking backing : BUFFERS) {
            try (PlacedBuffer placed = backing.place(bytes)) {
                int start = placed.buffer().position();
                int limit = placed.buffer().limit();
                assertEquals(expected, verifier.verify(root, placed.buffer()), backing.name());
                assertFault(verifier.fault(), code, start + position, path, backing.name());
                assertEquals(start, placed.buffer().position());
                assertEquals(limit, placed.buffer().limit());
            }
        }
    }

    private static void assertFault(
            Fault fault, Rule code, long position, String path, String where) {
        if (code == null) {
            assertFalse(fault.isPresent(), where);
            assertNull(fault.rule(), where);
            return;
        }
        assertTrue(fault.isPresent(), where);
        assertEquals(code, fault.rule(), () -> where + ": " + fault);
        assertEquals(position, fault.position(), () -> where + ": " + fault);
        assertEquals(path, fault.path(), () -> where + ": " + fault);
    }
}
