// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.flatbuf.Table;

import java.lang.foreign.MemorySegment;

/// Header of a message with the values of a dictionary.
///
/// [Message#header(DictionaryBatch)] binds it.
/// Errors, lifetime and threads: see [Table].
///
/// Source: `format/Message.fbs`, table `DictionaryBatch`.
public final class DictionaryBatch extends Table {
    public static final int ID_SLOT = 0;
    public static final int DATA_SLOT = 1;
    public static final int IS_DELTA_SLOT = 2;

    static final long SIZES = sizes(8, 4, 1);

    private long id;
    private byte isDelta;

    // The shape that this was bound by; null if this was decoded.
    private MessageShape shape;
    // The shape whose values are shown; null if some were decoded or set.
    private MessageShape taken;

    @Override
    protected void decode(byte[] a, MemorySegment s, long reference) {
        shape = null;
        taken = null;
        open(a, s, reference, SIZES);
        readNumbers(a, s);
        isDelta = int8(a, s, IS_DELTA_SLOT, 0);
    }

    /// Binds to the header of a message that was recognized by a shape.
    void bindKnown(Message from, MessageShape found) {
        if (taken != found) {
            shape = found;
            taken = found;
            takeFields(found.dictionary);
            isDelta = found.dictionary.isDelta;
        }
        moveTo(from, found.dictionary);
        readNumbers(array(), segment());
    }

    /// Reads the numbers of 32 and 64 bits, in which dictionaries of a shape differ.
    private void readNumbers(byte[] a, MemorySegment s) {
        id = int64(a, s, ID_SLOT, 0);
    }

    /// Releases the memory; see [MessageShape].
    void releaseMemory() {
        release();
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
        if (shape != null) {
            into.bindKnown(this, shape.batch);
        } else {
            bind(into, this, field(DATA_SLOT));
        }
        return true;
    }

    /// {@return whether the values extend the dictionary or, as by default, replace it}
    public boolean isDelta() {
        return isDelta != 0;
    }

    public void setIsDelta(boolean value) {
        isDelta = setInt8(IS_DELTA_SLOT, value ? 1 : 0);
        taken = null;
    }
}
