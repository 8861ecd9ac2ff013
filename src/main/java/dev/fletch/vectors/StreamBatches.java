// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.vectors;

import dev.fletch.FletchException;
import dev.fletch.batch.Columns;
import dev.fletch.format.FrameKind;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.internal.BatchCounts;
import dev.fletch.format.internal.DictionaryOrder;
import dev.fletch.input.InputFaults;
import dev.fletch.ipc.MessageReader;
import dev.fletch.ipc.internal.BlockNumbers;
import dev.fletch.remote.internal.ByteRange;
import dev.fletch.wire.Closing;
import dev.fletch.wire.Growth;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/// The batches of a stream. Only the buffers of the chosen columns are read into the allocator's
/// memory; the rest of each body is skipped, by seeking if the channel supports it.
final class StreamBatches extends VectorSource {
    private static final long FIRST_BYTES = 16 << 20;

    /// Longest read of one call.
    private static final long WINDOW_BYTES = 1 << 30;

    private final MessageReader reader;
    private final BufferAllocator allocator;
    // The parts of the body that were read, by their offsets there.
    private final NavigableMap<Long, ArrowBuf> contents = new TreeMap<>();
    private int batches;
    private int dictionaryBatches;

    private StreamBatches(MessageReader reader, BufferAllocator allocator) {
        super(reader.frame());
        this.reader = reader;
        this.allocator = allocator;
    }

    // ---- opening

    /// See [VectorReader#open(MessageReader, BufferAllocator, Columns, VectorOptions)].
    static VectorReader open(
            MessageReader reader, BufferAllocator allocator, Columns columns, VectorOptions options)
            throws IOException {
        return Closing.onFailure(
                reader::close,
                () -> {
                    Message first = new Message();
                    reader.next(first);
                    InputFaults.requireSchema(reader.frame(), first);
                    return open(reader, first, allocator, columns, options);
                });
    }

    /// @param first bound to the schema message that the reader has read last
    private static VectorReader open(
            MessageReader reader,
            Message first,
            BufferAllocator allocator,
            Columns columns,
            VectorOptions options) {
        try {
            Schema schema = new Schema();
            VectorReader.requireHeader(first.header(schema), first);
            ColumnPlan plan =
                    ColumnPlan.of(
                            schema,
                            first.version(),
                            columns,
                            options.readOptions().limits(),
                            _ -> {}); // the message was verified completely
            var source = new StreamBatches(reader, allocator);
            long[] ids = DictionaryOrder.ids(schema, options.readOptions().limits());
            source.dictionaries = DictionaryOrder.of(ids); // the schema is not bound for long
            return new VectorReader(source, plan, allocator, options);
        } catch (FletchException e) {
            throw VectorErrors.in(
                    BatchPlace.of(null, reader.frame()),
                    VectorReader.reason(
                            e, options.readOptions(), verifier -> verifier.message(first)));
        }
    }

    // ---- batches

    @Override
    boolean next(VectorReader into) throws IOException {
        while (reader.next(message) == FrameKind.MESSAGE) {
            int kind = message.headerType();
            boolean isBatch = kind == MessageHeader.RECORD_BATCH;
            String batch =
                    BatchCounts.isBatch(kind)
                            ? BlockNumbers.path(kind, isBatch ? batches++ : dictionaryBatches++)
                            : null; // refused
            place = BatchPlace.of(batch, frame);
            into.load();
            if (isBatch) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }

    // ---- the body of the message

    /// Reads the needed ranges and skips the rest, which checks that the message is complete.
    @Override
    void prepare(List<ByteRange> needed) throws IOException {
        for (ByteRange range : ByteRange.union(needed)) {
            contents.put(range.offset(), read(range));
        }
        reader.skipBody();
    }

    private ArrowBuf read(ByteRange range) throws IOException {
        ArrowBuf content = allocator.buffer(Growth.size(0, range.length(), FIRST_BYTES));
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
                ArrowBuf larger = allocator.buffer(Growth.size(done, range.length(), 0));
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
    ArrowBuf buffer(ByteRange range) {
        var content = contents.floorEntry(range.offset());
        content.getValue().getReferenceManager().retain();
        return content.getValue().slice(range.offset() - content.getKey(), range.length());
    }

    @Override
    MemorySegment memory(ByteRange range) {
        return null;
    }

    @Override
    void leave() {
        contents.values().forEach(ArrowBuf::close);
        contents.clear();
    }
}
