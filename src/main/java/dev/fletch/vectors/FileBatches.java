// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.vectors;

import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.MeaningRule;
import dev.fletch.StructureRule;
import dev.fletch.UnreadableFileException;
import dev.fletch.batch.Columns;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.Verifier;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.FileIndex;
import dev.fletch.ipc.internal.BlockNumbers;
import dev.fletch.ipc.internal.FileTail;
import dev.fletch.remote.internal.ByteRange;
import dev.fletch.wire.MappedFile;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/// The batches of a file in memory. All dictionaries are loaded when it is opened.
final class FileBatches implements VectorSource {
    /// Longest copy of one call.
    private static final long WINDOW_BYTES = 1 << 30;

    private final Mapping mapping;
    // Null if unknown.
    private final Path path;
    private final FileIndex index;
    private final BufferAllocator allocator;
    private final boolean isCopying;
    private final EncapsulatedMessage frame = new EncapsulatedMessage();
    private final Message message = new Message();
    private int next;

    private FileBatches(
            Mapping mapping,
            Path path,
            FileIndex index,
            BufferAllocator allocator,
            VectorOptions options) {
        this.mapping = mapping;
        this.path = path;
        this.index = index;
        this.allocator = allocator;
        isCopying = options.copies() || !mapping.isShareable();
    }

    // ---- opening

    /// See [VectorReader#open(Path, BufferAllocator, Columns, VectorOptions)].
    static VectorReader open(
            Path path, BufferAllocator allocator, Columns columns, VectorOptions options)
            throws IOException {
        Arena arena = Arena.ofShared();
        MemorySegment memory;
        try {
            memory = map(path, arena, options.copies());
        } catch (IOException | RuntimeException | Error e) {
            arena.close();
            throw e;
        }
        return open(new Mapping(memory, arena::close), path, columns, null, allocator, options);
    }

    /// See [VectorReader#borrowing].
    static VectorReader borrowing(
            ArrowFile file,
            Runnable whenUnused,
            BufferAllocator allocator,
            Columns columns,
            VectorOptions options) {
        Mapping mapping = new Mapping(file.memory(), whenUnused);
        if (!mapping.isShareable()) {
            mapping.release();
            throw new IllegalArgumentException(
                    "memory is not native and writable: isReadOnly="
                            + file.memory().isReadOnly()
                            + ", isNative="
                            + file.memory().isNative());
        }
        return open(mapping, null, columns, null, allocator, options);
    }

    @Override
    public VectorReader share(ColumnPlan plan, BufferAllocator sharing, VectorOptions options) {
        mapping.retain();
        return open(mapping, path, null, plan, sharing, options);
    }

