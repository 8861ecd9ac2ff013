// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.input;

import dev.fletch.Fault;
import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.format.BatchCodec;
import dev.fletch.format.Block;
import dev.fletch.format.Buffer;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.FrameKind;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.internal.BatchCounts;
import dev.fletch.format.internal.BufferRange;
import dev.fletch.format.internal.CompressedBuffer;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.FileIndex;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.internal.ContainerPart;
import dev.fletch.ipc.internal.ContainerPlan;
import dev.fletch.ipc.internal.FileHead;
import dev.fletch.ipc.internal.FooterBlocks;
import dev.fletch.ipc.internal.MessageBytes;
import dev.fletch.ipc.internal.MessageFinder;
import dev.fletch.ipc.internal.MessageVisitor;
import dev.fletch.ipc.internal.MessageWalk;
import dev.fletch.ipc.internal.OtherFormat;
import dev.fletch.ipc.internal.Work;
import dev.fletch.remote.RangeSource;
import dev.fletch.remote.errors.RangeException;
import dev.fletch.remote.internal.ByteRange;
import dev.fletch.remote.internal.RangeReader;
import dev.fletch.wire.MessagePrefix;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Reads the parts of a remote object that a command needs into a sparse temporary file, at their
/// original offsets, so that commands treat remote and local files alike. [#has] returns which
/// parts were read.
///
/// For a file it reads the footer and the headers of the footer's blocks; for a stream, or a file
/// without a usable footer, it reads header after header. Memory, disk space and traffic are
/// limited; for [Need#ALL], by the free space of the temporary folder.
final class RemoteBytes {
    /// Limit for an object of unknown format, and for bytes between messages.
    private static final long MAX_UNKNOWN_BYTES = 16 << 20;

    /// Limit for all headers of a file.
    private static final long MAX_HEADER_BYTES = 1L << 30;

    private static final int[] KINDS = {MessageHeader.DICTIONARY_BATCH, MessageHeader.RECORD_BATCH};

    private final RangeSource source;
    private final RangeReader reader;
    private final int window;
    private final FileChannel file;
    // The file, mapped.
    private MemorySegment memory;
    private final long size;
    private final ReadOptions options;
    // Ranges that were read, disjoint: end by start.
    private final TreeMap<Long, Long> loaded = new TreeMap<>();
    private long bytesLoaded;
    // How many will be, if that is known; else 0.
    private long total;
    private FletchException refusal;

    /// Makes the file as large as the object.
    ///
    /// @param reader of the source
    /// @param end the last bytes of the object
    /// @param file gets the bytes
    /// @param window number of bytes to read where the needed length is unknown
    RemoteBytes(
            RangeSource source,
            RangeReader reader,
            byte[] end,
            FileChannel file,
            int window,
            Limits limits)
            throws IOException {
        this.source = source;
        this.options = ReadOptions.DEFAULT.withLimits(limits);
        this.reader = reader;
        this.window = window;
        this.file = file;
        this.size = reader.size();
        try {
            write(size - end.length, MemorySegment.ofArray(end));
        } catch (IOException e) {
            String why = "object is too large for a temporary file: size=" + size;
            throw failed(size - end.length, end.length, why + ": " + e.getMessage(), e);
        }
        add(new ByteRange(size - end.length, end.length));
    }

    /// Reads the needed parts of the object into the mapped file.
    void read(Need need, MemorySegment mapped) throws IOException {
        memory = mapped;
        if (need == Need.ALL) {
            long free = TemporaryFile.free();
            if (size > free) {
                String sizes = "size=" + size + ", free=" + free;
                throw failed(0, size, "object does not fit the temporary folder: " + sizes, null);
            }
            total = size;
            load(0, size);
            return;
        }
        FileIndex index = footer();
        if (index != null) {
            file(index, need);
        }
        if (index == null || !FileHead.hasMagic(memory, 0)) {
            stream(need);
        }
    }

