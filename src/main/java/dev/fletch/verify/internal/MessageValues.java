// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify.internal;

import dev.fletch.Fault;
import dev.fletch.FaultSink;
import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.MeaningRule;
import dev.fletch.WorkMonitor;
import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BatchLayout;
import dev.fletch.batch.DecompressedBuffers;
import dev.fletch.batch.Decompressor;
import dev.fletch.batch.Dictionaries;
import dev.fletch.compression.LibraryDecompressor;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.Endianness;
import dev.fletch.format.ids.MetadataVersion;
import dev.fletch.format.internal.VersionCheck;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.verify.messages.ValueFault;
import dev.fletch.verify.messages.ValueVerifier;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Verifies the values of the messages of an input, in order.
///
/// Those of a dictionary are verified with the next record batch, or before it is replaced; in a
/// file, all dictionaries are known before its first batch. Buffers may share bytes, and blocks of a
/// file messages. So at most [ValueVerifier#mostBytes] are verified. Fields that cannot be verified
/// are counted, with a note for each reason.
public final class MessageValues implements FaultSink {
    /// Where a batch of a dictionary is.
    private record Place(int message, long bodyAt) {}

    /// A batch of a file with dictionaries, which are defined first, in the order of the footer.
    ///
    /// @param order of a dictionary; others are last
    private record Waiting(int message, int order, MemorySegment memory, long at, long length) {}

    private final List<String> columns;
    private final Decompressor decompressor;
    private final DecompressedBuffers buffers;
    private final Limits limits;
    private final FaultSink sink;
    // What the sink has thrown: the batch can be checked.
    private FletchException thrown;
    private final BatchCursor cursor = new BatchCursor();
    private final RecordBatch batch = new RecordBatch();
    private final DictionaryBatch dictionary = new DictionaryBatch();

    // Null if there is none, and after the first batch.
    private Schema schema;
    private boolean isFile;
    // Why no values can be verified; null if they can.
    private String obstacle = "no schema";
    // Null before the first batch, and if values cannot be located.
    private BatchLayout layout;
    private ValueVerifier verifier;
    private Dictionaries dictionaries;
    // Of the batches of each dictionary.
    private final Map<Long, List<Place>> places = new HashMap<>();

    // Dictionaries of a file of which a batch cannot be read.
    private final Set<Long> lost = new HashSet<>();
    private final List<Waiting> waiting = new ArrayList<>();
    // Whether no batch has to wait.
    private boolean isEnd;

    private int index;
    private long bodyAt;
    private long bytesLeft = -1;
    private boolean hasDecompressed;
    private final UncheckedFields unchecked = new UncheckedFields();

    /// @param columns paths of the fields to verify; empty for all
    public MessageValues(List<String> columns, ReadOptions options, FaultSink sink) {
        this.columns = columns;
        this.decompressor = LibraryDecompressor.of(options);
        this.buffers = new DecompressedBuffers(decompressor, options.decompressedBytes());
        this.limits = options.limits();
        this.sink = sink;
    }

    /// Number of fields of batches that were not verified.
    public long unchecked() {
        return unchecked.count();
    }

    /// Ends the messages before, and begins those of a schema.
    ///
    /// @param bound stays bound; null if there is none
    /// @param isSound whether it has no errors: else no values are verified
    /// @param inFile whether dictionaries may be behind the batches that need them, and are not
    ///     replaced
    public void begin(Schema bound, boolean isSound, boolean inFile) {
        finish();
        places.clear();
        lost.clear();
        schema = bound;
        obstacle = bound == null ? "no schema" : isSound ? null : "schema has errors";
        isFile = inFile;
        layout = null;
        verifier = null;
    }

