// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.batch;

import dev.fletch.flatbuf.ByteSlice;

import java.util.Arrays;
import java.util.Objects;

/// The values of a dictionary: those of the defining batch, then those of each delta. An index is
/// from 0 to [#length] - 1.
///
/// [#get] returns a value's bytes. For nested types, use the cursor of its batch: see [#batch] and
/// [#first].
///
/// **Errors.** [IndexOutOfBoundsException] if there is no such value or batch; otherwise as for
/// [ColumnValues].
///
/// **Lifetime and threads.** Valid as long as the memory of the dictionary's bodies. If a stream
/// replaces the dictionary, this object is unchanged, and [Dictionaries#values] returns a new one.
/// Belongs to one thread at a time.
public final class DictionaryValues {
    private int count;
    private BatchCursor[] batches = {};
    private ColumnValues[] values = {};
    // The index of each batch's first value, and of the end.
    private long[] firsts = {0};
    private int last;

    DictionaryValues() {}

    /// @param batch whose field 0 is that of the values
    void add(BatchCursor batch) {
        ColumnValues more = new ColumnValues().bind(batch, 0);
        // Values without bytes may be any number. None after the first 2^63 - 1 has an index.
        long end = firsts[count] + Math.min(more.length(), Long.MAX_VALUE - firsts[count]);
        if (count == batches.length) {
            int size = 2 * count + 1;
            firsts = Arrays.copyOf(firsts, size + 1);
            batches = Arrays.copyOf(batches, size);
            values = Arrays.copyOf(values, size);
        }
        batches[count] = batch;
        values[count++] = more;
        firsts[count] = end;
    }

    /// Its decompressed bytes no longer count. The values stay readable.
    void end() {
        for (int i = 0; i < count; i++) {
            DecompressedBuffers.end(batches[i]);
        }
    }

    /// {@return number of values, at most 2^63 - 1}
    public long length() {
        return firsts[count];
    }

    /// Binds to the bytes of a value: see [ColumnValues#get].
    ///
    /// @param into bound to them; unchanged if the value is null
    /// @return false if the value is null
    public boolean get(long index, ByteSlice into) {
        return values(index).get(row(index), into);
    }

    // ---- its batches

    /// {@return number of batches: 1 plus the number of deltas}
    public int batchCount() {
        return count;
    }

    /// {@return the cursor of a batch, whose field 0 is that of the values; always the same object,
    /// do not bind it again}
    public BatchCursor batch(int batch) {
        return batches[Objects.checkIndex(batch, count)];
    }

    /// {@return the index of a batch's first value}
    public long first(int batch) {
        Objects.checkIndex(batch, count);
        return firsts[batch];
    }

    /// {@return the batch that contains a value}
    public int batchOf(long index) {
        Objects.checkIndex(index, length());
        if (index < firsts[last] || index >= firsts[last + 1]) {
            int begin = 0;
            int end = count;
            while (end - begin > 1) { // finds the last of those that begin there: it has values
                int middle = begin + end >>> 1;
                if (firsts[middle] <= index) {
                    begin = middle;
                } else {
                    end = middle;
                }
            }
            last = begin;
        }
        return last;
    }

    /// The values of the batch that contains a value.
    ColumnValues values(long index) {
        return values[batchOf(index)];
    }

    /// The row of a value in its batch.
    long row(long index) {
        return index - firsts[batchOf(index)];
    }
}
