// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/// 128 bits that stand for some bytes: equal bytes have equal fingerprints in any memory, on any
/// machine, with any version of this class.
///
/// **What it guards against.** Sequences that differ by accident have different fingerprints: two
/// equal ones are to be expected only among about 2^64 sequences. It is not cryptographic: whoever
/// chooses both sequences can make them collide. Where that matters, compare the bytes too.
///
/// The bytes are read eight at a time and folded through products of 128 bits, in two lanes, about as
/// fast as memory can be read. Nothing is allocated. It belongs to one thread at a time.
public final class Fingerprint {
    private static final long A = 0xA0761D6478BD642FL;
    private static final long B = 0xE7037ED1A0B428DBL;
    private static final long C = 0x8EBC6AF09C88C6E3L;
    private static final long D = 0x589965CC75374CC3L;

    // None of the above: a start that is would make the first factor 0 where the first word is 0.
    private static final long LOW_START = 0x2545F4914F6CDD1DL;
    private static final long HIGH_START = 0x9E3779B97F4A7C15L;

    private static final int STEP_BYTES = 32;

    /// Pieces that [#sample] reads between the ends.
    private static final int SAMPLES = 64;

    private static final int SAMPLE_BYTES = 64;
    private static final int END_BYTES = 1024;

    private long low;
    private long high;

    /// Creates the fingerprint of no bytes.
    public Fingerprint() {
        start();
        finish(0);
    }

    /// Takes the fingerprint of all bytes.
    ///
    /// @param bytes any bytes
    /// @return this
    public Fingerprint of(ByteSlice bytes) {
        start();
        add(bytes, 0, bytes.length());
        finish(bytes.length());
        return this;
    }

    /// Takes a fingerprint that costs the same whatever the length: of the length, of both ends and
    /// of 64 pieces at even distances, 6 KiB in all. What changes between them is not seen. Of no more
    /// bytes than that it is the fingerprint of all.
    ///
    /// @param bytes any bytes
    /// @return this
    public Fingerprint sample(ByteSlice bytes) {
        final long length = bytes.length();
        if (length <= 2L * END_BYTES + (long) SAMPLES * SAMPLE_BYTES) {
            return of(bytes);
        }
        start();
        add(bytes, 0, END_BYTES);
        final long stride = (length - 2L * END_BYTES - SAMPLE_BYTES) / (SAMPLES - 1);
        for (int i = 0; i < SAMPLES; i++) {
            add(bytes, END_BYTES + i * stride, SAMPLE_BYTES);
        }
        add(bytes, length - END_BYTES, END_BYTES);
        finish(length);
        return this;
    }

    /// {@return the first 64 bits}
    public long low() {
        return low;
    }

    /// {@return the other 64 bits}
    public long high() {
        return high;
    }

    private void start() {
        low = LOW_START;
        high = HIGH_START;
    }

    private void add(ByteSlice bytes, long from, long length) {
        final Source source = bytes.source();
        final byte[] a = source.array;
        final MemorySegment s = a == null ? source.segment() : null;
        long p = source.start + Objects.checkFromIndexSize(from, length, bytes.length());
        final long end = p + length;
        long x = low;
        long y = high;
        for (; p <= end - STEP_BYTES; p += STEP_BYTES) {
            final long first = Wire.int64(a, s, p);
            final long second = Wire.int64(a, s, p + 8);
            final long third = Wire.int64(a, s, p + 16);
            final long fourth = Wire.int64(a, s, p + 24);
            // Added besides, so that a word is not lost where the other one makes its factor 0.
            x = Utf8Text.fold(first ^ A ^ x, second ^ C) + (first ^ Long.rotateLeft(second, 32));
            y = Utf8Text.fold(third ^ B ^ y, fourth ^ D) + (third ^ Long.rotateLeft(fourth, 32));
        }
        for (; p < end; p += Long.BYTES) {
            final long word = end - p >= Long.BYTES ? Wire.int64(a, s, p) : tail(a, s, p, end);
            x = Utf8Text.fold(word ^ A ^ x, C) + word;
            y = Utf8Text.fold(word ^ B ^ y, D) + word;
        }
        low = x;
        high = y;
    }

    private static long tail(byte[] a, MemorySegment s, long from, long end) {
        long word = 0;
        for (int i = 0; i < end - from; i++) {
            word |= (Wire.word8(a, s, from + i) & 0xFFL) << (i << 3);
        }
        return word;
    }

    /// Each half comes to depend on both lanes and on the length.
    private void finish(long length) {
        final long x = Utf8Text.fold(low ^ length ^ D, high ^ A);
        final long y = Utf8Text.fold(high ^ length ^ C, Long.rotateLeft(low, 32) ^ B);
        low = Utf8Text.fold(x ^ B, A) + y;
        high = Utf8Text.fold(y ^ D, C) ^ x;
    }
}
