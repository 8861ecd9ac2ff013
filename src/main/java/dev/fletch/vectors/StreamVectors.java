// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.vectors;

import dev.fletch.BatchException;
import dev.fletch.FletchException;
import dev.fletch.format.Field;
import dev.fletch.format.Message;
import dev.fletch.format.MessageHeader;
import dev.fletch.format.Schema;
import dev.fletch.format.Verifier;
import dev.fletch.ipc.FrameKind;
import dev.fletch.ipc.MessageReader;
import dev.fletch.ipc.walk.FrameCheck;
import dev.fletch.range.ByteRange;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/// Chosen columns of a stream as arrow-java vectors. Only the buffers of these columns are read
/// into the allocator's memory; the rest of each body is skipped, by seeking if the channel
/// supports it.
///
/// ```java
/// try (var vectors = StreamVectors.open(socket.getInputStream(), allocator, "price")) {
///     while (vectors.loadNext()) {
///         …
///     }
/// }
/// ```
///
/// **Dictionaries.** A dictionary batch replaces its dictionary, or appends to it. Both modify the
/// vectors returned by [#lookup].
///
/// **Untrusted lengths.** Memory grows with the bytes received: a length alone allocates at most 16
/// MiB.
///
/// Vectors, checks, lifetime, threads and errors: see [VectorReader]. A stream that ends inside a
/// message throws an [dev.fletch.ipc.ArrowFormatException].
@SuppressWarnings("exports") // a module that uses this requires arrow-java itself
public final class StreamVectors extends VectorReader {
    private static final long FIRST_BYTES = 16 << 20;

    /// Longest read of one call.
    private static final long WINDOW_BYTES = 1 << 30;

    private final MessageReader reader;
    private final Message message = new Message();
    private int batches;
    private int dictionaryBatches;

    private StreamVectors(
            MessageReader reader,
            ColumnPlan plan,
            BufferAllocator allocator,
            VectorOptions options) {
        super(plan, allocator, options);
        this.reader = reader;
    }

    // ---- opening

    /// Opens columns of a stream by their names, with [VectorOptions#DEFAULT].
    ///
    /// @param in any stream; closed by [#close], and if this fails
    /// @param allocator of the buffers
    /// @param columns exact names, at least one
    /// @return a reader before the first batch
    public static StreamVectors open(InputStream in, BufferAllocator allocator, String... columns)
            throws IOException {
        return open(in, allocator, Columns.named(columns), VectorOptions.DEFAULT);
    }

    /// Opens columns of a stream.
    ///
    /// @param in any stream; closed by [#close], and if this fails
    /// @param allocator of the buffers
    /// @param columns the columns to read
    /// @param options how to read
    /// @return a reader before the first batch
    public static StreamVectors open(
            InputStream in, BufferAllocator allocator, Columns columns, VectorOptions options)
            throws IOException {
        return of(MessageReader.of(in, options.readOptions()), allocator, columns, options);
    }

    /// Opens columns of a reader's stream.
    ///
    /// @param reader before the schema message; not used by the caller any more. Closed by
    ///     [#close], and if this fails
    /// @param allocator of the buffers
    /// @param columns the columns to read
    /// @param options how to read; the reader has its own [VectorOptions#readOptions]
    /// @return a reader before the first batch
    public static StreamVectors of(
            MessageReader reader, BufferAllocator allocator, Columns columns, VectorOptions options)
            throws IOException {
        try {
            Message first = new Message();
            FrameKind kind = reader.next(first);
            if (kind != FrameKind.MESSAGE || first.headerType() != MessageHeader.SCHEMA) {
                throwUnexpected(kind, first, "Schema");
            }
            Schema schema = new Schema();
            requireHeader(first.header(schema));
            ColumnPlan plan =
                    ColumnPlan.of(
                            schema,
                            first.version(),
                            columns,
                            options.readOptions().limits(),
                            field -> verified(field, options));
            return new StreamVectors(reader, plan, allocator, options);
        } catch (IOException | RuntimeException | Error e) {
            try {
                reader.close();
            } catch (IOException closing) {
                e.addSuppressed(closing);
            }
            throw e;
        }
    }

