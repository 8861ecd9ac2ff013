// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify.internal;

import dev.fletch.Check;
import dev.fletch.Checks;
import dev.fletch.Fault;
import dev.fletch.FileRule;
import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.MeaningRule;
import dev.fletch.Rule;
import dev.fletch.Rule.Severity;
import dev.fletch.StructureRule;
import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BatchLayout;
import dev.fletch.flatbuf.internal.VerifierEngine;
import dev.fletch.format.BatchCodec;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Footer;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.format.Verifier;
import dev.fletch.format.ids.Endianness;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.internal.BatchCounts;
import dev.fletch.format.internal.VersionCheck;
import dev.fletch.format.internal.tables.ArrowRules;
import dev.fletch.input.CompleteBatches;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.internal.BodyLength;
import dev.fletch.ipc.internal.ContainerPart;
import dev.fletch.ipc.internal.FileTail;
import dev.fletch.ipc.internal.FrameCheck;
import dev.fletch.ipc.internal.MessageBytes;
import dev.fletch.ipc.internal.NonzeroBytes;
import dev.fletch.ipc.internal.Work;
import dev.fletch.verify.CheckReport;
import dev.fletch.verify.messages.SemanticVerifier;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/// Checks the metadata of consecutive messages and footers: the structure and, if it is sound, the
/// semantics. Keeps the properties of the last message that the checks of frames and files use.
final class MessageCheck {
    private static final String FOOTER = "footer";
    private static final int NO_VERSION = -1;
    private static final int NO_FOOTER = -1;
    // The longest body to read from a pipe for the uncompressed sizes of its buffers.
    private static final int MAX_BODY_BYTES = 64 << 20;

    private final Faults faults;
    private final Verifier verifier;
    private final Verifier official;
    private final SemanticVerifier semantics;
    private final boolean refusesMarkers;
    private final boolean refusesDeltas;
    private boolean checksBodies;
    // Null if values are not checked.
    private final MessageValues values;
    // Null if unused bytes are not checked; and the bytes that objects of the metadata have.
    private final VerifierEngine engine;
    private final BitSet covered = new BitSet();
    private final Message message = new Message();
    private final Schema schema = new Schema();
    private final DictionaryBatch dictionary = new DictionaryBatch();
    private final BatchCodec codec = new BatchCodec();
    private final RecordBatch batch = new RecordBatch();
    private final BodyLength damagedBodyLength = new BodyLength();

    // Current flatbuffer: index of its message, offset in the input of the memory's position 0, and
    // whether the official verifier accepts it.
    private int index;
    // What it is, without an index; null for a flatbuffer alone.
    private String part;
    private long shift;
    private boolean isSound;
    // Index of the message's block among those of its kind, and whether that is dictionaries.
    private int block = ContainerPart.NO_BLOCK;
    private boolean isDictionaryBlock;
    // Whether readers of the input use the message.
    private boolean isUsed = true;
    private boolean hasBodyLength;
    private boolean isSchema;
    private int bodyTaken;
    // Whether the messages are those of a file without a usable footer, which may have dictionaries
    // behind the batches that need them; and the faults of these batches.
    private boolean isScanned;
    private final List<Fault> undefined = new ArrayList<>();
    private final Set<Long> undefinedIds = new HashSet<>();

    private int footerVersion = NO_VERSION;
    private int dictionaryBatches;
    private int recordBatches;
    private int endianness = Endianness.LITTLE;
    private final CompleteBatches complete = new CompleteBatches();
    // Of the schema if it has errors; else null.
    private BatchLayout invalid;
    private final BatchCursor cursor = new BatchCursor();
    // Number of errors before the current message.
    private long errorsBefore;
    private int expectedBatches = NO_FOOTER;
    // The index of the first message or damage at each offset, which ascend together; null if they
    // are not needed.
    private TreeMap<Long, Integer> offsets;

    MessageCheck(ReadOptions options, List<String> columns, Faults faults) {
        refusesMarkers = FrameCheck.refusesMarkers(options.refused());
        refusesDeltas = options.refused().contains(FileRule.DELTA_IN_FILE);
        Checks checks = options.checks();
        boolean checksValues = options.checks(ReadOptions.Level.VALUES);
        this.verifier = new Verifier(checks);
        this.official = new Verifier(Checks.ARROW_CPP.withLimits(checks.limits()));
        this.faults = faults;
        // Compressed buffers have their sizes in the body.
        this.checksBodies = checks.has(Check.UNCOMPRESSED_SIZES);
        this.semantics = new SemanticVerifier(checks, this::add, CheckReport.MAX_FAULTS);
        UnaryOperator<BatchLayout> choice =
                columns.isEmpty() ? null : layout -> layout.choose(columns);
        values = checksValues ? new MessageValues(choice, options, faults) : null;
        boolean checksUnused = checks.has(Check.UNUSED_BYTES);
        engine = checksUnused ? new VerifierEngine(ArrowRules.SET, Checks.ARROW_CPP) : null;
    }

