// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.remote;

import dev.fletch.remote.internal.ByteRange;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/// Bytes in memory that remember what was read of them.
public class CountingSource implements RangeSource {
    public final List<ByteRange> reads = new CopyOnWriteArrayList<>();
    final AtomicInteger inFlight = new AtomicInteger();
    final AtomicInteger mostInFlight = new AtomicInteger();

    final MemorySegment bytes;
    private final Disturbance disturbance;
    private boolean isClosed;

    /// What happens during a read.
    interface Disturbance {
        void before(ByteRange range) throws IOException;
    }

    CountingSource(MemorySegment bytes, Disturbance disturbance) {
        this.bytes = bytes;
        this.disturbance = disturbance;
    }

    public CountingSource(byte[] bytes) {
        this(MemorySegment.ofArray(bytes), range -> {});
    }

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public long size() {
        return bytes.byteSize();
    }

    @Override
    public void read(long offset, MemorySegment into) throws IOException {
        ByteRange range = new ByteRange(offset, into.byteSize());
        reads.add(range);
        mostInFlight.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
        try {
            disturbance.before(range);
            MemorySegment.copy(
                    bytes,
                    ValueLayout.JAVA_BYTE,
                    offset,
                    into,
                    ValueLayout.JAVA_BYTE,
                    0,
                    into.byteSize());
        } finally {
            inFlight.decrementAndGet();
        }
    }

    @Override
    public void close() {
        isClosed = true;
    }

    public boolean isClosed() {
        return isClosed;
    }

    /// Number of bytes that were read, once or more often.
    public long bytesRead() {
        return ByteRange.union(reads).stream().mapToLong(ByteRange::length).sum();
    }

    /// Number of bytes that were read again.
    long readTwice() {
        return reads.stream().mapToLong(ByteRange::length).sum() - bytesRead();
    }
}