    /// Reads the prefixes of compressed buffers of all messages.
    ///
    /// @param bytes these
    void loadPrefixes(InputBytes bytes) throws IOException {
        Input input = Input.of(bytes, options);
        RecordBatch batch = new RecordBatch();
        DictionaryBatch dictionary = new DictionaryBatch();
        BatchCodec codec = new BatchCodec();
        Buffer buffer = new Buffer();
        while (input.next()) {
            if (!BatchCounts.find(input.message, dictionary, batch) || !codec.read(batch)) {
                continue;
            }
            EncapsulatedMessage frame = input.frame();
            List<ByteRange> prefixes = new ArrayList<>();
            for (int i = 0; i < batch.buffersCount(); i++) {
                batch.buffers(i, buffer);
                long length = buffer.length();
                if (length != 0
                        && BufferRange.isInside(buffer.offset(), length, frame.bodyLength())) {
                    long prefix = Math.min(CompressedBuffer.PREFIX_BYTES, length);
                    prefixes.add(new ByteRange(frame.bodyOffset() + buffer.offset(), prefix));
                }
            }
            load(prefixes);
        }
    }

    /// Whether the bytes of a range, up to the object's end, were read.
    boolean has(long offset, long length) {
        Map.Entry<Long, Long> before = loaded.floorEntry(offset);
        return offset >= size
                || before != null && before.getValue() - offset >= Math.min(length, size - offset);
    }

    /// Number of bytes at the object's start that were read.
    long leadingBytes() {
        Map.Entry<Long, Long> first = loaded.firstEntry();
        return first.getKey() == 0 ? first.getValue() : 0;
    }

    /// Why the object is not readable as Arrow; null if no reason is known.
    FletchException refusal() {
        return refusal;
    }

    private void load(long offset, long length) throws IOException {
        load(List.of(new ByteRange(offset, Math.min(length, size - offset))));
    }

    /// Reads further ranges, without bytes that were read before.
    void load(List<ByteRange> ranges) throws IOException {
        List<ByteRange> missing = new ArrayList<>();
        for (ByteRange range : ByteRange.union(ranges)) {
            long position = range.offset();
            while (position < range.end()) {
                Map.Entry<Long, Long> before = loaded.floorEntry(position);
                if (before != null && before.getValue() > position) {
                    position = before.getValue();
                    continue;
                }
                Long next = loaded.higherKey(position);
                long end = next == null ? range.end() : Math.min(next, range.end());
                missing.add(new ByteRange(position, end - position));
                position = end;
            }
        }
        reader.read(
                missing,
                (range, offset, part) -> write(missing.get(range).offset() + offset, part));
        missing.forEach(this::add);
    }

    private void add(ByteRange range) {
        Map.Entry<Long, Long> before = loaded.floorEntry(range.offset());
        boolean isAdjacent = before != null && before.getValue() == range.offset();
        Long end = loaded.remove(range.end()); // of the range after it
        loaded.put(isAdjacent ? before.getKey() : range.offset(), end == null ? range.end() : end);
    }

    private void write(long position, MemorySegment part) throws IOException {
        TemporaryFile.write(file, part.asByteBuffer(), position);
        bytesLoaded += part.byteSize();
        Work.reached(bytesLoaded, total);
    }

    // ---- a file

    /// Reads the footer; returns null if there is none that is usable.
    private FileIndex footer() throws IOException {
        try {
            MemorySegment tail = memory.asSlice(size - FileIndex.TAIL_BYTES);
            ByteRange footer = reader.footer(tail, options.limits());
            load(List.of(footer));
            MemorySegment end = memory.asSlice(footer.offset());
            return FileIndex.of(end, size, options, source.name());
        } catch (FletchException _) {
            return null;
        }
    }

    private void require(String what, long bytes, long limit) throws IOException {
        if (bytes > limit) {
            String sizes = "bytes=" + bytes + ", limit=" + limit;
            throw failed(0, size, what + " is too large for a remote input: " + sizes, null);
        }
    }

