// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.differential;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.Check;
import dev.fletch.Checks;
import dev.fletch.FletchException;
import dev.fletch.flatbuf.write.FlatBufferWriter;
import dev.fletch.format.Footer;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.SparseTensor;
import dev.fletch.format.Tensor;
import dev.fletch.format.Verifier;
import dev.fletch.format.Verifier.Root;
import dev.fletch.format.write.EmissionOrder;
import dev.fletch.format.write.MetadataWriter;
import dev.fletch.testdata.Goldens;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Whatever Fletch writes, its own verifier accepts by its strictest rules, and so does the
/// official one.
class WrittenIsAcceptedTest {
    private static final Checks STRICT = Checks.STRICT;

    private final List<Seed> seeds = Seeds.all(Goldens.present());
    private final Verifier strict = new Verifier(STRICT);

    /// Random tables have unions with a tag alone; they are written as they are.
    private final Verifier withoutPairs = new Verifier(STRICT.with(Check.UNION_PAIRS, false));

    @ParameterizedTest
    @EnumSource
    void writtenBuffersAreAccepted(EmissionOrder order) {
        assertAccepted(order, false);
    }

    @ParameterizedTest
    @EnumSource
    void writtenBuffersWithDefaultsAreAccepted(EmissionOrder order) {
        assertAccepted(order, true);
    }

    private void assertAccepted(EmissionOrder order, boolean forceDefaults) {
        List<VerifyCase> written = new ArrayList<>();
        for (Seed seed : seeds) {
            Optional<byte[]> bytes = write(seed, order, forceDefaults);
            if (bytes.isPresent()) {
                Verifier verifier =
                        isAccepted(strict, seed.root(), seed.bytes()) ? strict : withoutPairs;
                assertTrue(
                        isAccepted(verifier, seed.root(), bytes.get()),
                        () -> seed + ", " + order + ": " + verifier.fault());
                written.add(VerifyCase.of(seed.root(), bytes.get()));
            }
        }
        System.out.printf(
                "Written in the order %s, defaults %s: %d of %d seeds accepted%n",
                order, forceDefaults ? "too" : "left out", written.size(), seeds.size());
        assertTrue(written.size() > seeds.size() * 3 / 4);
        try (CppVerifier official = CppVerifier.start()) {
            boolean[] accepted = official.decide(written);
            for (int i = 0; i < accepted.length; i++) {
                assertTrue(accepted[i], "official: " + written.get(i));
            }
        }
    }

    private static boolean isAccepted(Verifier verifier, Root root, byte[] bytes) {
        return verifier.verify(root, MemorySegment.ofArray(bytes), 0, bytes.length);
    }

    /// Writes a seed again; empty if it has a union member that the format does not know.
    private static Optional<byte[]> write(Seed seed, EmissionOrder order, boolean forceDefaults) {
        FlatBufferWriter buffer = order.newWriter();
        buffer.forceDefaults(forceDefaults);
        MetadataWriter writer = new MetadataWriter(order, buffer);
        MemorySegment source = MemorySegment.ofArray(seed.bytes());
        try {
            switch (seed.root()) {
                case MESSAGE -> writer.message(new Message().wrap(source));
                case FOOTER -> writer.footer(new Footer().wrap(source));
                case SCHEMA -> writer.schema(new Schema().wrap(source));
                case TENSOR -> writer.tensor(new Tensor().wrap(source));
                case SPARSE_TENSOR -> writer.sparseTensor(new SparseTensor().wrap(source));
            }
        } catch (FletchException e) {
            return Optional.empty();
        }
        return Optional.of(buffer.toByteArray());
    }
}
