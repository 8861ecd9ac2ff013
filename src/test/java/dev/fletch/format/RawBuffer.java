// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// A flatbuffer put together word by word: also what no builder would write.
public final class RawBuffer {
    private final ByteBuffer bytes;

    public RawBuffer(int size) {
        bytes = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    }

    public RawBuffer u8(int at, int value) {
        bytes.put(at, (byte) value);
        return this;
    }

    public RawBuffer u16(int at, int value) {
        bytes.putShort(at, (short) value);
        return this;
    }

    public RawBuffer i32(int at, int value) {
        bytes.putInt(at, value);
        return this;
    }

    public RawBuffer i64(int at, long value) {
        bytes.putLong(at, value);
        return this;
    }

    /// Lets the offset word at `at` lead to `target`.
    public RawBuffer offset(int at, int target) {
        return i32(at, target - at);
    }

    /// Begins a table whose vtable is at `vtable`.
    public RawBuffer table(int at, int vtable) {
        return i32(at, at - vtable);
    }

    /// Writes a vtable with these slots.
    public RawBuffer vtable(int at, int... slots) {
        u16(at, 4 + 2 * slots.length);
        for (int i = 0; i < slots.length; i++) {
            u16(at + 4 + 2 * i, slots[i]);
        }
        return this;
    }

    public byte[] bytes() {
        return bytes.array();
    }
}
