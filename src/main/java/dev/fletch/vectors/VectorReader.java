// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.vectors;

import dev.fletch.Check;
import dev.fletch.Checks;
import dev.fletch.FletchException;
import dev.fletch.MeaningRule;
import dev.fletch.Rule.Severity;
import dev.fletch.StructureRule;
import dev.fletch.UnreadableFileException;
import dev.fletch.ValueRule;
import dev.fletch.arrow.internal.BatchSequence;
import dev.fletch.arrow.internal.FileSource;
import dev.fletch.arrow.internal.Source;
import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BatchLayout;
import dev.fletch.batch.BufferSource;
import dev.fletch.batch.Columns;
import dev.fletch.batch.DecompressedBuffers;
import dev.fletch.batch.DictionaryValues;
import dev.fletch.compression.LibraryDecompressor;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.BatchCodec;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.internal.BatchCounts;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.MessageReader;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.ReadOptions.Level;
import dev.fletch.ipc.internal.DictionaryNeeds;
import dev.fletch.ipc.internal.FrameCheck;
import dev.fletch.remote.internal.ByteRange;
import dev.fletch.verify.messages.SemanticVerifier;
import dev.fletch.verify.messages.ValueFault;
import dev.fletch.wire.Closing;
import dev.fletch.wire.MappedFile;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.types.UnionMode;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.ScopedValue.CallableOp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;

/// Fills a [VectorSchemaRoot] with chosen columns of a file or stream, one batch at a time. The
/// vectors of a file refer to its mapped memory.
///
/// ```java
/// try (var allocator = new RootAllocator();
///         var vectors = VectorReader.open(path, allocator, "price")) {
///     while (vectors.loadNext()) {
///         var prices = (Float8Vector) vectors.root().getVector("price");
///         …
///     }
/// }
/// ```
///
/// **Vectors.** The root has the form of arrow-java's own readers: dictionary-encoded fields have
/// indices, and this reader provides the dictionaries. Its schema has the chosen columns and all
/// custom metadata. Registered extension types have their own vectors, others those of their
/// storage type. arrow-java allocates validity buffers that are absent, of one bit a value: for
/// structs and fixed-size lists whose values have no bytes, at most 16 MiB, or as much as the body
/// has. Columns whose buffers share bytes have one each: limit the allocator for untrusted input.
/// Children of unions are in the order of the schema.
///
/// **Checks** are those of [dev.fletch.arrow.BatchReader] with the same [ReadOptions]: the same
/// input is refused, by the same rule. At each level, each buffer must be inside the body and long
/// enough for the field's length. With [VectorOptions#checksValues], all values are verified, too:
/// below [Level#VALUES], except for null counts, as arrow-java counts nulls itself, and for the
/// type ids that it writes for nulls of unions. In addition, arrow-java checks the bounds of each
/// access, unless `arrow.enable_unsafe_memory_access` disables that.
///
/// **Lifetime.** [#close] closes the root, the dictionaries and the source. Buffers that are still
/// referenced, such as those of a root from [#take], stay valid: closing the last one frees the
/// memory. Buffers that were copied from one body may share one allocation: one that is kept keeps
/// the others. Closing the allocator reports buffers and readers that are still open.
///
/// **Files.** The allocator accounts for the buffers in use, not for other columns. Buffers of
/// compressed batches are decompressed into its memory. Dictionaries are loaded when the file is
/// opened, with all deltas; a file must not replace a dictionary.
///
/// Vectors are writable. [#open(Path, BufferAllocator, Columns, VectorOptions)] maps the file
/// copy-on-write: writes are visible to this reader and readers from [#share], also when a batch is
/// loaded again, and never reach the file. This needs write permission for the file. Without it, or
/// with [VectorOptions#copies], the buffers of the chosen columns are copied into the allocator's
/// memory: see [#isCopying].
///
/// A file truncated while mapped: see [ArrowFile]. Opening and loading throw an
/// [UnreadableFileException]. Reading a vector throws an [InternalError] of the JVM, or crashes the
/// JVM, because Fletch does not control arrow-java's reads. Set [VectorOptions#copies] if files may
/// be truncated. Vectors of an overwritten file may have the new bytes, which are not checked;
/// arrow-java still checks the bounds of each access.
///
/// **Streams.** Only the buffers of the chosen columns are read into the allocator's memory; the
/// rest of each body is skipped, by seeking if the channel supports it. Checks of whole bodies, as
/// [Check#UNCOMPRESSED_SIZES], read the body and then copy the buffers. A dictionary batch replaces
/// its dictionary, or appends to it: both modify the vectors returned by [#lookup]. Memory grows
/// with the bytes received: a length alone allocates at most 16 MiB.
///
/// **Errors.** A [FletchException], also if a stream ends inside a message; the root is then empty.
/// Behind a dictionary batch that cannot be loaded, batches that need the dictionary are refused
/// until it is defined again. Dictionary batches of columns that are not chosen are passed; one of
/// no field is refused, except in a file of which only the chosen columns are verified.
/// arrow-java's [OutOfMemoryException] if the allocator's limit is reached. [IllegalStateException]
/// if the reader is closed.
///
/// **Threads.** A reader, its root and its dictionaries belong to one thread at a time. Buffers may
/// be closed by any thread.
@SuppressWarnings("exports") // a module that uses this requires arrow-java itself
public final class VectorReader implements DictionaryProvider, AutoCloseable {
    /// Memory that a batch may allocate for validity because of lengths alone, unless its body is
    /// longer.
    private static final long MOST_UNBACKED = 16 << 20;

