// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.flatbuf.verify.ShapeLearner;
import dev.fletch.format.rules.ArrowRules;
import dev.fletch.wire.MemoryRange;
import dev.fletch.wire.Shape;

import java.lang.foreign.MemorySegment;

/// The shape of one reader's last batch messages, once several in a row were alike: then the next
/// one mostly is, too. Comparing it takes half as long as verifying it.
///
/// **Work.** Learning a shape takes as long as reading some [#COST] messages saves, and allocates.
/// So a reader pays for it with what it has saved: it may learn a shape after each [#COST] messages.
final class LastBatch {
    private static final int KIND = ArrowRules.SET.kind("Message");

    /// Number of messages for which a shape may be learned.
    static final int COST = 512;

    /// Number of messages in a row that are alike before their shape is learned.
    static final int ALIKE = 2;

    /// Maximum length in bytes of a learned message: about 65,000 columns.
    static final int MOST_BYTES = 4 << 20;

    // Length in bytes of a message with the shape; 0 if there is none.
    int length;
    Shape shape;
    BatchParts parts;

    private int credit = 4 * COST;
    private int alike;
    private long lastLength;
    private int lastBuffers;

    /// Counts a message without the last shape.
    ///
    /// @return whether its shape should be learned
    boolean isWanted(BatchParts found, long length) {
        if (found == parts) {
            return false; // recognized
        }
        credit++;
        boolean isAlike = length == lastLength && found.buffersCount == lastBuffers;
        alike = isAlike ? alike + 1 : 0;
        lastLength = length;
        lastBuffers = found.buffersCount;
        if (alike < ALIKE || credit < COST || length > MOST_BYTES) {
            return false;
        }
        credit -= COST;
        alike = 0;
        return true;
    }

    /// Learns the shape of a message.
    ///
    /// @param metadata a copy of its metadata, which is verified again: the bytes may have changed
    void learn(byte[] metadata, BatchPass pass) {
        MemoryRange range = new MemoryRange();
        range.wrap(MemorySegment.ofArray(metadata), 0, metadata.length);
        BatchParts of = new BatchParts();
        if (!of.fill(pass, range)) {
            return;
        }
        Shape learned = ShapeLearner.learn(ArrowRules.SET, KIND, metadata);
        if (learned != null) {
            length = metadata.length;
            shape = learned;
            parts = of;
        }
    }
}
