// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc.internal;

import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.internal.BatchCounts;
import dev.fletch.format.internal.BufferRange;
import dev.fletch.wire.MessagePrefix;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;

/// Recognizes where a damaged message begins, by what is left of its prefix and metadata.
///
/// The bytes of a prefix may have other values, be lost, or have others among them. What is left
/// must begin exactly at the offset: the same bytes further on belong to a message that has moved,
/// which proves damage of the message before it.
final class DamagedMessage {
    // A root offset is searched in this many bytes.
    private static final int MOST_PREFIX = 16;
    // At least as many words of metadata are those of another batch; and this part of all.
    private static final int LEAST_WORDS = 6;
    private static final int PART_OF_WORDS = 4;

    // Of a vtable of Message: the slots of its older and newer fields; the inline bytes.
    private static final int LEAST_SLOTS = 3;
    private static final int MOST_SLOTS = 5;
    private static final int MOST_TABLE_BYTES = 40;
    private static final int MOST_VERSIONS = 8;

    private final MemorySegment memory;
    private final long size;

    DamagedMessage(MemorySegment memory) {
        this.memory = memory;
        size = memory.byteSize();
    }

    /// Whether a damaged message begins at an offset.
    ///
    /// @param end the bytes behind belong to another part
    /// @param like a sound batch of the same schema; null if none is known
    boolean isAt(long offset, long end, FoundMessage like) {
        if (end - offset < MessagePrefix.BYTES) {
            return false;
        }
        boolean hasLength = isLength(Wire.int32(memory, offset + Integer.BYTES), size - offset);
        // Values often have four bytes 0xFF, but then mostly more.
        boolean isAlone = !isOnes(offset - 1) && !isOnes(offset + Integer.BYTES);
        if (MessagePrefix.isContinuation(memory, offset) && (hasLength || isAlone)
                || like != null && isLike(offset + like.prefixLength(), end, like)
                || like != null && isLegacy(offset, end, like)) {
            return true;
        }
        int prefixLength = like == null ? MessagePrefix.BYTES : like.prefixLength();
        long last = Math.min(offset + MOST_PREFIX, end - 2 * Wire.OFFSET_BYTES);
        for (long root = offset; root <= last; root++) {
            if (isMessageTable(memory, root, end)) {
                return root == offset + MessagePrefix.BYTES
                        || root == offset + prefixLength
                        || isPrefix(offset, root);
            }
        }
        return false;
    }

    /// Whether the first words are those of a message without continuation word, as another batch has
    /// none.
    private boolean isLegacy(long offset, long end, FoundMessage other) {
        long prefix = MessagePrefix.read(memory, offset, end - offset);
        return other.prefixLength() == MessagePrefix.LEGACY_BYTES
                && MessagePrefix.metadataLength(prefix) % Integer.BYTES == 0
                && MessagePlace.mayBeMessage(memory, offset, prefix, end);
    }

    private static boolean isLength(int length, long limit) {
        return length > 0 && length % Long.BYTES == 0 && length <= limit;
    }

    private boolean isOnes(long position) {
        return position >= 0 && position < size && Wire.int8(memory, position) == -1;
    }

    /// Whether one to four bytes of a continuation word begin at an offset.
    boolean isPartOfPrefix(long offset) {
        return !isOnes(offset - 1) && isOnes(offset) && !isOnes(offset + Integer.BYTES);
    }

    /// Whether many words are those of another batch's metadata: batches of one schema are alike.
    private boolean isLike(long offset, long end, FoundMessage other) {
        int words = 0;
        int equal = 0;
        long length = Math.min(other.metadataLength(), end - offset);
        for (int i = 0; i + Integer.BYTES <= length; i += Integer.BYTES) {
            int word = Wire.int32(memory, other.metadataOffset() + i);
            words += word == 0 ? 0 : 1;
            equal += word != 0 && word == Wire.int32(memory, offset + i) ? 1 : 0;
        }
        return equal >= Math.max(LEAST_WORDS, words / PART_OF_WORDS);
    }

    /// Whether the prefix in front of a root offset begins at an offset: the length, and the bytes
    /// that are left of the continuation word; or more bytes than a prefix has.
    private boolean isPrefix(long offset, long root) {
        boolean hasLength =
                root - offset >= Integer.BYTES
                        && isLength(Wire.int32(memory, root - Integer.BYTES), Integer.MAX_VALUE);
        long first = root - Integer.BYTES;
        while (hasLength && first > root - MessagePrefix.BYTES && isOnes(first - 1)) {
            first--;
        }
        boolean isComplete = first == root - MessagePrefix.BYTES;
        return hasLength && first == offset || root > offset + MessagePrefix.BYTES && !isComplete;
    }

    /// Whether the root offset at a position points to a table like a `Message`, by its vtable,
    /// version and header type.
    static boolean isMessageTable(MemorySegment memory, long root, long end) {
        if (!MessagePlace.hasRoot(memory, root, end)) {
            return false;
        }
        long table = root + Wire.uint32(memory, root);
        long vtable = table - Wire.int32(memory, table);
        int slots = (uint16(memory, vtable) - Wire.VTABLE_HEAD_BYTES) / Short.BYTES;
        if (slots < LEAST_SLOTS || slots > MOST_SLOTS) {
            return false;
        }
        int tableBytes = uint16(memory, vtable + Short.BYTES);
        int version = field(memory, vtable, Message.VERSION_SLOT);
        int type = field(memory, vtable, Message.HEADER_TYPE_SLOT);
        int header = field(memory, vtable, Message.HEADER_SLOT);
        if (tableBytes > MOST_TABLE_BYTES
                || version > tableBytes - Short.BYTES
                || type < Wire.OFFSET_BYTES
                || type >= tableBytes
                || header < Wire.OFFSET_BYTES
                || header >= tableBytes) {
            return false;
        }
        int kind = Wire.int8(memory, table + type);
        return (version == 0 || uint16(memory, table + version) < MOST_VERSIONS)
                && kind > MessageHeader.NONE
                && MessageHeader.NAMES.isKnown(kind);
    }

    /// Position of a field in its table; 0 if absent.
    private static int field(MemorySegment memory, long vtable, int slot) {
        return uint16(memory, vtable + Wire.VTABLE_HEAD_BYTES + (long) Short.BYTES * slot);
    }

    private static int uint16(MemorySegment memory, long position) {
        return Short.toUnsignedInt(Wire.int16(memory, position));
    }

    /// Bytes of a message behind its last buffer, which are zero: if bytes were inserted in front of
    /// them, they have moved to another end.
    ///
    /// @param metadata of the message
    static long padding(FoundMessage message, Message metadata) {
        RecordBatch batch = new RecordBatch();
        DictionaryBatch dictionary = new DictionaryBatch();
        int buffers = BatchCounts.find(metadata, dictionary, batch) ? batch.buffersCount() : 0;
        long padding = message.bodyLength();
        for (int i = 0; i < buffers; i++) {
            long offset = batch.buffersOffset(i);
            long bytes = batch.buffersLength(i);
            if (bytes != 0 && BufferRange.isInside(offset, bytes, message.bodyLength())) {
                padding = Math.min(padding, message.bodyLength() - offset - bytes);
            }
        }
        return padding;
    }
}
