// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.FlatBufferFormatException;
import dev.fletch.flatbuf.verify.ShapeLearner;
import dev.fletch.format.rules.ArrowRules;
import dev.fletch.wire.Shape;

import java.lang.foreign.MemorySegment;

/// A batch message as a model for other messages of the same shape. Such messages differ only in
/// numbers of 32 and 64 bits; the model's flyweights have all other values.
///
/// Immutable; the flyweights keep decoded values, and no memory.
final class MessageShape {
    private static final int KIND = ArrowRules.SET.kind("Message");

    final Shape bytes;

    final Message message = new Message();

    /// The record batch, or that of the dictionary's values.
    final RecordBatch batch = new RecordBatch();

    /// Not bound if the header is a record batch.
    final DictionaryBatch dictionary = new DictionaryBatch();

    private MessageShape(Shape bytes) {
        this.bytes = bytes;
    }

    /// Learns the shape of a message.
    ///
    /// @param metadata the complete metadata; must not change
    /// @return the shape; null if the message has no batch, or is damaged or unusual
    static MessageShape of(byte[] metadata) {
        Shape bytes = ShapeLearner.learn(ArrowRules.SET, KIND, metadata);
        if (bytes == null) {
            return null;
        }
        MessageShape shape = new MessageShape(bytes);
        return shape.bind(metadata) ? shape : null;
    }

    private boolean bind(byte[] metadata) {
        try {
            message.decodeAnew(MemorySegment.ofArray(metadata), 0, metadata.length);
            boolean hasBatch =
                    message.header(dictionary) ? dictionary.data(batch) : message.header(batch);
            batch.releaseMemory();
            dictionary.releaseMemory();
            message.releaseMemory();
            return hasBatch;
        } catch (FlatBufferFormatException e) {
            return false;
        }
    }
}