    /// Type id that arrow-java reads and writes for nulls of dense unions.
    private static final int NULL_OF_DENSE_UNION = -1;

    /// Type id of nulls of sparse unions.
    private static final int NULL_OF_SPARSE_UNION = 0;

    private final BatchSequence sequence;
    private final Source source;
    private final VectorBody body;
    // Null for a stream.
    private final Mapping mapping;
    // Null if unknown.
    private final Path path;
    private final BufferAllocator allocator;
    private final VectorOptions options;
    private final ColumnPlan plan;
    private final Schema schema;
    private final Map<Long, Dictionary> dictionaries = new HashMap<>();
    private final Map<Long, FieldPart> dictionaryParts = new HashMap<>();
    // Of the dictionaries with deltas.
    private final Map<Long, GrowingPart> growingParts = new HashMap<>();
    // Of the dictionaries that values are verified with.
    private final Map<Long, List<ArrowBuf>> kept = new HashMap<>();
    private VectorSchemaRoot root;
    private List<FieldPart> columns;
    private boolean isClosed;
    // One byte, so that closing the allocator reports a reader that is still open.
    private final ArrowBuf held;

    private final RecordBatch batch = new RecordBatch();
    private final BatchCodec codec = new BatchCodec();

    /// Opens a file in memory, or a stream.
    ///
    /// @param columns null if the plan is known
    /// @param known null to create the plan
    private VectorReader(
            Source source,
            VectorBody body,
            Mapping mapping,
            Path path,
            Columns columns,
            ColumnPlan known,
            VectorOptions options)
            throws IOException {
        this.source = source;
        this.body = body;
        this.mapping = mapping;
        this.path = path;
        this.options = options;
        allocator = body.allocator();
        source.name = Objects.toString(path, null);
        sequence = new BatchSequence(source, options.readOptions(), new Use());
        sequence.open();
        try {
            plan = known == null ? plan(columns) : known;
            List<Field> fields = new ArrayList<>();
            for (Field field : plan.fields()) {
                fields.add(inMemory(field));
            }
            schema = new Schema(fields, plan.metadata());
            makeRoot();
        } catch (FletchException e) {
            throw sequence.inSchema(reason(e, each -> each.schema(sequence.schema())));
        }
        boolean checks =
                options.checksValues() && this.columns.stream().anyMatch(FieldPart::refers);
        int all = sequence.schema().fieldsCount();
        sequence.use(plan.layout(), plan.layout().columnCount() == all, checks);
        held = allocator.buffer(1);
    }

    private ColumnPlan plan(Columns of) {
        return ColumnPlan.of(
                sequence.schema(),
                sequence.version(),
                of,
                options.readOptions().limits(),
                sequence::verify);
    }

