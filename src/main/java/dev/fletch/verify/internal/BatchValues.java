// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify.internal;

import dev.fletch.Check;
import dev.fletch.Fault;
import dev.fletch.FaultSink;
import dev.fletch.FletchException;
import dev.fletch.MeaningRule;
import dev.fletch.Rule.Severity;
import dev.fletch.WorkMonitor;
import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BatchLayout;
import dev.fletch.batch.BufferSource;
import dev.fletch.batch.DecompressedBuffers;
import dev.fletch.batch.Decompressor;
import dev.fletch.batch.Dictionaries;
import dev.fletch.compression.LibraryDecompressor;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Message;
import dev.fletch.format.Schema;
import dev.fletch.format.internal.LostDictionaries;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.verify.messages.UnusedCheck;
import dev.fletch.verify.messages.ValueFault;
import dev.fletch.verify.messages.ValueVerifier;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;

/// Verifies the values of an input's batches in their order: of readers, and of checks that find
/// all faults.
///
/// Passes faults with their place in the input: one in a dictionary has that of the dictionary's
/// batch. Counts the fields that cannot be verified.
///
/// **Work.** Buffers may share bytes, blocks of a file messages, and a new dictionary may be too
/// short for indices in others. So at most 8 times the bytes of the input are verified; if they are
/// decompressed, 256 times more, the most of LZ4, and 2 GiB of each part for values that Zstandard
/// makes smaller still: 1 GiB counts when it is decompressed and when it is read. Record batches
/// allocate nothing.
public final class BatchValues implements FaultSink {
    private static final long TIMES = 8;
    private static final long DECOMPRESSED_TIMES = 256;
    private static final long DECOMPRESSED_BYTES = 2L << 30;
    private static final String OVER_LIMIT = "too many bytes to verify for the size of the input";

    /// Where a batch is in the input.
    ///
    /// @param inInput the offsets in the input of positions in the memory of its metadata
    /// @param body the offsets in the input of positions in its body
    public record Place(int message, LongUnaryOperator inInput, LongUnaryOperator body) {
        /// The offset in the input of a fault; of one that has lost its place, that of the body.
        private long offset(ValueFault fault) {
            return fault.isInMetadata() && fault.position() != Fault.NO_OFFSET
                    ? inInput.applyAsLong(fault.position())
                    : body.applyAsLong(Math.max(0, fault.position()));
        }
    }

    private final WorkMonitor monitor;
    private final Decompressor decompressor;
    private final DecompressedBuffers buffers;
    private final Supplier<Place> current;
    private final FaultSink sink;
    private final UncheckedFields unchecked;
    private final BatchCursor cursor = new BatchCursor();
    private final DictionaryBatch dictionary = new DictionaryBatch();

    private BatchLayout layout;
    private ValueVerifier verifier;
    // Null if the layout has none.
    private Dictionaries dictionaries;
    // Of the batches of each dictionary.
    private final Map<Long, List<Place>> places = new HashMap<>();
    // Why dictionaries are not defined: the reason for which a batch of each was left out.
    private final LostDictionaries<String> lost = new LostDictionaries<>();
    // Why the last field without verified values was left out.
    private String lastReason;
    private long errors;

    // Null if unused bytes are not checked.
    private final UnusedCheck unused;
    private boolean isWhole;

    private boolean leavesUndefined;

    private long inputBytes;
    private long inputParts;
    private long bytesVerified;
    private boolean hasDecompressed;

    /// @param buffers decompress each field when it is verified; null if the source of a batch's
    ///     cursor does it
    /// @param current the place of the current message, for faults and dictionaries
    public BatchValues(
            ReadOptions options,
            DecompressedBuffers buffers,
            Supplier<Place> current,
            FaultSink sink) {
        this.monitor = options.monitor();
        this.decompressor = LibraryDecompressor.of(options);
        this.buffers = buffers;
        this.current = current;
        this.sink = sink;
        unchecked = new UncheckedFields(current);
        unused = options.checks().has(Check.UNUSED_BYTES) ? new UnusedCheck(options) : null;
    }

