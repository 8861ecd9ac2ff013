// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.arrow;

import dev.fletch.arrow.internal.BatchSequence;
import dev.fletch.arrow.internal.ReceivedSource;
import dev.fletch.arrow.internal.Source;
import dev.fletch.ipc.ReadOptions;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ScopedValue.CallableOp;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/// The batches of a stream whose messages the caller receives: Arrow Flight, or a protocol of its
/// own. Reads nothing by itself.
///
/// ```java
/// var receiver = Arrow.receive(ReadOptions.UNTRUSTED);
/// var price = receiver.column("price");
/// while (flight.next()) {
///     if (receiver.receive(flight.header(), flight.body())) {
///         … price.float64(row) …
///     }
/// }
/// ```
///
/// Everything that the options ask for is checked before [#receive] returns; indices from one
/// dictionary into another with the next record batch.
///
/// Columns, errors and threads: see [Batches]. Offsets of faults in values count from the start of
/// the body, all others from that of the header.
public final class BatchReceiver extends Batches {
    BatchReceiver(Source source, ReadOptions options) {
        super(source, options);
    }

    /// Receives a message, such as `data_header` and `data_body` of a `FlightData`.
    ///
    /// @param header the message, without a frame
    /// @param body its body, valid until the next call; that of a dictionary is copied. May be
    ///     longer
    /// @return whether it is a record batch, which is loaded now
    public boolean receive(MemorySegment header, MemorySegment body) {
        return receive(header, body, true);
    }

    /// [#receive(MemorySegment, MemorySegment)] of buffers, from position to limit.
    public boolean receive(ByteBuffer header, ByteBuffer body) {
        return receive(MemorySegment.ofBuffer(header), MemorySegment.ofBuffer(body));
    }

    /// Receives a message, and does not load it if it is a record batch: [#loadedBytes] and [#load]
    /// do. Values of the batch are not checked before.
    ///
    /// @param header as for [#receive(MemorySegment, MemorySegment)]
    /// @param body as for [#receive(MemorySegment, MemorySegment)]
    /// @return whether it is a record batch
    public boolean receiveHeader(MemorySegment header, MemorySegment body) {
        return receive(header, body, false);
    }

    /// [#receiveHeader(MemorySegment, MemorySegment)] of buffers, from position to limit.
    public boolean receiveHeader(ByteBuffer header, ByteBuffer body) {
        return receiveHeader(MemorySegment.ofBuffer(header), MemorySegment.ofBuffer(body));
    }

    private boolean receive(MemorySegment header, MemorySegment body, boolean isLoaded) {
        ((ReceivedSource) source).give(header, body);
        return inMemory(() -> receive(isLoaded));
    }

    /// [BatchSequence#verifyIndices], as an operation of its own.
    void settleIndices() {
        start();
        try {
            sequence.verifyIndices();
            succeed(true);
        } finally {
            end();
        }
    }

    /// Takes the next message of the source.
    ///
    /// @param isLoaded whether a record batch is loaded
    /// @return whether it is a record batch; false also at the end
    boolean receive(boolean isLoaded) throws IOException {
        start();
        try {
            unbind();
            boolean isBatch = sequence.receive();
            if (isBatch && isLoaded) {
                loadBatch();
            }
            source.complete();
            return succeed(isBatch);
        } finally {
            end();
        }
    }

    @Override
    public long loadedBytes() {
        return inMemory(super::loadedBytes);
    }

    @Override
    public void load() {
        inMemory(
                () -> {
                    super.load();
                    return null;
                });
    }

    private static <T> T inMemory(CallableOp<T, IOException> operation) {
        try {
            return operation.call();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // nothing is read
        }
    }
}
