// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.arrow;

import dev.fletch.Check;
import dev.fletch.Fault;
import dev.fletch.FaultSink;
import dev.fletch.FletchException;
import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BatchLayout;
import dev.fletch.batch.Columns;
import dev.fletch.batch.DecompressedBuffers;
import dev.fletch.batch.Dictionaries;
import dev.fletch.compression.LibraryDecompressor;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Field;
import dev.fletch.format.Footer;
import dev.fletch.format.KeyValue;
import dev.fletch.format.KnownSchema;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.internal.DictionaryMemory;
import dev.fletch.format.internal.DictionaryOrder;
import dev.fletch.format.internal.FieldWalk;
import dev.fletch.forward.BatchProjector;
import dev.fletch.input.InputFaults;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.ReadOptions.Level;
import dev.fletch.ipc.internal.BlockCheck;
import dev.fletch.ipc.internal.ContainerPart;
import dev.fletch.ipc.internal.FileTail;
import dev.fletch.ipc.internal.FooterBlocks;
import dev.fletch.ipc.internal.FrameCheck;
import dev.fletch.schema.ArrowSchema;
import dev.fletch.verify.internal.BatchValues;
import dev.fletch.verify.messages.SemanticVerifier;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/// A schema, its columns, and one batch at a time: what the readers of all inputs have in common.
///
/// **Columns** are requested by path before the first batch. Only they are laid out, read,
/// decompressed, checked and bound. If none is requested, only headers are read; at [Level#VALUES],
/// everything is read and checked. Dictionary batches of other columns are passed, but one of no
/// field is refused, except at [Level#TOUCHED] in a file.
///
/// **Errors.** A [FletchException] if the input is invalid, with the rule, the offset in the input,
/// and in a stream the index of the message. Other readers accept deviations from the format; so
/// does this, except for [ReadOptions#refused]. The first exception of a method that reads ends the
/// reader: later calls throw an [IllegalStateException], as misuse does.
///
/// **Lifetime and threads.** Columns, cursor and slices that they bind are valid until the next
/// batch. Belongs to one thread at a time.
public abstract sealed class Batches permits BatchReader, BatchReceiver {
    /// Receives the dictionary batches of a reader whose batches are forwarded.
    interface Forwarding {
        void dictionary() throws IOException;
    }

    /// Longest body of a dictionary that is copied: into an array, which the garbage collector
    /// frees when the dictionary is replaced.
    private static final long MOST_COPIED_BYTES = 1L << 30;

    /// Number of paths that are looked up one by one. The layout looks up all.
    private static final int MOST_LOOKUPS = 64;

    // The parts of a batch, in the order in which they are read.
    private static final int NOTHING = 0;
    private static final int HEADER = 1;
    private static final int CURSOR = 2;
    private static final int BODY = 3;
    private static final int VALUES = 4;

    final Source source;
    final ReadOptions options;
    final Message message;
    private final BatchCursor cursor = new BatchCursor();
    private final RecordBatch batch = new RecordBatch();
    private final DictionaryBatch dictionary = new DictionaryBatch();
    private final KeyValue pair = new KeyValue();
    // Null below Level.MEANING.
    private final SemanticVerifier meaning;
    // Made once, and not for each batch.
    private final FaultSink onMeaning = this::refuse;
    private final FaultSink onValue = this::refuseValue;
    private final DictionaryOrder used = new DictionaryOrder(onMeaning);

    // ---- the schema; null before it is read

    private Schema schema;
    private KnownSchema known;
    private int version;
    // Of a file; null for a stream.
    private Footer footer;
    // Offset in the input of the memory that the schema, or the footer with it, is in.
    private long schemaShift;
    // Index of the schema message; that of a file is not known.
    private int schemaIndex = Fault.NO_MESSAGE;
    private boolean isInFooter;
    // Verifies columns of a file that opening did not; null for a stream.
    private Consumer<Field> verified;
    private ArrowSchema model;

    // ---- what is requested

    private final List<Column> columns = new ArrayList<>();
    // Of columns, and of what is forwarded.
    private final Set<String> paths = new LinkedHashSet<>();
    private boolean needsAll;
    private Forwarding forwarding;

    // ---- what follows from it at the first batch

    private Column[] bound;
    private BatchLayout layout;
    // The layout that columns have their places in: that of the batch.
    private BatchLayout placed;
    // Null if no dictionary is needed.
    private Dictionaries dictionaries;
    // Null below Level.VALUES.
    private BatchValues values;
    // Null before a batch is compressed.
    private DecompressedBuffers buffers;
    private DecompressedBuffers dictionaryBuffers;
    private final DictionaryMemory dictionaryMemory;
    // The messages whose bodies were read.
    private long bytesRead;
    private long bodiesRead;