    /// Whether unused bytes are checked.
    boolean checksUnused() {
        return engine != null;
    }

    /// Whether an end-of-stream marker must have the prefix of the messages.
    boolean refusesMarkers() {
        return refusesMarkers;
    }

    /// Whether values are checked. The complete input is in memory then.
    boolean checksValues() {
        return values != null;
    }

    /// Checks the values of dictionaries that no record batch follows.
    void endValues() {
        if (values != null) {
            values.finish();
        }
    }

    long uncheckedFields() {
        return values == null ? 0 : values.unchecked();
    }

    Limits limits() {
        return verifier.options().limits();
    }

    /// Begins a stream.
    ///
    /// @param ofFile whether it is a file that is checked as a stream
    void beginStream(boolean ofFile) {
        endStream();
        isScanned = ofFile;
        semantics.beginInOrder(ofFile);
        beginBlock(ContainerPart.NO_BLOCK, false);
    }

    /// Ends a stream: reports the dictionaries of a file without a usable footer that are not
    /// behind their batches either.
    void endStream() {
        reportUndefined();
        isScanned = false;
    }

    private void reportUndefined() {
        undefined.stream().filter(each -> !semantics.defines(each.value())).forEach(faults::accept);
        undefined.clear();
        undefinedIds.clear();
    }

    /// Sets the block of the next message.
    ///
    /// @param number index of its block among those of its kind
    /// @param ofDictionary whether it is one of a dictionary
    void beginBlock(int number, boolean ofDictionary) {
        block = number;
        isDictionaryBlock = ofDictionary;
        isUsed = true;
    }

    /// The next message is where the schema message of a file belongs. Readers of files do not use
    /// it: if it is a batch, it is not counted, defines no dictionary, and its values are not
    /// checked.
    void beginSchemaMessage() {
        beginBlock(0, false);
        isUsed = false;
    }

    void leaveOutBodies() {
        checksBodies = false;
    }

    // ---- messages

    /// Remembers where messages are.
    void recordMessages() {
        offsets = new TreeMap<>();
    }

    /// Index of the first message or damage that begins in a range, if that is remembered;
    /// [Fault#NO_MESSAGE] if there is none.
    ///
    /// @param last last offset of the range
    int messageIn(long first, long last) {
        Map.Entry<Long, Integer> found = offsets.ceilingEntry(first);
        return found == null || found.getKey() > last ? Fault.NO_MESSAGE : found.getValue();
    }

    /// Begins a message, before its prefix.
    void beginMessage(int number, long offset) {
        errorsBefore = faults.ownErrors();
        if (offsets != null && number != Fault.NO_MESSAGE) {
            // It replaces what had this index, which was no message, and those behind it.
            while (!offsets.isEmpty() && offsets.lastEntry().getValue() >= number) {
                offsets.pollLastEntry();
            }
            offsets.putIfAbsent(offset, number);
        }
    }

    /// Some errors are those of the message's place: it may be complete all the same.
    void excuse(long errors) {
        errorsBefore += errors;
    }

    /// Counts the last message as complete if it has no errors: all its bytes are there.
    void complete() {
        if (isSound && faults.ownErrors() == errorsBefore && fitsInvalid()) {
            complete.add(message);
        }
    }

    /// Lays out a schema that has errors: batches are not compared with it, but those that cannot
    /// be bound to it are not complete.
    ///
    /// @param bound null if readers cannot open its message
    private void layOutInvalid(Schema bound) {
        invalid = null;
        try {
            boolean isInvalid = bound != null && semantics.layout() == null;
            invalid = isInvalid ? BatchLayout.compile(bound, limits()) : null;
        } catch (FletchException _) {
            // It has no layout.
        }
    }

    private boolean fitsInvalid() {
        try {
            if (invalid != null && message.header(batch)) {
                cursor.bind(invalid, message);
            }
            return true;
        } catch (FletchException _) {
            return false;
        }
    }

    /// The input ends in the body of the last message.
    void incomplete() {
        if (isSound) {
            complete.incomplete(message);
        }
    }

