// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.vectors;

import dev.fletch.arrow.internal.FileSource;
import dev.fletch.arrow.internal.StreamSource;
import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BufferSource;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.ipc.MessageReader;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.remote.internal.ByteRange;
import dev.fletch.wire.Growth;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/// The body of a message, of which the needed ranges are read into the allocator's memory.
final class CopiedBody extends VectorBody {
    private static final long FIRST_BYTES = 16 << 20;

    /// Longest read of one call.
    private static final long WINDOW_BYTES = 1 << 30;

    private interface Reading {
        /// @param offset in the body; ascends
        void read(long offset, MemorySegment into) throws IOException;
    }

    private List<ByteRange> needed = List.of();
    // The parts of the body that were read, by their offsets there.
    private NavigableMap<Long, ArrowBuf> contents = new TreeMap<>();
    // Those that a vector has, if vectors share no bytes; else null.
    private Set<Long> taken;

    CopiedBody(BufferAllocator allocator) {
        super(allocator);
    }

    /// {@return a file whose needed ranges are copied, each to memory of its own} Values are
    /// verified in the copies.
    FileSource file(MemorySegment memory, Path path, ReadOptions options) {
        taken = new HashSet<>();
        return new FileSource(memory, null, path, options) {
            @Override
            public void body(boolean isKept) throws IOException {
                super.body(isKept);
                pieces = copy(memory, bodyAt, frame.bodyLength());
            }
        };
    }

    /// {@return a stream of which only the needed ranges are kept; all else is skipped}
    ///
    /// @param readsAll whether checks need complete bodies
    StreamSource stream(MessageReader reader, boolean readsAll) {
        return new StreamSource(reader, false) {
            @Override
            public boolean isCopying() {
                return false; // to the heap
            }

            @Override
            public void body(boolean isKept) throws IOException {
                if (readsAll) {
                    super.body(false);
                    pieces = copy(memory, bodyAt, frame.bodyLength());
                } else {
                    pieces = CopiedBody.this.read(messages::readBodyPart, frame.bodyLength());
                    messages.skipBody(); // checks that the message is complete
                }
            }
        };
    }

    private BufferSource copy(MemorySegment from, long position, long length) throws IOException {
        return read(
                (offset, into) -> into.copyFrom(from.asSlice(position + offset, into.byteSize())),
                length);
    }

    private BufferSource read(Reading reading, long length) throws IOException {
        for (ByteRange range : taken == null ? ByteRange.union(needed) : longest(needed)) {
            contents.put(range.offset(), read(reading, range));
        }
        return new Pieces(contents, length);
    }

    /// The ranges by their offsets; of those with the same one, the longest.
    private static Collection<ByteRange> longest(List<ByteRange> ranges) {
        Map<Long, ByteRange> longest = new TreeMap<>();
        for (ByteRange each : ranges) {
            if (each.length() > 0) {
                longest.merge(each.offset(), each, (a, b) -> a.contains(b) ? a : b);
            }
        }
        return longest.values();
    }

    private ArrowBuf read(Reading reading, ByteRange range) throws IOException {
        // The bytes of a file are there.
        long first = taken == null ? FIRST_BYTES : range.length();
        ArrowBuf content = allocator().buffer(Growth.size(0, range.length(), first));
        try {
            long done = 0;
            while (true) {
                long end = Math.min(content.capacity(), range.length());
                while (done < end) {
                    int bytes = (int) Math.min(WINDOW_BYTES, end - done);
                    var window = MemorySegment.ofBuffer(content.nioBuffer(done, bytes));
                    reading.read(range.offset() + done, window);
                    done += bytes;
                }
                if (done == range.length()) {
                    return content;
                }
                ArrowBuf larger = allocator().buffer(Growth.size(done, range.length(), 0));
                larger.setBytes(0, content, 0, done);
                content.close();
                content = larger;
            }
        } catch (IOException | RuntimeException | Error e) {
            content.close();
            throw e;
        }
    }

    /// The buffers of a body for checks of values.
    private record Pieces(NavigableMap<Long, ArrowBuf> contents, long length)
            implements BufferSource {
        @Override
        public void bytes(BatchCursor cursor, int field, int buffer, ByteSlice into) {
            long offset = cursor.bufferOffset(field, buffer);
            var content = contents.floorEntry(offset);
            long bytes = cursor.bufferLength(field, buffer);
            into.wrap(memory(content.getValue(), offset - content.getKey(), bytes), 0, bytes);
        }
    }

    /// {@return bytes of a buffer, whose values are verified}
    static MemorySegment memory(ArrowBuf buffer, long position, long length) {
        if (length > Integer.MAX_VALUE) {
            throw VectorErrors.unsupported(
                    "values of a buffer that is not mapped and so long cannot be checked;"
                            + " withChecksValues(false) loads them unchecked, length=%d, limit=%d",
                    length, Integer.MAX_VALUE);
        }
        return MemorySegment.ofBuffer(buffer.nioBuffer(position, (int) length));
    }

    @Override
    void need(List<ByteRange> ranges) {
        needed = ranges;
    }

    @Override
    ArrowBuf buffer(ByteRange range) {
        var content = contents.floorEntry(range.offset());
        ArrowBuf bytes = content.getValue();
        if (taken != null && !taken.add(content.getKey())) {
            ArrowBuf copy = allocator().buffer(range.length());
            copy.setBytes(0, bytes, 0, range.length());
            return copy.slice(0, range.length());
        }
        bytes.getReferenceManager().retain();
        return bytes.slice(range.offset() - content.getKey(), range.length());
    }

    @Override
    List<ArrowBuf> retained() {
        contents.values().forEach(each -> each.getReferenceManager().retain());
        return List.copyOf(contents.values());
    }

    @Override
    void leave() {
        contents.values().forEach(ArrowBuf::close);
        contents = new TreeMap<>();
        if (taken != null) {
            taken.clear();
        }
    }
}
