// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.remote.internal;

import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.ipc.FileIndex;
import dev.fletch.ipc.internal.FileTail;
import dev.fletch.ipc.internal.FrameCheck;
import dev.fletch.remote.RangeSource;
import dev.fletch.remote.errors.RangeException;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;

/// Reads many ranges of a source in few requests, several at a time.
///
/// ```java
/// new RangeReader(source, RangeOptions.DEFAULT).read(ranges, segments);
/// ```
///
/// Ranges that overlap, touch, or are less than [RangeOptions#mergeBytes] apart are requested
/// together; no byte is requested twice in one call. Longer ranges are split.
///
/// **Memory.** At most 16 MiB during a call, or one request if it is longer; buffers of concurrent
/// requests share it.
///
/// **Errors.** A [RangeException] with the failed request, also for any other [IOException] of the
/// source. The first failure stops all other requests and is thrown. If the calling thread is
/// interrupted, an [InterruptedIOException] is thrown and the thread stays interrupted.
///
/// **Threads.** Belongs to one thread at a time; calls the source from several threads.
public final class RangeReader {
    /// Receives the bytes of ranges, in the thread that calls the reader.
    @FunctionalInterface
    public interface Receiver {
        /// Receives a part of a range. Parts do not overlap, and arrive in any order.
        ///
        /// @param range index of the range in the list of ranges
        /// @param position offset of the part in the range
        /// @param part the bytes, valid until this method returns
        /// @throws IOException to stop reading
        void accept(int range, long position, MemorySegment part) throws IOException;
    }

    /// Limit for the buffers of all concurrent requests, unless a single request is longer.
    private static final int BUFFER_BYTES = 16 << 20;

    private final RangeSource source;
    private final RangeOptions options;
    // Of the source; negative until it is known.
    private long size = -1;

    /// Creates a reader.
    ///
    /// @param source stays open
    public RangeReader(RangeSource source, RangeOptions options) {
        this.source = source;
        this.options = options;
    }

    /// Returns the size of the source, which must not change.
    public long size() throws IOException {
        long now = source.size();
        if (now < 0) {
            throw new IOException("source has a negative size: size=" + now);
        }
        if (size >= 0 && now != size) {
            throw new IOException(
                    "size of the source has changed: before=" + size + ", now=" + now);
        }
        size = now;
        return now;
    }

    /// Reads the last bytes of the source: [RangeOptions#endBytes], or all if there are fewer.
    public byte[] readEnd() throws IOException {
        int limit = options.endBytes();
        try {
            byte[] end = source.readEnd(limit);
            long expected = Math.min(limit, size());
            int bytes = end == null ? 0 : end.length;
            if (end == null || bytes != expected) {
                String numbers = "bytes=" + bytes + ", expected=" + expected + ", size=" + size;
                throw new IOException("source returned a wrong number of bytes: " + numbers);
            }
            return end;
        } catch (IOException e) {
            throw placed(RangeException.AT_END, limit, e);
        }
    }

    /// {@return the range of a file's footer}
    ///
    /// @param end the last bytes of the file, at least [FileIndex#TAIL_BYTES]
    /// @throws FletchException if the end is not that of a file, or the footer is longer than the
    ///     limit
    public ByteRange footer(MemorySegment end, Limits limits) throws IOException {
        int length = FileIndex.footerLength(end, size(), source.name());
        long offset = FileTail.footerOffset(size(), length);
        FrameCheck.footerLimit(
                offset,
                length,
                limits.metadataBytes(),
                fault -> {
                    throw FletchException.inInput(fault).in(source.name());
                });
        return new ByteRange(offset, length);
    }

    /// Reads ranges into segments.
    ///
    /// @param ranges in any order; they may overlap
    /// @param into one segment per range, at least as long
    /// @throws IllegalArgumentException if the number of segments differs, or one is too short
    public void read(List<ByteRange> ranges, List<MemorySegment> into) throws IOException {
        requireRoom(ranges, into);
        read(
                ranges,
                (range, position, part) ->
                        MemorySegment.copy(part, 0, into.get(range), position, part.byteSize()));
    }

    static void requireRoom(List<ByteRange> ranges, List<MemorySegment> into) {
        if (ranges.size() != into.size()) {
            String counts = "ranges=" + ranges.size() + ", segments=" + into.size();
            throw new IllegalArgumentException(
                    "number of segments differs from the ranges: " + counts);
        }
        for (int i = 0; i < ranges.size(); i++) {
            long room = into.get(i).byteSize();
            if (room < ranges.get(i).length()) {
                throw new IllegalArgumentException(
                        "segment is too short: range=" + ranges.get(i) + ", segment=" + room);
            }
        }
    }

