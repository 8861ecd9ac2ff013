// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.vectors;

import dev.fletch.Fault;
import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.StructureRule;
import dev.fletch.UnreadableFileException;
import dev.fletch.batch.Columns;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.Verifier;
import dev.fletch.format.internal.DictionaryOrder;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.FileIndex;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.ReadOptions.Level;
import dev.fletch.ipc.internal.BlockNumbers;
import dev.fletch.ipc.internal.FileTail;
import dev.fletch.remote.internal.ByteRange;
import dev.fletch.wire.Closing;
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
final class FileBatches extends VectorSource {
    /// Longest copy of one call.
    private static final long WINDOW_BYTES = 1 << 30;

    private final Mapping mapping;
    // Null if unknown.
    private final Path path;
    private final FileIndex index;
    private final BufferAllocator allocator;
    private final boolean isCopying;
    private final BlockNumbers blocks;
    private int next;

    private FileBatches(
            Mapping mapping, Path path, BufferAllocator allocator, VectorOptions options) {
        super(new EncapsulatedMessage());
        this.mapping = mapping;
        this.path = path;
        this.allocator = allocator;
        MemorySegment memory = mapping.memory();
        String name = Objects.toString(path, null);
        ReadOptions reading = options.readOptions();
        index = FileIndex.of(memory, memory.byteSize(), reading, name);
        Schema schema = new Schema();
        boolean isVerified = index.footer().schema(schema) && reading.checks(Level.STRUCTURE);
        dictionaries = isVerified ? DictionaryOrder.of(schema, reading.limits()) : _ -> true;
        blocks = BlockNumbers.of(index.footer());
        isCopying = options.copies() || !mapping.isShareable();
    }

    // ---- opening

    /// See [VectorReader#open(Path, BufferAllocator, Columns, VectorOptions)].
    static VectorReader open(
            Path path, BufferAllocator allocator, Columns columns, VectorOptions options)
            throws IOException {
        Arena arena = Arena.ofShared();
        MemorySegment memory =
                Closing.onFailure(arena::close, () -> map(path, arena, options.copies()));
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
    VectorReader share(ColumnPlan plan, BufferAllocator sharing, VectorOptions options) {
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
        try {
            var source =
                    Closing.onFailure(
                            mapping::release,
                            () -> new FileBatches(mapping, path, allocator, options));
            VectorReader opened =
                    Closing.onFailure(
                            mapping::release, () -> source.reader(columns, known, options));
            return Closing.onFailure(opened::close, () -> source.loadDictionaries(opened));
        } catch (FletchException e) {
            throw e.in(Objects.toString(path, null));
        } catch (InternalError e) {
            throw UnreadableFileException.of(path, 0, mapping.memory().byteSize(), e);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // memory has none
        }
    }

    private VectorReader loadDictionaries(VectorReader into) {
        next = into.getDictionaryIds().isEmpty() ? blocks.dictionaries() : 0;
        while (next < blocks.dictionaries()) {
            next(into);
        }
        return into;
    }

    private VectorReader reader(Columns columns, ColumnPlan known, VectorOptions options) {
        try {
            Limits limits = options.readOptions().limits();
            ColumnPlan plan = known != null ? known : plan(columns, limits);
            return new VectorReader(this, plan, allocator, options);
        } catch (FletchException e) {
            throw VectorReader.reason(
                    reason(e, options),
                    options.readOptions(),
                    verifier -> verifier.footer(index.footer()));
        }
    }

    private ColumnPlan plan(Columns columns, Limits limits) {
        Schema schema = new Schema();
        index.footer().schema(schema);
        int version = FileTail.version(index.footer(), this::bind);
        return ColumnPlan.of(schema, version, columns, limits, index::verified);
    }

    /// Finds out why a footer is malformed that was not verified completely.
    private FletchException reason(FletchException e, VectorOptions options) {
        if (e.rule() != StructureRule.MALFORMED) {
            return e;
        }
        Verifier verifier = new Verifier(options.readOptions().checks());
        long position = index.footerOffset();
        return verifier.verify(
                        Verifier.Root.FOOTER, mapping.memory(), position, index.footerLength())
                ? e
                : verifier.fault().exception();
    }

    // ---- batches

    @Override
    int batchCount() {
        return blocks.batches();
    }

    @Override
    boolean isCopying() {
        return isCopying;
    }

    @Override
    void select(int batch) {
        next = blocks.dictionaries() + Objects.checkIndex(batch, blocks.batches());
    }

    /// Loads the dictionaries, in the footer's order, then the batches.
    @Override
    boolean next(VectorReader into) {
        if (next >= blocks.count()) {
            return false;
        }
        int kind = blocks.kind(next);
        int number = blocks.index(next++);
        try {
            bind(kind, number);
            place = BatchPlace.of(BlockNumbers.path(kind, number), frame);
            into.load();
            return true;
        } catch (FletchException e) {
            Fault early = DictionaryOrder.early(e.fault(), index.footer(), number);
            FletchException placed = early == null ? e : FletchException.inInput(early, e);
            throw placed.in(Objects.toString(path, null));
        } catch (InternalError e) {
            throw unreadable(e);
        } catch (UnreadableFileException e) { // by the verifier, which knows no file
            throw e.getCause() instanceof InternalError error ? unreadable(error) : e;
        } catch (IOException e) {
            throw new UncheckedIOException(e); // memory has none
        }
    }

    private Message bind(int kind, int number) {
        index.open(kind, number, mapping.memory(), 0, frame, message);
        return message;
    }

    private UnreadableFileException unreadable(InternalError cause) {
        long mapped = mapping.memory().byteSize();
        return UnreadableFileException.of(path, frame.offset(), mapped, cause);
    }

    @Override
    public void close() {
        mapping.release();
    }

    // ---- the body of the message

    @Override
    void prepare(List<ByteRange> needed) {}

    @Override
    ArrowBuf buffer(ByteRange range) {
        return isCopying ? copy(inFile(range)) : mapping.buffer(allocator, inFile(range));
    }

    @Override
    MemorySegment memory(ByteRange range) {
        return isCopying ? null : inFile(range);
    }

    private MemorySegment inFile(ByteRange range) {
        return mapping.memory().asSlice(place.bodyOffset() + range.offset(), range.length());
    }

    private ArrowBuf copy(MemorySegment bytes) {
        ArrowBuf copy = allocator.buffer(bytes.byteSize());
        try {
            for (long done = 0; done < bytes.byteSize(); done += WINDOW_BYTES) {
                long window = Math.min(WINDOW_BYTES, bytes.byteSize() - done);
                copy.setBytes(done, bytes.asSlice(done, window).asByteBuffer());
            }
            // Without excess capacity, so that arrow-java's bounds checks use the exact length.
            return copy.slice(0, bytes.byteSize());
        } catch (RuntimeException | Error e) {
            copy.close();
            throw e;
        }
    }
}