    // ---- the batch

    private int number = Fault.NO_MESSAGE;
    // Also while an operation runs.
    private boolean hasFailed;
    // The last part that was read.
    private int read = NOTHING;
    // Whether columns have values, of this batch or the one before.
    private boolean areBound;

    Batches(Source source, ReadOptions options) {
        this.source = source;
        this.options = options;
        message = source.message;
        dictionaryMemory = new DictionaryMemory(options.decompressedBytes());
        boolean checksMeaning = options.checks(Level.MEANING);
        meaning = checksMeaning ? new SemanticVerifier(options.checks(), onMeaning) : null;
    }

    // ---- schema and columns

    /// {@return the schema; null if a receiver has none yet}
    ///
    /// @throws FletchException if it breaks a rule of the format
    public final ArrowSchema schema() {
        if (model == null && schema != null) {
            try {
                model = ArrowSchema.of(known, schema, options.limits());
            } catch (FletchException e) {
                throw named(inSchema(e));
            }
        }
        return model;
    }

    /// Requests a column, or a field below one.
    ///
    /// @param path its name, or names joined by dots: see [BatchLayout#field]
    /// @return the column, which has the values of each batch that is loaded
    /// @throws FletchException if there is no such column; in a receiver, with the schema; of the
    ///     65th column on, with the first batch
    /// @throws IllegalStateException after the first batch
    public final Column column(String path) {
        request(List.of(path));
        Column column = new Column(path);
        columns.add(column);
        return column;
    }

    /// Lets columns be laid out, read and checked.
    ///
    /// @param some their paths; none for all
    final void request(List<String> some) {
        if (bound != null) {
            throw new IllegalStateException("first batch was read: columns=" + some);
        }
        for (int i = 0; schema != null && paths.size() + i < MOST_LOOKUPS && i < some.size(); i++) {
            requireField(some.get(i));
        }
        needsAll |= some.isEmpty();
        paths.addAll(some);
    }

    /// Throws if a path leads to no field. A column's name, the usual path, needs no layout. That
    /// takes a walk through all columns.
    private void requireField(String path) {
        FieldWalk walk = new FieldWalk();
        walk.wrap(schema);
        if (walk.find(path.getBytes(StandardCharsets.UTF_8)) < 0) {
            try {
                compile(List.of(path));
            } catch (FletchException e) {
                throw named(e);
            }
        }
    }

    /// Lays out columns.
    ///
    /// @param some their paths; none for all
    final BatchLayout compile(List<String> some) {
        if (some.isEmpty()) {
            return options.checks(Level.STRUCTURE)
                    ? BatchLayout.of(known, schema, version, options.limits())
                    : BatchLayout.compile(
                            schema, version, options.limits(), Columns.all(), verified);
        }
        Columns chosen = Columns.paths(some.toArray(String[]::new));
        return BatchLayout.compile(schema, version, options.limits(), chosen, verified);
    }

    /// The schema message to forward with a projector's columns.
    final MemorySegment schemaMessage(BatchProjector projector) {
        return projector.schemaMessage(schema, version, options.limits());
    }

    final void forward(Forwarding to) {
        if (forwarding != null) {
            throw new IllegalStateException("batches are forwarded already");
        }
        forwarding = to;
    }

    // ---- the batch

    /// {@return number of rows of the batch; 0 before the first and after the last}
    public final long rowCount() {
        return read >= HEADER && message.header(batch) ? batch.length() : 0;
    }

    /// {@return a value of the batch's custom metadata, as a new string; null if there is none}
    public final String metadata(String key) {
        for (int i = 0; read >= HEADER && i < source.whole.customMetadataCount(); i++) {
            if (source.whole.customMetadata(i, pair).keyEquals(key)) {
                return pair.valueString();
            }
        }
        return null;
    }

    /// {@return the numbers of the batch's nodes and buffers, and after it is loaded its bytes: of
    /// the requested columns, or of all if none is requested; always the same object}
    ///
    /// @throws IllegalStateException if there is no batch
    public final BatchCursor cursor() {
        requireBatch();
        try {
            return bindCursor();
        } catch (FletchException e) {
            throw named(placed(e));
        }
    }

