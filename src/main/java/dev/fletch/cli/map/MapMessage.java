// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.map;

import dev.fletch.layout.BufferRole;

import java.util.ArrayList;
import java.util.List;

/// One message: its buffers, and the purpose of each byte from the end of the message before it to its
/// own end. Reused for each message.
final class MapMessage {
    /// The field of a buffer without an owner.
    static final int NONE = -1;

    /// A field node of a batch.
    record Node(long length, long nullCount) {}

    /// A buffer of a batch.
    static final class Buffer {
        /// Place in the batch.
        final int index;

        /// Number of the field that owns it, or [#NONE].
        final int field;

        /// Null without an owner.
        final BufferRole role;

        /// Offset in the input.
        final long offset;

        final long length;

        /// Bytes behind it, up to the next aligned position.
        long padding;

        Buffer(int index, int field, BufferRole role, long offset, long length) {
            this.index = index;
            this.field = field;
            this.role = role;
            this.offset = offset;
            this.length = length;
        }

        boolean isOwned() {
            return field != NONE;
        }

        long end() {
            return offset + length;
        }
    }

    /// Bytes with one purpose.
    ///
    /// @param buffer the buffer that they are in, or that they are padding behind; or null
    record Extent(MapClass of, Buffer buffer, long length) {}

    int index;
    String kind;
    long offset;
    int prefixLength;
    int metadataLength;
    long bodyLength;

    /// The fields of its batch; null if it has none.
    MapPlan.Fields fields;

    boolean isDictionary;
    long dictionaryId;
    boolean isDelta;
    long rows;
    final List<Node> nodes = new ArrayList<>();

    /// In the batch's order.
    final List<Buffer> buffers = new ArrayList<>();

    /// In the order of the bytes, without gaps.
    final List<Extent> extents = new ArrayList<>();

    /// Removes the batch.
    void clearBatch() {
        fields = null;
        isDictionary = false;
        nodes.clear();
        buffers.clear();
    }

    boolean hasBatch() {
        return fields != null;
    }

    /// Path of the field that owns a buffer.
    String path(Buffer buffer) {
        return fields.paths()[buffer.field];
    }
}
