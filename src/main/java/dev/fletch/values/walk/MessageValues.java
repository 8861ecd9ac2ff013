// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.values.walk;

import dev.fletch.Fault;
import dev.fletch.Limits;
import dev.fletch.Rule;
import dev.fletch.WorkMonitor;
import dev.fletch.format.CompressionType;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Endianness;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.layout.BatchCursor;
import dev.fletch.layout.BatchLayout;
import dev.fletch.layout.DecompressedBuffers;
import dev.fletch.layout.Dictionaries;
import dev.fletch.layout.LayoutException;
import dev.fletch.layout.LayoutRules;
import dev.fletch.model.ArrowSchema;
import dev.fletch.values.Decompression;
import dev.fletch.values.ValueFault;
import dev.fletch.values.ValueRules;
import dev.fletch.values.ValueVerifier;
import dev.fletch.wire.FaultText;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Verifies the values of the messages of an input, in order.
///
/// Those of a dictionary are verified with the next record batch, or before it is replaced. Buffers
/// may share bytes, and blocks of a file messages. So at most [ValueVerifier#mostBytes] are
/// verified; fields of later batches are counted as not checked.
public final class MessageValues {
    /// Receives what is found.
    @FunctionalInterface
    public interface Sink {
        /// Receives a fault or a note.
        ///
        /// @param message index of the message
        /// @param path role of the buffer; null if none
        /// @param offset in the input
        /// @param values as `name=value`
        void add(Rule rule, int message, String path, long offset, String values);

        /// Whether a fault or note of a message is needed. If not, its text is not built.
        default boolean takes(Rule rule, int message) {
            return true;
        }

        /// The number of faults after which the other values of a batch are not verified.
        default int room() {
            return 1_000;
        }
    }

    /// Where a batch of a dictionary is.
    private record Place(int message, long bodyAt) {}

    /// A batch of a file whose dictionaries are behind it.
    private record Waiting(int message, MemorySegment memory, long at, long length) {}

    private final List<String> columns;
    private final Decompression decompression;
    // Null if nothing is decompressed.
    private final DecompressedBuffers buffers;
    private final Limits limits;
    private final Sink sink;
    private final BatchCursor cursor = new BatchCursor();
    private final RecordBatch batch = new RecordBatch();
    private final DictionaryBatch dictionary = new DictionaryBatch();

    // Null if there is no valid schema.
    private ArrowSchema model;
    private Schema schema;
    private boolean isFile;
    // Null before the first batch, and if values cannot be located.
    private ValueVerifier verifier;
    private BatchLayout layout;
    private Dictionaries dictionaries;
    // Of the batches of each dictionary.
    private final Map<Long, List<Place>> places = new HashMap<>();

    private final List<Waiting> waiting = new ArrayList<>();
    // Whether dictionaries that are not defined yet will not be.
    private boolean isEnd;

    private int index;
    private long bodyAt;
    private long bytesLeft = -1;
    private boolean hasDecompressed;
    private boolean hasNote;
    private long unchecked;

    /// @param columns paths of the fields to verify; empty for all
    public MessageValues(
            List<String> columns, Decompression decompression, Limits limits, Sink sink) {
        this.columns = columns;
        this.decompression = decompression;
        this.buffers = decompression.buffers();
        this.limits = limits;
        this.sink = sink;
    }

    /// Number of fields of batches that were not verified.
    public long unchecked() {
        return unchecked;
    }

    /// Ends the messages before, and begins those of a schema.
    ///
    /// @param bound stays bound; not used without a model
    /// @param valid its model; null if it breaks a rule: no values are verified
    /// @param inFile whether dictionaries may be behind the batches that need them, and are not
    ///     replaced
    public void begin(Schema bound, ArrowSchema valid, boolean inFile) {
        finish();
        places.clear();
        schema = bound;
        model = valid;
        isFile = inFile;
        verifier = null;
        layout = null;
    }

    /// Verifies the values of a batch, or keeps a dictionary.
    ///
    /// @param number index of the message
    /// @param at offset of its metadata in the memory, which is the complete input
    /// @param isSound whether the metadata has no errors
    public void message(
            Message message,
            int number,
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
        long size = message.bodyLength();
        if (model == null
                || !isSound
                || size < 0
                || size > memory.byteSize() - bodyAt
                || !prepare(message)) {
            unchecked += batch.nodesCount();
            return;
        }
        if (isFile && !isDictionary && !isEnd && !hasDictionaries()) {
            waiting.add(new Waiting(number, memory, at, length));
            return;
        }
        try {
            values(message, isDictionary, memory.asSlice(bodyAt, size), memory.byteSize());
        } catch (LayoutException e) {
            unchecked += batch.nodesCount();
            addUnlessSound(e);
        }
    }

    private boolean hasDictionaries() {
        for (int i = 0; i < layout.dictionaryCount(); i++) {
            if (dictionaries.values(layout.dictionary(i)) == null) {
                return false;
            }
        }
        return true;
    }