    /// Verifies the values of a batch, or keeps a dictionary.
    ///
    /// @param number index of the message
    /// @param block number among the blocks of its kind in a file
    /// @param at offset of its metadata in the memory, which is the complete input
    /// @param isSound whether the metadata has no errors
    public void message(
            Message message,
            int number,
            int block,
            MemorySegment memory,
            long at,
            long length,
            boolean isSound) {
        index = number;
        bodyAt = at + length;
        bytesLeft = bytesLeft < 0 ? ValueVerifier.mostBytes(memory.byteSize(), false) : bytesLeft;
        boolean isDictionary = message.header(dictionary) && dictionary.data(batch);
        if (!isDictionary && !message.header(batch)) {
            return;
        }
        if (VersionCheck.isSupported(message.version())) {
            prepare(message.version());
        }
        long size = message.bodyLength();
        if (obstacle != null) {
            leaveOut(obstacle, isDictionary);
        } else if (!isSound) {
            leaveOut("message has errors", isDictionary);
        } else if (size < 0 || size > memory.byteSize() - bodyAt) {
            leaveOut("body is incomplete", isDictionary);
        } else if (isFile && !isEnd && layout.dictionaryCount() > 0) {
            int order = isDictionary ? block : Integer.MAX_VALUE;
            waiting.add(new Waiting(number, order, memory, at, length));
        } else {
            try {
                values(message, isDictionary, memory.asSlice(bodyAt, size), memory.byteSize());
            } catch (FletchException e) {
                if (e == thrown) {
                    throw e;
                }
                addUnlessSound(e);
                leaveOut(e.rule().description(), isDictionary);
            }
        }
    }

    /// Counts the fields of a batch as not verified. Nor are indices into its dictionary.
    private void leaveOut(String reason, boolean isDictionary) {
        if (layout == null) {
            unchecked.add(reason, batch.nodesCount(), index, bodyAt);
            return;
        }
        BatchLayout of = isDictionary ? layout.dictionaryLayout(dictionary.id()) : layout;
        if (of != null) {
            unchecked.add(reason, of, 0, of.fieldCount(), index, bodyAt);
        }
        if (isDictionary && verifier != null) {
            dictionaries.remove(dictionary.id());
            lost.add(dictionary.id());
        }
    }

    /// Compiles the layout.
    ///
    /// @param version of the first batch
    private void prepare(int version) {
        if (schema == null) {
            return;
        }
        try {
            BatchLayout all = BatchLayout.compile(schema, version, limits);
            layout = all;
            layout = columns.isEmpty() ? all : chosen(all);
            layout.requireKnown();
            if (obstacle == null) {
                dictionaries = new Dictionaries(layout, isFile);
                verifier = new ValueVerifier(schema, layout, WorkMonitor.NONE, buffers);
                verifier.onUnchecked(
                        (of, field, why) ->
                                unchecked.add(why, of, field, field + 1, index, bodyAt));
            }
        } catch (FletchException e) {
            // The verifier of the meaning has reported a size.
            if (obstacle == null && e.rule() != MeaningRule.SCHEMA_TOO_LARGE) {
                add(e);
            }
            obstacle = e.rule().description();
        }
        schema = null; // not compiled again
    }

    /// The fields of the columns, in the order of the columns unless one is named twice or inside of
    /// another.
    private BatchLayout chosen(BatchLayout all) {
        try {
            return all.choose(columns.stream().mapToInt(all::fieldOf).toArray());
        } catch (IllegalArgumentException _) {
            return all.choose(columns);
        }
    }

    /// @param inputBytes size of the input
    private void values(
            Message message, boolean isDictionary, MemorySegment body, long inputBytes) {
        BatchLayout of = isDictionary ? layout.dictionaryLayout(dictionary.id()) : layout;
        if (of == null) {
            return; // no chosen field needs it
        }
        cursor.bind(of, message).body(body);
        if (cursor.isCompressed() && !hasDecompressed && decompressor.knows(cursor.codec())) {
            hasDecompressed = true;
            bytesLeft += ValueVerifier.mostBytes(inputBytes, true);
        }
        long bytes = ValueVerifier.bytes(cursor);
        if (bytesLeft < bytes) {
            leaveOut("batches share too many bytes", isDictionary);
        } else if (isDictionary) {
            bytesLeft -= bytes; // is read later, together with others
            define(message, body);
        } else {
            verifier.collect(cursor, dictionaries, this, Integer.MAX_VALUE);
            end();
        }
    }

