// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.remote.internal;

import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.format.Block;
import dev.fletch.format.Footer;
import dev.fletch.format.Message;
import dev.fletch.forward.BatchProjector;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.FileIndex;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.remote.RangeSource;
import dev.fletch.wire.Closing;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/// A remote Arrow file, read by byte ranges: first the footer, then only requested headers (prefix
/// and metadata of a message). Only [#read] reads bodies. For files in memory, use
/// [dev.fletch.ipc.ArrowFile].
///
/// **Requests.** Opening reads the last [RangeOptions#endBytes] in one request, and then the rest
/// of a longer footer. [#message] reads a missing header together with those after it, in few
/// requests: see [RangeReader]. Bytes read by opening are not requested again.
///
/// **Memory.** The footer, and headers up to [RangeOptions#maxHeaderBytes]: older ones are dropped
/// for new ones. Opened messages stay valid. No length in the file can cause allocations or
/// requests beyond the options and the source's size.
///
/// **Errors.** A [dev.fletch.remote.errors.RangeException] if bytes cannot be read; the
/// [FletchException]s of [dev.fletch.ipc.ArrowFile], with the source's name.
/// The leading magic is checked only if opening reads the complete file.
///
/// **Threads.** Belongs to one thread at a time.
public final class RangedFile implements AutoCloseable {
    /// A range of the file and its bytes.
    private record Chunk(ByteRange range, MemorySegment memory) {
        Chunk(long offset, byte[] bytes) {
            this(new ByteRange(offset, bytes.length), MemorySegment.ofArray(bytes));
        }
    }

    private final RangeSource source;
    private final RangeOptions options;
    private final RangeReader reader;
    private final FileIndex index;
    // The footer, and the bytes read with it.
    private final Chunk end;
    // Requested headers, by offset.
    private final TreeMap<Long, Chunk> headers = new TreeMap<>();
    private long headerBytes;

    private RangedFile(RangeSource source, ReadOptions readOptions, RangeOptions options)
            throws IOException {
        this.source = source;
        this.options = options;
        reader = new RangeReader(source, options);
        end = readFooter(reader.readEnd(), readOptions.limits());
        index = FileIndex.of(end.memory, reader.size(), readOptions, source.name());
    }

    /// Opens a file.
    ///
    /// @param source closed by [#close], and if this method throws
    /// @param options of requests, and limits
    public static RangedFile open(RangeSource source, ReadOptions readOptions, RangeOptions options)
            throws IOException {
        return Closing.onFailure(source::close, () -> new RangedFile(source, readOptions, options));
    }

    /// Reads the missing part of the footer, if any.
    private Chunk readFooter(byte[] last, Limits limits) throws IOException {
        long footer = reader.footer(MemorySegment.ofArray(last), limits).offset();
        long lastOffset = reader.size() - last.length;
        if (footer >= lastOffset) {
            return new Chunk(lastOffset, last);
        }
        int missing = Math.toIntExact(lastOffset - footer);
        Chunk all = new Chunk(footer, new byte[Math.addExact(missing, last.length)]);
        reader.read(
                List.of(new ByteRange(footer, missing)), List.of(all.memory.asSlice(0, missing)));
        MemorySegment.copy(last, 0, all.memory, ValueLayout.JAVA_BYTE, missing, last.length);
        return all;
    }

    // ---- the footer

    /// {@return the footer, with the schema; always the same flyweight, do not bind it again}
    public Footer footer() {
        return index.footer();
    }

    /// {@return the index of the file, which opens messages without requests}
    public FileIndex index() {
        return index;
    }

    // ---- headers

    /// Opens a message, after requesting its header if it is missing: with it, those of the
    /// messages after it, up to half of [RangeOptions#maxHeaderBytes], to the first header that is
    /// there, and to the first invalid block.
    ///
    /// @param kind of record batches or dictionary batches
    /// @param number in the footer's order
    /// @param frame bound to its place in the file; the body is not in memory
    /// @throws IndexOutOfBoundsException if there is no such batch
    public void message(int kind, int number, EncapsulatedMessage frame, Message into)
            throws IOException {
        Objects.checkIndex(number, index.count(kind));
        ByteRange header = header(kind, number);
        if (chunkOf(header) == null) {
            request(kind, number);
        }
        Chunk chunk = chunkOf(header);
        index.open(kind, number, chunk.memory, chunk.range.offset(), frame, into);
    }