    /// Compiles the layout, with the version of the first batch.
    private boolean prepare(Message message) {
        if (layout != null) {
            return verifier != null;
        }
        try {
            BatchLayout all = BatchLayout.compile(schema, message.version(), limits);
            layout = all;
            int[] fields = columns.stream().mapToInt(all::fieldOf).toArray();
            layout = fields.length == 0 ? all : all.choose(fields);
            dictionaries = new Dictionaries(layout, isFile);
            verifier = new ValueVerifier(model, layout, WorkMonitor.NONE, buffers);
        } catch (LayoutException e) {
            add(e);
        }
        return verifier != null;
    }

    /// @param inputBytes size of the input
    private void values(
            Message message, boolean isDictionary, MemorySegment body, long inputBytes) {
        BatchLayout of = isDictionary ? layout.dictionaryLayout(dictionary.id()) : layout;
        if (of == null) {
            return; // no chosen field needs it
        }
        cursor.bind(of, message, body);
        if (cursor.isCompressed()) {
            compressed(inputBytes);
        }
        long bytes = ValueVerifier.bytes(cursor);
        if (bytesLeft < bytes) {
            unchecked += of.fieldCount();
            if (isDictionary) {
                dictionaries.remove(dictionary.id());
            }
        } else if (isDictionary) {
            bytesLeft -= bytes; // is read later, together with others
            define(message, body);
        } else {
            verifier.collect(cursor, dictionaries, this::add, sink.room());
            end();
        }
    }

    private void compressed(long inputBytes) {
        boolean isKnown = decompression.knows(cursor.codec());
        if (isKnown && !hasDecompressed) {
            hasDecompressed = true;
            bytesLeft += ValueVerifier.mostBytes(inputBytes, true);
        } else if (!isKnown && !hasNote) {
            hasNote = true;
            String codec = "codec=" + CompressionType.NAMES.name(cursor.codec());
            if (sink.takes(ValueRules.NOT_DECOMPRESSED, index)) {
                sink.add(ValueRules.NOT_DECOMPRESSED, index, null, bodyAt, codec);
            }
        }
    }

    private void end() {
        unchecked += verifier.unchecked();
        // Each dictionary is looked up.
        long work = verifier.bytesRead() + (long) Long.BYTES * layout.dictionaryCount();
        bytesLeft = Math.max(0, bytesLeft - work);
    }

    /// Verifies batches that are before their dictionaries, and dictionaries that no record batch
    /// follows.
    public void finish() {
        isEnd = true;
        for (Waiting each : waiting) {
            Message message = new Message().wrap(each.memory, each.at, each.length);
            message(message, each.message, each.memory, each.at, each.length, true);
        }
        waiting.clear();
        isEnd = false;
        if (verifier != null) {
            verifier.collectDictionaries(dictionaries, this::add, sink.room());
            end();
        }
    }

    /// Adds the batch of a dictionary. Indices into one that cannot be read are not verified.
    private void define(Message message, MemorySegment body) {
        long id = dictionary.id();
        boolean isDelta = dictionary.isDelta();
        List<Place> known = places.computeIfAbsent(id, _ -> new ArrayList<>());
        if (!isDelta && !known.isEmpty()) {
            finish(); // the values that are replaced now
        }
        try {
            boolean isLost = isDelta && dictionaries.values(id) == null;
            if (isReadable() && !isLost) {
                // The verifier decompresses again what it checks.
                dictionaries.add(message, body, buffers == null ? null : buffers::bytes);
                if (buffers != null) {
                    buffers.release();
                }
                if (!isDelta) {
                    known.clear();
                }
                known.add(new Place(index, bodyAt));
                return;
            }
        } catch (LayoutException e) {
            addUnlessSound(e);
        }
        dictionaries.remove(id); // the values before are not those of later batches
        unchecked += batch.nodesCount();
    }

    private boolean isReadable() {
        boolean isReadable = layout.endianness() == Endianness.LITTLE;
        if (!cursor.isCompressed() || decompression.knows(cursor.codec())) {
            return isReadable;
        }
        for (int field = 0; field < cursor.layout().fieldCount() && isReadable; field++) {
            for (int i = 0; i < cursor.bufferCount(field); i++) {
                isReadable &= !cursor.isCompressed(field, i);
            }
        }
        return isReadable;
    }

    /// Not for batches that are only not checked: of another version, or with too large buffers.
    private void addUnlessSound(LayoutException e) {
        if (e.rule() != LayoutRules.OTHER_VERSION && e.rule() != LayoutRules.TOO_MUCH_MEMORY) {
            add(e);
        }
    }

    private void add(LayoutException e) {
        if (sink.takes(e.rule(), index)) {
            sink.add(e.rule(), index, null, bodyAt, e.details());
        }
    }

    private void add(Fault found) {
        ValueFault fault = (ValueFault) found;
        int number = fault.dictionaryBatch();
        Place place =
                number == ValueFault.NO_DICTIONARY
                        ? new Place(index, bodyAt)
                        : places.get(fault.dictionaryId()).get(number);
        if (!sink.takes(fault.rule(), place.message)) {
            return;
        }
        String path = fault.path();
        sink.add(
                fault.rule(),
                place.message,
                path.isEmpty() ? null : path,
                place.bodyAt + fault.position(),
                FaultText.values(fault.details(), fault.column()));
    }
}