    private void end() {
        // Each dictionary is looked up.
        long work = verifier.bytesRead() + (long) Long.BYTES * layout.dictionaryCount();
        bytesLeft = Math.max(0, bytesLeft - work);
    }

    /// Verifies the batches of a file with dictionaries, and dictionaries that no record batch
    /// follows; then passes the notes.
    public void finish() {
        isEnd = true;
        waiting.sort(Comparator.comparingInt(Waiting::order));
        for (Waiting each : waiting) {
            Message message = new Message().wrap(each.memory, each.at, each.length);
            message(message, each.message, each.order, each.memory, each.at, each.length, true);
        }
        waiting.clear();
        isEnd = false;
        if (!columns.isEmpty()) {
            prepare(MetadataVersion.V5); // without batches, too, an unknown column is a fault
        }
        verifyDictionaries();
        unchecked.report(sink);
    }

    private void verifyDictionaries() {
        if (verifier != null) {
            verifier.collectDictionaries(dictionaries, this, Integer.MAX_VALUE);
            end();
        }
    }

    /// Adds the batch of a dictionary. Indices into one that cannot be read are not verified.
    private void define(Message message, MemorySegment body) {
        long id = dictionary.id();
        boolean isDelta = dictionary.isDelta();
        List<Place> known = places.computeIfAbsent(id, _ -> new ArrayList<>());
        if (!isDelta && !known.isEmpty()) {
            verifyDictionaries(); // the values that are replaced now
        }
        if (isFile && lost.contains(id) || isDelta && dictionaries.values(id) == null) {
            leaveOut("dictionary is not defined", true);
            return;
        }
        if (!isReadable()) {
            verifier.collectDictionary(id, cursor, this, Integer.MAX_VALUE); // which says why
            dictionaries.remove(id);
            lost.add(id);
            return;
        }
        // The verifier decompresses again what it checks.
        dictionaries.add(message, body, buffers::bytes);
        buffers.release();
        if (!isDelta) {
            known.clear();
        }
        known.add(new Place(index, bodyAt));
    }

    private boolean isReadable() {
        boolean isReadable = layout.endianness() == Endianness.LITTLE;
        if (!cursor.isCompressed() || decompressor.knows(cursor.codec())) {
            return isReadable;
        }
        for (int field = 0; field < cursor.layout().fieldCount() && isReadable; field++) {
            for (int i = 0; i < cursor.bufferCount(field); i++) {
                isReadable &= !cursor.isCompressed(field, i);
            }
        }
        return isReadable;
    }

    @Override
    public boolean isFull() {
        return sink.isFull();
    }

    /// Not for batches that are only not checked: of another version, or with too large buffers.
    private void addUnlessSound(FletchException e) {
        if (e.rule() != MeaningRule.OTHER_VERSION && e.rule() != MeaningRule.TOO_MUCH_MEMORY) {
            add(e);
        }
    }

    private void add(FletchException e) {
        sink.accept(Fault.of(e.rule(), 0, 0).because(e.fault().details()).in(index, bodyAt));
    }

    /// Passes on a fault that the verifier has found.
    @Override
    public void accept(Fault found) {
        ValueFault fault = (ValueFault) found;
        int number = fault.dictionaryBatch();
        Place place =
                number == ValueFault.NO_DICTIONARY
                        ? new Place(index, bodyAt)
                        : places.get(fault.dictionaryId()).get(number);
        try {
            sink.accept(fault.in(place.message, place.bodyAt + fault.position()));
        } catch (FletchException e) {
            thrown = e;
            throw e;
        }
    }
}
