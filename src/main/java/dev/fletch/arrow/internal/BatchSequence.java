// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.arrow.internal;

import dev.fletch.Check;
import dev.fletch.Fault;
import dev.fletch.FaultSink;
import dev.fletch.FletchException;
import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BatchLayout;
import dev.fletch.batch.BufferSource;
import dev.fletch.batch.Columns;
import dev.fletch.batch.Dictionaries;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.flatbuf.Table;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Footer;
import dev.fletch.format.KnownSchema;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.internal.DictionaryMemory;
import dev.fletch.format.internal.DictionaryOrder;
import dev.fletch.format.internal.FieldWalk;
import dev.fletch.format.internal.LostDictionaries;
import dev.fletch.input.InputFaults;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.ReadOptions.Level;
import dev.fletch.ipc.internal.BlockCheck;
import dev.fletch.ipc.internal.BlockNumbers;
import dev.fletch.ipc.internal.ContainerPart;
import dev.fletch.ipc.internal.FileTail;
import dev.fletch.ipc.internal.FooterBlocks;
import dev.fletch.ipc.internal.FrameCheck;
import dev.fletch.verify.internal.BatchValues;
import dev.fletch.verify.messages.SemanticVerifier;
import dev.fletch.verify.messages.ValueFault;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/// The messages of an input in their order: what all readers of batches have in common. Checks them
/// as the options say, defines dictionaries, verifies values, and places errors in the input.
///
/// After an exception, a user may go on with the next message: a dictionary of which a batch could
/// not be used is not defined until a batch defines it again.
///
/// **Lifetime and threads.** What the cursor binds is valid until the next message. Belongs to one
/// thread at a time.
public final class BatchSequence {
    /// What is done with the batches.
    public interface User {
        /// Columns have their places in another layout: that of the batches.
        default void place(BatchLayout layout) {}

        /// {@return the source of the compressed buffers of a record batch; null if it has none}
        ///
        /// @param cursor bound to the batch and its body
        BufferSource buffers(BatchCursor cursor);

        /// Looks at a dictionary batch before its body is read.
        ///
        /// @param dictionary bound to the sequence's message
        default void dictionary(DictionaryBatch dictionary) {}

        /// {@return the source of the compressed buffers of that batch, after its body was read}
        BufferSource dictionaryBuffers();

        /// Takes that batch, which was verified.
        default void define() throws IOException {}

        /// Leaves that batch, which cannot be used.
        default void lose(long id) {}

        /// Leaves the record batch.
        default void leave() {}

        /// Whether it lets a value pass that is an error or refused.
        default boolean accepts(ValueFault fault) {
            return false;
        }
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

    private final Source source;
    private final ReadOptions options;
    private final User user;
    private final Message message;
    private final BatchCursor cursor = new BatchCursor();
    private final DictionaryBatch dictionary = new DictionaryBatch();
    // Null below Level.MEANING.
    private final SemanticVerifier meaning;
    // Made once, and not for each batch.
    private final FaultSink onMeaning = this::refuse;
    private final FaultSink onValue = this::refuseValue;
    private final DictionaryOrder used = new DictionaryOrder(onMeaning);
    // Those of which a batch could not be used, and its number.
    private final LostDictionaries<Integer> lost = new LostDictionaries<>();

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
    // Verifies tables of a file's schema that opening did not; null for a stream.
    private Consumer<Table> verified;

    // ---- what is requested

    private final Set<String> paths = new LinkedHashSet<>();
    private boolean needsAll;
    private boolean isBegun;
    private boolean checksValues;
    private boolean keepsDictionaries = true;

    // ---- what follows from it at the first batch

    // Null if the layout of all columns is made when the cursor is needed.
    private BatchLayout layout;
    // The layout that columns have their places in: that of the batch.
    private BatchLayout placed;
    // Null if no dictionary is needed or kept.
    private Dictionaries dictionaries;
    // Null if values are not checked.
    private BatchValues values;
    private final DictionaryMemory dictionaryMemory;
    // The messages whose bodies were read.
    private long bytesRead;
    private long bodiesRead;

    // ---- the message

    private int next;
    private boolean isAtEnd;
    private int number = Fault.NO_MESSAGE;
    // The last part of a batch that was read.
    private int read = NOTHING;

    /// Creates a sequence before the schema.
    public BatchSequence(Source source, ReadOptions options, User user) {
        this.source = source;
        this.options = options;
        this.user = user;
        message = source.message;
        dictionaryMemory = new DictionaryMemory(options.decompressedBytes());
        checksValues = options.checks(Level.VALUES);
        boolean checksMeaning = options.checks(Level.MEANING);
        meaning = checksMeaning ? new SemanticVerifier(options.checks(), onMeaning) : null;
    }

