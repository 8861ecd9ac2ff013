// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.BitSet;

/// What a small buffer has in common with others of its kind: its length, and all bytes that decide
/// whether it is valid and where its parts are.
///
/// These are the root offset, each table's offset to its vtable, the vtables, the offsets, the counts
/// of vectors and all numbers of less than 64 bits, such as kinds, versions and flags. What may differ
/// are 64-bit numbers, the elements of vectors of numbers and structs, and the text of strings.
///
/// A buffer that has the shape of a valid one is valid under the same options: a verifier reads
/// nothing else, except that it checks each string's length and the NUL behind it, as this does. Its
/// tables are bound by adding a distance to the places in the other one: see [Table#moveTo].
///
/// Immutable; any number of threads may share one.
public final class Shape {
    /// Words that are always compared: a record batch has nine or ten.
    private static final int FIRST_WORDS = 10;

    /// Room for a compressed dictionary batch with some metadata.
    private static final int MOST_WORDS = 30;

    private static final int MOST_STRINGS = 16;
    private static final int MOST_DEPTH = 8;

    /// Longs for a word of eight bytes: its place, its value, and which bits count.
    private static final int ENTRY = 3;

    private static final int LEAST_LENGTH = 12;

    /// What no 64-bit number of a valid message is.
    static final long OTHER = Long.MIN_VALUE;

    private final int length;
    private final long[] words;
    private final boolean hasMoreWords;
    private final int[] strings;
    private final int tables;

    private Shape(Learner learner) {
        length = learner.bytes.length;
        words = learner.words;
        hasMoreWords = learner.wordCount > FIRST_WORDS;
        strings = Arrays.copyOf(learner.strings, learner.stringCount);
        tables = learner.tables;
    }

    /// Makes the shape of a buffer.
    ///
    /// @param rules rules of all tables
    /// @param root kind of the root table
    /// @param buffer the whole buffer
    /// @return the shape; null if the buffer has too many parts, or is damaged, or has a table or a
    ///     union that is unusual
    public static Shape of(RuleSet rules, int root, byte[] buffer) {
        final Learner learner = new Learner(rules, buffer);
        return learner.learn(root) ? new Shape(learner) : null;
    }

    /// {@return number of tables of such a buffer, as a verifier counts them}
    public int tables() {
        return tables;
    }

    /// {@return whether such a buffer has strings}
    public boolean hasStrings() {
        return strings.length != 0;
    }

    // ---- comparing

    /// Tells whether a buffer has this shape, and reads a number in it.
    ///
    /// @param at distance of a 64-bit number from the buffer's start, which is in such a buffer
    /// @return the number, [#OTHER] if the buffer has another shape, or if that is the number
    long numberIn(Source memory, int at) {
        if (memory.end - memory.start != length || strings.length != 0 && !stringsFit(memory)) {
            return OTHER;
        }
        final byte[] a = memory.array;
        if (a != null) {
            return numberIn(a, (int) memory.start, at, 2);
        }
        final MemorySegment s = memory.segment();
        return memory.isNative()
                ? numberIn(s, memory.start, at, 2)
                : areElsewhere(memory) ? Wire.int64(s, memory.start + at) : OTHER;
    }

    // Each word is read by a load of its own. In a stream, a word is at a constant distance from
    // the
    // same word of the message before, and processors predict that for each load instruction. A
    // loop
    // would be one load without such a distance: stepping through a mapped stream takes five times
    // as
    // long.
    //
    // Both ways stay calls, by the detours of Table's binding: inlined, they would take all that C2
    // may
    // inline into the caller, and too many registers.

    private long numberIn(byte[] a, int start, int at, int detours) {
        if (detours != 0) {
            return numberIn(a, start, at, detours - 1);
        }
        final long number = Wire.int64(a, start + at);
        final long[] w = words;
        return w.length == ENTRY * MOST_WORDS
                        && ten(a, start, w, 0) == 0
                        && (!hasMoreWords || (ten(a, start, w, 10) | ten(a, start, w, 20)) == 0)
                ? number
                : OTHER;
    }

    private long numberIn(MemorySegment memory, long start, int at, int detours) {
        if (detours != 0) {
            return numberIn(memory, start, at, detours - 1);
        }
        final MemorySegment s = Source.cast(memory); // here, where it is read
        final long number = Wire.int64(s, start + at);
        final long[] w = words;
        return w.length == ENTRY * MOST_WORDS
                        && ten(s, start, w, 0) == 0
                        && (!hasMoreWords || (ten(s, start, w, 10) | ten(s, start, w, 20)) == 0)
                ? number
                : OTHER;
    }

    private static long ten(byte[] a, int start, long[] w, int i) {
        return word(a, start, w, i)
                | word(a, start, w, i + 1)
                | word(a, start, w, i + 2)
                | word(a, start, w, i + 3)
                | word(a, start, w, i + 4)
                | word(a, start, w, i + 5)
                | word(a, start, w, i + 6)
                | word(a, start, w, i + 7)
                | word(a, start, w, i + 8)
                | word(a, start, w, i + 9);
    }

    private static long ten(MemorySegment s, long start, long[] w, int i) {
        return word(s, start, w, i)
                | word(s, start, w, i + 1)
                | word(s, start, w, i + 2)
                | word(s, start, w, i + 3)
                | word(s, start, w, i + 4)
                | word(s, start, w, i + 5)
                | word(s, start, w, i + 6)
                | word(s, start, w, i + 7)
                | word(s, start, w, i + 8)
                | word(s, start, w, i + 9);
    }

    /// In memory that is neither a writable array nor native, such as a read-only array.
    private boolean areElsewhere(Source memory) {
        for (int i = 0; i < MOST_WORDS; i++) {
            if (word(memory.segment(), memory.start, words, i) != 0) {
                return false;
            }
        }
        return true;
    }

