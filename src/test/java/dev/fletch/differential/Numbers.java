// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.differential;

import dev.fletch.differential.Structure.Word;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/// What the words of a flatbuffer may become: the edges of every rule from where the word stands,
/// the places of other objects, and what wraps around.
final class Numbers {
    private static final int[] BACK_FROM_END = {0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 15, 16, 17, 24};
    private static final int[] NEAR = {-8, -4, -2, -1, 1, 2, 3, 4, 8, 16};
    private static final int[] EXTREMES = {
        -1,
        -2,
        -4,
        Integer.MIN_VALUE,
        Integer.MIN_VALUE + 4,
        Integer.MAX_VALUE,
        Integer.MAX_VALUE - 1,
        Integer.MAX_VALUE - 3,
        0x4000_0000,
        0x2000_0000,
        0x1000_0000,
        0x0AAA_AAAA,
        0x1FFF_FFFF,
        0x3FFF_FFFF,
        0xFFFF,
        0x1_0000
    };
    private static final int[] SLOTS = {
        0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 0x7FFE, 0x7FFF, 0x8000, 65533, 65534, 65535
    };
    private static final int SMALL = 34;

    private final SplittableRandom random;
    private final Seed seed;
    private final ByteBuffer bytes;

    /// @param bytes of any length, little-endian, made of the seed's
    Numbers(SplittableRandom random, Seed seed, ByteBuffer bytes) {
        this.random = random;
        this.seed = seed;
        this.bytes = bytes;
    }

    /// Bytes that a structural word takes.
    static int width(Structure.Kind kind) {
        return switch (kind) {
            case OFFSET, ELEMENT, VTABLE_OFFSET, COUNT -> Integer.BYTES;
            case VTABLE_SIZE, TABLE_SIZE, SLOT -> Short.BYTES;
            case TERMINATOR, TAG, VALUE -> Byte.BYTES;
        };
    }

    /// Puts something else into a word that lies in the bytes.
    void change(Word word) {
        int at = word.at();
        switch (word.kind()) {
            case OFFSET, ELEMENT -> bytes.putInt(at, offset(at, bytes.getInt(at)));
            case VTABLE_OFFSET -> bytes.putInt(at, vtableOffset(at, bytes.getInt(at)));
            case COUNT -> bytes.putInt(at, count(at, bytes.getInt(at), word.base()));
            case VTABLE_SIZE, TABLE_SIZE ->
                    bytes.putShort(at, (short) size(at, bytes.getShort(at)));
            case SLOT -> bytes.putShort(at, (short) slot(word.base(), bytes.getShort(at)));
            case TERMINATOR, TAG, VALUE ->
                    bytes.put(at, (byte) (random.nextBoolean() ? small() : random.nextInt()));
        }
    }

    private int small() {
        return random.nextInt(SMALL);
    }

    private int pick(int[] from) {
        return from[random.nextInt(from.length)];
    }

    private int fromEnd() {
        return bytes.capacity() - pick(BACK_FROM_END);
    }

    private int anywhere() {
        return random.nextInt(bytes.capacity() + 1);
    }

    /// A word of 4 bytes that says nothing by itself.
    int word(int at, int old) {
        return random.nextBoolean() ? offset(at, old) : vtableOffset(at, old);
    }

    private int offset(int at, int old) {
        return switch (random.nextInt(12)) {
            case 0 -> 0;
            case 1 -> small();
            case 2 -> fromEnd() - at;
            case 3, 4 -> old + pick(NEAR);
            case 5 -> pick(EXTREMES);
            case 6 -> (anywhere() & -4) - at;
            case 7 -> -at;
            default -> pick(seed.objects()) - at;
        };
    }

    private int vtableOffset(int at, int old) {
        return switch (random.nextInt(13)) {
            case 0 -> 0;
            case 1 -> small();
            case 2 -> -small();
            // Before the buffer, where others were before it.
            case 12 -> at + anywhere();
            case 3, 4 -> at - fromEnd();
            case 5 -> old + pick(NEAR);
            case 6 -> pick(EXTREMES);
            case 7 -> at - (anywhere() & -2);
            case 8 -> at - pick(seed.objects());
            default -> at - pick(seed.vtables());
        };
    }

    private int count(int at, int old, int elementBytes) {
        int room = (bytes.capacity() - at - Integer.BYTES) / elementBytes;
        return switch (random.nextInt(9)) {
            case 0 -> small();
            case 1, 2 -> old + pick(NEAR);
            case 3, 4 -> room + random.nextInt(-2, 3);
            case 5 -> Integer.MAX_VALUE / elementBytes + random.nextInt(-2, 2);
            case 6 -> (int) (0x1_0000_0000L / elementBytes) + random.nextInt(-1, 3);
            case 7 -> (int) ((0x1_0000_0000L - Integer.BYTES) / elementBytes) + small();
            default -> pick(EXTREMES);
        };
    }

    private int size(int at, int old) {
        return switch (random.nextInt(6)) {
            case 0 -> small();
            case 1, 2 -> old + pick(NEAR);
            case 3 -> fromEnd() - at;
            default -> pick(SLOTS);
        };
    }

    /// @param base the table that the slot counts from
    int slot(int base, int old) {
        return switch (random.nextInt(8)) {
            case 0 -> 0;
            case 1 -> small();
            case 2, 3 -> old + pick(NEAR);
            case 4, 5 -> fromEnd() - base;
            case 6 -> pick(seed.objects()) - base;
            default -> pick(SLOTS);
        };
    }
}
