// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify.messages;

import static dev.fletch.MeaningRule.*;

import dev.fletch.Checks;
import dev.fletch.Fault;
import dev.fletch.FaultSink;
import dev.fletch.FletchException;
import dev.fletch.Rule;
import dev.fletch.Rule.Severity;
import dev.fletch.StructureRule;
import dev.fletch.UnreadableFileException;
import dev.fletch.batch.BatchLayout;
import dev.fletch.flatbuf.ByteSlice;
import dev.fletch.flatbuf.internal.LimitedFaults;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Footer;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.format.SparseTensor;
import dev.fletch.format.Tensor;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.internal.BatchCounts;
import dev.fletch.format.internal.DictionaryOrder;
import dev.fletch.format.internal.FaultPlace;
import dev.fletch.format.internal.SchemaCheck;
import dev.fletch.format.internal.VersionCheck;
import dev.fletch.ipc.internal.ContainerPart;
import dev.fletch.ipc.internal.DictionaryNeeds;
import dev.fletch.ipc.internal.FileTail;
import dev.fletch.ipc.internal.FrameCheck;

import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

/// Verifies Arrow's requirements on metadata beyond its structure, after
/// [dev.fletch.format.Verifier] has accepted the bytes. The page of the package has an example.
///
/// The verifier keeps the schema and the state of the dictionaries. Pass the messages of a stream
/// in order; pass the messages of a file in any order after the footer, and call [#endFile] at the
/// end. The sink takes the faults; a call ends when it is full.
///
/// Bodies are not read, except for the prefixes of compressed buffers if the body is available.
///
/// **Errors.** Bytes that [dev.fletch.format.Verifier] has accepted cause no exception, except an
/// [UnreadableFileException] for mapped files; work and memory are proportional to them. Other
/// bytes may point out of their range, which throws a [dev.fletch.FletchException].
///
/// Each verifying method returns whether it found no fault. Verifying a sound batch allocates
/// nothing; verifying a schema allocates its layouts and types of dictionaries. One thread at a
/// time.
public final class SemanticVerifier {
    private final Checks options;
    private final LimitedFaults found = new LimitedFaults();
    private final FaultPlace faults = new FaultPlace(found);
    private final SchemaCheck schemas;
    private final BatchCheck batches;
    private final TensorCheck tensors;
    private final DictionaryOrder dictionaries;
    private final DictionaryNeeds needs;

    private final Schema schema = new Schema();
    private final RecordBatch batch = new RecordBatch();
    private final DictionaryBatch dictionary = new DictionaryBatch();
    private final Tensor tensor = new Tensor();
    private final SparseTensor sparseTensor = new SparseTensor();
    private final ByteSlice bytes = new ByteSlice();

    // Null if no valid schema is known.
    private BatchLayout layout;
    private boolean hasSchema;
    private boolean isFile;
    // Whether each dictionary is defined once.
    private boolean definesOnce;
    // Whether a message that cannot be read may have defined any dictionary.
    private boolean hasGaps = true;
    private ByteSlice body;

    /// Creates a verifier.
    ///
    /// @param sink receives the faults of all calls
    public SemanticVerifier(Checks options, FaultSink sink) {
        this(options, sink, Integer.MAX_VALUE);
    }

    /// Creates a verifier.
    ///
    /// @param sink receives the faults of all calls
    /// @param limit maximum number of faults of each call; the next one ends it
    public SemanticVerifier(Checks options, FaultSink sink, int limit) {
        this.options = Objects.requireNonNull(options, "options");
        found.collect(Objects.requireNonNull(sink, "sink"), limit);
        schemas = new SchemaCheck(faults, options);
        dictionaries = new DictionaryOrder(faults);
        needs = new DictionaryNeeds(dictionaries);
        batches = new BatchCheck(faults, options, dictionaries, needs);
        tensors = new TensorCheck(faults, options);
    }

    // ---- streams and files

    /// Starts a stream, whose messages come in their order, and discards schema and dictionaries.
    /// The next message is the first.
    ///
    /// @param isOnce whether each dictionary is defined once, as in a file that is read as a stream
    public void beginInOrder(boolean isOnce) {
        forget(false, isOnce);
    }

    /// Starts the messages of a file's blocks, in any order, and discards schema and dictionaries:
    /// [#footer] starts them with its schema, else they are compared with that of the first
    /// message.
    public void beginBlocks() {
        forget(true, true);
    }

