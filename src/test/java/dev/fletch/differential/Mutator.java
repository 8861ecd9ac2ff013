// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.differential;

import dev.fletch.differential.Structure.Word;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/// Makes cases from seeds: each from the run's seed and its own number alone, so that any case of
/// any run can be had again.
///
/// Most mutations aim at the words that hold a flatbuffer together; [Numbers] says what they
/// become. Few mutations per case are common, so that many cases are damaged deep inside and not
/// at the first table.
final class Mutator {
    private static final int MAX_MUTATIONS = 8;
    private static final int MAX_SHIFT = 8;
    private static final int MAX_GROWTH = 24;
    private static final int MAX_PIECE = 40;
    private static final int ONE_LARGE_IN = 150;
    private static final int LARGE_BYTES = 8_000;
    private static final byte[] BYTES = {0, 1, 2, 3, 4, 8, 0x7F, (byte) 0x80, (byte) 0xFF};
    private static final int ARROW_DEPTH = 128;
    private static final int FLATBUFFERS_DEPTH = 64;
    private static final int FLATBUFFERS_TABLES = 1_000_000;

    private final long runSeed;
    private final List<Seed> small;
    private final List<Seed> large;

    private SplittableRandom random;
    private Seed seed;
    private byte[] bytes;
    private ByteBuffer view;

    Mutator(List<Seed> seeds, long runSeed) {
        this.runSeed = runSeed;
        this.small = seeds.stream().filter(each -> each.bytes().length < LARGE_BYTES).toList();
        this.large = seeds.stream().filter(each -> each.bytes().length >= LARGE_BYTES).toList();
    }

    /// Returns a case, with alignment checked.
    VerifyCase make(long number) {
        random = new SplittableRandom(runSeed * 0x9E37_79B9_7F4A_7C15L + number);
        List<Seed> from = random.nextInt(ONE_LARGE_IN) == 0 ? large : small;
        seed = from.get(random.nextInt(from.size()));
        take(seed.bytes().clone());
        int mutations = 1;
        while (mutations < MAX_MUTATIONS && random.nextInt(5) < 2) {
            mutations++;
        }
        for (int i = 0; i < mutations; i++) {
            mutate();
        }
        return limits();
    }

    /// The seed of the case that was made last.
    Seed seed() {
        return seed;
    }

    private void take(byte[] next) {
        bytes = next;
        view = ByteBuffer.wrap(next).order(ByteOrder.LITTLE_ENDIAN);
    }

    private void mutate() {
        int kind = random.nextInt(100);
        if (bytes.length < Long.BYTES) {
            grow();
        } else if (kind < 55) {
            structuralWord();
        } else if (kind < 67) {
            bytes[any()] ^= (byte) (1 << random.nextInt(Byte.SIZE));
        } else if (kind < 74) {
            bytes[any()] = BYTES[random.nextInt(BYTES.length)];
        } else if (kind < 80) {
            anyWord();
        } else if (kind < 88) {
            cut();
        } else if (kind < 91) {
            grow();
        } else if (kind < 96) {
            piece();
        } else {
            shift();
        }
    }

    private int any() {
        return random.nextInt(bytes.length);
    }

    private Word anyStructuralWord() {
        return seed.words().get(random.nextInt(seed.words().size()));
    }

    /// Where earlier mutations have moved things, this changes what has come to stand there.
    private void structuralWord() {
        Word word = anyStructuralWord();
        if (word.at() <= bytes.length - Numbers.width(word.kind())) {
            numbers().change(word);
        }
    }

    private void anyWord() {
        if (random.nextInt(4) == 0) {
            int at = random.nextInt(bytes.length - 1);
            view.putShort(at, (short) numbers().slot(at, view.getShort(at)));
        } else {
            int at = random.nextInt(bytes.length / Integer.BYTES) * Integer.BYTES;
            view.putInt(at, numbers().word(at, view.getInt(at)));
        }
    }

    private Numbers numbers() {
        return new Numbers(random, seed, view);
    }

    /// At the end by a few bytes, anywhere, or right at or within a word.
    private void cut() {
        int length =
                switch (random.nextInt(4)) {
                    case 0 -> any();
                    case 1 -> anyStructuralWord().at() + random.nextInt(5);
                    default -> bytes.length - 1 - random.nextInt(Math.min(bytes.length, 18));
                };
        take(Arrays.copyOf(bytes, Math.min(length, bytes.length)));
    }

    private void grow() {
        int length = bytes.length;
        take(Arrays.copyOf(bytes, length + 1 + random.nextInt(MAX_GROWTH)));
        if (random.nextBoolean()) {
            for (int i = length; i < bytes.length; i++) {
                bytes[i] = (byte) random.nextInt();
            }
        }
    }

    /// Copies a piece from elsewhere, of this seed or another.
    private void piece() {
        byte[] from =
                random.nextBoolean()
                        ? seed.bytes()
                        : small.get(random.nextInt(small.size())).bytes();
        int most = Math.min(MAX_PIECE, Math.min(from.length, bytes.length));
        int size = 1 + random.nextInt(most);
        int source = random.nextInt(from.length - size + 1);
        int target = random.nextInt(bytes.length - size + 1);
        if (random.nextInt(3) > 0) {
            source &= -4;
            target &= -4;
        }
        System.arraycopy(from, source, bytes, target, size);
    }

    /// Takes some bytes out, or puts some in, so that all behind them moves.
    private void shift() {
        int at = any();
        int size = 1 + random.nextInt(MAX_SHIFT);
        if (random.nextBoolean()) {
            byte[] longer = Arrays.copyOf(bytes, bytes.length + size);
            System.arraycopy(bytes, at, longer, at + size, bytes.length - at);
            take(longer);
        } else {
            int removed = Math.min(size, bytes.length - at);
            byte[] shorter = Arrays.copyOf(bytes, bytes.length - removed);
            System.arraycopy(bytes, at + removed, shorter, at, shorter.length - at);
            take(shorter);
        }
    }

    // ---- limits

    /// Mostly those of Arrow C++ or of FlatBuffers; else such as the undamaged seed just keeps or
    /// just breaks, and any below.
    private VerifyCase limits() {
        long arrowTables = VerifyCase.tablesOfArrow(bytes.length);
        int kind = random.nextInt(20);
        if (kind < 10) {
            return limited(ARROW_DEPTH, arrowTables);
        } else if (kind < 13) {
            return limited(FLATBUFFERS_DEPTH, FLATBUFFERS_TABLES);
        } else if (kind < 15) {
            return limited(1 + random.nextInt(seed.depth() + 1), arrowTables);
        } else if (kind < 17) {
            return limited(ARROW_DEPTH, random.nextLong(seed.tables() + 2));
        } else {
            return limited(seed.depth() + edge(), seed.tables() + edge());
        }
    }

    private int edge() {
        return random.nextInt(-1, 2);
    }

    private VerifyCase limited(int depth, long tables) {
        return new VerifyCase(seed.root(), bytes, true, Math.max(1, depth), Math.max(0, tables));
    }
}
