// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import java.lang.foreign.MemorySegment;

/// The bytes by which a small buffer was accepted. The batches of a stream differ in numbers that no
/// rule looks at, so each is recognized by those of one before it.
///
/// A verdict depends on nothing but the bytes that were read and the buffer's size, and more bytes
/// behind never turn a yes into a no, as long as the buffer does not become too large. So where
/// these bytes are the same and the size is no smaller, the verdict is the same.
///
/// Only bytes of a copy are taken, the very ones that were accepted: the buffer itself may have been
/// changed meanwhile.
final class KnownReads {
    /// More tables than a batch has are not remembered.
    static final int MOST_TABLES = 4;

    private static final int MOST_WORDS = 24;

    /// What is remembered is not replaced before so many buffers were not recognized.
    private static final int PATIENCE = 16;

    // Eight bytes each, read at once: where they stand, which of them count, and what they are.
    private final int[] places = new int[MOST_WORDS];
    private final long[] masks = new long[MOST_WORDS];
    private final long[] values = new long[MOST_WORDS];
    private int words;

    private int root = -1;
    private int size;
    private long tables;
    private int misses = PATIENCE;

    // While they are collected.
    private byte[] copy;
    private int copied;
    private long round;
    private TableKind[] kinds;

    /// Tells whether a buffer has the same bytes in the same places.
    ///
    /// The furthest word is read by itself, before the loop. What it buys: in most runs, stepping
    /// through a mapped stream takes some 60 ns for a message and not 190. Where messages of one length
    /// follow each other, a read that stands alone goes on by the same distance each time, which
    /// processors foresee, so that the memory is there; of the loop's one read they cannot.
    boolean areIn(Source memory, int ofRoot) {
        if (ofRoot != root || memory.end - memory.start < size) {
            return false;
        }
        final byte[] a = memory.array;
        return a != null ? same(a, (int) memory.start) : same(memory);
    }

    private boolean same(byte[] a, int start) {
        if ((Wire.int64(a, start + places[0]) & masks[0]) != values[0]) {
            return false;
        }
        int i = words;
        do {
            i--;
        } while (i > 0 && (Wire.int64(a, start + places[i]) & masks[i]) == values[i]);
        return i <= 0;
    }

    private boolean same(Source memory) {
        final MemorySegment s = memory.segment(); // told its class here, where it is read
        final long start = memory.start;
        if ((Wire.int64(s, start + places[0]) & masks[0]) != values[0]) {
            return false;
        }
        int i = words;
        do {
            i--;
        } while (i > 0 && (Wire.int64(s, start + places[i]) & masks[i]) == values[i]);
        return i <= 0;
    }

    /// How many tables they make.
    long tables() {
        return tables;
    }

    /// Tells whether a small buffer that was not recognized is to be remembered.
    boolean areWanted() {
        return misses++ >= PATIENCE;
    }

    // ---- collecting them

    /// Forgets all.
    void clear(int bytes) {
        root = -1;
        words = 0;
        size = bytes;
        misses = 0;
    }

    /// Takes the bytes of a word that was read.
    ///
    /// @param at its distance from the buffer's start
    /// @return false if there is no room
    boolean add(int at, int bytes, int value) {
        for (int i = 0; i < bytes; i++) {
            if (!addByte(at + i, value >>> (i << 3) & 0xFFL)) {
                return false;
            }
        }
        return true;
    }

    private boolean addByte(int at, long value) {
        final int place = Math.min(at & -Long.BYTES, size - Long.BYTES);
        final int shift = at - place << 3;
        int i = 0;
        while (i < words && places[i] != place) {
            i++;
        }
        if (i == MOST_WORDS) {
            return false;
        }
        if (i == words) {
            places[i] = place;
            masks[i] = 0;
            values[i] = 0;
            words++;
        }
        masks[i] |= 0xFFL << shift;
        values[i] |= value << shift;
        return true;
    }

    /// Takes all bytes of a buffer that was accepted, from its copy. What was read outside of it has
    /// been added before.
    ///
    /// @param accepted the copy, from its first byte on
    /// @param bytes how many bytes of the buffer are there
    /// @param inRound number of the verification that has accepted it
    void take(int ofRoot, byte[] accepted, int bytes, long inRound, TableKind[] all) {
        copy = accepted;
        copied = bytes;
        round = inRound;
        kinds = all;
        tables = 0;
        if (table(kinds[ofRoot], target(0))) {
            sort();
            root = ofRoot;
        }
    }

    /// The furthest word first, then the nearest ones at the end, from where the loop begins.
    private void sort() {
        for (int i = 1; i < words; i++) {
            for (int j = i; j > 0 && places[j - 1] < places[j]; j--) {
                swap(j - 1, j);
            }
        }
    }

    private void swap(int one, int other) {
        final int place = places[one];
        final long mask = masks[one];
        final long value = values[one];
        places[one] = places[other];
        masks[one] = masks[other];
        values[one] = values[other];
        places[other] = place;
        masks[other] = mask;
        values[other] = value;
    }

    private boolean add(int at, int bytes) {
        for (int i = at; i < at + bytes; i++) {
            if (!addByte(i, copy[i] & 0xFF)) {
                return false;
            }
        }
        return true;
    }

    /// Where an offset leads, whose bytes are taken; -1 if there is no room for them.
    private int target(int at) {
        return add(at, Wire.OFFSET_BYTES) ? at + Wire.int32(copy, at) : -1;
    }

    private boolean table(TableKind kind, int at) {
        final int vtable = at < 0 ? -1 : at - Wire.int32(copy, at);
        final VtablePlan plan = kind.last;
        if (vtable < 0 || !plan.isAt(round, vtable) || !plan.hasNoStrings()) {
            return false;
        }
        tables++;
        final int bytes = Wire.int16(copy, null, vtable) & 0xFFFF;
        return add(at, Wire.OFFSET_BYTES)
                && add(vtable, Math.clamp(bytes, Short.BYTES, Wire.WIDE_VTABLE_BYTES))
                && vectors(plan, at)
                && others(kind, plan, at);
    }

    private boolean vectors(VtablePlan plan, int at) {
        int vector;
        for (int i = 0; (vector = plan.vectors[i]) != 0; i++) {
            final int to = target(at + (vector & 0xFFFF));
            if (to < 0 || (to <= copied - Wire.OFFSET_BYTES && !add(to, Wire.OFFSET_BYTES))) {
                return false;
            }
        }
        return true;
    }

    private boolean others(TableKind kind, VtablePlan plan, int at) {
        long op;
        for (int i = 0; (op = plan.ops[i]) != 0; i++) {
            final int to = target(at + VtablePlan.distance(op));
            final int tagAt = at + VtablePlan.tagDistance(op);
            final boolean taken =
                    switch (VtablePlan.code(op)) {
                        case VtablePlan.UNION ->
                                add(tagAt, Byte.BYTES)
                                        && table(kinds[kind.member(op, copy[tagAt])], to);
                        case VtablePlan.TABLES ->
                                Wire.int32(copy, to) == 0 && add(to, Wire.OFFSET_BYTES);
                        default -> table(kinds[VtablePlan.target(op)], to);
                    };
            if (!taken) {
                return false;
            }
        }
        return true;
    }
}