    /// {@return the field of the vector: indices if it is dictionary-encoded} Creates the
    /// dictionaries as arrow-java does, but remembers their fields: the field that the vector of a
    /// union returns has its children in another order, and other type ids.
    private Field inMemory(Field field) {
        List<Field> children = field.getChildren().stream().map(this::inMemory).toList();
        DictionaryEncoding encoding = field.getDictionary();
        if (encoding == null) {
            return new Field(field.getName(), field.getFieldType(), children);
        }
        long id = encoding.getId();
        if (!dictionaries.containsKey(id)) {
            FieldType type = new FieldType(field.isNullable(), field.getType(), null);
            FieldPart values = part(new Field("DICT" + id, type, children));
            dictionaryParts.put(id, values);
            dictionaries.put(id, new Dictionary(values.vector(), encoding));
        }
        return new Field(
                field.getName(),
                new FieldType(
                        field.isNullable(), encoding.getIndexType(), encoding, field.getMetadata()),
                null);
    }

    /// {@return a field with a new vector}
    private FieldPart part(Field field) {
        try {
            return new FieldPart(null, field, field.createVector(allocator));
        } catch (FletchException e) {
            throw e;
        } catch (RuntimeException e) {
            throw ColumnPlan.unsupported(field.getName(), e);
        }
    }

    private void makeRoot() {
        columns = schema.getFields().stream().map(this::part).toList();
        root = new VectorSchemaRoot(schema, columns.stream().map(FieldPart::vector).toList(), 0);
    }

    /// Finds out why metadata cannot be read: arrow-java may not support it because it is invalid.
    ///
    /// @param check verifies it
    /// @return what is wrong with it; the exception itself if it is valid
    private FletchException reason(FletchException e, Consumer<SemanticVerifier> check) {
        if (e.rule() != MeaningRule.VECTOR_UNSUPPORTED) {
            return e;
        }
        Checks checks = options.readOptions().checks();
        SemanticVerifier verifier = new SemanticVerifier(checks, FletchException.errors(null));
        try {
            check.accept(verifier);
            return e;
        } catch (FletchException failure) {
            boolean isUnverified = failure.rule() == StructureRule.MALFORMED; // by the options
            return isUnverified ? e : failure;
        }
    }

    // ---- opening

