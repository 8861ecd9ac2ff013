// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.batch.BatchBuilder;
import dev.fletch.format.Footer;
import dev.fletch.format.Message;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.internal.VersionCheck;
import dev.fletch.format.write.BodyLayout;
import dev.fletch.format.write.SegmentList;
import dev.fletch.ipc.internal.FileHead;
import dev.fletch.wire.MessagePrefix;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;

/// Encodes a stream or a file without I/O: turns each message into a list of segments to send, for
/// gRPC, Netty, Aeron or any channel. [MessageDecoder] is the counterpart, and [MessageWriter]
/// sends to a channel, an output stream or memory.
///
/// ```java
/// int count = encoder.encode(metadata, body).buffers(buffers);
/// while (…) {
///     channel.write(buffers, 0, count);
/// }
/// …
/// count = encoder.finish().buffers(buffers);
/// ```
///
/// Metadata is a complete flatbuffer: from a [dev.fletch.flatbuf.write.FlatBufferWriter], from a
/// template, or as read. It and the body are not copied.
///
/// **Checks** before anything changes. [IllegalArgumentException]: the message has an unsupported
/// version or no header, or its body length differs from `bodyLength` or is not a multiple of 8
/// bytes. [IllegalStateException]: the body's memory cannot be read; the message is out of order
/// (the schema is first and unique, each dictionary is in the schema, a delta follows its
/// dictionary, a file defines a dictionary once, and in a stream the dictionaries that the values
/// of a record batch need precede it); or the encoder is finished. [dev.fletch.FletchException]: the
/// message is malformed, a schema shares its parts too often, or the footer of a file cannot have
/// the schema. After these exceptions, the encoder's state is unchanged.
///
/// **Allocation.** None per message after set-up. A file takes 24 bytes per batch for its blocks,
/// in arrays that double, and a copy of the schema.
///
/// **Lifetime and threads.** A list, which is always the same object, and the prefix in it are
/// valid until the next call; the rest as long as the caller's memory. Belongs to one thread at a
/// time.
///
/// Source: Columnar format, "Encapsulated message format", "IPC Streaming Format", "IPC File
/// Format"; File.fbs.
public final class MessageEncoder {
    static final SegmentList NO_BODY = new SegmentList();

    // Layout of `words`: all that is encoded besides metadata, body and padding.
    private static final int MAGIC_AT = 0;
    private static final int PREFIX_AT = 8;
    private static final int SIZE_AT = 12;
    private static final int FOOTER_LENGTH_AT = 16;
    private static final int PREFIX_BYTES = FOOTER_LENGTH_AT - PREFIX_AT;
    private static final int WORDS_BYTES = FOOTER_LENGTH_AT + FileIndex.TAIL_BYTES;

