// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf.write;

import dev.fletch.wire.Wire;

import java.util.Arrays;
import java.util.Objects;
import java.util.SplittableRandom;

/// The slots of the open table of a [FlatBufferWriter], and the vtables of its buffer: a list of
/// the first 16, which is all that most buffers need, and a hash table with open addressing for the
/// others, in reused arrays.
///
/// ```text
///   listed  slots 0 to 3 and slots 4 to 7, as below
///           distance of the vtable << 32 | size of the table << 16 | size of the vtable
///
///   entry   slots 0 to 3, as distances from the table's end, 16 bits each; 0 where there is no field
///           slots 4 to 7
///           number of the buffer << 32 | size of the table << 16 | size of the vtable
///           hash << 32 | distance of the vtable from the buffer's end
/// ```
///
/// An entry of another buffer is free.
///
/// The input determines the number of vtables, so a lookup takes constant time.
final class Vtables {
    private static final int SLOTS_IN_A_WORD = Long.BYTES / Short.BYTES;

    private static final long LOWEST_BITS = 0x0001_0001_0001_0001L;
    private static final long HIGHEST_BITS = LOWEST_BITS << Short.SIZE - 1;

    private static final int LISTED_LONGS = 3;
    private static final int LONGS = 4;
    private static final int INITIAL_ENTRIES = 64;

    // Random for each process, so that no input can make vtables collide.
    private static final long SEED;
    private static final long FACTOR;

    static {
        SplittableRandom random = new SplittableRandom();
        SEED = random.nextLong();
        FACTOR = random.nextLong() | 1;
    }

    private final WriterMemory memory;

    /// End of the open table, as a distance from the buffer's end.
    private int end;

    /// Bytes from there to each field, slots 0 and 4 lowest; 0 if absent.
    private long low;

    private long high;

    /// A bit for each slot that was set, even to the default.
    private int touched;

    private final long[] list = new long[16 * LISTED_LONGS];

    /// Used longs of the list.
    private int listed;

    private long[] entries = new long[LONGS * INITIAL_ENTRIES];

    /// Entries of this buffer; at most half of all.
    private int count;

    /// Number of the buffer; an unused entry has 0.
    private int buffer = 1;

    // The vtable of the latest lookup: its two sizes, its hash, and the free entry for it.
    private int head;
    private int hash;
    private int place;

    Vtables(WriterMemory memory) {
        this.memory = memory;
    }

    /// Begins a table: no slot is set.
    void open(int size) {
        end = size;
        low = 0;
        high = 0;
        touched = 0;
    }

    /// Records that a slot was set, even to the default.
    void touch(int slot) {
        int bit = 1 << Objects.checkIndex(slot, Wire.SLOTS);
        if ((touched & bit) != 0) {
            throw new IllegalStateException("slot is already set: slot=" + slot);
        }
        touched |= bit;
    }

    /// Sets a slot to a field.
    void set(int slot, int field) {
        // Too large a distance overwrites neighbouring slots; endTable rejects such a table.
        long distance = field - end;
        if (slot < SLOTS_IN_A_WORD) {
            low |= distance << slot * Short.SIZE;
        } else {
            high |= distance << slot * Short.SIZE; // shift counts are modulo 64
        }
    }

    /// Ends the table, and sets the offset to its vtable. Writes the vtable unless there is an
    /// equal one.
    void close(int table) {
        int vtable = find(table);
        memory.set32(table, (vtable == 0 ? add(table) : vtable) - table);
    }

    /// Finds the vtable of a table that ends here; [#add] writes a new one.
    ///
    /// @return the vtable's distance from the buffer's end; 0 if the buffer has no equal one
    int find(int table) {
        head = table - end << Short.SIZE | Wire.VTABLE_HEAD_BYTES + used() * Short.BYTES;
        long[] first = list;
        for (int i = 0; i < listed; i += LISTED_LONGS) {
            if (first[i] == low && first[i + 1] == high && (int) first[i + 2] == head) {
                return (int) (first[i + 2] >>> Integer.SIZE);
            }
        }
        return listed < first.length ? 0 : findHashed();
    }

