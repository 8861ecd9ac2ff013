// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.flatbuf.Table;

import java.lang.foreign.MemorySegment;

/// Header of a message with the values of a dictionary.
///
/// [Message#header(DictionaryBatch)] binds it.
///
/// Source: `format/Message.fbs`, table `DictionaryBatch`.
public final class DictionaryBatch extends Table {
    public static final int ID_SLOT = 0;
    public static final int DATA_SLOT = 1;
    public static final int IS_DELTA_SLOT = 2;

    static final long SIZES = sizes(8, 4, 1);

    private long id;
    private byte isDelta;

    // As in RecordBatch, which gets them.
    private long pairsDistance;
    private int pairsCount;

    // The parts of the message that this was bound to; null if this was decoded alone.
    private MessageParts parts;

    @Override
    protected void decode(byte[] a, MemorySegment s, long reference) {
        parts = null;
        pairsCount = 0;
        open(a, s, reference, SIZES);
        readNumbers(a, s);
    }

    /// Binds to the header of a message that was verified and decoded in one step.
    void bindTo(Message from, MessageParts found) {
        moveTo(from, found.dictionary); // first: throws if the message is outdated
        if (parts != found) {
            parts = found; // compared before it is stored
        }
        takeSlots(found.dictionarySlots, found.dictionarySlots4);
        readNumbers(array(), segment());
    }

    /// Keeps where the custom metadata of the message is, after decoding.
    void keepPairs(long vector, int count) {
        pairsDistance = distance(vector);
        pairsCount = count;
    }

    private void readNumbers(byte[] a, MemorySegment s) {
        id = int64(a, s, ID_SLOT, 0);
        isDelta = int8(a, s, IS_DELTA_SLOT, 0);
    }

    /// {@return id of the dictionary, as in [DictionaryEncoding#id()]; 0 if absent}
    public long id() {
        return id;
    }

    public void setId(long value) {
        id = setInt64(ID_SLOT, value);
    }

    /// Binds to the values: a record batch with one column.
    public boolean data(RecordBatch into) {
        if (slot(DATA_SLOT) == 0) {
            return false;
        }
        if (parts != null) {
            into.bindTo(this, parts);
        } else {
            bind(into, this, field(DATA_SLOT));
            into.keepPairs(at(pairsDistance), pairsCount);
        }
        return true;
    }

    /// {@return whether the values extend the dictionary or, as by default, replace it}
    public boolean isDelta() {
        return isDelta != 0;
    }

    public void setIsDelta(boolean value) {
        isDelta = setInt8(IS_DELTA_SLOT, value ? 1 : 0);
    }
}
