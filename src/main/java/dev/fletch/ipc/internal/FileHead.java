// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc.internal;

import dev.fletch.flatbuf.internal.VerifierEngine;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.internal.VersionCheck;
import dev.fletch.format.internal.tables.ArrowRules;
import dev.fletch.wire.MessagePrefix;
import dev.fletch.wire.Wire;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/// The head of a file: the magic and its padding, up to the first message. The format pads to 8
/// bytes and does not say where readers find the first message: arrow-rs pads to 64 bytes,
/// arrow-swift has omitted the padding. The first message may be a schema message without prefix,
/// which polars' streaming sink writes.
///
/// Source: Columnar format, "IPC File Format".
///
/// @param file the file, or at least its first bytes
/// @param end offset after the messages, such as the footer's
/// @param length of the head in bytes, at most [#MAX_BYTES]; [#USUAL_BYTES] if there is no message
public record FileHead(MemorySegment file, long end, int length) {
    /// `ARROW1`, as a little-endian number.
    public static final long MAGIC = 0x3157_4F52_5241L;

    /// Bytes of the magic.
    public static final int MAGIC_BYTES = 6;

    /// Length of the usual head, in bytes: the magic and 2 bytes of padding.
    public static final int USUAL_BYTES = 8;

    /// Length of the longest head, in bytes.
    public static final int MAX_BYTES = 4_096;

    /// The longest schema message without prefix.
    public static final int MAX_UNFRAMED_BYTES = 16 << 20;

    private static final int MESSAGE = ArrowRules.SET.kind("Message");

    /// Whether the magic is at a position.
    public static boolean hasMagic(MemorySegment memory, long position) {
        return position <= memory.byteSize() - MAGIC_BYTES
                && Wire.int32(memory, position) == (int) MAGIC
                && Wire.int16(memory, position + Integer.BYTES) == (short) (MAGIC >>> Integer.SIZE);
    }

    /// Finds the first message: directly after the magic or, after zeros, at a multiple of 8, or
    /// where a byte of padding was lost. A message without continuation indicator, or a schema
    /// message without prefix, must verify at an unusual place.
    ///
    /// @throws IndexOutOfBoundsException if `end` is outside the file
    public static FileHead of(MemorySegment file, long end) {
        Objects.checkFromToIndex(0, end, file.byteSize());
        return new FileHead(file, end, new FileHead(file, end, 0).findLength());
    }

    private int findLength() {
        if (isUnpadded()) {
            return MAGIC_BYTES;
        }
        if (isShortened()) {
            return MAGIC_BYTES + 1;
        }
        long last = Math.min(MAX_BYTES, end - FrameCheck.ALIGNMENT);
        for (int position = USUAL_BYTES; position <= last; position += FrameCheck.ALIGNMENT) {
            long words = Wire.int64(file, position);
            if (words != 0) {
                boolean isMessage =
                        MessagePrefix.isContinuation((int) words)
                                || position != USUAL_BYTES && isMessage(position);
                return isMessage ? position : USUAL_BYTES;
            }
        }
        return USUAL_BYTES;
    }

    /// Whether a message follows the magic directly. After padding of two bytes 0xFF, a
    /// continuation indicator at offset 8 looks like one at offset 6, but then its bytes are also
    /// half of the metadata length.
    private boolean isUnpadded() {
        int position = MAGIC_BYTES;
        if (end - position < MessagePrefix.BYTES || Wire.int16(file, position) == 0) {
            return false;
        }
        long prefix = MessagePrefix.read(file, position, end - position);
        int size = MessagePrefix.metadataLength(prefix);
        return MessagePrefix.isCurrent(prefix)
                ? size >= 0 && (size & 0xFFFF) != 0xFFFF
                : isMessage(position);
    }

    /// Whether a message follows one byte of padding: the other one was lost.
    private boolean isShortened() {
        int position = MAGIC_BYTES + 1;
        return end > position
                && Wire.int8(file, MAGIC_BYTES) == 0
                && Wire.int8(file, position) != 0
                && isMessage(position);
    }

