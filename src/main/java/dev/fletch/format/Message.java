// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.flatbuf.Table;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// The metadata of one IPC message: its header and the length of its body.
///
/// A root: [#wrap] binds it to the metadata of an encapsulated message, without the prefix (see
/// `dev.fletch.ipc`). Accessors bind reusable flyweights of the caller.
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

    // The shape that this was bound by; null if this was decoded.
    private MessageShape shape;
    // The shape whose values are shown; null if some were decoded or set.
    private MessageShape taken;
    // Shapes of the messages that this has wrapped; created when the first shape is learned.
    private MessageShapes own;

    /// Binds to a buffer that fills a segment.
    ///
    /// @param buffer the bytes of the FlatBuffer, in any kind of memory, at any alignment
    /// @throws dev.fletch.FlatBufferFormatException if the bytes point out of `buffer`
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
    /// @throws dev.fletch.FlatBufferFormatException if the bytes point out of the range
    public Message wrap(MemorySegment memory, long offset, long length) {
        if (own == null || !wrapKnown(own, memory, offset, length)) {
            decodeAnew(memory, offset, length);
            learn();
        }
        return this;
    }

    /// Binds to the bytes between a buffer's position and limit, which do not change. The byte
    /// order of `buffer` is ignored. Allocates only when `buffer` differs from the previous one.
    ///
    /// @param buffer any kind of buffer; indexes and offsets count from its index 0
    /// @throws dev.fletch.FlatBufferFormatException if the bytes point out of that range
    public Message wrap(ByteBuffer buffer) {
        if (own == null || !wrapKnown(own, buffer)) {
            decodeAnew(buffer);
            learn();
        }
        return this;
    }

    private void learn() {
        if (!hasBatch()) {
            return;
        }
        if (own == null) {
            own = new MessageShapes();
        }
        if (own.isWanted()) {
            byte[] copy = copyOfBuffer();
            own.add(copy == null ? null : MessageShape.of(copy));
        }
    }

    // ---- recognizing

    /// Binds to a buffer if it has a known shape.
    ///
    /// @return false if its shape is unknown; this is then not bound
    boolean wrapKnown(MessageShapes shapes, MemorySegment memory, long offset, long length) {
        wrapBuffer(memory, offset, length);
        return recognize(shapes);
    }

    /// [#wrapKnown(MessageShapes, MemorySegment, long, long)] between position and limit.
    boolean wrapKnown(MessageShapes shapes, ByteBuffer buffer) {
        wrapBuffer(buffer);
        return recognize(shapes);
    }

    /// Binds to an encapsulated message if it has the prefix and the shape of the last two messages
    /// that this recognized: see [Verifier#messageLikeLast], without verifying.
    ///
    /// @param memory that this has wrapped before
    /// @param offset byte offset of the prefix; may be outside of `memory`
    /// @param end byte offset after the input, at most the size of `memory`
    /// @return length of the metadata in bytes; 0 if the message has another shape: this is then
    ///     unchanged
    public int wrapLikeLast(MemorySegment memory, long offset, long end) {
        return own == null ? 0 : wrapLikeLast(own, memory, offset, end);
    }

    int wrapLikeLast(MessageShapes shapes, MemorySegment memory, long offset, long end) {
        MessageShape last = shapes.repeated();
        if (last == null || last != taken || !wrapIfLike(last.bytes, memory, offset, end)) {
            return 0;
        }
        rebase(last.message);
        readNumbers(array(), segment());
        return last.bytes.length();
    }

    private boolean recognize(MessageShapes shapes) {
        MessageShape found = shapes.last();
        if (found != null && has(found)) {
            shapes.repeat();
        } else {
            found = shapes.findOther(this);
            if (found == null) {
                return false;
            }
        }
        if (taken != found) {
            take(found);
        }
        moveTo(this, found.message);
        readNumbers(array(), segment());
        return true;
    }

    /// Copies what all messages of a shape have in common.
    private void take(MessageShape found) {
        shape = found;
        taken = found;
        takeFields(found.message);
        version = found.message.version;
        headerType = found.message.headerType;
        customMetadataDistance = found.message.customMetadataDistance;
        customMetadataCount = found.message.customMetadataCount;
    }

    /// Returns whether the wrapped buffer has a shape.
    boolean has(MessageShape known) {
        return hasShape(known.bytes);
    }

    /// {@return whether there is a header, and it is a record batch or a dictionary batch}
    boolean hasBatch() {
        return slot(HEADER_SLOT) != 0
                && (headerType == MessageHeader.RECORD_BATCH
                        || headerType == MessageHeader.DICTIONARY_BATCH);
    }

    /// Binds to a buffer without recognizing it.
    void decodeAnew(MemorySegment memory, long offset, long length) {
        bind(this, this, wrapRoot(memory, offset, length));
    }

    /// [#decodeAnew(MemorySegment, long, long)] between position and limit.
    void decodeAnew(ByteBuffer buffer) {
        bind(this, this, wrapRoot(buffer));
    }

    /// {@return a copy of the wrapped buffer; null if it is too long to learn its shape}
    byte[] copyOfBuffer() {
        return wrappedLength() > MessageShapes.MOST_BYTES ? null : wrappedBytes();
    }

    /// Releases the memory; see [MessageShape].
    void releaseMemory() {
        release();
    }

    /// {@return whether this was bound without decoding: the message has the shape of an earlier
    /// message, by comparison of its deciding bytes}
    public boolean isRecognized() {
        return shape != null;
    }

    @Override
    protected void decode(byte[] a, MemorySegment s, long reference) {
        shape = null;
        taken = null;
        open(a, s, reference, SIZES);
        version = int16(a, s, VERSION_SLOT, MetadataVersion.V1);
        headerType = int8(a, s, HEADER_TYPE_SLOT, MessageHeader.NONE);
        readNumbers(a, s);
        long customMetadata = target(a, s, CUSTOM_METADATA_SLOT);
        customMetadataDistance = distance(customMetadata);
        customMetadataCount = count(a, s, customMetadata, 4);
    }

    /// Reads the numbers of 32 and 64 bits, in which messages of a shape differ.
    private void readNumbers(byte[] a, MemorySegment s) {
        bodyLength = int64(a, s, BODY_LENGTH_SLOT, 0);
    }

    /// {@return version of the format, one of [MetadataVersion]; [MetadataVersion#V1] if absent}
    public int version() {
        return version;
    }

    public void setVersion(int value) {
        version = setInt16(VERSION_SLOT, value);
        taken = null;
    }

    /// {@return the table that [#header] binds to, one of [MessageHeader]; [MessageHeader#NONE] if
    /// absent. A newer file may have a number that [MessageHeader] does not declare}
    public int headerType() {
        return headerType & 0xFF;
    }

    /// Binds to the header if it is a [Schema].
    public boolean header(Schema into) {
        return headerType == MessageHeader.SCHEMA && bindPresent(into, field(HEADER_SLOT));
    }

    /// Binds to the header if it is a [DictionaryBatch].
    public boolean header(DictionaryBatch into) {
        if (headerType != MessageHeader.DICTIONARY_BATCH) {
            return false;
        }
        if (shape != null) {
            into.bindKnown(this, shape);
            return true;
        }
        return bindPresent(into, field(HEADER_SLOT));
    }

    /// Binds to the header if it is a [RecordBatch].
    public boolean header(RecordBatch into) {
        if (headerType != MessageHeader.RECORD_BATCH) {
            return false;
        }
        if (shape != null) {
            into.bindKnown(this, shape.batch);
            return true;
        }
        return bindPresent(into, field(HEADER_SLOT));
    }

    /// Binds to the header if it is a [Tensor].
    public boolean header(Tensor into) {
        return headerType == MessageHeader.TENSOR && bindPresent(into, field(HEADER_SLOT));
    }

    /// Binds to the header if it is a [SparseTensor].
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

    /// {@return number of key/value pairs of the application; 0 if the vector is absent}
    public int customMetadataCount() {
        return customMetadataCount;
    }

    /// {@return `into`, bound to one of the key/value pairs of the application}
    public KeyValue customMetadata(int index, KeyValue into) {
        bind(into, this, element(at(customMetadataDistance), index, customMetadataCount));
        return into;
    }
}
