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

/// Chosen columns of a file as arrow-java vectors whose buffers refer to the mapped file.
///
/// ```java
/// try (var allocator = new RootAllocator();
///         var vectors = FileVectors.open(path, allocator, "price")) {
///     while (vectors.loadNext()) {
///         var prices = (Float8Vector) vectors.root().getVector("price");
///         …
///     }
/// }
/// ```
///
/// **Writing.** Vectors are writable. [#open] maps the file copy-on-write: writes are visible to
/// this reader and readers from [#share], also when a batch is loaded again, and never reach the
/// file. This needs write permission for the file. Without it, or with [VectorOptions#copies], the
/// buffers of the chosen columns are copied into the allocator's memory: see [#isCopying].
///
/// **Memory.** The allocator accounts for the buffers in use, not for other columns. Buffers of
/// compressed batches are decompressed into the allocator's memory.
///
/// **Dictionaries** are loaded when the file is opened, with all deltas. A file must not replace a
/// dictionary.
///
/// **A file truncated while mapped**: see [ArrowFile]. Opening and loading throw an
/// [UnreadableFileException]. Reading a vector throws an [InternalError] of the JVM, or crashes the
/// JVM, because Fletch does not control arrow-java's reads. Set [VectorOptions#copies] if files may
/// be truncated. Vectors of an overwritten file may have the new bytes, which are not checked;
/// arrow-java still checks the bounds of each access.
///
/// Vectors, checks, lifetime, threads and errors: see [VectorReader].
@SuppressWarnings("exports") // a module that uses this requires arrow-java itself
public final class FileVectors extends VectorReader {
    /// Longest copy of one call.
    private static final long WINDOW_BYTES = 1 << 30;

    private final Mapping mapping;
    // Null if unknown.
    private final Path path;
    private final FileIndex index;
    private final boolean isCopying;
    private final EncapsulatedMessage frame = new EncapsulatedMessage();
    private final Message message = new Message();
    private int next;

    private FileVectors(
            Mapping mapping,
            Path path,
            FileIndex index,
            ColumnPlan plan,
            BufferAllocator allocator,
            VectorOptions options) {
        super(plan, allocator, options);
        this.mapping = mapping;
        this.path = path;
        this.index = index;
        isCopying = options.copies() || !mapping.isShareable();
    }

    // ---- opening

    /// Opens columns of a file by their names, with [VectorOptions#DEFAULT].
    ///
    /// @param allocator accounts for the buffers
    /// @param columns exact names, at least one
    /// @return a reader before the first batch
    /// @throws IOException if the file cannot be read
    public static FileVectors open(Path path, BufferAllocator allocator, String... columns)
            throws IOException {
        return open(path, allocator, Columns.named(columns), VectorOptions.DEFAULT);
    }