    /// An error that has the object's name apart from its text.
    RangeException failed(long offset, long length, String reason, IOException cause) {
        return new RangeException(source.name(), offset, length, reason, cause);
    }

    /// Reads the headers of all valid blocks. Opening an invalid block reports its fault.
    private void file(FileIndex index, Need need) throws IOException {
        List<ByteRange> headers = new ArrayList<>();
        for (int kind : KINDS) {
            for (int i = 0; i < index.count(kind); i++) {
                try {
                    Block block = index.block(kind, i);
                    headers.add(new ByteRange(block.offset(), index.headerLength(block)));
                } catch (FletchException _) {
                    // Skip the block; others may be valid.
                }
            }
        }
        List<ByteRange> ranges = new ArrayList<>();
        if (need != Need.SCHEMA) {
            ranges.addAll(ByteRange.union(headers));
            long bytes = ranges.stream().mapToLong(ByteRange::length).sum();
            require("sum of headers", bytes, MAX_HEADER_BYTES);
        }
        FooterBlocks blocks = new FooterBlocks(index.footer(), index.footerOffset());
        between(blocks, index.footerLength(), need, ranges);
        load(ranges);
        if (need != Need.SCHEMA && size <= MAX_UNKNOWN_BYTES && blocks.mayPlan(memory)) {
            load(0, size); // messages after damage are searched
        }
    }

    /// Adds the needed bytes outside all blocks: before the first block the magic and the schema
    /// message, which is about as long as the footer; after the last one the end-of-stream marker;
    /// or all such bytes.
    private void between(FooterBlocks blocks, int footerLength, Need need, List<ByteRange> ranges)
            throws IOException {
        List<ByteRange> all = new ArrayList<>();
        blocks.gaps(0, (from, to, _) -> all.add(new ByteRange(from, Math.max(0, to - from))));
        List<ByteRange> gaps = ByteRange.union(all);
        if (need == Need.ALL_BUT_BODIES) {
            long bytes = gaps.stream().mapToLong(ByteRange::length).sum();
            require("sum of gaps between messages", bytes, MAX_UNKNOWN_BYTES);
            ranges.addAll(gaps);
            return;
        }
        ByteRange head = gaps.getFirst();
        if (need == Need.SCHEMA) {
            ranges.add(new ByteRange(0, Math.min(head.length(), FileHead.USUAL_BYTES)));
            return;
        }
        long schema = FileHead.MAX_BYTES + footerLength + window;
        ranges.add(new ByteRange(0, Math.min(head.length(), schema)));
        ByteRange behind = all.getLast();
        long marker = Math.min(behind.length(), MessagePrefix.BYTES);
        ranges.add(new ByteRange(behind.offset(), marker));
    }

    // ---- a stream

    /// Reads header after header, up to the end of the messages.
    private void stream(Need need) throws IOException {
        load(0, window);
        ArrowContainer container = DetectedInput.container(memory);
        if (container == null) {
            if (size <= MAX_UNKNOWN_BYTES) {
                load(0, size);
            } else {
                refusal = OtherFormat.exception(memory);
            }
            return;
        }
        long position = 0;
        if (container == ArrowContainer.FILE) {
            if (need != Need.SCHEMA && size <= MAX_UNKNOWN_BYTES) {
                load(0, size); // messages after damage are searched
                return;
            }
            position = loadHead();
        }
        HeaderLoading headers = new HeaderLoading(position, container == ArrowContainer.FILE, need);
        position = need == Need.SCHEMA ? headers.first() : headers.all();
        if ((headers.isDamaged || headers.areBytesBehindMarker()) && size <= MAX_UNKNOWN_BYTES) {
            load(0, size); // messages after damage are searched, and another stream
        }
        if (need == Need.ALL_BUT_BODIES && position < size) {
            require("part after the last message", size - position, MAX_UNKNOWN_BYTES);
            load(position, size);
        }
    }