    /// Reads the body of a batch of which only the header was read, and decompresses nothing.
    ///
    /// @return number of bytes that the buffers of the requested columns, or of all if none is
    ///     requested, have when they are decompressed, as their prefixes claim. [#load] needs as
    ///     much memory, and refuses a batch with wrong claims
    /// @throws IllegalStateException if there is no batch
    public long loadedBytes() throws IOException {
        requireBatch();
        start();
        try {
            readBody();
            long bytes = BatchValues.bytes(cursor);
            succeed(true);
            return bytes;
        } catch (FletchException e) {
            throw named(placed(e));
        } finally {
            end();
        }
    }

    /// Loads a batch of which only the header was read: reads its body, checks its values, and
    /// binds the columns.
    ///
    /// @throws IllegalStateException if there is no batch
    public void load() throws IOException {
        requireBatch();
        start();
        try {
            loadBatch();
            succeed(true);
        } catch (FletchException e) {
            throw named(e);
        } finally {
            end();
        }
    }

    /// {@return the dictionaries of the requested columns, as far as they were read; null if there
    /// are none}
    public final Dictionaries dictionaries() {
        return dictionaries;
    }

    // ---- what readers call

    /// Sets the schema of a file.
    ///
    /// @param verify verifies a column if opening did not
    final void footer(Footer footer, long footerOffset, KnownSchema handle, Consumer<Field> verify)
            throws IOException {
        long inMemory = new ByteSlice().wrapBufferOf(footer).offset();
        schemaShift = footerOffset - inMemory;
        this.footer = footer;
        verified = verify;
        isInFooter = true;
        if (meaning != null) {
            meaning.footer(footer);
        }
        Schema bound = new Schema();
        footer.schema(bound);
        isInFooter = false;
        schema(bound, FileTail.version(footer, this::open), handle);
    }

    /// Refuses blocks of a file that overlap, if the options do.
    ///
    /// @param from end of the schema message; 0 if it is not known
    final void requireApart(long footerOffset, ToLongFunction<FooterBlocks> from) {
        if (BlockCheck.refusesOverlaps(options.refused())) {
            FooterBlocks sorted = new FooterBlocks(footer, footerOffset);
            new BlockCheck(footer, footerOffset, schemaShift, onValue)
                    .requireApart(sorted, from.applyAsLong(sorted));
        }
    }

    /// Binds to a batch of a file.
    private Message open(int kind, int index) throws IOException {
        source.read(source.blocks.number(kind, index));
        return source.whole;
    }

    private void schema(Schema stable, int ofVersion, KnownSchema handle) {
        schema = stable;
        schemaIndex = index();
        version = ofVersion;
        known = handle;
        boolean isVerified = footer == null || options.checks(Level.STRUCTURE);
        used.beside(isVerified ? DictionaryOrder.of(stable, options.limits()) : _ -> true);
        paths.stream().limit(MOST_LOOKUPS).forEach(this::requireField);
    }

    // ---- operations, whose first failure ends the reader

    final void start() {
        if (hasFailed) {
            throw new IllegalStateException("reader has failed before: message=" + number);
        }
        hasFailed = true;
    }

    final boolean succeed(boolean result) {
        hasFailed = false;
        return result;
    }

    /// After a failure, no values of it or of a batch before can be read.
    final void end() {
        if (hasFailed) {
            leave();
            unbind();
        }
    }

    /// The layout of the messages; null before the first batch.
    final BatchLayout layout() {
        return layout;
    }

    final FletchException placed(FletchException e) {
        return source.placed(e, index());
    }

    final FletchException named(FletchException e) {
        return source.name == null ? e : e.in(source.name);
    }

    final boolean hasSchema() {
        return schema != null;
    }

    /// Whether bodies are read.
    final boolean needsBody() {
        return bound.length > 0 || values != null;
    }

    /// Takes the source's message.
    ///
    /// @return whether it is a record batch
    final boolean accept(int index) throws IOException {
        number = index;
        if (meaning != null) {
            meaning.message(source.whole, block(), null, 0);
        }
        if (message != source.whole) {
            project();
        }
        switch (message.headerType()) {
            case MessageHeader.RECORD_BATCH -> {
                begin();
                read = HEADER;
                return true;
            }
            case MessageHeader.DICTIONARY_BATCH -> {
                begin();
                dictionary();
            }
            case MessageHeader.SCHEMA -> {
                if (schema != null || !message.isPresent(Message.HEADER_SLOT)) {
                    FrameCheck.unexpected(source.whole, onMeaning);
                }
                schema(copied(), message.version(), source.frame.knownSchema());
            }
            default -> FrameCheck.unexpected(source.whole, onMeaning);
        }
        return false;
    }

