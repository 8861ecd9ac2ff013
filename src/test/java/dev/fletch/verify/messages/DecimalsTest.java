// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify.messages;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.fletch.flatbuf.ByteSlice;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.util.List;

/// Decimals of each width beside their limits, against [BigInteger].
class DecimalsTest {
    @ParameterizedTest
    @ValueSource(ints = {4, 8, 16, 32})
    void magnitudesAreComparedAsByBigInteger(int width) {
        for (int precision = 1;
                BigInteger.TEN.pow(precision).bitLength() < 8 * width;
                precision++) {
            BigInteger limit = BigInteger.TEN.pow(precision);
            long[] words = new long[2 * Decimals.WORDS];
            for (int i = 0; i < Decimals.WORDS; i++) {
                words[i] = limit.shiftRight(Long.SIZE * i).longValue();
                words[Decimals.WORDS + i] =
                        limit.subtract(BigInteger.ONE).shiftRight(Long.SIZE * i).longValue();
            }
            BigInteger least = BigInteger.TWO.pow(8 * width - 1).negate();
            for (BigInteger each :
                    List.of(
                            BigInteger.ZERO,
                            limit,
                            limit.subtract(BigInteger.ONE),
                            limit.add(BigInteger.ONE),
                            least,
                            least.not())) {
                for (BigInteger number : List.of(each, each.equals(least) ? each : each.negate())) {
                    ByteSlice bytes = bytes(number, width);
                    boolean isLess = number.abs().compareTo(limit) < 0;
                    assertEquals(isLess, Decimals.isLess(bytes, 0, width, words), number::toString);
                    assertEquals(number, Decimals.number(bytes, 0, width));
                }
            }
            assertEquals(limit.subtract(BigInteger.ONE), Decimals.before(words));
        }
    }

    private static ByteSlice bytes(BigInteger number, int width) {
        byte[] bytes = new byte[width];
        for (int i = 0; i < width; i++) {
            bytes[i] = number.shiftRight(8 * i).byteValue();
        }
        return new ByteSlice().wrap(MemorySegment.ofArray(bytes), 0, width);
    }
}