    private void forget(boolean hasBlocks, boolean isOnce) {
        isFile = hasBlocks;
        definesOnce = isOnce;
        hasSchema = false;
        layout = null;
        begin();
    }

    private void begin() {
        found.begin();
        faults.at("");
    }

    /// Verifies a footer, and starts its file: batches are compared with its schema. The version
    /// may be absent, as in old files; blocks are checked when the file is opened.
    public boolean footer(Footer footer) {
        return isValid(
                () -> {
                    beginBlocks();
                    if (FileTail.schema(footer, 0, schema, faults)
                            && schemas.metadata(footer, "Footer", Footer.CUSTOM_METADATA_SLOT)) {
                        begin(schema, "schema");
                    }
                });
    }

    /// Runs a check outside of a message; returns whether it finds no fault.
    private boolean isValid(Runnable check) {
        try {
            begin();
            check.run();
            return found.count() == 0;
        } catch (InternalError e) {
            throw UnreadableFileException.of(e);
        }
    }

    /// Verifies a file's dictionaries after all its blocks: each used dictionary is defined, and
    /// its deltas follow the definition.
    ///
    /// @param footer bound to the footer that [#footer] has verified
    public boolean endFile(Footer footer) {
        return isValid(
                () -> {
                    boolean isKnown = isFile && layout != null && !dictionaries.hasGaps();
                    if (isKnown && footer.schema(schema) && deltas(footer)) {
                        needs.useInner();
                        faults.at("schema");
                        Set<Long> seen = new HashSet<>();
                        schemas.encoded(
                                schema,
                                (id, position) ->
                                        !seen.add(id)
                                                || !needs.isUndefined(dictionaries.find(id))
                                                || dictionaries.undefined(
                                                        id, id, position, "dictionary.id"));
                    }
                });
    }

    private boolean deltas(Footer footer) {
        boolean goOn = true;
        for (int i = 0; goOn && i < layout.dictionaryCount(); i++) {
            goOn = dictionaries.end(footer, dictionaries.find(layout.dictionary(i)));
        }
        return goOn;
    }

    // ---- messages

    /// Verifies the next message of a stream.
    public boolean message(Message message) {
        return message(message, ContainerPart.NO_BLOCK, null, 0);
    }

    /// Records that a message could not be read. It may have been a batch of any dictionary, so
    /// from now on no dictionary is reported as undefined, unless [#withoutGaps].
    public void skip() {
        if (hasGaps) {
            dictionaries.skip();
        }
    }

    /// Reports dictionaries as undefined that only a message may have defined that cannot be read:
    /// for salvage, which leaves that message out.
    public SemanticVerifier withoutGaps() {
        hasGaps = false;
        return this;
    }

    /// Verifies the message of one of a file's blocks, without its body.
    ///
    /// @param index see [#message(Message, int, MemorySegment, long)]
    public boolean block(Message message, int index) {
        return message(message, index, null, 0);
    }

    /// Verifies the next message of a stream, or that of one of a file's blocks: its kind is not
    /// compared with that of the block, which opening the file checks. That a schema comes first,
    /// and once, is not checked either, only that no tensor follows it. If the body is there,
    /// verifies the prefixes of its compressed buffers, too.
    ///
    /// @param block index of the block among the footer's blocks of the message's kind; 0 for the
    ///     schema in front of the blocks; [ContainerPart#NO_BLOCK] in a stream
    /// @param memory any kind of memory; null if it does not have the body
    /// @param bodyOffset where the body begins in it; it may not have all of it
    public boolean message(Message message, int block, MemorySegment memory, long bodyOffset) {
        try {
            begin();
            long length = message.bodyLength();
            boolean hasBody =
                    memory != null && length >= 0 && length <= memory.byteSize() - bodyOffset;
            body = hasBody ? bytes.wrap(memory, bodyOffset, length) : null;
            int version = message.version();
            if (!VersionCheck.isSupported(version)) {
                long position = message.position(Message.VERSION_SLOT);
                if (message.headerType() != MessageHeader.SCHEMA) { // that defines no dictionary
                    skip();
                }
                FrameCheck.version(position, version, faults);
            } else if (bodyLength(message)
                    && schemas.metadata(message, "Message", Message.CUSTOM_METADATA_SLOT)) {
                header(message, block);
            }
            body = null;
            return found.count() == 0;
        } catch (InternalError e) {
            throw UnreadableFileException.of(e);
        }
    }

