// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.differential;

import dev.fletch.Check;
import dev.fletch.Checks;
import dev.fletch.Fault;
import dev.fletch.format.Verifier;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/// Fletch's verifier, asked about cases that lie in memory of many kinds, case by case.
///
/// For one thread at a time.
final class FletchVerifier implements AutoCloseable {
    /// Where a case lies.
    enum Placement {
        ARRAY,
        /// In the middle of others, at an odd address.
        NATIVE,
        BYTE_BUFFER
    }

    private static final int FIRST_BYTES = 1 << 16;
    private static final int ODD = 13;
    private static final int MOST_VERIFIERS = 1_000;
    private static final Placement[] PLACEMENTS = Placement.values();

    private Arena arena = Arena.ofConfined();
    private MemorySegment memory = arena.allocate(FIRST_BYTES, Long.BYTES);
    private final Map<Checks, Verifier> verifiers = new HashMap<>();
    private Verifier verifier;
    private long start;
    private long asked;

    /// Returns the options that a case asks for, by the rules of the official verifier alone.
    static Checks options(VerifyCase each) {
        return limited(Checks.ARROW_CPP, each);
    }

    /// Returns options with the limits that a case asks for. That of Arrow C++ is always set as one
    /// per byte.
    static Checks limited(Checks rules, VerifyCase each) {
        Checks options =
                rules.with(Check.ALIGNMENT, each.checkAlignment())
                        .withLimits(rules.limits().withDepth(each.maxDepth()));
        return each.maxTables() == options.limits().tables(each.bytes().length)
                ? options
                : options.withLimits(
                        options.limits()
                                .withTables(each.maxTables())
                                .withTablesPerByte(Integer.MAX_VALUE));
    }

    /// Tells whether a case is accepted, by the rules of the official verifier.
    boolean decide(VerifyCase each) {
        return decide(each, options(each));
    }

    /// Tells whether the bytes of a case are accepted by other rules.
    boolean decide(VerifyCase each, Checks options) {
        return decide(each, options, PLACEMENTS[(int) (asked++ % PLACEMENTS.length)]);
    }

    boolean decide(VerifyCase each, Checks options, Placement placement) {
        if (verifiers.size() == MOST_VERIFIERS) {
            verifiers.clear();
        }
        verifier = verifiers.computeIfAbsent(options, Verifier::new);
        start = placement == Placement.NATIVE ? ODD : 0;
        byte[] bytes = each.bytes();
        return switch (placement) {
            case ARRAY ->
                    verifier.verify(each.root(), MemorySegment.ofArray(bytes), 0, bytes.length);
            case NATIVE -> verifier.verify(each.root(), placed(bytes), ODD, bytes.length);
            case BYTE_BUFFER -> verifier.verify(each.root(), ByteBuffer.wrap(bytes));
        };
    }

    private MemorySegment placed(byte[] bytes) {
        if (bytes.length > memory.byteSize() - 2 * ODD) {
            arena.close();
            arena = Arena.ofConfined();
            memory = arena.allocate(bytes.length + 4L * ODD, Long.BYTES);
        }
        MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, ODD, bytes.length);
        return memory;
    }

    /// The reason of the last decision.
    Fault fault() {
        return verifier.fault();
    }

    /// Position of the fault from the first byte of the case.
    long faultPosition() {
        return verifier.fault().position() - start;
    }

    /// What made the last decision.
    Verifier verifier() {
        return verifier;
    }

    @Override
    public void close() {
        arena.close();
    }
}