    /// Turns off the checks of structure that find only deviations, which readers let pass.
    public static ReadOptions ofMetadata(ReadOptions options) {
        Set<Check> errors = EnumSet.of(Check.ALIGNMENT, Check.LITTLE_ENDIAN);
        errors.retainAll(options.checks().enabled());
        return options.withChecks(errors);
    }

    // ---- the schema and what is requested

    /// Reads the schema.
    public void open() throws IOException {
        source.open(this);
        if (schema == null) {
            source.read(next);
            accept(next++);
        }
    }

    /// {@return the schema; null if there is none yet}
    public Schema schema() {
        return schema;
    }

    /// {@return the handle of the schema; null if it is not known}
    public KnownSchema knownSchema() {
        return known;
    }

    /// {@return the metadata version of the schema, or of the first batch of a file}
    public int version() {
        return version;
    }

    /// Verifies a part of the schema that opening did not.
    public void verify(Table part) {
        if (verified != null) {
            verified.accept(part);
        }
    }

    /// {@return how the input is read}
    public ReadOptions options() {
        return options;
    }

    /// Lets columns be laid out, read and checked.
    ///
    /// @param some their paths; none for all
    public void request(List<String> some) {
        if (isBegun) {
            throw new IllegalStateException("first batch was read: columns=" + some);
        }
        for (int i = 0; schema != null && paths.size() + i < MOST_LOOKUPS && i < some.size(); i++) {
            requireField(some.get(i));
        }
        needsAll |= some.isEmpty();
        paths.addAll(some);
    }