    /// Begins the batches of a schema.
    ///
    /// @param of all batches, or chosen fields: only these are verified
    /// @param hasAll whether the layout has all columns
    /// @param empty receives the dictionaries; null if there are none
    /// @param inFile whether dictionaries are not replaced
    public void begin(
            Schema schema, BatchLayout of, boolean hasAll, Dictionaries empty, boolean inFile) {
        layout = of;
        isWhole = hasAll;
        dictionaries = empty;
        places.clear();
        lost.begin(inFile);
        verifier = new ValueVerifier(schema, of, monitor, buffers).onUnchecked(this::addUnchecked);
    }

    /// The fields that are not verified.
    public UncheckedFields unchecked() {
        return unchecked;
    }

    // ---- batches

    /// Adds a dictionary batch, and verifies its values: without indices into other dictionaries,
    /// which may be defined or replaced until the next record batch. If that is not possible, the
    /// dictionary is forgotten, and its fields are counted.
    ///
    /// @param message bound to a batch of a dictionary of the layout
    /// @param position offset of the body in the memory
    /// @param pieces the buffers of the body, instead of memory; else null
    /// @param source of the bytes for later reads: see [Dictionaries#add]
    /// @throws FletchException as [Dictionaries#add]
    public void define(
            Message message,
            MemorySegment memory,
            long position,
            long length,
            BufferSource pieces,
            BufferSource source) {
        message.header(dictionary);
        long id = dictionary.id();
        String why = lost.before(id, dictionary.isDelta());
        if (why != null) {
            unchecked.add(why, layout.dictionaryLayout(id));
            lose(id, why);
            return;
        }
        cursor.bind(layout.dictionaryLayout(id), message);
        if (pieces == null) {
            cursor.body(memory, position, length);
        } else {
            cursor.body(pieces);
        }
        if (!isWithinLimit(cursor)) {
            unchecked.add(OVER_LIMIT, cursor.layout());
            lose(id, OVER_LIMIT);
            return;
        }
        try {
            if (pieces == null) {
                dictionaries.add(message, memory, position, length, source);
            } else {
                dictionaries.add(message, pieces, source);
            }
        } catch (FletchException e) {
            if (e.rule() != MeaningRule.COMPRESSED_BUFFER
                    && e.rule() != MeaningRule.FOREIGN_ENDIANNESS) {
                throw e;
            }
            lastReason = e.rule().description();
            verifier.verifyDictionary(id, cursor, this);
            bytesVerified += verifier.bytesRead();
            lose(id, lastReason);
            return;
        }
        lost.define(id);
        List<Place> batches = places.computeIfAbsent(id, _ -> new ArrayList<>());
        if (!dictionary.isDelta()) {
            batches.clear();
        }
        batches.add(current.get());
        long before = errors;
        verifier.verifyDictionary(id, dictionaries, this);
        bytesVerified += verifier.bytesRead();
        checkUnused(before, cursor, memory, position, length);
    }

    /// Leaves out a batch, whose dictionary is forgotten. Indices into it are not verified, until a
    /// batch of a stream defines it again.
    void lose(long id, String why) {
        dictionaries.remove(id);
        lost.lose(id, why);
    }

    /// Leaves out a batch that may be of any dictionary: [#lose] for all that are defined.
    void loseAll(String why) {
        places.keySet().forEach(id -> lose(id, why));
        places.clear();
    }

    /// Leaves out a batch of a file that may be a delta: the next delta of a dictionary that is
    /// defined before makes it unknown.
    void loseDelta(String why) {
        lost.loseAny(why);
    }

    /// See [ValueVerifier#hasWrongIndices].
    public boolean hasWrongIndices() {
        return verifier.hasWrongIndices(dictionaries);
    }

    /// Verifies the indices of dictionaries that no record batch follows.
    public void verifyDictionaries() {
        verifier.verifyDictionaries(dictionaries, this);
        bytesVerified += verifier.bytesRead();
    }

