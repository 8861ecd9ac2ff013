// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import org.apache.arrow.flatbuf.CompressionType;
import org.apache.arrow.flatbuf.DictionaryBatch;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.MetadataVersion;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.flatbuf.Schema;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Locale;
import java.util.Objects;

/// One encapsulated message as [OracleListing] found it.
///
/// @param index its number in the input, from 0
/// @param offset position of its first byte: of the continuation word where it has one
/// @param kind name of the header's type, or the type's number where that is unknown
/// @param version name of the metadata version, such as `V5`, or its number where that is unknown
/// @param prefixLength 8 with a continuation word, 4 without
/// @param metadataLength value of the size word: the flatbuffer and its padding
/// @param bodyLength as the message says
/// @param rows of a record or dictionary batch, otherwise `null`; `null` too where a dictionary
///     batch has no data
/// @param dictionaryId of a dictionary batch, otherwise `null`
/// @param delta whether it is a dictionary batch that adds to what was there
/// @param metadata the flatbuffer and its padding
public record OracleMessage(
        int index,
        long offset,
        String kind,
        String version,
        int prefixLength,
        int metadataLength,
        long bodyLength,
        Long rows,
        Long dictionaryId,
        boolean delta,
        ByteBuffer metadata) {

    static OracleMessage of(int index, long offset, int prefixLength, ByteBuffer metadata) {
        Message message = Message.getRootAsMessage(fresh(metadata));
        DictionaryBatch dictionary = dictionaryBatch(message);
        RecordBatch batch = dictionary == null ? recordBatch(message) : dictionary.data();
        return new OracleMessage(
                index,
                offset,
                name(MessageHeader.names, message.headerType()),
                name(MetadataVersion.names, message.version()),
                prefixLength,
                metadata.remaining(),
                message.bodyLength(),
                batch == null ? null : batch.length(),
                dictionary == null ? null : dictionary.id(),
                dictionary != null && dictionary.isDelta(),
                metadata);
    }

    /// A buffer of its own for each caller, at the flatbuffer's first byte; read-only.
    @Override
    public ByteBuffer metadata() {
        return fresh(metadata);
    }

    /// The flatbuffer and its padding, in an array of their own.
    public byte[] metadataBytes() {
        return bytes(metadata);
    }

    /// The flatbuffer and its padding, as a part of the input.
    public MemorySegment metadataIn(MemorySegment input) {
        return input.asSlice(metadataOffset(), metadataLength);
    }

    /// The body, as a part of the input.
    public MemorySegment bodyIn(MemorySegment input) {
        return input.asSlice(bodyOffset(), bodyLength);
    }

    /// The same message at another place.
    public OracleMessage movedBy(int bytes) {
        return new OracleMessage(
                index,
                offset + bytes,
                kind,
                version,
                prefixLength,
                metadataLength,
                bodyLength,
                rows,
                dictionaryId,
                delta,
                metadata);
    }

    /// Position of the flatbuffer's first byte in the input.
    public long metadataOffset() {
        return offset + prefixLength;
    }

    /// Position of the body's first byte in the input.
    public long bodyOffset() {
        return metadataOffset() + metadataLength;
    }

    /// Position of the first byte after the body.
    public long endOffset() {
        return bodyOffset() + bodyLength;
    }

    /// The message as the generated classes see it; a new object each time.
    public Message message() {
        return Message.getRootAsMessage(metadata());
    }

    /// The header of a schema message.
    public Schema schema() {
        return (Schema) message().header(new Schema());
    }

    /// The header of a record batch, or the data of a dictionary batch; `null` for others.
    public RecordBatch batch() {
        Message message = message();
        DictionaryBatch dictionary = dictionaryBatch(message);
        return dictionary == null ? recordBatch(message) : dictionary.data();
    }

    /// Name of the codec of a compressed batch in lower case, otherwise `null`.
    public String codec() {
        RecordBatch batch = batch();
        return batch == null || batch.compression() == null
                ? null
                : CompressionType.name(batch.compression().codec()).toLowerCase(Locale.ROOT);
    }

    public boolean isSchema() {
        return kind.equals("Schema");
    }

    public boolean isRecordBatch() {
        return kind.equals("RecordBatch");
    }

    public boolean isDictionaryBatch() {
        return kind.equals("DictionaryBatch");
    }

    private static RecordBatch recordBatch(Message message) {
        return message.headerType() == MessageHeader.RecordBatch
                ? (RecordBatch) message.header(new RecordBatch())
                : null;
    }

    private static DictionaryBatch dictionaryBatch(Message message) {
        return message.headerType() == MessageHeader.DictionaryBatch
                ? (DictionaryBatch) message.header(new DictionaryBatch())
                : null;
    }

    private static String name(String[] names, int number) {
        return number >= 0 && number < names.length ? names[number] : Integer.toString(number);
    }

    static byte[] bytes(ByteBuffer of) {
        byte[] bytes = new byte[of.remaining()];
        of.duplicate().get(bytes);
        return bytes;
    }

    static ByteBuffer fresh(ByteBuffer bytes) {
        return Objects.requireNonNull(bytes)
                .slice()
                .asReadOnlyBuffer()
                .order(ByteOrder.LITTLE_ENDIAN);
    }
}