    private ByteRange header(int kind, int number) {
        Block block = index.block(kind, number);
        return new ByteRange(block.offset(), index.headerLength(block));
    }

    /// Returns the chunk that contains a range; null if there is none.
    private Chunk chunkOf(ByteRange range) {
        if (end.range.contains(range)) {
            return end;
        }
        Map.Entry<Long, Chunk> before = headers.floorEntry(range.offset());
        return before != null && before.getValue().range.contains(range) ? before.getValue() : null;
    }

    private void request(int kind, int from) throws IOException {
        Set<ByteRange> missing = missing(kind, from);
        long bytes = missing.stream().mapToLong(ByteRange::length).sum();
        if (bytes > options.maxHeaderBytes() - headerBytes && headerBytes > 0) {
            headers.clear();
            headerBytes = 0;
            missing = missing(kind, from);
        }
        List<Chunk> chunks = new ArrayList<>();
        for (ByteRange span : ByteRange.union(missing)) {
            chunks.add(new Chunk(span.offset(), new byte[Math.toIntExact(span.length())]));
        }
        read(
                chunks.stream().map(Chunk::range).toList(),
                chunks.stream().map(Chunk::memory).toList());
        for (Chunk chunk : chunks) {
            // Headers may overlap: no other chunk may begin inside, where it would be found
            // instead.
            var inside = headers.subMap(chunk.range.offset(), chunk.range.end());
            headerBytes -= inside.values().stream().mapToLong(each -> each.range.length()).sum();
            inside.clear();
            headers.put(chunk.range.offset(), chunk);
            headerBytes += chunk.range.length();
        }
    }

    /// Missing headers from a batch on: that of the batch, and more up to half of the limit, the
    /// first one that is there, or the first invalid block. The other half is for earlier batches,
    /// which a program that steps back reads one by one.
    private Set<ByteRange> missing(int kind, int from) {
        Set<ByteRange> missing = new LinkedHashSet<>();
        missing.add(header(kind, from));
        long bytes = header(kind, from).length();
        for (int i = from + 1; i < index.count(kind); i++) {
            ByteRange header;
            try {
                header = header(kind, i);
            } catch (FletchException _) {
                break; // opening it throws
            }
            if (chunkOf(header) != null) {
                break;
            }
            if (!missing.contains(header)) {
                bytes += header.length();
                if (bytes > options.maxHeaderBytes() / 2) {
                    break;
                }
                missing.add(header);
            }
        }
        return missing;
    }

    // ---- bodies

    /// Reads the body of a projected batch: only the ranges of its columns.
    ///
    /// @param frame bound to the batch's message
    /// @param projector has written that message
    /// @param body of [BatchProjector#bodyLength()] bytes or more, preferably aligned to 64 bytes;
    ///     padding stays unchanged
    /// @throws IndexOutOfBoundsException if `body` is too short
    public void read(EncapsulatedMessage frame, BatchProjector projector, MemorySegment body)
            throws IOException {
        List<ByteRange> ranges = new ArrayList<>();
        List<MemorySegment> into = new ArrayList<>();
        long position = 0;
        for (int i = 0; i < projector.rangeCount(); i++) {
            long length = projector.rangeLength(i);
            ranges.add(new ByteRange(frame.bodyOffset() + projector.rangeOffset(i), length));
            into.add(body.asSlice(position, length));
            position += length + projector.rangePadding(i);
        }
        read(ranges, into);
    }

    /// Reads ranges of the file in few, concurrent requests. Bytes read by opening are copied.
    ///
    /// @param ranges in any order
    /// @param into one segment per range, at least as long
    public void read(List<ByteRange> ranges, List<MemorySegment> into) throws IOException {
        RangeReader.requireRoom(ranges, into);
        List<ByteRange> missing = new ArrayList<>();
        List<MemorySegment> targets = new ArrayList<>();
        for (int i = 0; i < ranges.size(); i++) {
            ByteRange range = ranges.get(i);
            long there = Math.max(range.offset(), end.range.offset());
            if (there < range.end() && range.end() <= end.range.end()) {
                long from = there - end.range.offset();
                long position = there - range.offset();
                MemorySegment.copy(end.memory, from, into.get(i), position, range.end() - there);
                missing.add(new ByteRange(range.offset(), position));
            } else {
                missing.add(range);
            }
            targets.add(into.get(i));
        }
        reader.read(missing, targets);
    }

    /// Closes the source.
    @Override
    public void close() throws IOException {
        source.close();
    }
}