    /// Verifies the prefixes of compressed buffers of a batch: the last message that was verified,
    /// without its body, and whose metadata is still in memory. Other faults of its buffers are
    /// found again.
    ///
    /// @param bodyOffset where the body, of so many bytes, begins in the memory
    public boolean prefixes(MemorySegment memory, long bodyOffset, long length) {
        try {
            found.begin();
            batches.prefixes(bytes.wrap(memory, bodyOffset, length));
            return found.count() == 0;
        } catch (InternalError e) {
            throw UnreadableFileException.of(e);
        }
    }

    private boolean bodyLength(Message message) {
        long length = message.bodyLength();
        long position = message.position(Message.BODY_LENGTH_SLOT);
        if (!FrameCheck.bodyLength(position, length, options.limits().bodyBytes(), faults)) {
            return !faults.isFull();
        }
        return FrameCheck.bodyAligned(position, length, faults);
    }

    private void header(Message message, int block) {
        boolean isInStream = hasSchema && block == ContainerPart.NO_BLOCK;
        if (!FrameCheck.header(message, isInStream, faults)) {
            skip();
        } else if (message.header(schema)) {
            schema(message);
        } else if (message.header(batch)) {
            faults.at("header.recordBatch");
            BatchLayout of = forVersion(layout, message);
            batches.check(DictionaryOrder.NONE, false, batch, message, of, isFile, body);
        } else if (message.header(dictionary)) {
            dictionary(message, block);
        } else if (message.header(tensor)) {
            faults.at("header.tensor");
            tensors.check(tensor, message.bodyLength());
        } else if (message.header(sparseTensor)) {
            faults.at("header.sparseTensor");
            tensors.check(sparseTensor, message.bodyLength());
        }
    }

    // ---- schemas

    /// Verifies a schema outside of a message, and starts a stream of its batches.
    public boolean schema(Schema alone) {
        return isValid(
                () -> {
                    beginInOrder(false);
                    begin(alone, "");
                });
    }

    private void schema(Message message) {
        long length = message.bodyLength();
        long position = message.position(Message.BODY_LENGTH_SLOT);
        if (length > 0 && !faults.add(SCHEMA_WITH_BODY, position, length, "bodyLength")) {
            return;
        }
        if (!isFile || !hasSchema) {
            begin(schema, "header.schema");
            return;
        }
        // A file's batches are compared with its footer's schema, so keep this schema separate.
        faults.at("header.schema");
        new SchemaCheck(faults, options).check(schema);
    }

    private void begin(Schema schema, String prefix) {
        hasSchema = true;
        layout = null;
        faults.at(prefix);
        if (!schemas.check(schema)) {
            return;
        }
        try {
            layout = BatchLayout.compile(schema, options.limits());
            needs.begin(layout);
        } catch (FletchException e) { // fields of dictionaries count again
            if (e.rule() == StructureRule.MALFORMED) {
                throw e;
            }
            faults.add(Fault.of(e.rule(), schema.position(), 0).because(e.fault().details()));
        }
    }

    /// Whether a batch has defined a dictionary of the last schema.
    public boolean defines(long id) {
        return dictionaries.defines(id);
    }

    /// The layout of the last schema; null if it is not valid.
    public BatchLayout layout() {
        return layout;
    }

    // ---- batches

    /// Whether a message that breaks a rule is left out. Deviations are no errors. A missing
    /// dictionary is none of the message: the other columns of a batch are complete.
    public static boolean leavesOut(Rule broken) {
        return broken.severity() == Severity.ERROR && broken != DICTIONARY_UNDEFINED;
    }

    private static BatchLayout forVersion(BatchLayout layout, Message message) {
        return layout == null ? null : layout.forVersion(message.version());
    }

    private void dictionary(Message message, int block) {
        faults.at("header.dictionaryBatch");
        long id = dictionary.id();
        boolean isUsed = layout != null && dictionaries.needs(dictionary);
        int known = isUsed ? dictionaries.find(id) : DictionaryOrder.NONE;
        if (faults.isFull() || !BatchCounts.data(dictionary, batch, faults)) {
            return;
        }
        if (known != DictionaryOrder.NONE) {
            boolean goOn = dictionaries.next(dictionary, definesOnce, !isFile);
            dictionaries.add(dictionary, Math.max(0, block));
            needs.defined();
            if (!goOn) {
                return;
            }
        }
        faults.at("header.dictionaryBatch.data");
        batches.check(
                known,
                dictionary.isDelta(),
                batch,
                message,
                layout == null ? null : forVersion(layout.dictionaryLayout(id), message),
                isFile,
                body);
    }
}
