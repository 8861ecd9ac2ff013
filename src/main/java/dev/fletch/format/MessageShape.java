// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format;

import dev.fletch.FlatBufferFormatException;
import dev.fletch.flatbuf.verify.ShapeLearner;
import dev.fletch.format.rules.ArrowRules;
import dev.fletch.wire.Shape;

import java.lang.foreign.MemorySegment;

/// A message with a batch, as a model for others that have its shape. What differs from one to the
/// other are numbers of 32 and 64 bits; all else is in the flyweights of the model.
///
/// Immutable; the flyweights show what they decoded, and hold no memory.
final class MessageShape {
    private static final int KIND = ArrowRules.SET.kind("Message");

    final Shape bytes;
    final Message message = new Message();

    /// The batch, or the values of the dictionary.
    final RecordBatch batch = new RecordBatch();

    /// Not bound where the header is a record batch.
    final DictionaryBatch dictionary = new DictionaryBatch();

    /// Where the length of the body is in the buffer; 0 if it is absent.
    int bodyLengthAt;

    private MessageShape(Shape bytes) {
        this.bytes = bytes;
    }

    /// Makes the shape of a message.
    ///
    /// @param metadata all of it, which must not change
    /// @return the shape; null if there is no batch in it, or if it is damaged or unusual
    static MessageShape of(byte[] metadata) {
        final Shape bytes = ShapeLearner.learn(ArrowRules.SET, KIND, metadata);
        if (bytes == null) {
            return null;
        }
        final MessageShape shape = new MessageShape(bytes);
        return shape.bind(metadata) ? shape : null;
    }

    private boolean bind(byte[] metadata) {
        try {
            message.decodeAnew(MemorySegment.ofArray(metadata), 0, metadata.length);
            final boolean hasBatch =
                    message.header(dictionary) ? dictionary.data(batch) : message.header(batch);
            batch.letGo();
            dictionary.letGo();
            bodyLengthAt = message.letGo();
            return hasBatch;
        } catch (FlatBufferFormatException e) {
            return false;
        }
    }
}