    private boolean isMessage(long position) {
        return MessagePlace.at(file, position, end).isSound()
                || unframedSchemaEnd(position, end) > 0;
    }

    /// Finds the end of a schema message without prefix. Nothing says how long it is, so it ends
    /// behind its last table, string or vector and padding: zeros, but not so many that a message
    /// may be lost.
    ///
    /// @return offset after the metadata and padding; 0 if the first message is another one
    public long unframedSchemaEnd() {
        return unframedSchemaEnd(length, end);
    }

    /// What follows the head of a file with a footer.
    ///
    /// @param unframedEnd end of a schema message without prefix; 0 if there is none
    /// @param place what is there if it has a prefix
    /// @param end offset of the first message that a block leads to; the metadata of a schema
    ///     message ends before it
    /// @param isSound whether a sound message with prefix is there
    /// @param isCounted whether it is a schema message with prefix that can be read, which readers
    ///     count as the first message
    public record First(
            long unframedEnd, MessagePlace place, long end, boolean isSound, boolean isCounted) {
        /// Whether a message with prefix may be there, perhaps a damaged one.
        public boolean isFramed() {
            return place.isWhole() && (place.isCurrent() || place.metadataLength() >= Long.BYTES);
        }

        /// End of the bytes that a schema message claims there, perhaps a damaged one, up to the
        /// first message that a block leads to.
        public long claimedEnd() {
            long claimed = isFramed() ? place.bodyAt() : place.at();
            boolean hasBody = isFramed() && place.hasBody();
            return unframedEnd > 0
                    ? unframedEnd
                    : claimed + (hasBody ? Math.min(place.bodyLength(), end - claimed) : 0);
        }

        /// End of the schema message; without one, of the head.
        public long schemaEnd() {
            return unframedEnd > 0 ? unframedEnd : isCounted ? place.end() : place.at();
        }
    }

    /// What follows the head of a file with a footer.
    ///
    /// @param blocks of the footer
    public static First first(MemorySegment file, FooterBlocks blocks) {
        return of(file, blocks.messagesEnd()).first(blocks);
    }

    /// What follows the head, in front of all messages that blocks lead to.
    public First first(FooterBlocks blocks) {
        long first = Math.min(end, blocks.firstMessage(file, length));
        long unframedEnd = unframedSchemaEnd(length, first);
        MessagePlace place = MessagePlace.at(file, length, first);
        boolean isSound = unframedEnd == 0 && place.isSound();
        boolean isCounted =
                isSound
                        && place.isSchema()
                        && VersionCheck.isSupported(place.message().version())
                        && place.bodyLength() <= end - place.bodyAt();
        return new First(unframedEnd, place, first, isSound, isCounted);
    }

    private long unframedSchemaEnd(long start, long to) {
        long room = Math.min(to - start, MAX_UNFRAMED_BYTES);
        if (room < MessagePrefix.BYTES || MessagePrefix.isContinuation(file, start)) {
            return 0;
        }
        VerifierEngine engine = new VerifierEngine(ArrowRules.SET, MessagePlace.CHECKS);
        long used = engine.end(MESSAGE, file, start, room);
        if (used == 0 || !new Message().wrap(file, start, room).header(new Schema())) {
            return 0;
        }
        long objects = used + FrameCheck.ALIGNMENT - 1 & -FrameCheck.ALIGNMENT;
        long from = Math.min(start + objects, to);
        long last = Math.min(from + ContainerPlan.LEAST_LOST_BYTES, to);
        long zeros = MessageFinder.endOfRun(file, from, last, 0) - from;
        return ContainerPlan.mayBePadding(zeros) ? from + (zeros & -FrameCheck.ALIGNMENT) : from;
    }

    /// Whether a schema message without prefix may be at an offset, by its first words.
    public static boolean mayBeUnframedSchema(MemorySegment file, long start, long end) {
        return MessagePlace.hasRoot(file, start, end) && !MessagePrefix.isContinuation(file, start);
    }
}
