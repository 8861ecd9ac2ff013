// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.flatbuf.Table;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.wire.MessagePrefix;
import dev.fletch.wire.Shape;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// The metadata of one IPC message: its header and the length of its body.
///
/// A root: [#wrap] binds it to the metadata of an encapsulated message, without the prefix (see
/// `dev.fletch.ipc`).
///
/// Source: `format/Message.fbs`, table `Message`.
public final class Message extends Table {
    public static final int VERSION_SLOT = 0;
    public static final int HEADER_TYPE_SLOT = 1;
    public static final int HEADER_SLOT = 2;
    public static final int BODY_LENGTH_SLOT = 3;
    public static final int CUSTOM_METADATA_SLOT = 4;

    static final long SIZES = sizes(2, 1, 4, 8, 4);

    private short version;
    private byte headerType;
    private long bodyLength;
    private long customMetadataDistance;
    private int customMetadataCount;

    // The parts that this was bound to; null if this was decoded, or after [#setVersion].
    private MessageParts parts;
    // For batches without the last shape; created when first needed.
    private MessageParts own;

    /// Binds to a buffer that fills a segment.
    ///
    /// @param buffer the bytes of the FlatBuffer, in any kind of memory, at any alignment
    /// @throws dev.fletch.FletchException if the bytes point out of `buffer`
    public Message wrap(MemorySegment buffer) {
        return wrap(buffer, 0, buffer.byteSize());
    }

    /// Binds to a buffer in a part of a segment. Nothing outside that part is read. Allocates at
    /// most when the segment differs from the previous one.
    ///
    /// @param memory any kind of memory, of any size
    /// @param offset byte offset of the buffer
    /// @param length length of the buffer in bytes
    /// @throws IndexOutOfBoundsException if the range is not inside `memory`
    /// @throws dev.fletch.FletchException if the bytes point out of the range
    public Message wrap(MemorySegment memory, long offset, long length) {
        bind(this, this, wrapRoot(memory, offset, length));
        return this;
    }

    /// Binds to the bytes between a buffer's position and limit, which do not change. The byte
    /// order of `buffer` is ignored. Allocates only when `buffer` differs from the previous one.
    ///
    /// @param buffer any kind of buffer; indexes and offsets count from its index 0
    /// @throws dev.fletch.FletchException if the bytes point out of that range
    public Message wrap(ByteBuffer buffer) {
        bind(this, this, wrapRoot(buffer));
        return this;
    }

    // ---- binding to verified batches

    /// Verifies a batch message, and binds to it in the same step.
    ///
    /// @return false if it is not known to be valid; this is then not bound
    boolean wrapBatch(BatchPass pass, MemorySegment memory, long offset, long length) {
        wrapBuffer(memory, offset, length);
        return showIfFound(pass.parts(wrapped(), ownParts()));
    }

    // The next four methods, and what they call up to Shape.moveIfAt, have at most 35 bytes of code
    // each: C2 then inlines them even if a program has mostly read other shapes before.

    /// Binds to a batch message behind its prefix, if it has the shape of the last ones and is in
    /// the same memory.
    ///
    /// @return length of the metadata; 0 if it has not, this is then unchanged
    int wrapIfLikeLast(BatchPass pass, MemorySegment memory, long offset, long end) {
        return mayRepeat(memory, offset, end)
                ? showIfLike(pass.moveIfLikeLast(wrapped(), offset + MessagePrefix.BYTES, end))
                : 0;
    }

    private boolean mayRepeat(MemorySegment memory, long offset, long end) {
        return hasWrapped(memory) && isRange(memory, offset, end);
    }

    private static boolean isRange(MemorySegment memory, long offset, long end) {
        return (offset | end) >= 0
                && end <= memory.byteSize()
                && end - offset >= MessagePrefix.BYTES;
    }

    private int showIfLike(MessageParts parts) {
        if (parts == null) {
            return 0;
        }
        show(parts);
        return (int) bufferLength();
    }

    /// [Verifier#batch] after [#wrapIfLikeLast]. If the prefix is not that of a message, this stays
    /// as it is.
    int wrapBatchAfterPrefix(BatchPass pass, MemorySegment memory, long offset, long end) {
        if (!isRange(memory, offset, end)) {
            return 0;
        }
        long metadata = offset + MessagePrefix.BYTES;
        boolean isSame = hasWrapped(memory);
        long prefix = isSame ? wrappedInt64(offset) : Wire.int64(memory, offset);
        long length = prefix >> Integer.SIZE;
        if (!MessagePrefix.isContinuation((int) prefix) || length <= 0 || length > end - metadata) {
            return 0;
        }
        wrapBuffer(memory, metadata, length);
        MessageParts parts =
                isSame ? pass.find(wrapped(), ownParts()) : pass.parts(wrapped(), ownParts());
        return showIfFound(parts) ? (int) length : 0;
    }