    // Null for a stream.
    private final FileFooter footer;
    private final MessageOrder order;
    private final Message message = new Message();
    private final ByteBuffer words =
            ByteBuffer.allocate(WORDS_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private final MemorySegment wordBytes = MemorySegment.ofBuffer(words).asReadOnly();
    // Magic, prefix, metadata, padding and body.
    private final SegmentList parts = new SegmentList();
    private int alignment = BodyLayout.LEAST_ALIGNMENT;
    private long position;
    private boolean isFinished;

    // Of the message that is prepared. Its start is behind a file's magic.
    private long start;
    private long headBytes;
    long bodyBytes;

    /// Creates an encoder at position 0.
    public MessageEncoder(ArrowContainer container) {
        boolean isFile = Objects.requireNonNull(container, "container") == ArrowContainer.FILE;
        footer = isFile ? new FileFooter() : null;
        order = new MessageOrder(isFile);
        words.putLong(MAGIC_AT, FileHead.MAGIC).putLong(PREFIX_AT, MessagePrefix.words(0));
        int tail = FOOTER_LENGTH_AT + Integer.BYTES;
        words.put(tail, words, MAGIC_AT, FileHead.MAGIC_BYTES);
    }

    // ---- settings; after the first message they throw an IllegalStateException

    /// Sets the alignment of bodies, counted from the first byte; 8 bytes by default. The format
    /// recommends 64, and requires it for tensors. [BodyLayout] aligns buffers inside a body.
    ///
    /// @param bytes a power of two from 8 to 4096
    /// @throws IllegalArgumentException if `bytes` is another number
    public MessageEncoder alignment(int bytes) {
        requireNew();
        alignment = BodyLayout.checkAlignment(bytes);
        return this;
    }

    /// Permits a stream's record batches to have values from dictionaries that were not written,
    /// such as those of a damaged stream. Readers cannot resolve these values.
    ///
    /// @param permitted whether to permit them; they are refused by default
    public MessageEncoder missingDictionaries(boolean permitted) {
        requireNew();
        order.mayMissDictionaries = permitted;
        return this;
    }

    private void requireNew() {
        if (!order.isEmpty()) {
            throw new IllegalStateException(
                    "setting follows the first message: position=" + position);
        }
    }

    // ---- messages

    /// Encodes a message without a body, such as a schema.
    ///
    /// @param metadata exactly the message's flatbuffer
    public SegmentList encode(MemorySegment metadata) {
        return encode(metadata, NO_BODY);
    }

    /// Encodes a message with a body.
    ///
    /// @param metadata exactly the message's flatbuffer
    public SegmentList encode(MemorySegment metadata, SegmentList body) {
        return encode(metadata, 0, length(metadata), body);
    }

    static int length(MemorySegment metadata) {
        if (metadata.byteSize() > Integer.MAX_VALUE) {
            throw tooLong(metadata.byteSize());
        }
        return (int) metadata.byteSize();
    }

    private static IllegalArgumentException tooLong(long bytes) {
        return new IllegalArgumentException("metadata is too long: bytes=" + bytes);
    }

    /// Encodes a batch.
    ///
    /// @param batch begun, with all its buffers
    /// @return the parts to send, valid until `batch` encodes another batch
    /// @throws IllegalStateException also if the batch is incomplete or wrong: see
    ///     [BatchBuilder#encode]
    public SegmentList encode(BatchBuilder batch) {
        requireOpen();
        int length = batch.encode();
        return encode(batch.message(), 0, length, batch.body());
    }

    /// Encodes a message with a body, with metadata at an offset.
    ///
    /// @param holder holds the metadata; any kind of memory
    /// @param position byte offset of the message's flatbuffer
    /// @param length its length in bytes; padding may be included
    /// @param body its body; null if you send the message's `bodyLength` bytes yourself, after the
    ///     parts
    /// @throws IndexOutOfBoundsException if the metadata is not inside `holder`
    public SegmentList encode(MemorySegment holder, long position, int length, SegmentList body) {
        prepare(holder, position, length, body);
        commit();
        return parts;
    }

    /// Encodes a message. Nothing else changes before [#commit].
    SegmentList prepare(MemorySegment holder, long offset, int length, SegmentList body) {
        requireOpen();
        if (body == parts) {
            throw new IllegalArgumentException("body is the list of this encoder");
        }
        if (body != null) {
            body.requireReadable();
        }
        message.wrap(holder, offset, length);
        bodyBytes = body == null ? message.bodyLength() : body.length();
        checkContent();
        order.check(message);
        if (footer != null && message.headerType() == MessageHeader.SCHEMA) {
            footer.schemaMessage = holder.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
            footer.encode(null); // throws now what would be thrown at the end
        }
        int lead = footer != null && order.isEmpty() ? FileHead.USUAL_BYTES : 0;
        start = position + lead;
        int padding = (int) -(start + PREFIX_BYTES + length) & alignment - 1;
        if (length > Integer.MAX_VALUE - padding) {
            throw tooLong(length);
        }
        words.putInt(SIZE_AT, length + padding);
        parts.reset().add(wordBytes, MAGIC_AT, lead).add(wordBytes, PREFIX_AT, PREFIX_BYTES);
        parts.add(holder, offset, length).addPadding(padding);
        headBytes = parts.length() - lead;
        if (bodyBytes > Long.MAX_VALUE - start - headBytes) {
            throw new IllegalArgumentException("body is too long: bodyLength=" + bodyBytes);
        }
        if (body != null) {
            parts.addAll(body);
        }
        return parts;
    }

    /// Records that the prepared message was sent.
    void commit() {
        int kind = message.headerType();
        order.written(kind);
        position = start + headBytes + bodyBytes;
        if (footer != null && kind != MessageHeader.SCHEMA) {
            footer.addBlock(kind, start, headBytes, bodyBytes);
        }
    }

    private void checkContent() {
        int version = message.version();
        if (!VersionCheck.isSupported(version)) {
            throw new IllegalArgumentException(
                    "metadata version is not supported: version=" + VersionCheck.name(version));
        }
        long bytes = message.bodyLength();
        if (bytes != bodyBytes) {
            String lengths = "bodyLength=" + bytes + ", body=" + bodyBytes;
            throw new IllegalArgumentException("body length differs from the message: " + lengths);
        }
        if (bytes < 0) { // without a list, the two are always equal
            throw new IllegalArgumentException("body length is negative: bodyLength=" + bytes);
        }
        if (bytes % BodyLayout.LEAST_ALIGNMENT != 0) {
            throw new IllegalArgumentException(
                    "body length is not a multiple of 8: bodyLength=" + bytes);
        }
        if (bytes != 0 && message.headerType() == MessageHeader.SCHEMA) {
            throw new IllegalArgumentException("schema message has a body: bodyLength=" + bytes);
        }
    }

    private void requireOpen() {
        if (isFinished) {
            throw new IllegalStateException("encoder is finished: position=" + position);
        }
    }

    // ---- the end

    /// Encodes the end-of-stream marker, and the footer of a file. The footer has the schema of the
    /// first message, and the custom metadata of both.
    ///
    /// @throws IllegalStateException if no message was encoded, or the encoder is finished
    public SegmentList finish() {
        prepareEnd(null);
        commitEnd();
        return parts;
    }

    /// Finishes a file with another file's footer for the same schema: its version and custom
    /// metadata, with the schema and blocks of this file. Schemas are the same if their content
    /// without custom metadata is equal, in any byte layout; an explicit default differs from an
    /// absent one. After an [IllegalArgumentException], the file can still be finished.
    ///
    /// @throws dev.fletch.FletchException if the footer is malformed or cannot be rewritten
    /// @throws IllegalArgumentException if the footer has no schema, another schema, or a version
    ///     that is present and differs from the schema message
    /// @throws IllegalStateException as for [#finish()], or if this encodes a stream
    public SegmentList finish(Footer like) {
        prepareEnd(Objects.requireNonNull(like, "like"));
        commitEnd();
        return parts;
    }

    /// Encodes the end. Nothing else changes before [#commitEnd].
    ///
    /// @param like another file's footer; null for none
    SegmentList prepareEnd(Footer like) {
        requireOpen();
        if (like != null && footer == null) {
            throw new IllegalStateException("a stream has no footer");
        }
        if (order.isEmpty()) {
            throw new IllegalStateException(
                    "no message was written: the first message must be a schema");
        }
        words.putInt(SIZE_AT, 0);
        parts.reset().add(wordBytes, PREFIX_AT, PREFIX_BYTES);
        if (footer != null) {
            MemorySegment bytes = footer.encode(like);
            words.putInt(FOOTER_LENGTH_AT, (int) bytes.byteSize());
            parts.add(bytes, 0, bytes.byteSize());
            parts.add(wordBytes, FOOTER_LENGTH_AT, FileIndex.TAIL_BYTES);
        }
        return parts;
    }

    /// Records that the end was sent.
    void commitEnd() {
        position += parts.length();
        isFinished = true;
    }

    /// {@return number of bytes encoded, which is the offset of the next message}
    public long position() {
        return position;
    }
}