    /// Verifies a record batch, and before it the indices of dictionaries.
    ///
    /// @param bound to the batch and its body
    /// @param memory has the body; null if only its buffers are known
    /// @param position offset of the body in the memory
    public void batch(BatchCursor bound, MemorySegment memory, long position, long length) {
        if (!isWithinLimit(bound)) {
            unchecked.add(OVER_LIMIT, bound.layout());
            return;
        }
        long before = errors;
        verifier.verify(bound, dictionaries, this);
        bytesVerified += verifier.bytesRead();
        checkUnused(before, bound, memory, position, length);
    }

    /// Checks the unused bytes of a batch that was verified, if that found no errors.
    ///
    /// @param before number of errors before that
    private void checkUnused(
            long before, BatchCursor verified, MemorySegment memory, long position, long length) {
        if (unused == null || memory == null || errors != before || verifier.unchecked() != 0) {
            return;
        }
        try {
            if (!unused.check(verified, memory.asSlice(position, length), isWhole, this)) {
                unchecked.add("unused bytes of buffers that share bytes", verified.layout());
            }
        } catch (FletchException e) {
            if (e.rule() != MeaningRule.TOO_MUCH_MEMORY) {
                throw e;
            }
            unchecked.add("unused bytes need too much memory", verified.layout());
        }
    }

    /// Leaves it to the caller to require dictionaries: indices into those that are not defined are
    /// not counted.
    public void leaveUndefined() {
        leavesUndefined = true;
    }

    private void addUnchecked(BatchLayout layout, int field, String why) {
        boolean isUndefined = why.equals(ValueVerifier.UNDEFINED);
        if (isUndefined && leavesUndefined) {
            return;
        }
        String cause = isUndefined ? lost.why(layout.dictionaryId(field)) : why;
        lastReason = cause == null ? why : cause;
        unchecked.add(lastReason, layout, field, field + 1);
    }

    // ---- the limit of work

    /// Sets the size of the input, as far as it was read.
    ///
    /// @param parts number of those that were read one by one
    public void limit(long bytes, long parts) {
        inputBytes = bytes;
        inputParts = parts;
    }

    /// Whether a batch can be verified.
    private boolean isWithinLimit(BatchCursor batch) {
        hasDecompressed |= batch.isCompressed() && decompressor.knows(batch.codec());
        long limit =
                hasDecompressed
                        ? (TIMES + DECOMPRESSED_TIMES) * inputBytes
                                + DECOMPRESSED_BYTES * inputParts
                        : TIMES * inputBytes;
        return bytes(batch) <= limit - bytesVerified;
    }

    /// Sum of the lengths of the buffers of a batch, decompressed.
    public static long bytes(BatchCursor batch) {
        long sum = 0;
        for (int field = 0; field < batch.layout().fieldCount(); field++) {
            for (int i = 0; i < batch.bufferCount(field); i++) {
                sum += Math.clamp(bytes(batch, field, i), 0, Long.MAX_VALUE - sum);
            }
        }
        return sum;
    }

    private static long bytes(BatchCursor batch, int field, int buffer) {
        try {
            if (batch.isCompressed()) {
                return batch.uncompressedLength(field, buffer);
            }
        } catch (FletchException _) {
            // A fault that is found when the field is verified.
        }
        return batch.bufferLength(field, buffer);
    }

    // ---- faults

    @Override
    public boolean isFull() {
        return sink.isFull();
    }

    /// Passes on a fault that the verifier has found.
    @Override
    public void accept(Fault found) {
        ValueFault fault = (ValueFault) found;
        errors += fault.rule().severity() == Severity.ERROR ? 1 : 0;
        int batch = fault.dictionaryBatch();
        Place place =
                batch == ValueFault.NO_DICTIONARY
                        ? current.get()
                        : places.get(fault.dictionaryId()).get(batch);
        sink.accept(fault.in(place.message, place.offset(fault)));
    }
}