    /// Reads the head of a file, and the schema message behind it if that has no prefix.
    ///
    /// @return offset of the first message with a prefix
    private long loadHead() throws IOException {
        long last = Math.min(size, FileHead.MAX_UNFRAMED_BYTES);
        FileHead head = FileHead.of(memory, Math.min(size, window));
        long unframedEnd = head.unframedSchemaEnd();
        // Its padding may go on behind what is there.
        while ((unframedEnd == 0 || ContainerPlan.mayBePadding(head.end() - unframedEnd))
                && head.end() < last
                && FileHead.mayBeUnframedSchema(memory, head.length(), size)) {
            load(0, Math.min(2 * head.end(), last));
            head = FileHead.of(memory, Math.min(2 * head.end(), last));
            unframedEnd = head.unframedSchemaEnd();
        }
        return Math.max(head.length(), unframedEnd);
    }

    /// Reads each header before it is opened.
    private final class HeaderLoading implements MessageVisitor {
        private final MessageBytes bytes;
        private final MessageWalk walk;
        private final Need need;
        // Offset of the last message, marker or damage.
        private long at;
        private boolean isDamaged;

        HeaderLoading(long start, boolean isFile, Need need) {
            this.need = need;
            bytes = MessageBytes.of(memory, start, size);
            var opener =
                    new OpenedMessages(null, new EncapsulatedMessage(options), new Message(), this);
            walk = new MessageWalk(bytes, 0, false, isFile, opener, this);
        }

        /// Reads the first header, and what follows its message.
        ///
        /// @return offset of what was read last
        long first() throws IOException {
            if (walk.next()) {
                begin(walk.at(), walk.count(), null);
            }
            return at;
        }

        /// Whether bytes follow the marker, such as another stream.
        boolean areBytesBehindMarker() {
            return walk.markerEnd() >= 0 && walk.markerEnd() < size;
        }

        /// Reads all headers.
        ///
        /// @return offset of what was read last
        long all() throws IOException {
            while (walk.next()) {
                Work.reached(walk.at(), size);
            }
            return at;
        }

        @Override
        public void begin(long offset, int index, ContainerPart part) throws IOException {
            at = offset;
            loadHeader(at);
            // Else the message before it may have a wrong length.
            isDamaged |= index > 0 && !walk.mayFollow(at);
        }

        @Override
        public void opened(FrameKind kind) throws IOException {
            if (kind == FrameKind.END_OF_STREAM) {
                loadHeader(loadBehind(bytes.offset())); // another stream may follow
            }
        }

        /// Reads what follows a marker, as far as the walk looks for another stream.
        ///
        /// @return offset of what is neither zeros nor a marker
        private long loadBehind(long from) throws IOException {
            long to = from;
            long behind = from;
            while (to < size
                    && to - behind < MessagePrefix.BYTES
                    && to - from < MessageFinder.MAX_ZEROS) {
                long more = Math.min(Math.max(window, to - from), size - to);
                load(to, more);
                to += more;
                behind = MessageWalk.behindMarkers(memory, from, to);
            }
            return behind;
        }

        @Override
        public boolean nextStream(long next, boolean isBehindMarker) {
            return !isBehindMarker || need == Need.ALL_BUT_BODIES; // verifying checks all
        }

        @Override
        public void accept(Fault fault) {
            isDamaged = true;
        }
    }

    /// Reads the prefix at an offset, and the metadata after it unless it is too long.
    private void loadHeader(long position) throws IOException {
        if (!has(position, MessagePrefix.BYTES)) {
            load(position, window);
        }
        int length =
                MessagePrefix.metadataLength(MessagePrefix.read(memory, position, size - position));
        if (length > 0 && length <= options.limits().metadataBytes()) {
            load(position, MessagePrefix.BYTES + (long) length);
        }
    }
}
