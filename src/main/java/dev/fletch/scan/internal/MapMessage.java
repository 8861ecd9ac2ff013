// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.scan.internal;

import dev.fletch.format.ids.BufferRole;
import dev.fletch.format.ids.CompressionType;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.wire.Escaper;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// One message: its buffers, and the purpose of each byte from the end of the previous message to
/// its own end. Reused for each message.
public final class MapMessage {
    /// The field of a buffer without an owner.
    public static final int NONE = -1;

    /// The codec of a batch whose buffers are not compressed.
    public static final String NO_CODEC = "none";

    /// The name of a codec, such as `zstd`; `CompressionType(2)` if it has none.
    public static String codec(int id) {
        String name = CompressionType.NAMES.name(id);
        return CompressionType.NAMES.isKnown(id) ? name.toLowerCase(Locale.ROOT) : name;
    }

    /// A field node of a batch.
    public record Node(long length, long nullCount) {}

    /// A buffer of a batch.
    ///
    /// @param index index in the batch
    /// @param field number of its field, or [#NONE]
    /// @param role null without a field
    /// @param offset offset in the input
    /// @param uncompressed uncompressed length in bytes; [FieldTotals#UNKNOWN] if it was not read
    public record Buffer(
            int index, int field, BufferRole role, long offset, long length, long uncompressed) {
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
    public record Extent(BytePurpose of, Buffer buffer, long length) {}

    public int index = -1;
    public String kind;
    public String version;

    /// Offsets and lengths of the message.
    public final EncapsulatedMessage frame;

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

    /// Bytes after each buffer, up to the next aligned position.
    public long[] paddings;

    /// In the order of the bytes, without gaps.
    public final List<Extent> extents = new ArrayList<>();

    MapMessage(EncapsulatedMessage frame) {
        this.frame = frame;
    }

    /// Removes the batch and the extents.
    public void clear() {
        clearBatch();
        extents.clear();
    }

    void clearBatch() {
        fields = null;
        isDictionary = false;
        nodes.clear();
        buffers.clear();
    }

    public boolean hasBatch() {
        return fields != null;
    }

    /// Path of a buffer's field, as in [Escaper#end].
    public String path(Buffer buffer) {
        return Escaper.end(fields.paths()[buffer.field()]);
    }
}