    /// Opens columns of a file by their names, with [VectorOptions#DEFAULT].
    ///
    /// @param allocator accounts for the buffers
    /// @param columns exact names, at least one
    /// @return a reader before the first batch
    /// @throws IOException if the file cannot be read
    public static VectorReader open(Path path, BufferAllocator allocator, String... columns)
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
    public static VectorReader open(
            Path path, BufferAllocator allocator, Columns columns, VectorOptions options)
            throws IOException {
        Objects.requireNonNull(options, "options");
        Arena arena = Arena.ofShared();
        MemorySegment memory =
                Closing.onFailure(arena::close, () -> map(path, arena, options.copies()));
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
    public static VectorReader copying(
            ArrowFile file, BufferAllocator allocator, Columns columns, VectorOptions options) {
        Mapping mapping = new Mapping(file.memory(), () -> {});
        VectorOptions copies = options.withCopies(true);
        return open(mapping, null, columns, null, allocator, copies);
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
    public static VectorReader borrowing(
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

    /// Opens another reader for the same columns and mapping of a file, for another thread. Both
    /// see writes to each other's vectors.
    ///
    /// @param other accounts for the buffers; may be the allocator of this reader
    /// @return a reader before the first batch, with separate root and dictionaries
    /// @throws IllegalStateException for a stream
    public VectorReader share(BufferAllocator other) {
        requireOpen();
        if (mapping == null) {
            throw new IllegalStateException("a stream has one reader");
        }
        mapping.retain();
        return open(mapping, path, null, plan, other, options);
    }

    /// Opens columns of a stream by their names, with [VectorOptions#DEFAULT].
    ///
    /// @param in any stream; closed by [#close], and if this fails
    /// @param allocator of the buffers
    /// @param columns exact names, at least one
    /// @return a reader before the first batch
    public static VectorReader open(InputStream in, BufferAllocator allocator, String... columns)
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
    public static VectorReader open(
            InputStream in, BufferAllocator allocator, Columns columns, VectorOptions options)
            throws IOException {
        return Closing.onFailure(
                in,
                () -> {
                    Checks checks = options.readOptions().checks();
                    boolean readsSizes =
                            checks.has(Check.UNCOMPRESSED_SIZES)
                                    && options.readOptions().checks(Level.MEANING);
                    boolean readsAll =
                            options.checksValues()
                                    && (readsSizes || checks.has(Check.UNUSED_BYTES));
                    ReadOptions metadata = BatchSequence.ofMetadata(options.readOptions());
                    CopiedBody body = new CopiedBody(requireAllocator(allocator));
                    Source source = body.stream(MessageReader.of(in, metadata), readsAll);
                    return new VectorReader(source, body, null, null, columns, null, options);
                });
    }

    private static BufferAllocator requireAllocator(BufferAllocator allocator) {
        return Objects.requireNonNull(allocator, "allocator");
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

    /// Opens a file in memory.
    private static VectorReader open(
            Mapping mapping,
            Path path,
            Columns columns,
            ColumnPlan known,
            BufferAllocator allocator,
            VectorOptions options) {
        MemorySegment memory = mapping.memory();
        try {
            VectorReader opened =
                    Closing.onFailure(
                            mapping::release,
                            () -> {
                                requireAllocator(allocator);
                                ReadOptions reading = options.readOptions();
                                boolean copies = options.copies() || !mapping.isShareable();
                                CopiedBody copied = copies ? new CopiedBody(allocator) : null;
                                FileSource file =
                                        copies
                                                ? copied.file(memory, path, reading)
                                                : new FileSource(memory, null, path, reading);
                                VectorBody body =
                                        copies ? copied : VectorBody.in(mapping, file, allocator);
                                return new VectorReader(
                                        file, body, mapping, path, columns, known, options);
                            });
            return Closing.onFailure(opened::close, opened::loadDictionaries);
        } catch (FletchException e) {
            throw e.in(Objects.toString(path, null));
        } catch (InternalError e) {
            throw UnreadableFileException.of(path, 0, memory.byteSize(), e);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // memory has none
        }
    }

    private VectorReader loadDictionaries() throws IOException {
        if (dictionaries.isEmpty() && !options.readOptions().checks(Level.STRUCTURE)) {
            sequence.skipDictionaries();
        }
        return placing(
                () -> {
                    sequence.readDictionaries();
                    return this;
                });
    }

    // ---- batches

    /// {@return number of record batches of a file; -1 for a stream}
    public int batchCount() {
        return source.blocks.batches();
    }

    /// {@return whether buffers are copied into the allocator's memory: for a stream, because of
    /// [VectorOptions#copies], or because the file is not writable or not in the default file
    /// system}
    public boolean isCopying() {
        return body instanceof CopiedBody;
    }

    /// {@return the vectors of the chosen columns, in the order of [Columns]; empty before the
    /// first batch and after the last. The same object for each batch, until [#take]}
    public VectorSchemaRoot root() {
        return root;
    }

    /// Transfers the root with its batch to the caller, who closes it. The next batch is loaded
    /// into a new root. The reader keeps the dictionaries.
    ///
    /// @return the current root
    public VectorSchemaRoot take() {
        requireOpen();
        VectorSchemaRoot taken = root;
        makeRoot();
        return taken;
    }

    /// Fills the root with the next batch and releases the previous one.
    ///
    /// @return false at the end; the root is then empty
    public boolean loadNext() throws IOException {
        requireOpen();
        root.clear();
        return placing(this::loadFollowing);
    }

    /// Fills the root with a batch of a file and releases the previous one. [#loadNext] continues
    /// with the following batch.
    ///
    /// @param batch from 0 to [#batchCount] - 1, in the footer's order
    /// @throws IndexOutOfBoundsException if there is no such batch
    /// @throws IllegalStateException for a stream
    public void load(int batch) throws IOException {
        requireOpen();
        if (mapping == null) {
            throw new IllegalStateException(
                    "batches of a stream come in their order: batch=" + batch);
        }
        Objects.checkIndex(batch, batchCount());
        root.clear();
        placing(
                () -> {
                    sequence.select(batch);
                    return loadFollowing();
                });
    }

    private boolean loadFollowing() throws IOException {
        return sequence.advance() && loadBatch();
    }

    /// {@return the dictionary with an id; null if no chosen column uses it. Its vector is empty
    /// until a dictionary batch is loaded}
    @Override
    public Dictionary lookup(long id) {
        return dictionaries.get(id);
    }

    /// {@return the ids of all dictionaries of the chosen columns, nested ones included}
    @Override
    public Set<Long> getDictionaryIds() {
        return Collections.unmodifiableSet(new HashSet<>(dictionaries.keySet()));
    }

    /// Closes the root, the dictionaries and the source. A second call does nothing.
    @Override
    public void close() throws IOException {
        if (isClosed) {
            return;
        }
        isClosed = true;
        try {
            held.close();
            root.close();
            dictionaries.values().forEach(each -> each.getVector().close());
            growingParts.values().forEach(GrowingPart::close);
            kept.values().forEach(each -> each.forEach(ArrowBuf::close));
        } finally {
            source.close();
            if (mapping != null) {
                mapping.release();
            }
        }
    }

    private void requireOpen() {
        if (isClosed) {
            throw new IllegalStateException("reader is closed");
        }
    }

    // ---- a batch

    /// Reads messages. Names the place of exceptions in the input.
    private <T> T placing(CallableOp<T, IOException> reading) throws IOException {
        try {
            return reading.call();
        } catch (UnreadableFileException e) { // by a verifier, which knows no file
            throw e.file() == null && e.getCause() instanceof InternalError error
                    ? source.unreadable(error)
                    : e;
        } catch (InternalError e) {
            throw source.unreadable(e);
        } catch (FletchException e) {
            throw sequence.named(sequence.placed(reason(e, this::verifyAlone)));
        } finally {
            body.leave();
        }
    }

    /// Verifies a batch without its schema.
    private void verifyAlone(SemanticVerifier verifier) {
        verifier.beginBlocks();
        verifier.block(source.message, 0);
    }

    private boolean loadBatch() throws IOException {
        if (!source.message.header(batch)) {
            FrameCheck.unexpected(source.message, FletchException::raise);
        }
        int rows = rows();
        BatchCursor cursor = sequence.cursor();
        try {
            begin(columns, plan.layout(), plan.columns(), cursor);
            sequence.load();
            columns.forEach(column -> column.requireChildren(Severity.DEVIATION));
            columns.forEach(FieldPart::fetch);
            columns.forEach(FieldPart::load);
            root.setRowCount(rows);
            columns.forEach(FieldPart::loadUnionsAgain);
            if (!sequence.areAllDefined()) {
                Set<Long> seen = new HashSet<>();
                columns.forEach(part -> requireDefined(part, part, seen));
            }
            return true;
        } catch (RuntimeException e) {
            root.clear();
            throw unchecked(e);
        } catch (IOException | Error e) {
            root.clear();
            throw e;
        } finally {
            columns.forEach(FieldPart::release);
            body.leave();
        }
    }

    private int rows() {
        int version = source.message.version();
        if (!plan.layout().isFor(version)) {
            throw VectorErrors.unsupported(
                    "metadata version differs from the schema or first batch, version=%s,"
                            + " expected=%s",
                    MetadataVersion.NAMES.name(version),
                    MetadataVersion.NAMES.name(plan.layout().version()));
        }
        new BatchCounts(FletchException.errors(null)).rows(batch);
        long rows = batch.length();
        if (rows > Integer.MAX_VALUE) {
            long position = batch.position(RecordBatch.LENGTH_SLOT);
            throw VectorErrors.tooLarge(position, "rows=%d, limit=%d", rows, Integer.MAX_VALUE);
        }
        return (int) rows;
    }

    /// Limits what lengths allocate alone, before anything is allocated.
    private static void requireBacked(long bytes, long limit) {
        if (bytes > limit) {
            throw VectorErrors.tooLarge(
                    FletchException.NO_OFFSET,
                    "validity of structs and lists whose values have no bytes, bytes=%d, limit=%d",
                    bytes,
                    limit);
        }
    }

    /// Checks the parts of a batch in its metadata, before its body is read.
    ///
    /// @param numbers of the columns in the layout
    private void begin(
            List<FieldPart> parts, BatchLayout layout, List<Integer> numbers, BatchCursor cursor) {
        long length = source.frame.bodyLength();
        layout.requireExact(batch);
        for (int i = 0; i < parts.size(); i++) {
            int field = layout.columnField(numbers.get(i));
            parts.get(i).place(batch, cursor, field, body, length);
        }
        parts.forEach(part -> part.requireChildren(Severity.ERROR));
        long unbacked = parts.stream().mapToLong(FieldPart::unbackedBytes).sum();
        requireBacked(unbacked, Math.max(MOST_UNBACKED, length));
        List<ByteRange> needed = new ArrayList<>();
        parts.forEach(part -> part.addRangesTo(needed));
        body.need(needed);
    }

    /// Whether a batch is compressed and decompressed as for columns, so that the same is refused.
    private boolean isVerifiedAsColumns() {
        return options.readOptions().checks(Level.VALUES)
                && LibraryDecompressor.of(options.readOptions()).knows(codec.codec());
    }

    /// {@return what decompresses buffers of a compressed batch by arrow-java's codec}
    private Decompressed decompressed(List<FieldPart> parts) {
        body.decompress(new VectorCodec(codec, options.codecs(), allocator), null);
        return new Decompressed(parts);
    }

    /// The fields by their numbers in the layout, after they have these.
    private static Map<Integer, FieldPart> byNumber(List<FieldPart> of) {
        Map<Integer, FieldPart> parts = new HashMap<>();
        of.stream().flatMap(FieldPart::all).forEach(each -> parts.put(each.number(), each));
        return parts;
    }

    /// Decompresses the buffers of a batch that are verified, and those of a dictionary once.
    private static final class Decompressed implements BufferSource {
        private final Map<Integer, FieldPart> parts;
        // Of a dictionary that is verified with others.
        private final Map<Integer, List<ArrowBuf>> buffers = new HashMap<>();

        Decompressed(List<FieldPart> of) {
            parts = byNumber(of);
        }

        @Override
        public void bytes(BatchCursor cursor, int field, int buffer, ByteSlice into) {
            List<ArrowBuf> own = buffers.get(field);
            ArrowBuf found = own == null ? parts.get(field).buffer(buffer) : own.get(buffer);
            into.wrap(CopiedBody.memory(found, 0, found.capacity()), 0, found.capacity());
        }

        /// Keeps all buffers for later reads.
        ///
        /// @param owner gets them, and closes them
        void keep(List<ArrowBuf> owner) {
            parts.forEach((number, part) -> buffers.put(number, part.retained(owner)));
            parts.clear();
        }
    }

    /// Requires the dictionaries that indices refer to, also indices in dictionaries. By the nulls
    /// that arrow-java counts, as it does not use the null counts of nodes.
    ///
    /// @param of the field of the batch that needs them
    /// @param seen ids of dictionaries whose values were looked at
    private void requireDefined(FieldPart part, FieldPart of, Set<Long> seen) {
        DictionaryEncoding encoding = part.field().getDictionary();
        FieldVector indices = part.vector();
        if (encoding != null
                && DictionaryNeeds.hasValues(indices.getNullCount(), indices.getValueCount())) {
            long id = encoding.getId();
            sequence.requireDefined(id, of.nodePosition());
            if (seen.add(id)) {
                requireDefined(dictionaryParts.get(id), of, seen);
            }
        }
        boolean isOfBatch = part == of;
        part.children().forEach(child -> requireDefined(child, isOfBatch ? child : of, seen));
    }

    // ---- what the sequence needs

    private final class Use implements BatchSequence.User {
        private final BatchCursor cursor = new BatchCursor();
        private DictionaryBatch dictionary;
        // The values of the dictionary batch.
        private FieldPart values;
        // The same, if it is a delta: it has vectors of its own; else null.
        private FieldPart delta;
        private Decompressed buffers;
        // Null below the level of values, and before a batch is compressed.
        private DecompressedBuffers verified;
        private DecompressedBuffers verifiedDictionaries;
        private boolean isVerified;
        // By the id of a dictionary, and null for the columns: there may be a fault in each field.
        private final Map<Long, Map<Integer, FieldPart>> numbered = new HashMap<>();

        @Override
        public BufferSource buffers(BatchCursor bound) {
            if (!codec.read(batch)) {
                body.decompress(null, null);
                return null;
            }
            if (!isVerifiedAsColumns()) {
                return decompressed(columns);
            }
            body.decompress(null, bound);
            verified =
                    verified == null
                            ? LibraryDecompressor.buffers(options.readOptions())
                            : verified;
            return verified;
        }

        @Override
        public void leave() {
            if (verified != null) {
                verified.release();
            }
        }

        @Override
        public void dictionary(DictionaryBatch header) {
            dictionary = header;
            BatchCounts.data(dictionary, batch, FletchException::raise);
            FieldPart all = dictionaryParts.get(dictionary.id());
            delta = dictionary.isDelta() ? part(all.field()) : null;
            values = delta == null ? all : delta;
            rows();
            BatchLayout layout = plan.layout().dictionaryLayout(dictionary.id());
            begin(List.of(values), layout, List.of(0), cursor.bind(layout, batch));
        }

        @Override
        public BufferSource dictionaryBuffers() {
            body.decompress(null, null);
            boolean isCompressed = codec.read(batch);
            isVerified = isCompressed && isVerifiedAsColumns();
            buffers = isCompressed && !isVerified ? decompressed(List.of(values)) : null;
            if (isVerified && verifiedDictionaries == null) {
                verifiedDictionaries = LibraryDecompressor.buffers(options.readOptions());
            }
            return isVerified ? verifiedDictionaries : buffers;
        }

        @Override
        public void define() {
            long id = dictionary.id();
            try {
                if (sequence.checksValues()) {
                    keep(id);
                }
                DictionaryValues all = isVerified ? sequence.dictionaries().values(id) : null;
                if (all != null) {
                    body.decompress(null, all.batch(all.batchCount() - 1));
                } else if (isVerified) { // and could not be kept
                    decompressed(List.of(values));
                }
                values.requireChildren(Severity.DEVIATION);
                values.fetch();
                if (delta == null) {
                    values.load();
                    stopGrowing(id);
                } else {
                    delta.load();
                    append(delta, id);
                }
            } catch (RuntimeException e) {
                throw unchecked(e);
            }
            leaveDictionary();
        }

        /// Keeps the buffers that values are verified with until the dictionary is replaced.
        private void keep(long id) {
            if (delta == null) {
                release(id);
            }
            List<ArrowBuf> all = kept.computeIfAbsent(id, _ -> new ArrayList<>());
            all.addAll(body.retained());
            if (buffers != null) {
                buffers.keep(all);
            }
        }

        private void leaveDictionary() {
            if (values != null) {
                values.release();
                values = null;
            }
            if (delta != null) {
                delta.vector().close();
                delta = null;
            }
            body.leave();
        }

        @Override
        public void lose(long id) {
            leaveDictionary();
            stopGrowing(id);
            release(id);
        }

        /// Returns whether arrow-java reads the value well: it counts nulls itself, and vectors
        /// that refer to a mapped file may have been written to.
        @Override
        public boolean accepts(ValueFault fault) {
            boolean isOfNulls = fault.rule() == ValueRule.VALUE_NULL_COUNT;
            if (options.readOptions().checks(Level.VALUES)
                    || !isOfNulls && fault.rule() != ValueRule.VALUE_TYPE_ID) {
                return false;
            }
            boolean isOfColumn = fault.dictionaryBatch() == ValueFault.NO_DICTIONARY;
            Long id = isOfColumn ? null : fault.dictionaryId();
            FieldPart part =
                    numbered.computeIfAbsent(
                                    id,
                                    _ ->
                                            byNumber(
                                                    isOfColumn
                                                            ? columns
                                                            : List.of(dictionaryParts.get(id))))
                            .get(fault.field());
            if (isOfNulls) {
                return !part.isRunEnds() || fault.limit() == 0;
            }
            var union = (ArrowType.Union) part.type();
            boolean isDense = union.getMode() == UnionMode.Dense;
            return fault.value() == (isDense ? NULL_OF_DENSE_UNION : NULL_OF_SPARSE_UNION);
        }
    }

    private void release(long id) {
        List<ArrowBuf> buffers = kept.remove(id);
        if (buffers != null) {
            buffers.forEach(ArrowBuf::close);
        }
    }

    private void append(FieldPart delta, long id) {
        FieldPart values = dictionaryParts.get(id);
        requireBacked(values.unbackedBytes() + delta.unbackedBytes(), MOST_UNBACKED);
        GrowingPart growing = growingParts.get(id);
        if (growing == null) {
            growing = new GrowingPart(values, allocator);
            growingParts.put(id, growing);
            growing.append(values);
        }
        growing.append(delta);
        growing.load();
    }

    private void stopGrowing(long id) {
        GrowingPart growing = growingParts.remove(id);
        if (growing != null) {
            growing.close();
        }
    }

    /// Wraps exceptions of arrow-java in a [FletchException].
    private static RuntimeException unchecked(RuntimeException e) {
        return e instanceof FletchException
                        || e instanceof UnreadableFileException
                        || e instanceof OutOfMemoryException
                ? e
                : VectorErrors.unsupportedBy(e, "%s", e);
    }
}
