// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.flatbuf;

import java.util.Objects;

public final class LongPairs {
    private Source source;
    private byte[] array;
    private long epoch = Flyweight.UNBOUND;
    private long first;
    private int count;

    public LongPairs() {}

    void bind(Source memory, long vector, int elements) {
        if (source != memory) {
            source = memory;
        }
        if (array != memory.array) {
            array = memory.array;
        }
        epoch = memory.epoch;
        first = vector + Wire.OFFSET_BYTES;
        count = elements;
    }

    public int count() {
        return count;
    }

    public long first(int index) {
        return get(index, 0);
    }

    public long second(int index) {
        return get(index, Long.BYTES);
    }

    private long get(int index, int member) {
        final Source memory = source;
        if (memory.epoch != epoch) {
            throw new IllegalStateException();
        }
        Objects.checkIndex(index, count);
        final byte[] a = array;
        return a != null
                ? Wire.int64(a, (int) first + member + (index << 4))
                : Wire.int64(memory.segment(), first + member + ((long) index << 4));
    }

    public void live() {
        if (source.epoch != epoch) {
            throw new IllegalStateException();
        }
    }

    public long at(int index, int member) {
        final Source memory = source;
        if (memory.epoch != epoch) {
            throw new IllegalStateException();
        }
        final byte[] a = array;
        return a != null
                ? Wire.int64(a, (int) first + member + ((index & 0x7FFFFFF) << 4))
                : Wire.int64(memory.segment(), first + member + ((long) (index & 0x7FFFFFF) << 4));
    }

    public long start(int index) {
        return first + ((long) index << 4);
    }

    public long read(long at) {
        final Source memory = source;
        if (memory.epoch != epoch) {
            throw new IllegalStateException();
        }
        final byte[] a = array;
        return a != null ? Wire.int64(a, (int) at) : Wire.int64(memory.segment(), at);
    }
}
