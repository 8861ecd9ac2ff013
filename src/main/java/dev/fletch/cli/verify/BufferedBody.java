// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.verify;

import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;

import java.io.IOException;

/// The body of a message that comes through a pipe, where its compressed buffers are to be looked
/// at: no more than one body is kept at a time, and none that is too long.
public final class BufferedBody {
    private static final int MOST_BYTES = 64 << 20;

    private final RecordBatch batch = new RecordBatch();
    private final DictionaryBatch dictionary = new DictionaryBatch();
    private int taken;

    void forget() {
        taken = 0;
    }

    /// Takes the body of a batch that is compressed and not too long.
    ///
    /// @param bytes have taken the metadata last
    /// @param message sound
    /// @return whether all of the body now lies behind the metadata
    boolean take(ForwardBytes bytes, Message message) throws IOException {
        long size = message.bodyLength();
        boolean isBatch =
                message.header(batch) || message.header(dictionary) && dictionary.data(batch);
        if (size <= 0
                || size > MOST_BYTES
                || !isBatch
                || !batch.isPresent(RecordBatch.COMPRESSION_SLOT)) {
            return false;
        }
        taken = bytes.takeMore((int) size);
        return taken == size;
    }

    /// How many bytes were taken, and so need not be skipped.
    int taken() {
        return taken;
    }
}
