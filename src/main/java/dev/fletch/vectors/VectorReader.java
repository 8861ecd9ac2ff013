// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.vectors;

import dev.fletch.FletchException;
import dev.fletch.MeaningRule;
import dev.fletch.StructureRule;
import dev.fletch.UnreadableFileException;
import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BatchLayout;
import dev.fletch.batch.Columns;
import dev.fletch.format.BatchCodec;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.internal.BatchCounts;
import dev.fletch.format.internal.DictionaryMemory;
import dev.fletch.format.internal.DictionaryOrder;
import dev.fletch.format.internal.LostDictionaries;
import dev.fletch.ipc.ArrowFile;
import dev.fletch.ipc.MessageReader;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.internal.DictionaryNeeds;
import dev.fletch.ipc.internal.FrameCheck;
import dev.fletch.remote.internal.ByteRange;
import dev.fletch.verify.messages.SemanticVerifier;
import dev.fletch.wire.Closing;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;

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
/// **Checks.** Each buffer must be inside the body and long enough for the field's length. With
/// [VectorOptions#checksValues], all values are verified, too: what is an error in
/// [dev.fletch.ValueRule] is refused, except for null counts, as arrow-java counts nulls
/// itself, and for the type ids that it writes for nulls of unions. In addition, arrow-java checks
/// the bounds of each access, unless `arrow.enable_unsafe_memory_access` disables that.
///
/// **Lifetime.** [#close] closes the root, the dictionaries and the source. Buffers that are still
/// referenced, such as those of a root from [#take], stay valid: closing the last one frees the
/// memory. Closing the allocator reports buffers and readers that are still open.
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
/// rest of each body is skipped, by seeking if the channel supports it. A dictionary batch replaces
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

    private final VectorSource source;
    private final BufferAllocator allocator;
    private final VectorOptions options;
    private final ColumnPlan plan;
    private final Schema schema;
    private final Map<Long, Dictionary> dictionaries = new HashMap<>();
    private final Map<Long, FieldPart> dictionaryParts = new HashMap<>();
    // Of the dictionaries with deltas.
    private final Map<Long, GrowingPart> growingParts = new HashMap<>();
    private final DictionaryOrder order = new DictionaryOrder(FletchException.errors(null));
    // Those of which a batch could not be loaded, and where it is.
    private final LostDictionaries<BatchPlace> lost = new LostDictionaries<>();
    // Of the columns with values that refer to others; null if there is none, or none is checked.
    private final VectorCheck check;
    private final DictionaryMemory checkedDictionaries;
    private VectorSchemaRoot root;
    private List<FieldPart> columns;
    private boolean isClosed;
    // One byte, so that closing the allocator reports a reader that is still open.
    private final ArrowBuf held;

    private final RecordBatch batch = new RecordBatch();
    private final BatchCursor cursor = new BatchCursor();
    private final DictionaryBatch dictionaryBatch = new DictionaryBatch();
    private final BatchCodec codec = new BatchCodec();

    VectorReader(
            VectorSource source,
            ColumnPlan plan,
            BufferAllocator allocator,
            VectorOptions options) {
        this.source = source;
        this.plan = plan;
        this.allocator = Objects.requireNonNull(allocator, "allocator");
        this.options = Objects.requireNonNull(options, "options");
        List<Field> fields = new ArrayList<>();
        for (Field field : plan.fields()) {
            fields.add(inMemory(field));
        }
        schema = new Schema(fields, plan.metadata());
        makeRoot();
        order.beside(source.dictionaries)
                .begin(dictionaries.keySet().stream().mapToLong(Long::longValue).toArray());
        List<Field> refers =
                IntStream.range(0, columns.size())
                        .filter(i -> columns.get(i).refers())
                        .mapToObj(plan.fields()::get)
                        .toList();
        check =
                options.checksValues() && !refers.isEmpty()
                        ? new VectorCheck(refers, options.readOptions().limits())
                        : null;
        checkedDictionaries = new DictionaryMemory(options.readOptions().decompressedBytes());
        held = allocator.buffer(1);
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
    /// @param options of the reader
    /// @param check verifies it
    /// @return what is wrong with it; the exception itself if it is valid
    static FletchException reason(
            FletchException e, ReadOptions options, Consumer<SemanticVerifier> check) {
        if (e.rule() != MeaningRule.VECTOR_UNSUPPORTED) {
            return e;
        }
        SemanticVerifier verifier =
                new SemanticVerifier(options.checks(), FletchException.errors(null));
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
        return FileBatches.open(path, allocator, columns, options);
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
        return FileBatches.open(mapping, null, columns, null, allocator, copies);
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
        return FileBatches.borrowing(file, whenUnused, allocator, columns, options);
    }

    /// Opens another reader for the same columns and mapping of a file, for another thread. Both
    /// see writes to each other's vectors.
    ///
    /// @param other accounts for the buffers; may be the allocator of this reader
    /// @return a reader before the first batch, with separate root and dictionaries
    /// @throws IllegalStateException for a stream
    public VectorReader share(BufferAllocator other) {
        requireOpen();
        return source.share(plan, other, options);
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
        return StreamBatches.open(
                MessageReader.of(in, options.readOptions()), allocator, columns, options);
    }

    // ---- batches

    /// {@return number of record batches of a file; -1 for a stream}
    public int batchCount() {
        return source.batchCount();
    }

    /// {@return whether buffers are copied into the allocator's memory: for a stream, because of
    /// [VectorOptions#copies], or because the file is not writable or not in the default file
    /// system}
    public boolean isCopying() {
        return source.isCopying();
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
        return source.next(this);
    }

    /// Fills the root with a batch of a file and releases the previous one. [#loadNext] continues
    /// with the following batch.
    ///
    /// @param batch from 0 to [#batchCount] - 1, in the footer's order
    /// @throws IndexOutOfBoundsException if there is no such batch
    /// @throws IllegalStateException for a stream
    public void load(int batch) throws IOException {
        requireOpen();
        source.select(batch);
        loadNext();
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
            if (check != null) {
                check.close();
            }
            dictionaries.values().forEach(each -> each.getVector().close());
            growingParts.values().forEach(GrowingPart::close);
        } finally {
            source.close();
        }
    }

    private void requireOpen() {
        if (isClosed) {
            throw new IllegalStateException("reader is closed");
        }
    }

    // ---- a batch

    /// Fills the root with the source's record batch, or adds a dictionary batch that a chosen
    /// column needs.
    void load() throws IOException {
        Message message = source.message;
        try {
            switch (message.headerType()) {
                case MessageHeader.RECORD_BATCH -> loadBatch();
                case MessageHeader.DICTIONARY_BATCH -> {
                    requireHeader(message.header(dictionaryBatch), message);
                    if (order.needs(dictionaryBatch)) {
                        long id = dictionaryBatch.id();
                        Closing.onFailure(() -> forget(id), () -> loadDictionary(id));
                    }
                }
                default -> FrameCheck.unexpected(message, FletchException::raise);
            }
        } catch (RuntimeException e) {
            throw unchecked(e) instanceof FletchException known
                    ? VectorErrors.in(
                            source.place,
                            reason(
                                    known,
                                    options.readOptions(),
                                    verifier -> verifyAlone(message, verifier)))
                    : e;
        } finally {
            source.leave();
        }
    }

    /// Verifies a batch without its schema.
    private static void verifyAlone(Message message, SemanticVerifier verifier) {
        verifier.beginBlocks();
        verifier.block(message, 0);
    }

    private void loadBatch() throws IOException {
        root.clear();
        requireHeader(source.message.header(batch), source.message);
        Closing.onFailure(
                root::clear,
                () -> {
                    fill(columns, plan.layout(), plan.columns(), null);
                    return null;
                });
    }

    /// Fills a dictionary or appends to it.
    private Void loadDictionary(long id) throws IOException {
        boolean isFile = source.batchCount() != VectorSource.UNKNOWN;
        order.next(dictionaryBatch, isFile, true);
        if (lost.before(id, dictionaryBatch.isDelta()) != null) {
            long position = dictionaryBatch.position(DictionaryBatch.ID_SLOT);
            order.undefined(id, id, position, "dictionary");
        }
        BatchCounts.data(dictionaryBatch, batch, FletchException::raise);
        if (check != null) { // which keeps all batches
            checkedDictionaries.keep(dictionaryBatch, source.frame.metadataLength(), 0);
        }
        FieldPart values = dictionaryParts.get(id);
        if (dictionaryBatch.isDelta()) {
            FieldPart delta = part(values.field());
            try (FieldVector _ = delta.vector()) {
                fillDictionary(id, delta);
                append(delta, id);
            }
        } else {
            fillDictionary(id, values);
            stopGrowing(id);
            lost.define(id);
        }
        order.add(dictionaryBatch, 0);
        return null;
    }

    /// Forgets a dictionary of which a batch could not be loaded.
    private void forget(long id) {
        lost.lose(id, source.place);
        stopGrowing(id);
        if (check != null) {
            check.remove(id);
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

    private void fillDictionary(long id, FieldPart values) throws IOException {
        BatchLayout layout = plan.layout().dictionaryLayout(id);
        fill(List.of(values), layout, List.of(0), id);
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

    static void requireHeader(boolean isPresent, Message message) {
        if (!isPresent) {
            FrameCheck.unexpected(message, FletchException::raise);
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

    /// Fills the vectors of some columns.
    ///
    /// @param layout of the batch
    /// @param numbers of the columns in the layout
    /// @param dictionary its id; null for a record batch
    private void fill(
            List<FieldPart> parts, BatchLayout layout, List<Integer> numbers, Long dictionary)
            throws IOException {
        int rows = rows();
        long bodyLength = source.frame.bodyLength();
        layout.requireExact(batch);
        cursor.bind(layout, batch);
        for (int i = 0; i < parts.size(); i++) {
            parts.get(i).place(batch, cursor, layout.columnField(numbers.get(i)), bodyLength);
        }
        requireBacked(
                parts.stream().mapToLong(FieldPart::unbackedBytes).sum(),
                Math.max(MOST_UNBACKED, bodyLength));
        try {
            List<ByteRange> needed = new ArrayList<>();
            parts.forEach(part -> part.addRangesTo(needed));
            source.prepare(needed);
            VectorCodec decompressor =
                    codec.read(batch) ? new VectorCodec(codec, options.codecs()) : null;
            for (FieldPart part : parts) {
                part.fetch(source, decompressor, allocator);
            }
            boolean isComplete = dictionary != null || lost.first() == null;
            if (check != null && dictionary == null) {
                List<FieldPart> refers = parts.stream().filter(FieldPart::refers).toList();
                isComplete = check.batch(rows, refers, source.place);
            } else if (check != null) {
                boolean isDelta = dictionaryBatch.isDelta();
                check.dictionary(dictionary, isDelta, rows, parts.getFirst(), source.place);
            }
            for (FieldPart part : parts) {
                part.load();
            }
            if (dictionary == null) {
                root.setRowCount(rows);
                parts.forEach(FieldPart::loadUnionsAgain);
            }
            if (!isComplete) {
                Set<Long> seen = new HashSet<>();
                parts.forEach(part -> requireDefined(part, part, seen));
            }
        } finally {
            parts.forEach(FieldPart::release);
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
            if (!order.isDefined(order.find(id)) || lost.why(id) != null) {
                order.undefined(id, id, of.nodePosition(), "dictionary");
            }
            if (seen.add(id)) {
                requireDefined(dictionaryParts.get(id), of, seen);
            }
        }
        boolean isOfBatch = part == of;
        part.children().forEach(child -> requireDefined(child, isOfBatch ? child : of, seen));
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