    private void project() {
        try {
            source.project();
        } catch (FletchException e) {
            throw source.placed(e, index());
        }
    }

    /// The index of a file's message among the blocks of its kind.
    private int block() {
        return footer == null ? ContainerPart.NO_BLOCK : source.blocks.index(number);
    }

    /// The index of the message in a stream. That of a file's message needs a look at all others.
    private int index() {
        return footer == null ? number : Fault.NO_MESSAGE;
    }

    /// A copy of a schema message, of which the reader's memory is used again.
    private Schema copied() {
        Schema copy = new Schema();
        ByteSlice bytes = new ByteSlice().wrapBufferOf(message);
        schemaShift = source.inputOffset(bytes.offset());
        new Message().wrap(MemorySegment.ofArray(bytes.toByteArray())).header(copy);
        return copy;
    }

    /// Lays out what was requested. Later calls do nothing.
    final void begin() {
        if (bound != null) {
            return;
        }
        if (schema == null) {
            FrameCheck.unexpected(source.whole, onMeaning);
        }
        bound = columns.toArray(Column[]::new);
        boolean checksValues = options.checks(Level.VALUES);
        if (paths.isEmpty() && !needsAll && !checksValues) {
            return; // the layout of all columns is made when the cursor is needed
        }
        layOut();
        place(layout);
        if (layout.dictionaryCount() > 0) {
            dictionaries = new Dictionaries(layout, footer != null);
            int count = layout.dictionaryCount();
            used.begin(IntStream.range(0, count).mapToLong(layout::dictionary).toArray());
        }
        if (checksValues) {
            values = new BatchValues(options, null, this::place, onValue);
            boolean hasAll = needsAll || paths.isEmpty();
            values.begin(schema, layout, hasAll, dictionaries, footer != null);
        }
    }

    private void place(BatchLayout of) {
        placed = of;
        for (Column column : bound) {
            column.place(of, of.field(column.path()));
        }
    }

    private void layOut() {
        try {
            BatchLayout found = compile(needsAll ? List.of() : List.copyOf(paths));
            layout = source.begin(needsAll || paths.isEmpty() ? found : found.choose(paths));
        } catch (FletchException e) {
            throw inSchema(e);
        }
    }

    /// Places an exception about the schema; one without offset at the error of the same rule that
    /// verifying finds.
    final FletchException inSchema(FletchException e) {
        if (e.offset() != FletchException.NO_OFFSET) {
            return e.inBatch(null, schemaIndex, schemaShift);
        }
        List<Fault> found = new ArrayList<>();
        new SemanticVerifier(options.checks(), found::add).schema(schema);
        return found.stream()
                .filter(each -> each.rule() == e.rule())
                .map(each -> e.fault().in(schemaIndex, each.position() + schemaShift))
                .map(each -> FletchException.inInput(each.withText(e.fault().text()), e))
                .findFirst()
                .orElse(e);
    }

    // ---- dictionaries

    /// Checks what no batch has needed, after the last one.
    ///
    /// @return false
    final boolean atEnd() {
        endDictionaries();
        verifyIndices();
        return false;
    }

    /// Whether indices from a dictionary into another one are wrong, unless more messages come.
    final boolean hasWrongIndices() {
        return values != null && dictionaries != null && values.hasWrongIndices();
    }

    /// Verifies indices from dictionaries into others, as they are now.
    final void verifyIndices() {
        if (values != null && dictionaries != null) {
            values.verifyDictionaries();
            values.unchecked().report(onValue);
        }
    }

    /// Checks that the dictionaries that batches need are defined, after those of a file.
    private void endDictionaries() {
        if (meaning != null && footer != null) {
            isInFooter = true;
            meaning.endFile(footer);
            isInFooter = false;
        }
    }

    private void dictionary() throws IOException {
        source.whole.header(dictionary);
        if (isNeeded()) {
            message.header(dictionary);
            keep();
            source.body(true);
            define();
            if (forwarding != null) {
                forwarding.dictionary();
            }
        }
    }

    private boolean isNeeded() {
        try {
            return used.needs(dictionary);
        } catch (FletchException e) {
            throw e.isInInput() ? e : inSchema(e); // which is too large
        }
    }