    /// Requests the columns of a layout, and no others. Dictionaries are kept only to check values.
    ///
    /// @param hasAll whether it has all columns
    /// @param checks whether values are checked, at each level
    public void use(BatchLayout chosen, boolean hasAll, boolean checks) {
        layout = source.begin(chosen);
        needsAll = hasAll;
        checksValues |= checks;
        keepsDictionaries = checksValues;
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
    public BatchLayout compile(List<String> some) {
        if (some.isEmpty()) {
            return options.checks(Level.STRUCTURE)
                    ? BatchLayout.of(known, schema, version, options.limits())
                    : BatchLayout.compile(
                            schema, version, options.limits(), Columns.all(), this::verify);
        }
        Columns chosen = Columns.paths(some.toArray(String[]::new));
        return BatchLayout.compile(schema, version, options.limits(), chosen, this::verify);
    }

    // ---- what sources call

    /// Sets the schema of a file.
    ///
    /// @param verify verifies a part of the schema if opening did not
    public void footer(Footer footer, long footerOffset, KnownSchema handle, Consumer<Table> verify)
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
    public void requireApart(long footerOffset, ToLongFunction<FooterBlocks> from) {
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

    // ---- messages

    /// Goes to the next record batch, through the dictionary batches before it.
    ///
    /// @return false after the last one
    public boolean advance() throws IOException {
        begin();
        leave();
        while (!isAtEnd) {
            int index = next++;
            isAtEnd = !source.read(index);
            if (isAtEnd) {
                atEnd();
            } else if (accept(index)) {
                return true;
            }
        }
        return false;
    }

    /// Takes the next message.
    ///
    /// @return whether it is a record batch; false also at the end
    public boolean receive() throws IOException {
        leave();
        int index = next++;
        if (source.read(index)) {
            return accept(index);
        }
        atEnd();
        return false;
    }

    /// Makes a batch of a file the next one, after all dictionaries.
    public void select(int batch) throws IOException {
        begin();
        leave();
        readDictionaries();
        isAtEnd = false;
        next = source.blocks.number(MessageHeader.RECORD_BATCH, batch);
    }

    /// Reads the dictionaries of a file that were not read yet.
    public void readDictionaries() throws IOException {
        begin();
        while (next < source.blocks.dictionaries()) {
            int index = next++;
            source.read(index);
            accept(index);
        }
    }

    /// Passes the dictionaries of a file, none of which is needed.
    public void skipDictionaries() {
        next = Math.max(next, source.blocks.dictionaries());
    }

    /// Takes the source's message.
    ///
    /// @return whether it is a record batch
    private boolean accept(int index) throws IOException {
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
                if (!message.isPresent(Message.HEADER_SLOT)) {
                    FrameCheck.unexpected(source.whole, onMeaning);
                }
                if (schema != null) {
                    FrameCheck.repeatedSchema(
                            source.frame.offset(),
                            fault -> FletchException.raiseInInput(fault.inMessage(index())));
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
            throw placed(e);
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
    private void begin() {
        if (isBegun) {
            return;
        }
        if (schema == null) {
            FrameCheck.unexpected(source.whole, onMeaning);
        }
        isBegun = true;
        boolean isChosen = layout != null;
        if (!isChosen) {
            if (paths.isEmpty() && !needsAll && !checksValues) {
                return;
            }
            layOut();
        }
        place(layout);
        if (layout.dictionaryCount() > 0) {
            dictionaries = keepsDictionaries ? new Dictionaries(layout, footer != null) : null;
            int count = layout.dictionaryCount();
            used.begin(IntStream.range(0, count).mapToLong(layout::dictionary).toArray());
        }
        if (checksValues) {
            values = new BatchValues(options, null, this::place, onValue);
            boolean hasAll = needsAll || paths.isEmpty() && !isChosen;
            values.begin(schema, layout, hasAll, dictionaries, footer != null);
            if (!options.checks(Level.VALUES)) {
                values.leaveUndefined();
            }
        }
    }

    private void place(BatchLayout of) {
        placed = of;
        user.place(of);
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
    public FletchException inSchema(FletchException e) {
        if (e.offset() != FletchException.NO_OFFSET) {
            return e.inMessage(schemaIndex, schemaShift);
        }
        List<Fault> found = new ArrayList<>();
        try {
            new SemanticVerifier(options.checks(), found::add).schema(schema);
        } catch (FletchException _) {
            return e; // the schema was not verified
        }
        return found.stream()
                .filter(each -> each.rule() == e.rule())
                .map(each -> e.fault().in(schemaIndex, each.position() + schemaShift))
                .map(each -> FletchException.inInput(each.withText(e.fault().text()), e))
                .findFirst()
                .orElse(e);
    }

    // ---- dictionaries

    /// {@return the dictionaries that are needed and kept, as far as they were read; null if there
    /// are none}
    public Dictionaries dictionaries() {
        return dictionaries;
    }

    /// Checks what no batch has needed, after the last one.
    private void atEnd() {
        number = footer == null ? number : Fault.NO_MESSAGE;
        endDictionaries();
        if (options.checks(Level.VALUES)) {
            verifyIndices();
        }
    }

    /// Whether indices from a dictionary into another one are wrong, unless more messages come.
    public boolean hasWrongIndices() {
        return values != null && dictionaries != null && values.hasWrongIndices();
    }

    /// Verifies indices from dictionaries into others, as they are now.
    public void verifyIndices() {
        if (values != null && dictionaries != null) {
            values.verifyDictionaries();
            values.unchecked().report(onValue);
        }
    }

    /// {@return whether all dictionaries that are needed are defined}
    public boolean areAllDefined() {
        return used.areAllDefined() && lost.first() == null;
    }

    /// Requires a dictionary for values of the message.
    ///
    /// @param position of what needs it
    public void requireDefined(long id, long position) {
        if (!used.isDefined(used.find(id)) || lost.why(id) != null) {
            used.undefined(id, id, position, "dictionary");
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
        if (!source.whole.header(dictionary)) {
            FrameCheck.unexpected(source.whole, onMeaning);
        }
        if (isNeeded()) {
            long id = dictionary.id();
            try {
                requireOrder(id);
                message.header(dictionary);
                define();
                used.add(dictionary, 0);
            } catch (FletchException e) {
                lose(id);
                throw placed(e);
            } catch (IOException | RuntimeException | Error e) {
                lose(id);
                throw e;
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

    /// Checks whether a batch of a needed dictionary may come next.
    private void requireOrder(long id) {
        boolean isDelta = dictionary.isDelta();
        used.next(dictionary, footer != null, true);
        if (lost.before(id, isDelta) != null) {
            used.undefined(id, id, dictionary.position(DictionaryBatch.ID_SLOT), "dictionary");
        }
    }

    /// Forgets a dictionary of which a batch cannot be used.
    private void lose(long id) {
        lost.lose(id, number);
        user.lose(id);
        if (dictionaries != null) {
            dictionaries.remove(id);
        }
    }

    /// Reads the message's dictionary batch, and verifies its values.
    private void define() throws IOException {
        user.dictionary(dictionary);
        if (keepsDictionaries) {
            keep();
        }
        source.body(keepsDictionaries);
        if (values != null) {
            beforeValues();
        }
        BufferSource buffers = user.dictionaryBuffers();
        if (values != null) {
            values.define(
                    message,
                    source.memory,
                    source.bodyAt,
                    message.bodyLength(),
                    source.pieces,
                    buffers);
            values.unchecked().report(onValue);
        } else if (keepsDictionaries && source.pieces != null) {
            dictionaries.add(message, source.pieces, buffers);
        } else if (keepsDictionaries) {
            dictionaries.add(message, source.memory, source.bodyAt, message.bodyLength(), buffers);
        }
        user.define();
        if (!dictionary.isDelta()) {
            lost.define(dictionary.id());
        }
    }

    /// Checks that all dictionaries, with the copies of their bodies, stay within the limit of their
    /// memory.
    private void keep() {
        long own = source.frame.metadataLength();
        long length = source.isCopying() ? message.bodyLength() : 0;
        long position = source.frame.inputOffset(source.whole.position(Message.BODY_LENGTH_SLOT));
        FrameCheck.bodyLength(
                position,
                length,
                MOST_COPIED_BYTES,
                fault -> FletchException.raiseInInput(fault.in(index(), position)));
        dictionaryMemory.keep(dictionary, own, length);
    }

    /// Verifies the uncompressed lengths, which are in the body.
    private void beforeValues() {
        if (meaning != null
                && message == source.whole
                && source.memory != null
                && options.checks().has(Check.UNCOMPRESSED_SIZES)) {
            meaning.prefixes(source.memory, source.bodyAt, message.bodyLength());
        }
        bytesRead += source.frame.metadataLength() + message.bodyLength();
        values.limit(bytesRead, ++bodiesRead);
    }

    private BatchValues.Place place() {
        return new BatchValues.Place(index(), source::inputOffset, source.bodyOffsets());
    }

    // ---- a record batch

    /// Leaves the batch.
    public void leave() {
        user.leave();
        read = NOTHING;
    }

    /// {@return whether there is a batch, whose header was read}
    public boolean hasBatch() {
        return read >= HEADER;
    }

    /// {@return the numbers of the batch: see [dev.fletch.arrow.Batches#cursor]}
    public BatchCursor cursor() {
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

    /// Reads the body of the batch.
    public void readBody() throws IOException {
        cursor();
        if (read < BODY) {
            source.body(false);
            source.bind(cursor);
            read = BODY;
        }
    }

    /// Reads the body of the batch and verifies its values.
    ///
    /// @return false if it was done
    public boolean load() throws IOException {
        if (read == VALUES) {
            return false;
        }
        readBody();
        if (values != null) {
            beforeValues();
        }
        BufferSource buffers = user.buffers(cursor);
        if (cursor.source() != buffers) {
            cursor.source(buffers);
        }
        if (values != null) {
            values();
        }
        read = VALUES;
        return true;
    }

    /// Verifies the values of the batch.
    private void values() {
        values.batch(cursor, source.memory, source.bodyAt, message.bodyLength());
        if (!values.unchecked().isEmpty()) {
            endDictionaries(); // says which one a file lacks
            values.unchecked().report(onValue);
        }
    }

    /// The layout of the messages; null before the first batch.
    public BatchLayout layout() {
        return layout;
    }

    /// {@return whether values are verified}
    public boolean checksValues() {
        return values != null;
    }

    /// {@return index of the message}
    public int number() {
        return number;
    }

    // ---- faults

    /// Places an exception about the message in the input, unless it is there.
    public FletchException placed(FletchException e) {
        return e.isInInput() ? e : inBlock(source.placed(e, index()).fault(), e);
    }

    /// Adds the name of the input, if it has one.
    public FletchException named(FletchException e) {
        return source.name == null ? e : e.in(source.name);
    }

    /// Throws what the options refuse of what the metadata means.
    private void refuse(Fault fault) {
        if (!options.refuses(fault.rule())) {
            return;
        }
        boolean isOfMessage = footer != null && !isInFooter;
        Fault early = isOfMessage ? DictionaryOrder.early(fault, footer, number) : null;
        if (isInFooter || early != null) {
            Fault found = early == null ? fault : early;
            throw FletchException.inInput(
                    found.in(Fault.NO_MESSAGE, found.position() + schemaShift));
        }
        throw inBlock(InputFaults.placed(fault, source.frame, index()), null);
    }

    /// Throws what the options refuse of values, of those that could not be checked, and of blocks.
    private void refuseValue(Fault fault) {
        if (options.refuses(fault.rule())
                && !(fault instanceof ValueFault value && user.accepts(value))) {
            throw inBlock(fault, null);
        }
    }

    /// Names the buffer of a value, and the batch of a file, whose message has no index.
    private FletchException inBlock(Fault fault, Throwable cause) {
        boolean isOfValue = fault instanceof ValueFault && !fault.path().isEmpty();
        Fault named = isOfValue ? fault.followedBy(", buffer=" + fault.path()) : fault;
        if (footer != null && number != Fault.NO_MESSAGE) {
            int kind = source.blocks.kind(number);
            boolean isOfOther =
                    kind == MessageHeader.RECORD_BATCH
                            && fault instanceof ValueFault value
                            && value.dictionaryBatch() != ValueFault.NO_DICTIONARY;
            String where = ", batch=" + BlockNumbers.path(kind, block());
            named = isOfOther ? named : named.followedBy(where);
        }
        return FletchException.inInput(named, cause);
    }
}