    /// The bits of a word that differ.
    private static long word(byte[] a, int start, long[] w, int i) {
        return (Wire.int64(a, start + (int) w[ENTRY * i]) ^ w[ENTRY * i + 1]) & w[ENTRY * i + 2];
    }

    private static long word(MemorySegment s, long start, long[] w, int i) {
        return (Wire.int64(s, start + w[ENTRY * i]) ^ w[ENTRY * i + 1]) & w[ENTRY * i + 2];
    }

    private boolean stringsFit(Source memory) {
        final byte[] a = memory.array;
        final MemorySegment s = a == null ? memory.segment() : null;
        for (int at : strings) {
            final long chars = memory.start + at + Wire.OFFSET_BYTES;
            final long bytes = Wire.uint32(a, s, chars - Wire.OFFSET_BYTES);
            if (bytes >= memory.end - chars || Wire.word8(a, s, chars + bytes) != 0) {
                return false;
            }
        }
        return true;
    }

    /// Goes through a buffer by the rules of its tables, and notes which bytes decide.
    private static final class Learner {
        private final RuleSet rules;
        private final byte[] bytes;
        private final BitSet deciding;
        private final long[] words = new long[ENTRY * MOST_WORDS];
        private int wordCount;
        private final int[] strings = new int[MOST_STRINGS];
        private int stringCount;
        private int tables;

        Learner(RuleSet rules, byte[] bytes) {
            this.rules = rules;
            this.bytes = bytes;
            deciding = new BitSet();
        }

        boolean learn(int root) {
            return bytes.length >= LEAST_LENGTH && table(root, 0, 0) && collectWords();
        }

        private boolean add(long at, long count) {
            if (at < 0 || count > bytes.length - at) {
                return false;
            }
            deciding.set((int) at, (int) (at + count));
            return true;
        }

        /// Where an offset leads, whose bytes decide; -1 if it leads out of the buffer.
        private int target(int at) {
            if (!add(at, Wire.OFFSET_BYTES)) {
                return -1;
            }
            final long to = at + (Wire.int32(bytes, at) & 0xFFFFFFFFL);
            return to <= bytes.length - Wire.OFFSET_BYTES ? (int) to : -1;
        }

        private boolean table(int kind, int reference, int depth) {
            final int at = target(reference);
            if (at < 0 || depth == MOST_DEPTH || !add(at, Wire.OFFSET_BYTES)) {
                return false;
            }
            tables++;
            final long vtable = (long) at - Wire.int32(bytes, at);
            if (!add(vtable, Wire.VTABLE_HEAD_BYTES)) {
                return false;
            }
            final int size = Wire.int16(bytes, null, vtable) & 0xFFFF;
            if (!add(vtable, size)) {
                return false;
            }
            for (FieldRule field : rules.table(kind).fields()) {
                final int distance = slot((int) vtable, size, field.slot());
                if (distance != 0
                        && !field(kind, field, at + distance, at, (int) vtable, size, depth)) {
                    return false;
                }
            }
            return true;
        }

        private int slot(int vtable, int size, int slot) {
            final int at = Wire.VTABLE_HEAD_BYTES + Short.BYTES * slot;
            return at + Short.BYTES <= size ? Wire.int16(bytes, null, vtable + at) & 0xFFFF : 0;
        }

        private boolean field(
                int kind, FieldRule field, int at, int table, int vtable, int size, int depth) {
            final int[] targets = rules.targets(kind)[field.slot()];
            return switch (field.kind()) {
                case SCALAR, UNION_TAG -> field.bytes() == Long.BYTES || add(at, field.bytes());
                case STRUCT -> true;
                case STRING -> string(target(at));
                case VECTOR -> add(target(at), Wire.OFFSET_BYTES);
                case TABLE -> table(targets[0], at, depth + 1);
                case TABLES -> elements(targets[0], target(at), depth + 1);
                case UNION -> {
                    final int tagAt = table + slot(vtable, size, field.tagSlot());
                    final int tag = tagAt == table ? 0 : bytes[tagAt] & 0xFF;
                    yield tag != 0
                            && tag <= targets.length
                            && table(targets[tag - 1], at, depth + 1);
                }
            };
        }

        private boolean string(int at) {
            if (at < 0 || stringCount == MOST_STRINGS) {
                return false;
            }
            strings[stringCount++] = at;
            return true;
        }

        private boolean elements(int kind, int at, int depth) {
            if (at < 0 || !add(at, Wire.OFFSET_BYTES)) {
                return false;
            }
            final int count = Wire.int32(bytes, at);
            for (int i = 0, p = at; i != count; i++) {
                p += Wire.OFFSET_BYTES;
                if (i == MOST_STRINGS || !table(kind, p, depth)) {
                    return false;
                }
            }
            return true;
        }

        /// Covers all deciding bytes with as few words as possible, in the order of their places.
        private boolean collectWords() {
            int next = deciding.nextSetBit(0);
            while (next >= 0) {
                if (wordCount == MOST_WORDS) {
                    return false;
                }
                final int place = Math.min(next, bytes.length - Long.BYTES);
                long mask = 0;
                for (int i = 0; i < Long.BYTES; i++) {
                    mask |= deciding.get(place + i) ? 0xFFL << (i << 3) : 0;
                }
                words[ENTRY * wordCount] = place;
                words[ENTRY * wordCount + 1] = Wire.int64(bytes, place) & mask;
                words[ENTRY * wordCount + 2] = mask;
                wordCount++;
                next = deciding.nextSetBit(place + Long.BYTES);
            }
            return true;
        }
    }
}