    /// Checks that all dictionaries, with the copies of their bodies, stay within the limit of their
    /// memory.
    private void keep() {
        long own = source.frame.metadataLength();
        long length = source.isCopying() ? message.bodyLength() : 0;
        long position = source.frame.inputOffset(source.whole.position(Message.BODY_LENGTH_SLOT));
        try {
            FrameCheck.bodyLength(
                    position,
                    length,
                    MOST_COPIED_BYTES,
                    fault -> FletchException.raiseInInput(fault.in(index(), position)));
            dictionaryMemory.keep(dictionary, own, length);
        } catch (FletchException e) {
            throw source.placed(e, index());
        }
    }

    /// Adds the message's dictionary batch to the dictionaries, and verifies its values.
    private void define() {
        if (dictionaryBuffers == null) {
            dictionaryBuffers = LibraryDecompressor.buffers(options);
        }
        MemorySegment memory = source.memory;
        long length = message.bodyLength();
        try {
            if (values == null) {
                dictionaries.add(message, memory, source.bodyAt, length, dictionaryBuffers);
                return;
            }
            beforeValues();
            values.define(message, memory, source.bodyAt, length, dictionaryBuffers);
        } catch (FletchException e) {
            Fault early = footer == null ? null : DictionaryOrder.early(e.fault(), footer, number);
            if (early != null) {
                throw FletchException.inInput(early.in(early.position() + schemaShift), e);
            }
            throw source.placed(e, index());
        }
        values.unchecked().report(onValue);
    }

    /// Verifies the uncompressed lengths, which are in the body.
    private void beforeValues() {
        if (message == source.whole && options.checks().has(Check.UNCOMPRESSED_SIZES)) {
            meaning.prefixes(source.memory, source.bodyAt, message.bodyLength());
        }
        bytesRead += source.frame.metadataLength() + message.bodyLength();
        values.limit(bytesRead, ++bodiesRead);
    }

    private BatchValues.Place place() {
        return new BatchValues.Place(index(), source::inputOffset, source.bodyOffsets());
    }

    // ---- a record batch

    /// Leaves the batch, whose columns stay bound until the next one is loaded.
    final void leave() {
        if (buffers != null) {
            buffers.release();
        }
        read = NOTHING;
    }

    /// Takes the values of the batch before from the columns.
    final void unbind() {
        if (areBound) {
            for (Column column : bound) {
                column.unbind();
            }
            areBound = false;
        }
    }

    private BatchCursor bindCursor() {
        if (read < CURSOR) {
            if (layout == null) {
                layOut();
                source.project(); // now that it is known what to leave
            }
            cursor.bind(layout, message);
            if (placed != cursor.layout()) {
                place(cursor.layout()); // of another metadata version
            }
            read = CURSOR;
        }
        return cursor;
    }

    /// Reads the body, checks the values, and binds the columns, unless it was done.
    final void loadBatch() throws IOException {
        if (read == VALUES) {
            return;
        }
        areBound = true;
        try {
            loadValues();
        } catch (FletchException e) {
            throw source.placed(e, index());
        }
        read = VALUES;
    }

    final void requireBatch() {
        if (read < HEADER) {
            throw new IllegalStateException("no batch was read");
        }
    }

    private void readBody() throws IOException {
        bindCursor();
        if (read < BODY) {
            source.body(false);
            cursor.body(source.memory, source.bodyAt, message.bodyLength());
            read = BODY;
        }
    }

    private void loadValues() throws IOException {
        readBody();
        if (cursor.isCompressed()) {
            buffers = buffers == null ? LibraryDecompressor.buffers(options) : buffers;
            cursor.source(buffers);
        } else if (cursor.source() != null) {
            cursor.source(null);
        }
        if (values != null) {
            values();
        }
        for (Column column : bound) {
            column.bind(cursor, dictionaries);
        }
    }

    /// Verifies the values of the batch.
    private void values() {
        beforeValues();
        values.batch(cursor, source.memory, source.bodyAt, message.bodyLength());
        if (!values.unchecked().isEmpty()) {
            endDictionaries(); // says which one a file lacks
            values.unchecked().report(onValue);
        }
    }

    // ---- faults

    /// Throws what the options refuse of what the metadata means.
    private void refuse(Fault fault) {
        if (options.refuses(fault.rule())) {
            throw FletchException.inInput(
                    isInFooter
                            ? fault.in(Fault.NO_MESSAGE, fault.position() + schemaShift)
                            : InputFaults.placed(fault, source.frame, index()));
        }
    }

    /// Throws what the options refuse of values, of those that could not be checked, and of blocks.
    private void refuseValue(Fault fault) {
        if (options.refuses(fault.rule())) {
            FletchException.raiseInInput(fault);
        }
    }
}
