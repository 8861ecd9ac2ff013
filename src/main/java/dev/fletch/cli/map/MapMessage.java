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

    /// The codec of a batch whose buffers are not compressed.
    static final String NO_CODEC = "none";

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

        /// Bytes once decompressed; [FieldTotals#UNKNOWN] where the batch's body was not read for that.
        final long uncompressed;

        /// Bytes behind it, up to the next aligned position.
        long padding;

        Buffer(int index, int field, BufferRole role, long offset, long length, long uncompressed) {
            this.index = index;
            this.field = field;
            this.role = role;
            this.offset = offset;
            this.length = length;
            this.uncompressed = uncompressed;
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

    int index = -1;
    String kind;
    String version;
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

    /// How its buffers are compressed; [#NO_CODEC] if they are not.
    String codec;

    final List<Node> nodes = new ArrayList<>();

    /// In the batch's order.
    final List<Buffer> buffers = new ArrayList<>();

    /// In the order of the bytes, without gaps.
    final List<Extent> extents = new ArrayList<>();

    /// Removes the batch and the extents.
    void clear() {
        fields = null;
        isDictionary = false;
        nodes.clear();
        buffers.clear();
        extents.clear();
    }

    boolean hasBatch() {
        return fields != null;
    }

    /// Path of the field that owns a buffer.
    String path(Buffer buffer) {
        return fields.paths()[buffer.field];
    }
}
