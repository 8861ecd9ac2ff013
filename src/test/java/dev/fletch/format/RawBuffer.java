// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// A flatbuffer put together word by word: also what no builder would write.
final class RawBuffer {
    private final ByteBuffer bytes;

    RawBuffer(int size) {
        bytes = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    }

    RawBuffer u8(int at, int value) {
        bytes.put(at, (byte) value);
        return this;
    }

    RawBuffer u16(int at, int value) {
        bytes.putShort(at, (short) value);
        return this;
    }

    RawBuffer i32(int at, int value) {
        bytes.putInt(at, value);
        return this;
    }

    RawBuffer i64(int at, long value) {
        bytes.putLong(at, value);
        return this;
    }

    /// Lets the offset word at `at` lead to `target`.
    RawBuffer offset(int at, int target) {
        return i32(at, target - at);
    }

    /// Begins a table whose vtable is at `vtable`.
    RawBuffer table(int at, int vtable) {
        return i32(at, at - vtable);
    }

    /// Writes a vtable with these slots.
    RawBuffer vtable(int at, int... slots) {
        u16(at, 4 + 2 * slots.length);
        for (int i = 0; i < slots.length; i++) {
            u16(at + 4 + 2 * i, slots[i]);
        }
        return this;
    }

    byte[] bytes() {
        return bytes.array();
    }
}
