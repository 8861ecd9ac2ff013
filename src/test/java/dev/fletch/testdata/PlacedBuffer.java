// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import java.nio.ByteBuffer;

/// Content between a buffer's position and its limit. Owns what the buffer needs.
///
/// @param buffer what a reader is given; its order is the backing's, not the content's
/// @param release frees what the buffer needs
public record PlacedBuffer(ByteBuffer buffer, Runnable release) implements Placed {
    @Override
    public byte[] content() {
        byte[] content = new byte[buffer.remaining()];
        buffer.get(buffer.position(), content);
        return content;
    }

    @Override
    public boolean surroundingsIntact() {
        for (int i = 0; i < buffer.capacity(); i++) {
            boolean isAround = i < buffer.position() || i >= buffer.limit();
            // Beyond the limit only another buffer reads.
            if (isAround && buffer.duplicate().clear().get(i) != PlacedSegment.POISON) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void close() {
        release.run();
    }
}
