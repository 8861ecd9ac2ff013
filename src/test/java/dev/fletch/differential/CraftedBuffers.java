// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.differential;

import dev.fletch.format.Field;
import dev.fletch.format.KeyValue;
import dev.fletch.format.RawBuffer;
import dev.fletch.format.Schema;

import java.util.stream.IntStream;

/// Schemas that no writer would make, of a size and shape that is asked for. But for their shape
/// nothing is wrong with them, by the strictest rules.
public final class CraftedBuffers {
    /// A root and nothing else: see [#least].
    public static final int LEAST_BYTES = 12;

    // All others begin with the vtables that they may need, one behind the other.
    private static final int VTABLE_WITH_FIELDS = 4;
    private static final int VTABLE_WITH_METADATA = 12;
    private static final int VTABLE_WITH_CHILDREN = 22;
    private static final int VTABLE_WITH_KEY = 38;
    private static final int VTABLE_OF_NOTHING = 44;
    private static final int ROOT = 48;

    /// A table of one offset: the way to its vtable, and the offset.
    private static final int TABLE_BYTES = 8;

    private static final int OFFSET_IN_TABLE = 4;

    private CraftedBuffers() {}

    /// The smallest buffer that a verifier accepts: the root's offset, its table, and a vtable
    /// without slots.
    public static byte[] least() {
        return new RawBuffer(LEAST_BYTES).offset(0, 4).table(4, 8).vtable(8).u16(10, 4).bytes();
    }

    private static RawBuffer start(int size) {
        RawBuffer raw = new RawBuffer(size).offset(0, ROOT);
        vtable(raw, VTABLE_WITH_FIELDS, Schema.FIELDS_SLOT);
        vtable(raw, VTABLE_WITH_METADATA, Schema.CUSTOM_METADATA_SLOT);
        vtable(raw, VTABLE_WITH_CHILDREN, Field.CHILDREN_SLOT);
        vtable(raw, VTABLE_WITH_KEY, KeyValue.KEY_SLOT);
        raw.vtable(VTABLE_OF_NOTHING).u16(VTABLE_OF_NOTHING + 2, TABLE_BYTES);
        return raw;
    }

    private static void vtable(RawBuffer raw, int at, int slot) {
        raw.vtable(at, slots(slot, OFFSET_IN_TABLE)).u16(at + 2, TABLE_BYTES);
    }

    /// Slots of a vtable of which one is set.
    static int[] slots(int slot, int value) {
        int[] slots = new int[slot + 1];
        slots[slot] = value;
        return slots;
    }

    // ---- many tables

    /// A schema with one field, with one child, and so on.
    ///
    /// @param depth number of tables, one below the other
    public static byte[] chain(int depth) {
        int level = TABLE_BYTES + 2 * Integer.BYTES;
        int last = ROOT + level * (depth - 1);
        RawBuffer raw = start(last + TABLE_BYTES);
        for (int table = ROOT; table < last; table += level) {
            raw.table(table, table == ROOT ? VTABLE_WITH_FIELDS : VTABLE_WITH_CHILDREN);
            raw.offset(table + OFFSET_IN_TABLE, table + TABLE_BYTES);
            raw.i32(table + TABLE_BYTES, 1);
            raw.offset(table + TABLE_BYTES + Integer.BYTES, table + level);
        }
        return raw.table(last, VTABLE_OF_NOTHING).bytes();
    }

    /// A schema of few bytes that reaches very many tables: all elements of a vector lead to the
    /// same field, whose children do likewise.
    ///
    /// @param levels of fields
    /// @param width elements of each vector
    public static byte[] bomb(int levels, int width) {
        int level = TABLE_BYTES + Integer.BYTES * (1 + width);
        int last = ROOT + level * levels;
        RawBuffer raw = start(last + TABLE_BYTES);
        for (int table = ROOT; table < last; table += level) {
            raw.table(table, table == ROOT ? VTABLE_WITH_FIELDS : VTABLE_WITH_CHILDREN);
            raw.offset(table + OFFSET_IN_TABLE, table + TABLE_BYTES);
            raw.i32(table + TABLE_BYTES, width);
            for (int i = 1; i <= width; i++) {
                raw.offset(table + TABLE_BYTES + Integer.BYTES * i, table + level);
            }
        }
        return raw.table(last, VTABLE_OF_NOTHING).bytes();
    }

    /// Number of tables that a verifier reaches in [#bomb].
    public static long tablesOfBomb(int levels, int width) {
        long tables = 1;
        long ofLevel = 1;
        for (int level = 0; level < levels; level++) {
            ofLevel *= width;
            tables += ofLevel;
        }
        return tables;
    }

    // ---- long strings

    /// A schema with pairs of metadata, all of whose keys are the same string.
    ///
    /// @param sameTable whether the pairs are the same, too
    public static byte[] sharedString(int pairs, int stringBytes, boolean sameTable) {
        int string = stringsOf(pairs);
        RawBuffer raw = start(string + Integer.BYTES + stringBytes + 1);
        for (int i = 0; i < pairs; i++) {
            pair(raw, pairs, i, sameTable ? 0 : i, string);
        }
        raw.i32(string, stringBytes);
        for (int i = 0; i < stringBytes; i++) {
            raw.u8(string + Integer.BYTES + i, 'a');
        }
        return raw.bytes();
    }

    /// A schema with pairs of metadata whose keys begin one behind the other and all end at the
    /// same place, so that each lies within those before it. All are ASCII.
    public static byte[] overlappingStrings(int pairs) {
        // A length is part of the strings before: none of its bytes may be above 127.
        int[] lengths =
                IntStream.iterate(0, length -> length + Integer.BYTES)
                        .filter(length -> (length & 0x8080) == 0)
                        .limit(pairs)
                        .toArray();
        int end = stringsOf(pairs) + Integer.BYTES + lengths[pairs - 1];
        RawBuffer raw = start(end + 1);
        for (int i = 0; i < pairs; i++) {
            int string = end - lengths[i] - Integer.BYTES;
            raw.i32(string, lengths[i]);
            pair(raw, pairs, i, i, string);
        }
        return raw.bytes();
    }

    /// Where strings begin, behind as many pairs.
    private static int stringsOf(int pairs) {
        return elements() + pairs * (Integer.BYTES + TABLE_BYTES);
    }

    private static int elements() {
        return ROOT + TABLE_BYTES + Integer.BYTES;
    }

    /// Writes one of the pairs, and the root that leads to all of them.
    private static void pair(RawBuffer raw, int pairs, int element, int pair, int key) {
        raw.table(ROOT, VTABLE_WITH_METADATA).offset(ROOT + OFFSET_IN_TABLE, ROOT + TABLE_BYTES);
        raw.i32(ROOT + TABLE_BYTES, pairs);
        int table = elements() + pairs * Integer.BYTES + pair * TABLE_BYTES;
        raw.offset(elements() + element * Integer.BYTES, table);
        raw.table(table, VTABLE_WITH_KEY).offset(table + OFFSET_IN_TABLE, key);
    }
}