    /// Reads ranges.
    ///
    /// @param ranges in any order; they may overlap
    /// @param receiver of their bytes
    /// @throws IOException if a range cannot be read, or from the receiver
    public void read(List<ByteRange> ranges, Receiver receiver) throws IOException {
        if (ranges.isEmpty()) {
            return;
        }
        long whole = size(ranges.getFirst());
        for (ByteRange range : ranges) {
            if (range.end() > whole) {
                throw failed(range, "range is not inside the object: size=" + whole, null);
            }
        }
        int[] sorted =
                IntStream.range(0, ranges.size())
                        .filter(i -> ranges.get(i).length() > 0)
                        .boxed()
                        .sorted(Comparator.comparingLong(i -> ranges.get(i).offset()))
                        .mapToInt(i -> i)
                        .toArray();
        List<Request> plan = plan(ranges, sorted);
        if (plan.isEmpty()) {
            return;
        }
        try {
            run(plan, ranges, sorted, receiver);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt(); // after all threads have ended
            throw new InterruptedIOException(source.name() + ": interrupted");
        }
    }

    /// [#size()], with a range in the exception.
    private long size(ByteRange wanted) throws IOException {
        try {
            return size();
        } catch (IOException e) {
            throw placed(wanted.offset(), wanted.length(), e);
        }
    }

    private RangeException failed(ByteRange range, String reason, IOException cause) {
        return new RangeException(source.name(), range.offset(), range.length(), reason, cause);
    }

    /// An exception of the source, with a range if it has none.
    private IOException placed(long offset, long length, IOException e) {
        return e instanceof RangeException || Thread.currentThread().isInterrupted()
                ? e
                : new RangeException(source.name(), offset, length, e.toString(), e);
    }

    // ---- requests

    /// A range to request.
    ///
    /// @param first index in sorted order of the first range that may intersect it
    private record Request(ByteRange range, int first) {}

    private List<Request> plan(List<ByteRange> ranges, int[] sorted) {
        List<Request> plan = new ArrayList<>();
        long start = 0;
        long end = -1;
        int first = 0;
        for (int i = 0; i < sorted.length; i++) {
            ByteRange range = ranges.get(sorted[i]);
            boolean isSame =
                    end >= 0
                            && (range.offset() <= end
                                    || range.offset() - end < options.mergeBytes()
                                            && range.end() - start <= options.requestBytes());
            if (!isSame) {
                split(start, end, first, plan);
                start = range.offset();
                end = start;
                first = i;
            }
            end = Math.max(end, range.end());
        }
        split(start, end, first, plan);
        return plan;
    }

    private void split(long start, long end, int first, List<Request> plan) {
        long position = start;
        while (position < end) {
            long length = Math.min(end - position, options.requestBytes());
            plan.add(new Request(new ByteRange(position, length), first));
            position += length;
        }
    }

    private static void deliver(
            Filled filled, List<ByteRange> ranges, int[] sorted, Receiver receiver)
            throws IOException {
        ByteRange request = filled.request.range();
        for (int i = filled.request.first(); i < sorted.length; i++) {
            ByteRange range = ranges.get(sorted[i]);
            if (range.offset() >= request.end()) {
                return;
            }
            long from = Math.max(range.offset(), request.offset());
            long to = Math.min(range.end(), request.end());
            if (from < to) {
                receiver.accept(
                        sorted[i],
                        from - range.offset(),
                        filled.memory.asSlice(from - request.offset(), to - from));
            }
        }
    }

    // ---- concurrency

    /// A completed request.
    ///
    /// @param failure null if the memory has the bytes
    private record Filled(Request request, MemorySegment memory, Throwable failure) {}

    private void run(List<Request> plan, List<ByteRange> ranges, int[] sorted, Receiver receiver)
            throws IOException, InterruptedException {
        int longest = plan.stream().mapToInt(each -> (int) each.range().length()).max().orElse(0);
        int inFlight = Math.clamp(BUFFER_BYTES / longest, 1, options.requestsInFlight());
        BlockingQueue<Filled> ended = new LinkedBlockingQueue<>();
        ArrayDeque<MemorySegment> free = new ArrayDeque<>();
        // Closing waits until all threads have ended.
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            try {
                int next = 0;
                int taken = 0;
                while (taken < plan.size()) {
                    while (next < plan.size() && next - taken < inFlight) {
                        Request request = plan.get(next++);
                        MemorySegment memory =
                                free.isEmpty()
                                        ? MemorySegment.ofArray(new byte[longest])
                                        : free.pop();
                        threads.execute(() -> ended.add(fill(request, memory)));
                    }
                    Filled filled = ended.take();
                    taken++;
                    rethrow(filled);
                    deliver(filled, ranges, sorted, receiver);
                    free.push(filled.memory);
                }
            } catch (Throwable e) {
                if (source.isInterruptible()) {
                    threads.shutdownNow();
                }
                throw e;
            }
        }
    }

    private Filled fill(Request request, MemorySegment memory) {
        try {
            ByteRange range = request.range();
            source.read(range.offset(), memory.asSlice(0, range.length()));
            return new Filled(request, memory, null);
        } catch (Throwable e) {
            return new Filled(request, memory, e);
        }
    }

    private void rethrow(Filled filled) throws IOException {
        switch (filled.failure) {
            case null -> {}
            case RangeException e -> throw e;
            case IOException e -> throw failed(filled.request.range(), e.toString(), e);
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            default -> throw new IllegalStateException(filled.failure);
        }
    }
}
