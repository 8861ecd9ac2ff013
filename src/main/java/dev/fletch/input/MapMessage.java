// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

import dev.fletch.format.BufferRole;

import java.util.ArrayList;
import java.util.List;

/// One message: its buffers, and the purpose of each byte from the end of the previous message to its own
/// end. Reused for each message.
public final class MapMessage {
    /// The field of a buffer without an owner.
    public static final int NONE = -1;

    /// The codec of a batch whose buffers are not compressed.
    public static final String NO_CODEC = "none";

    /// A field node of a batch.
    public record Node(long length, long nullCount) {}

    /// A buffer of a batch.
    public static final class Buffer {
        /// Index in the batch.
        public final int index;

        /// Number of its field, or [#NONE].
        public final int field;

        /// Null without a field.
        public final BufferRole role;

        /// Offset in the input.
        public final long offset;

        public final long length;

        /// Uncompressed length in bytes; [FieldTotals#UNKNOWN] if it was not read.
        public final long uncompressed;

        /// Bytes after the buffer, up to the next aligned position.
        public long padding;

        Buffer(int index, int field, BufferRole role, long offset, long length, long uncompressed) {
            this.index = index;
            this.field = field;
            this.role = role;
            this.offset = offset;
            this.length = length;
            this.uncompressed = uncompressed;
        }

        public boolean isOwned() {
            return field != NONE;
        }

        long end() {
            return offset + length;
        }
    }

    /// A range of bytes with one purpose.
    ///
    /// @param buffer the buffer that contains the bytes, or that the padding follows; or null
    public record Extent(MapClass of, Buffer buffer, long length) {}

    public int index = -1;
    public String kind;
    public String version;
    public long offset;
    public int prefixLength;
    public int metadataLength;
    public long bodyLength;

    /// The fields of the message's batch; null if it has none.
    public MapPlan.Fields fields;

    public boolean isDictionary;
    public long dictionaryId;
    public boolean isDelta;
    public long rows;

    /// Codec of the buffers; [#NO_CODEC] if they are not compressed.
    public String codec;

    public final List<Node> nodes = new ArrayList<>();

    /// In the batch's order.
    public final List<Buffer> buffers = new ArrayList<>();

    /// In the order of the bytes, without gaps.
    public final List<Extent> extents = new ArrayList<>();

    /// Removes the batch and the extents.
    public void clear() {
        fields = null;
        isDictionary = false;
        nodes.clear();
        buffers.clear();
        extents.clear();
    }

    public boolean hasBatch() {
        return fields != null;
    }

    /// Path of a buffer's field.
    public String path(Buffer buffer) {
        return fields.paths()[buffer.field];
    }
}
