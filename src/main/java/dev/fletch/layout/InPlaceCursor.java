// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import dev.fletch.format.BufferRole;

/// A cursor that reads numbers in the batch itself.
final class InPlaceCursor extends BatchCursor {
    InPlaceCursor() {
        super(true);
    }

    @Override
    public long length(int field) {
        return parts.batch.nodesLength(parts.firstNode + checked(field));
    }

    @Override
    public long nullCount(int field) {
        return parts.batch.nodesNullCount(parts.firstNode + checked(field));
    }

    @Override
    public long bufferOffset(int field, BufferRole role) {
        return number(place(field, role), 0);
    }

    @Override
    public long bufferLength(int field, BufferRole role) {
        return number(place(field, role), 1);
    }

    @Override
    public long bufferOffset(int field, int index) {
        return number(place(field, index), 0);
    }

    @Override
    public long bufferLength(int field, int index) {
        return number(place(field, index), 1);
    }

    @Override
    long number(int at, int second) {
        return second == 0
                ? parts.batch.buffersOffset(at / BatchParts.PAIR)
                : parts.batch.buffersLength(at / BatchParts.PAIR);
    }
}
