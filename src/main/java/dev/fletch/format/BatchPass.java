// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.events.Events;
import dev.fletch.events.UnrecognizedReason;
import dev.fletch.flatbuf.internal.QuickPass;
import dev.fletch.flatbuf.internal.ShapeLearner;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.internal.tables.ArrowRules;
import dev.fletch.wire.MemoryRange;
import dev.fletch.wire.Shape;

import java.lang.foreign.MemorySegment;

/// Verifies the batch messages of one reader, and finds their parts in the same step.
///
/// Once it has verified some messages, and the last ones in a row were alike, the shape of the last
/// one is learned: comparing the next one with it takes half as long as verifying it.
///
/// **Work.** Learning a shape takes about as long as verifying [#COST] messages, and allocates. So
/// each message without the last shape earns one credit, and learning costs [#COST] of them. A
/// reader starts with, and keeps at most, credit for [#FIRST_SHAPES] shapes: a peer that sends a
/// few messages of each shape costs little more than without shapes.
///
/// Belongs to one thread at a time, like the reader.
final class BatchPass {
    private static final int KIND = ArrowRules.SET.kind("Message");

    /// Cost of learning a shape.
    static final int COST = 256;

    /// Number of shapes that the highest credit pays for.
    static final int FIRST_SHAPES = 4;

    /// Number of messages in a row that must be like the one before.
    static final int ALIKE = 2;

    /// Number of messages without a shape before the first one is learned. Learning takes as long
    /// as verifying some dozens of messages: most files and many streams have fewer.
    static final int SOONEST = 8;

    /// Maximum length in bytes of a learned message, which is copied: about 2,000 columns.
    /// Verifying takes no longer for more columns.
    static final int MOST_BYTES = 128 << 10;

    private final QuickPass quick;

    // The shape learned last, and the parts of its messages; null if there is none.
    private Shape shape;
    private MessageParts shapeParts;
    // The one that it replaced, for events only; null if there is none.
    private Shape evicted;

    private int credit = FIRST_SHAPES * COST;

    // Number of messages without a shape, up to SOONEST.
    private int messages;

    // Number of messages in a row that were like the one before; that one's length and counts.
    private int alike;
    private int lastLength;
    private int lastNodesCount;
    private int lastBuffersCount;

    BatchPass(QuickPass quick) {
        this.quick = quick;
    }

    /// Verifies a message, and finds its parts.
    ///
    /// @param own filled with the parts, if the message has not the shape of the last ones
    /// @return the parts; null if the message is not known to be a valid batch message
    MessageParts parts(MemoryRange message, MessageParts own) {
        MessageParts like = shape == null ? null : partsWith(shape.numberIn(message));
        return like != null ? like : find(message, own);
    }

    /// [#parts] for a message without the last shape.
    MessageParts find(MemoryRange message, MessageParts own) {
        boolean isFound = own.find(quick, message);
        quick.end();
        return isFound ? own : null;
    }

    /// Moves a range to the metadata of an encapsulated message, if that has the prefix and the
    /// shape of the last ones.
    ///
    /// @param metadata its offset; the prefix before it is inside the memory
    /// @param end offset after the input
    /// @return the parts of the message; null if it has another shape
    MessageParts moveIfLikeLast(MemoryRange memory, long metadata, long end) {
        return shape == null
                ? null
                : partsWith(shape.moveIfAt(memory, memory.positionOf(metadata), end - metadata));
    }

    private MessageParts partsWith(long bodyLength) {
        if (bodyLength == Shape.OTHER) {
            return null;
        }
        shapeParts.bodyLength = bodyLength;
        return shapeParts;
    }

    /// Counts a verified message without the last shape, and learns its shape if the work is within
    /// the limit.
    void learnOrCount(Message batch, long bytes) {
        boolean isToLearn = countAndDecide(batch.parts(), bytes);
        if (Events.recordsUnrecognized()) {
            String kind = MessageHeader.NAMES.name(batch.headerType());
            UnrecognizedReason why = why(batch, bytes); // before another shape is learned
            boolean isRefused = isToLearn && !learn(batch.copyOfBuffer());
            why = isRefused ? UnrecognizedReason.NOT_LEARNABLE : why;
            Events.notRecognized(kind, why, bytes);
        } else if (isToLearn) {
            learn(batch.copyOfBuffer());
        }
    }

    /// Counts a verified message without the last shape, and returns whether to [#learn] its shape.
    boolean countAndDecide(MessageParts parts, long bytes) {
        credit = Math.min(credit + 1, FIRST_SHAPES * COST);
        messages = Math.min(messages + 1, SOONEST);
        if (bytes != lastLength
                || parts.nodesCount != lastNodesCount
                || parts.buffersCount != lastBuffersCount) {
            alike = 0;
            lastLength = (int) bytes;
            lastNodesCount = parts.nodesCount;
            lastBuffersCount = parts.buffersCount;
            return false;
        }
        return ++alike >= ALIKE
                && messages == SOONEST
                && credit >= COST
                && isLearnable(parts, bytes);
    }

    private boolean isLearnable(MessageParts parts, long bytes) {
        return bytes <= MOST_BYTES && !(parts.customMetadataCount != 0 && quick.checksText());
    }

    private UnrecognizedReason why(Message batch, long bytes) {
        if (evicted != null && batch.hasShape(evicted)) {
            return UnrecognizedReason.EVICTED;
        }
        if (!isLearnable(batch.parts(), bytes)) {
            return UnrecognizedReason.NOT_LEARNABLE;
        }
        boolean isTooMuch = alike >= ALIKE && credit < COST;
        return isTooMuch ? UnrecognizedReason.LIMIT_OF_WORK : UnrecognizedReason.NEW;
    }

    /// Learns the shape of a message from a copy.
    ///
    /// @param metadata the copy, which is verified again: the bytes may have changed
    /// @return whether it was learned
    boolean learn(byte[] metadata) {
        credit -= COST;
        alike = 0;
        Shape learned =
                ShapeLearner.learn(ArrowRules.SET, KIND, Message.BODY_LENGTH_SLOT, metadata);
        if (learned == null || learned.hasStrings() && quick.checksText()) {
            return false;
        }
        MemoryRange copy = new MemoryRange();
        copy.wrap(MemorySegment.ofArray(metadata), 0, metadata.length);
        MessageParts parts = new MessageParts(true);
        boolean isFound = parts.find(quick, copy);
        if (isFound) {
            evicted = shape;
            shape = learned;
            shapeParts = parts;
        }
        quick.release();
        return isFound;
    }
}
