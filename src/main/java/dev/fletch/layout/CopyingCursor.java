// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import dev.fletch.format.BufferRole;

/// A cursor that copies the numbers of all fields when it is bound.
final class CopyingCursor extends BatchCursor {
    CopyingCursor() {
        super(false);
    }

    @Override
    public long length(int field) {
        return parts.numbers[BatchParts.PAIR * checked(field)];
    }

    @Override
    public long nullCount(int field) {
        return parts.numbers[BatchParts.PAIR * checked(field) + 1];
    }

    @Override
    public long bufferOffset(int field, BufferRole role) {
        return parts.numbers[position(field, role)];
    }

    @Override
    public long bufferLength(int field, BufferRole role) {
        return parts.numbers[position(field, role) + 1];
    }

    @Override
    public long bufferOffset(int field, int index) {
        return number(place(field, index), 0);
    }

    @Override
    public long bufferLength(int field, int index) {
        return number(place(field, index), 1);
    }

    private int position(int field, BufferRole role) {
        int at = unchecked(field, role);
        if (Integer.compareUnsigned(at, parts.numbers.length) >= 0) {
            throw noRole(field, role);
        }
        return at;
    }

    @Override
    long number(int at, int second) {
        return parts.numbers[at + second];
    }
}
