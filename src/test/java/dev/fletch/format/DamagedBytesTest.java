// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.testdata.CaseCount;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Damaged bytes end in values, or in one of the two documented exceptions: never in an endless
/// loop, and never in a look at bytes outside the wrapped range, which [DamageRig] proves.
class DamagedBytesTest {
    private static final byte[] SETS = {0x00, 0x7F, (byte) 0x80, (byte) 0xFF};
    private static final int SPLICES = CaseCount.of(200, 3_000);

    /// From one byte that is changed to the next. An odd number, so that bytes of each word are.
    private static final int BYTE_STEP = CaseCount.of(11, 1);

    private static final int MAX_BYTES = 460;
    private static final int MIN_BYTES = 160;

    /// A small buffer to damage.
    record Sample(TablePath path, byte[] bytes) {
        String root() {
            return path.root();
        }

        @Override
        public String toString() {
            return path + " (" + bytes.length + " bytes)";
        }
    }

    /// One for each of some tables that lie deep, which brings all roots and all kinds of fields.
    static List<Sample> samples() {
        List<Sample> samples = new ArrayList<>();
        for (String table :
                List.of(
                        "Message",
                        "Schema",
                        "DictionaryEncoding",
                        "Union",
                        "Footer",
                        "DictionaryBatch",
                        "RecordBatch",
                        "Tensor",
                        "SparseTensorIndexCOO",
                        "SparseMatrixIndexCSX",
                        "SparseTensorIndexCSF")) {
            samples.add(sample(TablePath.to(table)));
        }
        return samples;
    }

    /// Of some random buffers the one that says most and is not too long.
    private static Sample sample(TablePath path) {
        Sample best = null;
        long most = -1;
        for (long seed = 0; seed < 200; seed++) {
            byte[] bytes = path.random(seed);
            if (bytes.length >= MIN_BYTES && bytes.length <= MAX_BYTES) {
                long tables = tablesIn(path, bytes);
                if (tables > most) {
                    most = tables;
                    best = new Sample(path, bytes);
                }
            }
        }
        return best == null ? new Sample(path, path.random(1)) : best;
    }

    private static long tablesIn(TablePath path, byte[] bytes) {
        AccessorComparer comparer = new AccessorComparer();
        comparer.compare(path.root(), MemorySegment.ofArray(bytes), 0, bytes);
        return comparer.tables();
    }

    private static void assertDamageIsFound(DamageRig rig) {
        // Every way out of the range is found by the flyweights themselves, not by the JVM.
        assertEquals(0, rig.walk().indexFaults());
        assertTrue(rig.walk().formatFaults() > 0);
    }

    @ParameterizedTest
    @MethodSource("samples")
    void truncatedBuffersAreReadWithinTheirRange(Sample sample) {
        try (DamageRig rig = new DamageRig(sample.bytes().length)) {
            for (int length = 0; length <= sample.bytes().length; length++) {
                rig.read(sample.root(), sample.bytes(), length, "cut off at " + length);
            }
            assertDamageIsFound(rig);
        }
    }

    @ParameterizedTest
    @MethodSource("samples")
    void changedBytesAreReadWithinTheirRange(Sample sample) {
        byte[] bytes = sample.bytes().clone();
        try (DamageRig rig = new DamageRig(bytes.length)) {
            for (int i = 0; i < bytes.length; i += BYTE_STEP) {
                byte whole = bytes[i];
                for (int bit = 0; bit < Byte.SIZE; bit++) {
                    bytes[i] = (byte) (whole ^ 1 << bit);
                    rig.read(sample.root(), bytes, "bit " + bit + " flipped at " + i);
                }
                for (byte set : SETS) {
                    bytes[i] = set;
                    rig.read(sample.root(), bytes, "set to " + set + " at " + i);
                }
                bytes[i] = whole;
            }
            assertDamageIsFound(rig);
        }
    }

    @ParameterizedTest
    @MethodSource("samples")
    void splicedNumbersAreReadWithinTheirRange(Sample sample) {
        Random random = new Random(sample.bytes().length);
        byte[] bytes = sample.bytes().clone();
        ByteBuffer view = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        try (DamageRig rig = new DamageRig(bytes.length)) {
            for (int i = 0; i < SPLICES; i++) {
                int words = 1 + random.nextInt(4);
                for (int word = 0; word < words; word++) {
                    int at = random.nextInt(bytes.length / 4) * 4;
                    view.putInt(at, interesting(random, bytes.length, at));
                }
                rig.read(sample.root(), bytes, "splice " + i);
                if (random.nextInt(3) > 0) {
                    System.arraycopy(sample.bytes(), 0, bytes, 0, bytes.length);
                }
            }
            assertDamageIsFound(rig);
        }
    }

    /// Numbers that are limits, or lead to the edges of the buffer from where they stand.
    private static int interesting(Random random, int length, int at) {
        int[] numbers = {
            0,
            1,
            4,
            -1,
            -4,
            Integer.MIN_VALUE,
            Integer.MAX_VALUE,
            0x4000_0000,
            0x2000_0000,
            0x1000_0000,
            0x0AAA_AAAB,
            0xFFFE_FFFF,
            0x0004_0004,
            0x0014_0006,
            length,
            length - at,
            length - at - 1,
            length - at - 2,
            length - at - 4,
            length - at - 8,
            at,
            at - 4,
            at - length,
            at + 1,
            -at,
            random.nextInt(length),
            -random.nextInt(length),
            random.nextInt(),
        };
        return numbers[random.nextInt(numbers.length)];
    }

    @ParameterizedTest
    @MethodSource("samples")
    void copiedPiecesAndNoiseAreReadWithinTheirRange(Sample sample) {
        Random random = new Random(~sample.bytes().length);
        byte[] bytes = sample.bytes().clone();
        try (DamageRig rig = new DamageRig(bytes.length)) {
            for (int i = 0; i < SPLICES; i++) {
                int size = 1 + random.nextInt(Math.min(40, bytes.length / 2));
                int from = random.nextInt(bytes.length - size);
                int to = random.nextInt(bytes.length - size);
                if (random.nextInt(4) == 0) {
                    byte[] noise = new byte[size];
                    random.nextBytes(noise);
                    System.arraycopy(noise, 0, bytes, to, size);
                } else {
                    System.arraycopy(sample.bytes(), from, bytes, to, size);
                }
                rig.read(sample.root(), bytes, "copy " + i);
                if (random.nextInt(4) == 0) {
                    System.arraycopy(sample.bytes(), 0, bytes, 0, bytes.length);
                }
            }
            assertDamageIsFound(rig);
        }
    }
}