    /// Checks a message. Takes its body if it is needed and not in memory.
    ///
    /// @param bytes source whose bytes taken last are the metadata
    /// @param number index of the message
    /// @param inputOffset offset in the input of the metadata
    void message(MessageBytes bytes, int length, int number, long inputOffset) throws IOException {
        MemorySegment memory = bytes.memory();
        long position = bytes.position();
        index = number;
        part = "schema message";
        shift = inputOffset - position;
        bodyTaken = 0;
        structure(Verifier.Root.MESSAGE, memory, position, length);
        if (isSound) {
            message.wrap(memory, position, length);
        } else {
            hasBodyLength &= damagedBodyLength.read(memory, position, length);
        }
        isSchema = isSound && message.header(schema);
        // Only memory of the complete input has the body after the metadata.
        boolean hasBody = checksBodies && isSound && (shift == 0 || takeBody(bytes));
        int errors = values == null ? 0 : faults.count(Severity.ERROR);
        end(hasBody ? bytes.memory() : null, position + length);
        if (values != null && isSound) {
            boolean hasNoErrors = faults.count(Severity.ERROR) == errors;
            if (isSchema && block == ContainerPart.NO_BLOCK) {
                Schema bound = new Schema();
                new Message().wrap(memory, position, length).header(bound);
                values.begin(bound, hasNoErrors, isScanned);
            }
            if (isUsed) {
                values.message(message, index, block, memory, position, length, hasNoErrors);
            }
        }
    }

    /// Takes the body of a compressed batch, unless it is too long.
    ///
    /// @return whether the complete body is now after the metadata
    private boolean takeBody(MessageBytes bytes) throws IOException {
        long size = message.bodyLength();
        if (size <= 0
                || size > MAX_BODY_BYTES
                || !BatchCounts.find(message, dictionary, batch)
                || !codec.read(batch)) {
            return false;
        }
        bodyTaken = bytes.takeMore((int) size);
        return bodyTaken == size;
    }

    /// @param memory has the body at `bodyOffset`; null if the body is not checked
    private void end(MemorySegment memory, long bodyOffset) {
        if (isSound) {
            if (isSchema) {
                reportUndefined();
            }
            if (isUsed || isSchema) {
                semantics.message(message, block, memory, bodyOffset);
            }
            if (isSchema && expectedBatches == NO_FOOTER) {
                layOutInvalid(isReadable() ? schema : null);
            }
            version();
            count();
            return;
        }
        skip();
        if (hasBodyLength) {
            FrameCheck.bodyLength(
                    damagedBodyLength.place(), bodyLength(), limits().bodyBytes(), this::add);
        }
    }

    /// Records that a message could not be read: it may have been a batch of any dictionary.
    void skip() {
        if (isUsed) {
            semantics.skip();
            lose(isDictionaryBlock ? block : ContainerPart.NO_BLOCK);
        }
    }

    /// Records for the values that a batch is lost.
    ///
    /// @param ofDictionary index of its block in a file among those of dictionaries, if it is one
    void lose(int ofDictionary) {
        if (values != null) {
            values.skip(ofDictionary);
        }
    }

    private void version() {
        int version = message.version();
        if (VersionCheck.isSupported(footerVersion)
                && VersionCheck.isSupported(version)
                && version != footerVersion) {
            String footer = "footer=" + VersionCheck.name(footerVersion);
            String found = footer + ", message=" + VersionCheck.name(version);
            long position = message.position() + shift;
            faults.add(FileRule.VERSION_DIFFERS, index, "version", position, found);
            footerVersion = NO_VERSION; // reported once: usually all messages differ
        }
    }

    /// Counts the last message once more: another block refers to it.
    void countAgain() {
        recordBatches += isSound && message.header(batch) ? 1 : 0;
    }

    private void count() {
        if (isSchema && expectedBatches == NO_FOOTER) {
            endianness = schema.endianness();
        }
        recordBatches += isUsed && message.header(batch) ? 1 : 0;
        if (isUsed && message.header(dictionary)) {
            dictionaryBatches++;
            delta();
        }
    }

    private void delta() {
        if (refusesDeltas && expectedBatches != NO_FOOTER && dictionary.isDelta()) {
            long position = dictionary.position(DictionaryBatch.IS_DELTA_SLOT) + shift;
            faults.add(FileRule.DELTA_IN_FILE, index, "isDelta", position, "id=" + dictionary.id());
        }
    }

    /// Whether the official verifier accepts the last message. Otherwise [#kind] is undefined.
    boolean isSound() {
        return isSound;
    }

    /// Whether readers can open the last message.
    boolean isReadable() {
        return isSound
                && VersionCheck.isSupported(message.version())
                && FrameCheck.bodyLength(
                        0, message.bodyLength(), limits().bodyBytes(), _ -> {}); // reported before
    }

    /// The last message, if it is sound.
    Message last() {
        return message;
    }

    int kind() {
        return message.headerType();
    }

    String kindName() {
        return MessageHeader.NAMES.name(kind());
    }