    private static MemorySegment map(Path path, Arena arena, boolean copies) throws IOException {
        // Other file systems, such as zip, may rewrite a file that was opened for writing.
        boolean isDefault = path.getFileSystem().equals(FileSystems.getDefault());
        if (!copies && isDefault) {
            var both = Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE);
            try {
                return MappedFile.map(path, both, MapMode.PRIVATE, arena);
            } catch (NoSuchFileException e) {
                throw e;
            } catch (FileSystemException _) {
                // Not writable: map read-only, and copy.
            }
        }
        return MappedFile.map(path, Set.of(StandardOpenOption.READ), MapMode.READ_ONLY, arena);
    }

    /// @param columns null if the plan is known
    /// @param known null to create the plan
    static VectorReader open(
            Mapping mapping,
            Path path,
            Columns columns,
            ColumnPlan known,
            BufferAllocator allocator,
            VectorOptions options) {
        FileBatches source;
        VectorReader opened = null;
        boolean isComplete = false;
        try {
            MemorySegment memory = mapping.memory();
            FileIndex index =
                    FileIndex.of(
                            memory,
                            memory.byteSize(),
                            options.readOptions(),
                            Objects.toString(path, null));
            try {
                Limits limits = options.readOptions().limits();
                ColumnPlan plan = known != null ? known : plan(memory, index, columns, limits);
                source = new FileBatches(mapping, path, index, allocator, options);
                opened = new VectorReader(source, plan, allocator, options);
            } catch (FletchException e) {
                FletchException found = reason(e, memory, index, options);
                throw VectorReader.reason(found, verifier -> verifier.footer(index.footer()));
            }
            source.next = opened.getDictionaryIds().isEmpty() ? source.dictionaries() : 0;
            while (source.next < source.dictionaries()) {
                source.next(opened);
            }
            isComplete = true;
            return opened;
        } catch (FletchException e) {
            throw e.in(Objects.toString(path, null));
        } catch (InternalError e) {
            throw UnreadableFileException.of(path, 0, mapping.memory().byteSize(), e);
        } finally {
            if (!isComplete) {
                close(opened, mapping);
            }
        }
    }

    /// @param opened null if there is no reader yet
    private static void close(VectorReader opened, Mapping mapping) {
        if (opened == null) {
            mapping.release();
            return;
        }
        try {
            opened.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // memory has none
        }
    }

    /// Finds out why a footer is malformed that was not verified completely.
    private static FletchException reason(
            FletchException e, MemorySegment memory, FileIndex index, VectorOptions options) {
        Verifier verifier = new Verifier(options.readOptions().checks());
        return e.rule() != StructureRule.MALFORMED
                        || verifier.verify(
                                Verifier.Root.FOOTER,
                                memory,
                                index.footerOffset(),
                                index.footerLength())
                ? e
                : verifier.fault().exception();
    }

    private static ColumnPlan plan(
            MemorySegment memory, FileIndex index, Columns columns, Limits limits) {
        Schema schema = new Schema();
        FileTail.schema(index.footer(), schema, FletchException::raise);
        Message first = new Message();
        int version =
                FileTail.version(
                        index.footer(),
                        (kind, number) -> {
                            index.open(kind, number, memory, 0, new EncapsulatedMessage(), first);
                            return first;
                        });
        return ColumnPlan.of(schema, version, columns, limits, index::verified);
    }

    // ---- batches

    private int dictionaries() {
        return index.count(MessageHeader.DICTIONARY_BATCH);
    }

    @Override
    public int batchCount() {
        return index.count(MessageHeader.RECORD_BATCH);
    }

    @Override
    public boolean isCopying() {
        return isCopying;
    }

    @Override
    public void select(int batch) {
        next = dictionaries() + Objects.checkIndex(batch, batchCount());
    }

    /// Loads the dictionaries, in the footer's order, then the batches.
    @Override
    public boolean next(VectorReader into) {
        int batch = next - dictionaries();
        if (batch >= batchCount()) {
            return false;
        }
        int number = next++;
        if (batch < 0) {
            load(MessageHeader.DICTIONARY_BATCH, number, into);
        } else {
            load(MessageHeader.RECORD_BATCH, batch, into);
        }
        return true;
    }

    private void load(int kind, int number, VectorReader into) {
        MemorySegment memory = mapping.memory();
        try {
            index.open(kind, number, memory, 0, frame, message);
            BatchPlace place = BatchPlace.of(BlockNumbers.path(kind, number), frame);
            try (Body body = new Part(place, frame.bodyLength())) {
                into.load(message, true, body);
            }
        } catch (FletchException e) {
            // Not the message is wrong, but the order of the blocks.
            boolean isOrder = e.rule() == MeaningRule.DELTA_WITHOUT_DICTIONARY;
            long at = isOrder ? index.block(kind, number).position() : e.offset();
            throw e.in(Objects.toString(path, null), at);
        } catch (InternalError e) {
            throw unreadable(e);
        } catch (UnreadableFileException e) { // by the verifier, which knows no file
            throw e.getCause() instanceof InternalError error ? unreadable(error) : e;
        } catch (IOException e) {
            throw new UncheckedIOException(e); // memory has none
        }
    }

    private UnreadableFileException unreadable(InternalError cause) {
        long mapped = mapping.memory().byteSize();
        return UnreadableFileException.of(path, frame.offset(), mapped, cause);
    }

    @Override
    public void close() {
        mapping.release();
    }

    /// The body of a batch in the mapping.
    private final class Part extends Body {
        Part(BatchPlace place, long length) {
            super(place, length);
        }

        @Override
        void prepare(List<ByteRange> needed) {}

        @Override
        ArrowBuf buffer(ByteRange range) {
            ByteRange inFile = new ByteRange(place().bodyOffset() + range.offset(), range.length());
            return isCopying ? copy(inFile) : mapping.buffer(allocator, inFile);
        }

        @Override
        MemorySegment memory(ByteRange range) {
            return isCopying
                    ? null
                    : mapping.memory()
                            .asSlice(place().bodyOffset() + range.offset(), range.length());
        }

        private ArrowBuf copy(ByteRange range) {
            ArrowBuf copy = allocator.buffer(range.length());
            try {
                long done = 0;
                while (done < range.length()) {
                    long bytes = Math.min(WINDOW_BYTES, range.length() - done);
                    var window = mapping.memory().asSlice(range.offset() + done, bytes);
                    copy.setBytes(done, window.asByteBuffer());
                    done += bytes;
                }
                // Without excess capacity, so that arrow-java's bounds checks use the exact length.
                return copy.slice(0, range.length());
            } catch (RuntimeException | Error e) {
                copy.close();
                throw e;
            }
        }

        @Override
        public void close() {}
    }
}