    /// Opens columns of a file.
    ///
    /// @param allocator accounts for the buffers
    /// @param columns the columns to read
    /// @param options how to read
    /// @return a reader before the first batch
    /// @throws IOException if the file cannot be read
    public static FileVectors open(
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

    /// Opens columns of a caller's file and copies them into the allocator's memory when they are
    /// loaded. Uses only the file's memory, of any kind, and only while opening and loading.
    ///
    /// @param file an open file
    /// @param allocator of the copies
    /// @param columns the columns to read
    /// @param options how to read; replace those of the file
    /// @return a reader before the first batch
    public static FileVectors copying(
            ArrowFile file, BufferAllocator allocator, Columns columns, VectorOptions options) {
        return open(
                new Mapping(file.memory(), () -> {}),
                null,
                columns,
                null,
                allocator,
                options.withCopies(true));
    }

    /// Opens vectors that refer to the caller's memory. The caller is responsible for its lifetime:
    ///
    /// - The memory must stay valid and unchanged until `whenUnused` runs. If it is freed earlier,
    ///   such as by closing its arena, the next access to a vector may crash the JVM: arrow-java
    ///   reads raw addresses.
    /// - `whenUnused` runs once, when this reader, all readers from [#share] and all their buffers
    ///   are closed, on the thread that closes the last; also if this method throws. It may close
    ///   the arena, if the arena permits that thread.
    /// - Writing to a vector writes to this memory.
    ///
    /// @param file an open file in writable native memory
    /// @param whenUnused such as `arena::close`
    /// @param allocator accounts for the buffers
    /// @param columns the columns to read
    /// @param options how to read; replace those of the file
    /// @return a reader before the first batch
    /// @throws IllegalArgumentException if the memory is read-only, as of [ArrowFile#open], or on
    ///     the heap: use [#copying]
    public static FileVectors borrowing(
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

    /// Opens another reader for the same columns and mapping, for another thread. Both see writes
    /// to each other's vectors.
    ///
    /// @param allocator accounts for the buffers; may be the same as of this reader
    /// @return a reader before the first batch, with separate root and dictionaries
    public FileVectors share(BufferAllocator allocator) {
        requireOpen();
        mapping.retain();
        return open(mapping, path, null, plan(), allocator, options());
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
    private static FileVectors open(
            Mapping mapping,
            Path path,
            Columns columns,
            ColumnPlan known,
            BufferAllocator allocator,
            VectorOptions options) {
        FileVectors opened = null;
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
                opened = new FileVectors(mapping, path, index, plan, allocator, options);
            } catch (FletchException e) {
                FletchException found = reason(e, memory, index, options);
                throw reason(found, verifier -> verifier.footer(index.footer()));
            }
            opened.loadDictionaries();
            isComplete = true;
            return opened;
        } catch (FletchException e) {
            throw e.in(Objects.toString(path, null));
        } catch (InternalError e) {
            throw UnreadableFileException.of(path, 0, mapping.memory().byteSize(), e);
        } finally {
            if (!isComplete && opened != null) {
                opened.close();
            } else if (!isComplete) {
                mapping.release();
            }
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

    /// {@return number of record batches}
    public int batchCount() {
        return index.count(MessageHeader.RECORD_BATCH);
    }

    /// {@return whether buffers are copied into the allocator's memory: because of
    /// [VectorOptions#copies], or because the file is not writable or not in the default file
    /// system}
    public boolean isCopying() {
        return isCopying;
    }

    /// Fills the root with a batch and releases the previous one. [#loadNext] continues with the
    /// following batch.
    ///
    /// @param batch from 0 to [#batchCount] - 1, in the footer's order
    /// @throws IndexOutOfBoundsException if there is no such batch
    public void load(int batch) {
        requireOpen();
        Objects.checkIndex(batch, batchCount());
        next = batch + 1;
        load(MessageHeader.RECORD_BATCH, batch);
    }

    @Override
    public boolean loadNext() {
        requireOpen();
        if (next >= batchCount()) {
            root().clear();
            return false;
        }
        load(next);
        return true;
    }

    private void loadDictionaries() {
        int count = hasDictionaries() ? index.count(MessageHeader.DICTIONARY_BATCH) : 0;
        for (int i = 0; i < count; i++) {
            load(MessageHeader.DICTIONARY_BATCH, i);
        }
    }

    private void load(int kind, int number) {
        MemorySegment memory = mapping.memory();
        try {
            index.open(kind, number, memory, 0, frame, message);
            boolean isDictionary = kind == MessageHeader.DICTIONARY_BATCH;
            String blocks = isDictionary ? "dictionaries" : "recordBatches";
            BatchPlace place = BatchPlace.of(blocks + "[" + number + "]", frame);
            try (Body body = new Part(place, frame.bodyLength())) {
                load(message, true, body);
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
        try {
            super.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // memory has none
        }
    }

    @Override
    void closeSource() {
        mapping.release();
    }

    /// The body of a batch in the mapping.
    private final class Part implements Body {
        private final BatchPlace place;
        private final long length;

        Part(BatchPlace place, long length) {
            this.place = place;
            this.length = length;
        }

        @Override
        public BatchPlace place() {
            return place;
        }

        @Override
        public long length() {
            return length;
        }

        @Override
        public void prepare(List<ByteRange> needed) {}

        @Override
        public ArrowBuf buffer(ByteRange range) {
            ByteRange inFile = new ByteRange(place.bodyOffset() + range.offset(), range.length());
            return isCopying ? copy(inFile) : mapping.buffer(allocator(), inFile);
        }

        @Override
        public MemorySegment memory(ByteRange range) {
            return isCopying
                    ? null
                    : mapping.memory().asSlice(place.bodyOffset() + range.offset(), range.length());
        }

        private ArrowBuf copy(ByteRange range) {
            ArrowBuf copy = allocator().buffer(range.length());
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
