// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc.internal;

import dev.fletch.Checks;
import dev.fletch.Limits;
import dev.fletch.format.FrameKind;
import dev.fletch.format.Message;
import dev.fletch.format.Verifier;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.wire.MessagePrefix;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;

/// The words at a position, read as the prefix of a message.
///
/// @param at position of the first word
/// @param prefixBytes 8, or 4 without continuation word (old writers); less if the input ends
///     inside
/// @param metadataLength the metadata length in the prefix; -1 if the input ends inside the prefix
/// @param room number of bytes after the prefix
/// @param hasBodyLength whether the body length is readable
/// @param bodyLength the body length in bytes, which may be negative
public record MessagePlace(
        MemorySegment memory,
        long at,
        int prefixBytes,
        int metadataLength,
        long room,
        boolean hasBodyLength,
        long bodyLength) {
    /// Of what counts as a message or footer, for all readers: any depth. The usual limits of
    /// tables and of the metadata's length bound the work of a search.
    public static final Limits LIMITS = Limits.DEFAULT.withDepth(Integer.MAX_VALUE);

    /// Decide whether bytes are a message, for all readers.
    public static final Checks CHECKS = Checks.DEFAULT.withLimits(LIMITS);

    public static MessagePlace at(MemorySegment memory, long position, long end) {
        long there = end - position;
        long prefix = MessagePrefix.read(memory, position, there);
        boolean isCut = prefix == MessagePrefix.CUT_OFF;
        int bytes = isCut ? (int) there : MessagePrefix.bytes(prefix);
        return of(memory, position, bytes, MessagePrefix.metadataLength(prefix), end);
    }

    /// Reads the first word as a continuation word, even if its value is wrong.
    public static MessagePlace ofCurrent(MemorySegment memory, long position, long end) {
        return end - position < MessagePrefix.BYTES
                ? at(memory, position, end)
                : of(
                        memory,
                        position,
                        MessagePrefix.BYTES,
                        Wire.int32(memory, position + Integer.BYTES),
                        end);
    }

    private static MessagePlace of(
            MemorySegment memory, long position, int prefixBytes, int metadataLength, long end) {
        long room = end - position - prefixBytes;
        return new MessagePlace(memory, position, prefixBytes, 0, room, false, 0)
                .withLength(metadataLength);
    }

    /// The same place with another metadata length.
    public MessagePlace withLength(int length) {
        BodyLength body = new BodyLength();
        boolean fits = length > 0 && length <= room;
        boolean hasBody = fits && body.read(memory, metadataAt(), length);
        long bytes = hasBody ? body.value() : 0;
        return new MessagePlace(memory, at, prefixBytes, length, room, hasBody, bytes);
    }

    /// Whether there is metadata, and it is complete.
    public boolean isWhole() {
        return metadataLength > 0 && metadataLength <= room;
    }

    /// Length in bytes of the end-of-stream marker at a position; 0 if there is none.
    public static int markerBytes(MemorySegment memory, long position, long end) {
        MessagePlace place = at(memory, position, end);
        return place.isEnd() ? place.prefixBytes : 0;
    }

    /// Whether the last bytes in front of an end are an end-of-stream marker that begins inside a
    /// message.
    ///
    /// @param messageEnd end of the message
    static boolean endsInMarker(MemorySegment memory, long messageEnd, long end) {
        long bytes = MessagePrefix.BYTES;
        return end - messageEnd < bytes
                && end >= bytes
                && MessagePrefix.read(memory, end - bytes, bytes) == MessagePrefix.MARKER;
    }

    /// Whether the metadata length is 0: an end-of-stream marker.
    public boolean isEnd() {
        return metadataLength == 0;
    }

    /// What begins here, by the prefix alone. A damaged prefix may look like the end of the input.
    public FrameKind frameKind() {
        long bytes = prefixBytes + room;
        long prefix = MessagePrefix.read(memory, at, bytes);
        FrameKind kind = FrameCheck.prefix(at, prefix, bytes, _ -> {});
        return kind == null ? FrameKind.END_OF_INPUT : kind;
    }

    /// Whether there is a continuation word.
    public boolean isCurrent() {
        return prefixBytes == MessagePrefix.BYTES;
    }

    public long metadataAt() {
        return at + prefixBytes;
    }

    public long bodyAt() {
        return metadataAt() + metadataLength;
    }

    /// Whether the body length is readable and not negative.
    public boolean hasBody() {
        return hasBodyLength && bodyLength >= 0;
    }

    /// End of the body.
    public long end() {
        return bodyAt() + bodyLength;
    }

    /// Whether the message is complete in a range.
    boolean hasEndIn(long to) {
        return isWhole() && hasBody() && bodyLength <= to - bodyAt();
    }

    /// Whether the message is complete in a range, and ends with it or in front of a continuation
    /// word; or, if it has none itself, of another message without one.
    public boolean isFollowed(long to) {
        if (!hasEndIn(to) || end() == to) {
            return hasEndIn(to);
        }
        long next = MessagePrefix.read(memory, end(), to - end());
        return MessagePrefix.isCurrent(next)
                || !isCurrent() && mayBeMessage(memory, end(), next, to);
    }

    /// Whether the metadata is complete and verifies as a message, and [#hasBody]. The limits of a
    /// reader do not count: they refuse messages, and do not hide them.
    public boolean isSound() {
        return isWhole()
                && hasBody()
                && new Verifier(CHECKS)
                        .verify(Verifier.Root.MESSAGE, memory, metadataAt(), metadataLength);
    }

    /// A sound message.
    Message message() {
        return new Message().wrap(memory, metadataAt(), metadataLength);
    }

    /// Header type of a sound message.
    public int kind() {
        return message().headerType();
    }

    /// Whether a sound message is a schema message.
    public boolean isSchema() {
        return kind() == MessageHeader.SCHEMA;
    }

    /// Whether the root offset of the metadata points to a plausible table.
    public boolean hasTable(long end) {
        return hasRoot(memory, metadataAt(), end);
    }

    /// Whether a prefix may be one of a message, by the first words alone: the metadata is
    /// complete, and without continuation word its root is plausible. Most words are no prefix.
    ///
    /// @param position offset of the prefix
    static boolean mayBeMessage(MemorySegment memory, long position, long prefix, long end) {
        long metadataAt = position + MessagePrefix.bytes(prefix);
        int length = MessagePrefix.metadataLength(prefix);
        return length > 0
                && length <= end - metadataAt
                && (MessagePrefix.isCurrent(prefix)
                        || hasRoot(memory, metadataAt, metadataAt + length));
    }

    /// Whether bytes look like a flatbuffer: the root offset points to a plausible table.
    public static boolean hasRoot(MemorySegment memory, long start, long end) {
        return end - start >= 2 * Wire.OFFSET_BYTES
                && isPlausibleTable(memory, start, end, start + Wire.uint32(memory, start));
    }

    /// Whether the words at a position are plausible for a table.
    public static boolean isPlausibleTable(
            MemorySegment memory, long start, long end, long position) {
        if (position < start
                || end - position < Wire.OFFSET_BYTES
                || (position - start) % Wire.OFFSET_BYTES != 0) {
            return false;
        }
        long vtable = position - Wire.int32(memory, position);
        if (vtable < start
                || end - vtable < Wire.VTABLE_HEAD_BYTES
                || (vtable - start) % Short.BYTES != 0) {
            return false;
        }
        int bytes = Short.toUnsignedInt(Wire.int16(memory, vtable));
        int tableBytes = Short.toUnsignedInt(Wire.int16(memory, vtable + Short.BYTES));
        return bytes >= Wire.VTABLE_HEAD_BYTES
                && bytes % Short.BYTES == 0
                && bytes <= end - vtable
                && tableBytes >= Wire.OFFSET_BYTES
                && tableBytes <= end - position;
    }
}