    private MessageParts ownParts() {
        if (own == null) {
            own = new MessageParts(false);
        }
        return own;
    }

    private boolean showIfFound(MessageParts found) {
        if (found == null) {
            return false;
        }
        if (!found.isFixed) {
            parts = null; // they have changed
        }
        show(found);
        return true;
    }

    private void show(MessageParts found) {
        if (parts != found) {
            take(found);
        }
        moveTo(this, found.message);
        bodyLength = found.bodyLength;
    }

    private void take(MessageParts found) {
        parts = found;
        takeSlots(found.messageSlots, found.messageSlots4);
        version = found.version;
        headerType = found.headerType;
        customMetadataDistance = found.customMetadata;
        customMetadataCount = found.customMetadataCount;
    }

    /// {@return where the parts of the batch are; null if they are not known}
    MessageParts parts() {
        return parts;
    }

    boolean hasShape(Shape shape) {
        return shape.numberIn(wrapped()) != Shape.OTHER;
    }

    /// {@return a copy of the wrapped buffer}
    byte[] copyOfBuffer() {
        return new ByteSlice().wrapBufferOf(this).toByteArray();
    }

    @Override
    protected void decode(byte[] a, MemorySegment s, long reference) {
        parts = null;
        open(a, s, reference, SIZES);
        version = int16(a, s, VERSION_SLOT, MetadataVersion.V1);
        headerType = int8(a, s, HEADER_TYPE_SLOT, MessageHeader.NONE);
        bodyLength = int64(a, s, BODY_LENGTH_SLOT, 0);
        long customMetadata = target(a, s, CUSTOM_METADATA_SLOT);
        customMetadataDistance = distance(customMetadata);
        customMetadataCount = count(a, s, customMetadata, 4);
    }

    /// {@return version of the format, one of [MetadataVersion]; [MetadataVersion#V1] if absent}
    public int version() {
        return version;
    }

    public void setVersion(int value) {
        version = setInt16(VERSION_SLOT, value);
        parts = null;
    }

    /// {@return the table that [#header] binds to, one of [MessageHeader]; [MessageHeader#NONE] if
    /// absent. A newer file may have a number that [MessageHeader] does not declare}
    public int headerType() {
        return headerType & 0xFF;
    }

    public boolean header(Schema into) {
        return headerType == MessageHeader.SCHEMA && bindPresent(into, field(HEADER_SLOT));
    }

    public boolean header(DictionaryBatch into) {
        if (headerType != MessageHeader.DICTIONARY_BATCH) {
            return false;
        }
        if (parts != null) {
            into.bindTo(this, parts);
            return true;
        }
        boolean isPresent = bindPresent(into, field(HEADER_SLOT));
        if (isPresent && version == MetadataVersion.V4) {
            into.keepPairs(at(customMetadataDistance), customMetadataCount);
        }
        return isPresent;
    }

    public boolean header(RecordBatch into) {
        if (headerType != MessageHeader.RECORD_BATCH) {
            return false;
        }
        if (parts != null) {
            into.bindTo(this, parts);
            return true;
        }
        boolean isPresent = bindPresent(into, field(HEADER_SLOT));
        if (isPresent && version == MetadataVersion.V4) {
            into.keepPairs(at(customMetadataDistance), customMetadataCount);
        }
        return isPresent;
    }

    public boolean header(Tensor into) {
        return headerType == MessageHeader.TENSOR && bindPresent(into, field(HEADER_SLOT));
    }

    public boolean header(SparseTensor into) {
        return headerType == MessageHeader.SPARSE_TENSOR && bindPresent(into, field(HEADER_SLOT));
    }

    /// {@return length of the body in bytes; 0 if absent}
    public long bodyLength() {
        return bodyLength;
    }

    public void setBodyLength(long value) {
        bodyLength = setInt64(BODY_LENGTH_SLOT, value);
    }

    public int customMetadataCount() {
        return customMetadataCount;
    }

    /// {@return `into`, bound to one of the key/value pairs of the application}
    public KeyValue customMetadata(int index, KeyValue into) {
        bind(into, this, element(at(customMetadataDistance), index, customMetadataCount));
        return into;
    }
}