    private int findHashed() {
        hash = hash(head, low, high);
        long[] all = entries;
        long owner = owner();
        int position = hash & all.length - LONGS;
        while (isTaken(position)) {
            if (all[position] == low && all[position + 1] == high && all[position + 2] == owner) {
                return (int) all[position + 3];
            }
            position = position + LONGS & all.length - LONGS;
        }
        place = position;
        return 0;
    }

    private long owner() {
        return (long) buffer << Integer.SIZE | head & 0xFFFF_FFFFL;
    }

    /// Writes the vtable that [#find] did not find. The caller has made room.
    ///
    /// @return its distance from the buffer's end
    int add(int table) {
        putWords((head & 0xFFFF) - Wire.VTABLE_HEAD_BYTES >> 1, table - end);
        memory.put(Integer.BYTES, head);
        int size = memory.size();
        if (listed < list.length) {
            list[listed] = low;
            list[listed + 1] = high;
            list[listed + 2] = (long) size << Integer.SIZE | head & 0xFFFF_FFFFL;
            listed += LISTED_LONGS;
            return size;
        }
        entries[place] = low;
        entries[place + 1] = high;
        entries[place + 2] = owner();
        entries[place + 3] = (long) hash << Integer.SIZE | size;
        if (2 * ++count > entries.length / LONGS) {
            grow();
        }
        return size;
    }

    /// Puts four slots at a time, ending where the room ends; earlier bytes are scratch.
    private void putWords(int used, int tableBytes) {
        long first = fromStart(low, tableBytes);
        int unused = -used * Short.SIZE; // shift counts are modulo 64
        long last = first << unused;
        if (used > SLOTS_IN_A_WORD) {
            long second = fromStart(high, tableBytes);
            memory.put(Long.BYTES, second << unused | first >>> 1 >>> ~unused);
            memory.put(Long.BYTES, last);
            memory.skip((used - Wire.SLOTS) * Short.BYTES);
        } else {
            memory.put(Long.BYTES, last);
            memory.skip((used - SLOTS_IN_A_WORD) * Short.BYTES);
        }
    }

    /// Converts four distances from the table's end to distances from its start, as stored in a
    /// vtable; 0 stays 0.
    private static long fromStart(long slots, int tableBytes) {
        long present = (slots & ~HIGHEST_BITS) + ~HIGHEST_BITS | slots;
        long all = ((present & HIGHEST_BITS) >>> Short.SIZE - 1) * 0xFFFF;
        return tableBytes * LOWEST_BITS - slots & all;
    }

    private boolean isTaken(int slot) {
        return (int) (entries[slot + 2] >>> Integer.SIZE) == buffer;
    }

    /// A hash of a vtable's contents.
    static int hash(int head, long low, long high) {
        return (int) (mix(mix(mix(SEED, low), high), head) >>> Integer.SIZE);
    }

    private static long mix(long sum, long next) {
        return ((sum ^ sum >>> Integer.SIZE) + next) * FACTOR;
    }

    /// Number of slots up to the last present field.
    private int used() {
        return high != 0
                ? Wire.SLOTS - Long.numberOfLeadingZeros(high) / Short.SIZE
                : SLOTS_IN_A_WORD - Long.numberOfLeadingZeros(low) / Short.SIZE;
    }

    private void grow() {
        long[] old = entries;
        entries = new long[2 * old.length];
        for (int i = 0; i < old.length; i += LONGS) {
            if ((int) (old[i + 2] >>> Integer.SIZE) == buffer) {
                int slot = (int) (old[i + 3] >>> Integer.SIZE) & entries.length - LONGS;
                while (isTaken(slot)) {
                    slot = slot + LONGS & entries.length - LONGS;
                }
                System.arraycopy(old, i, entries, slot, LONGS);
            }
        }
    }

    /// Removes all vtables.
    void clear() {
        listed = 0;
        if (count == 0) {
            return;
        }
        count = 0;
        if (++buffer == 0) {
            Arrays.fill(entries, 0);
            buffer = 1;
        }
    }
}