    /// Whether [#bodyLength] could be read.
    boolean hasBodyLength() {
        return hasBodyLength;
    }

    /// Body length of the last message, in bytes; may be negative.
    long bodyLength() {
        return isSound ? message.bodyLength() : damagedBodyLength.value();
    }

    /// Number of bytes of the last message's body that were taken, so they need not be skipped.
    int bodyTaken() {
        return bodyTaken;
    }

    /// The schema in the last message, bound until the next message; null if there is none.
    Schema schema() {
        return isSchema ? schema : null;
    }

    // ---- footers

    /// Checks a footer and begins its file: later messages are compared with the footer.
    ///
    /// @return whether it is sound, and has a schema
    boolean footer(MemorySegment memory, long position, int length) {
        index = Fault.NO_MESSAGE;
        part = FOOTER;
        shift = 0;
        structure(Verifier.Root.FOOTER, memory, position, length);
        if (!isSound) {
            return false;
        }
        Footer footer = new Footer().wrap(memory, position, length);
        int errors = faults.count(Severity.ERROR);
        semantics.footer(footer);
        Schema bound = new Schema();
        if (!FileTail.schema(footer, 0, bound, _ -> {})) { // which semantics has reported
            return false;
        }
        expectedBatches = footer.recordBatchesCount();
        layOutInvalid(bound);
        if (values != null) {
            values.begin(bound, faults.count(Severity.ERROR) == errors, true);
        }
        footerVersion = footer.version();
        endianness = bound.endianness();
        return true;
    }

    /// Checks a table that is neither in a message nor in a footer.
    void flatbuffer(Verifier.Root root, MemorySegment memory, long length) {
        index = Fault.NO_MESSAGE;
        part = null;
        shift = 0;
        structure(root, memory, 0, length);
        if (isSound && root == Verifier.Root.SCHEMA) {
            semantics.schema(schema.wrap(memory, 0, length));
            endianness = schema.endianness();
        }
    }

    /// Checks the footer together with its messages, after all blocks.
    void endFile(Footer footer) {
        // A missing dictionary may have any id.
        if (dictionaryBatches == footer.dictionariesCount()) {
            index = Fault.NO_MESSAGE;
            part = FOOTER;
            shift = 0;
            semantics.endFile(footer);
        }
    }

    // ---- structure

    private void structure(Verifier.Root root, MemorySegment memory, long position, long length) {
        Work.worked(length);
        isSound = true;
        hasBodyLength = true;
        int room = faults.room();
        int found = verifier.findFaults(root, memory, position, length, this::add, room);
        // A fault of a strict rule hides faults below it.
        if (found > 0 && isSound && !official.verify(root, memory, position, length)) {
            official.findFaults(root, memory, position, length, this::add, room);
            isSound = false;
        }
        if (isSound && checksUnused()) {
            unused(root, memory, position, length);
        }
    }

    /// Checks that bytes are 0 that no object of sound metadata has.
    private void unused(Verifier.Root root, MemorySegment memory, long position, long length) {
        engine.cover(ArrowRules.SET.kind(root.table()), memory, position, length, covered);
        int size = Math.toIntExact(length);
        NonzeroBytes nonzero = new NonzeroBytes();
        for (int i = covered.nextClearBit(0); i < size; i = covered.nextClearBit(i + 1)) {
            nonzero.add(memory, position + i, position + i + 1);
        }
        nonzero.report(StructureRule.UNUSED_METADATA, this::add);
    }

    private void add(Fault fault) {
        Rule rule = fault.rule();
        if (rule instanceof StructureRule) {
            boolean isError = rule.severity() == Severity.ERROR;
            String path = fault.path();
            isSound &= !isError;
            hasBodyLength &= !(isError && (path.isEmpty() || path.equals("bodyLength")));
        }
        Fault in = fault.in(index, fault.position() + shift);
        Fault placed = index == Fault.NO_MESSAGE ? in.inPart(part) : in;
        if (!isScanned || rule != MeaningRule.DICTIONARY_UNDEFINED) {
            faults.accept(placed);
        } else if (undefinedIds.add(fault.value()) || undefined.size() < faults.room()) {
            undefined.add(placed); // one of each id: those of others may be defined later
        }
    }

    // ---- all messages

    int dictionaryBatches() {
        return dictionaryBatches;
    }

    int recordBatches() {
        return recordBatches;
    }

    /// The record batches whose messages are complete and have no errors.
    CompleteBatches completeBatches() {
        return complete;
    }

    /// Number of record batches in the footer; -1 without a sound one.
    int expectedBatches() {
        return expectedBatches;
    }

    /// The byte order of the bodies, by the footer's schema or, without a footer, by the last
    /// schema message.
    int endianness() {
        return endianness;
    }
}