    private static Field verified(Field field, VectorOptions options) {
        Verifier verifier = new Verifier(options.readOptions().verifierOptions());
        if (!verifier.field(field)) {
            throw verifier.fault().exception();
        }
        return field;
    }

    private static void throwUnexpected(FrameKind kind, Message found, String expected) {
        boolean isMessage = kind == FrameKind.MESSAGE;
        String name = isMessage ? MessageHeader.NAMES.name(found.headerType()) : kind.toString();
        FrameCheck.unexpectedKind(
                FletchException.NO_OFFSET,
                isMessage ? found.headerType() : MessageHeader.NONE,
                "found=" + name + ", expected=" + expected,
                BatchException::raise);
    }

    // ---- batches

    @Override
    public boolean loadNext() throws IOException {
        requireOpen();
        root().clear();
        while (reader.next(message) == FrameKind.MESSAGE) {
            int kind = message.headerType();
            if (kind == MessageHeader.RECORD_BATCH) {
                load("recordBatches[" + batches++ + "]", null);
                return true;
            }
            if (kind != MessageHeader.DICTIONARY_BATCH) {
                throwUnexpected(FrameKind.MESSAGE, message, "RecordBatch or DictionaryBatch");
            }
            String place = "dictionaries[" + dictionaryBatches++ + "]";
            Long id = dictionaryId(message);
            if (id != null) {
                load(place, id);
            }
        }
        return false;
    }

    /// @param dictionary its id; null for a record batch
    private void load(String place, Long dictionary) throws IOException {
        try (Parts body = new Parts(reader.frame().bodyLength())) {
            if (dictionary == null) {
                loadBatch(message, body);
            } else {
                loadDictionary(message, dictionary, true, body);
            }
        } catch (BatchException e) {
            throw e.in(null, place, reader.frame().inputOffset(0));
        }
    }

    @Override
    void closeSource() throws IOException {
        reader.close();
    }

    /// The parts of a body that are read.
    private final class Parts implements Body {
        private final long length;
        // By their offsets in the body.
        private final NavigableMap<Long, ArrowBuf> contents = new TreeMap<>();

        Parts(long length) {
            this.length = length;
        }

        @Override
        public long length() {
            return length;
        }

        /// Reads the needed ranges and skips the rest, which checks that the message is complete.
        @Override
        public void prepare(List<ByteRange> needed) throws IOException {
            for (ByteRange range : ByteRange.union(needed)) {
                contents.put(range.offset(), read(range));
            }
            reader.skipBody();
        }

        private ArrowBuf read(ByteRange range) throws IOException {
            ArrowBuf content = allocator().buffer(Math.min(range.length(), FIRST_BYTES));
            try {
                long done = 0;
                while (true) {
                    long end = Math.min(content.capacity(), range.length());
                    while (done < end) {
                        int bytes = (int) Math.min(WINDOW_BYTES, end - done);
                        var window = MemorySegment.ofBuffer(content.nioBuffer(done, bytes));
                        reader.readBodyPart(range.offset() + done, window);
                        done += bytes;
                    }
                    if (done == range.length()) {
                        return content;
                    }
                    ArrowBuf larger = allocator().buffer(Math.min(range.length(), 2 * done));
                    larger.setBytes(0, content, 0, done);
                    content.close();
                    content = larger;
                }
            } catch (IOException | RuntimeException | Error e) {
                content.close();
                throw e;
            }
        }

        @Override
        public ArrowBuf buffer(ByteRange range) {
            var content = contents.floorEntry(range.offset());
            content.getValue().getReferenceManager().retain();
            return content.getValue().slice(range.offset() - content.getKey(), range.length());
        }

        @Override
        public MemorySegment memory(ByteRange range) {
            return null;
        }

        @Override
        public void close() {
            contents.values().forEach(ArrowBuf::close);
            contents.clear();
        }
    }
}
