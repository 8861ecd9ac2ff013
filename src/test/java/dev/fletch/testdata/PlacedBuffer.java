// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import java.nio.ByteBuffer;

/// Content between a buffer's position and its limit. Owns what the buffer needs.
///
/// @param buffer what a reader is given; its order is the backing's, not the content's
/// @param release frees what the buffer needs
public record PlacedBuffer(ByteBuffer buffer, Runnable release) implements AutoCloseable {
    /// The content as it is now.
    public byte[] content() {
        byte[] content = new byte[buffer.remaining()];
        buffer.get(buffer.position(), content);
        return content;
    }

    @Override
    public void close() {
        release.run();
    }
}
