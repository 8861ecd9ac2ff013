// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.internal;

import static dev.fletch.MeaningRule.BUFFER_OUT_OF_BODY;
import static dev.fletch.MeaningRule.BUFFER_OVERFLOW;
import static dev.fletch.MeaningRule.BUFFER_UNALIGNED;
import static dev.fletch.MeaningRule.COMPRESSED_TOO_SHORT;
import static dev.fletch.MeaningRule.NEGATIVE_BUFFER_LENGTH;
import static dev.fletch.MeaningRule.NEGATIVE_BUFFER_OFFSET;
import static dev.fletch.MeaningRule.UNCOMPRESSED_LENGTH;

import dev.fletch.Fault;
import dev.fletch.FaultSink;
import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.Buffer;
import dev.fletch.format.ids.BufferRole;

/// The rules of a buffer's range in its body, and of the prefix of a compressed buffer. For batches
/// and tensors. Each check returns whether to continue.
public final class BufferRange {
    /// The index of a buffer that is not in a vector.
    public static final int NO_INDEX = -1;

    private static final int ALIGNMENT = 8;

    private final FaultSink sink;
    private final boolean checksEmpty;

    // The current buffer, and its path.
    private long position;
    private long offset;
    private long length;
    private long bodyLength;
    private String name;
    private int index;
    private boolean isInside;
    private long uncompressed;

    /// @param checksEmpty whether buffers of length 0 must be inside the body and aligned
    public BufferRange(FaultSink sink, boolean checksEmpty) {
        this.sink = sink;
        this.checksEmpty = checksEmpty;
    }

    /// {@return whether a buffer is inside a body; true for length 0}
    ///
    /// @param size of the body in bytes
    public static boolean isInside(long offset, long length, long size) {
        return length == 0 || (offset | length) >= 0 && length <= size && offset <= size - length;
    }

    /// Checks a buffer.
    ///
    /// @param buffer bound to it
    /// @param bodyBytes length of the body; negative if unknown
    /// @param of the part that has the buffer, such as `buffers`
    /// @param position its index there; [#NO_INDEX] if it is not in a vector
    public boolean check(Buffer buffer, long bodyBytes, String of, int position) {
        return check(buffer.position(), buffer.offset(), buffer.length(), bodyBytes, of, position);
    }

    /// Checks a buffer, by its numbers: see [#check(Buffer, long, String, int)].
    ///
    /// @param bufferPosition of the numbers; negative if unknown
    public boolean check(
            long bufferPosition,
            long bufferOffset,
            long bufferLength,
            long bodyBytes,
            String of,
            int at) {
        position = bufferPosition;
        offset = bufferOffset;
        length = bufferLength;
        bodyLength = bodyBytes;
        name = of;
        index = at;
        isInside = false;
        if (length < 0) {
            return add(inBody(atLength(NEGATIVE_BUFFER_LENGTH, length)));
        }
        if (length == 0 && !checksEmpty) {
            isInside = true;
            return true;
        }
        if (offset < 0) {
            return add(inBody(atOffset(NEGATIVE_BUFFER_OFFSET)));
        }
        return body() && (offset % ALIGNMENT == 0 || add(atOffset(BUFFER_UNALIGNED)));
    }

    private boolean body() {
        if (offset > Long.MAX_VALUE - length) {
            return add(inBody(atLength(BUFFER_OVERFLOW, length)));
        }
        isInside = bodyLength < 0 || offset + length <= bodyLength;
        if (isInside) {
            return true;
        }
        return add(inBody(atLength(BUFFER_OUT_OF_BODY, offset + length)));
    }

    private boolean add(Fault fault) {
        return sink.add(fault);
    }

    private Fault inBody(Fault fault) {
        Fault numbers = fault.with("offset", offset).with("length", length);
        return bodyLength < 0 ? numbers : numbers.with("body", bodyLength);
    }

    /// {@return whether the last buffer is inside the body, as far as its length is known}
    public boolean isInside() {
        return isInside;
    }

    /// Checks that the last buffer, which has bytes and is compressed, has room for its prefix.
    public boolean prefix() {
        if (length >= CompressedBuffer.PREFIX_BYTES) {
            return true;
        }
        isInside = false;
        return add(inBody(atLength(COMPRESSED_TOO_SHORT, length)));
    }

    /// Checks the prefix of the last buffer, which has bytes and is compressed.
    ///
    /// @param start bound to the buffer, or to its first 8 bytes
    /// @param codec one of [dev.fletch.format.ids.CompressionType], or any other number
    public boolean prefix(ByteSlice start, int codec) {
        uncompressed = CompressedBuffer.uncompressedLength(start, codec, length);
        if (uncompressed != CompressedBuffer.IMPOSSIBLE || length < CompressedBuffer.PREFIX_BYTES) {
            return prefix();
        }
        isInside = false;
        return add(
                fault(UNCOMPRESSED_LENGTH, position, start.int64(0), "")
                        .with("length", length)
                        .with("uncompressed", start.int64(0))
                        .with("limit", CompressedBuffer.limit(codec, length)));
    }

    /// {@return what [CompressedBuffer#uncompressedLength] says of the last prefix}
    public long uncompressed() {
        return uncompressed;
    }

    /// {@return a fault of the last buffer's offset}
    public Fault atOffset(Rule rule) {
        return fault(rule, position, offset, "offset");
    }

    /// {@return a fault of the last buffer's length}
    public Fault atLength(Rule rule, long value) {
        long offset = position < 0 ? position : position + Buffer.LENGTH_AT;
        return fault(rule, offset, value, "length");
    }

    private Fault fault(Rule rule, long position, long value, String part) {
        Fault fault = Fault.of(rule, position, value);
        return index == NO_INDEX ? fault.at(part).under(name) : fault.at(name, index, part);
    }

    /// {@return the rule that a buffer breaks by its size; null if none}. Readers do not look at
    /// buffers that break a deviation: validity if there are no nulls, the only offset of no
    /// values; data of nulls alone, if it is absent.
    ///
    /// @param bytes of the buffer, without prefix and decompressed
    /// @param needed see [dev.fletch.format.internal.tables.TypeFacts#leastBytes]
    public static Rule size(BufferRole role, long bytes, long needed, long values, long nulls) {
        if (bytes >= needed) {
            return null;
        }
        return switch (role) {
            case VALIDITY ->
                    nulls != 0
                            ? MeaningRule.VALIDITY_SIZE
                            : bytes == 0 ? null : MeaningRule.VALIDITY_SHORTER;
            case OFFSETS -> values == 0 ? MeaningRule.NO_OFFSET : MeaningRule.OFFSETS_SIZE;
            case SIZES -> MeaningRule.SIZES_SIZE;
            case TYPE_IDS -> MeaningRule.TYPE_IDS_SIZE;
            case VIEWS -> MeaningRule.VIEWS_SIZE;
            case DATA, VARIADIC ->
                    bytes == 0 && nulls == values
                            ? MeaningRule.NO_DATA_OF_NULLS
                            : MeaningRule.DATA_SIZE;
        };
    }
}
