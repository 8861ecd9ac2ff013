// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.check.internal;

import dev.fletch.Fault;
import dev.fletch.Limits;
import dev.fletch.WorkMonitor;
import dev.fletch.check.CheckOptions;
import dev.fletch.format.CompressionType;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Endianness;
import dev.fletch.format.Footer;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.input.Models;
import dev.fletch.layout.BatchCursor;
import dev.fletch.layout.BatchLayout;
import dev.fletch.layout.DecompressedBuffers;
import dev.fletch.layout.Decompressor;
import dev.fletch.layout.Dictionaries;
import dev.fletch.layout.LayoutException;
import dev.fletch.model.ArrowSchema;
import dev.fletch.values.ValueFault;
import dev.fletch.values.ValueRules;
import dev.fletch.values.ValueVerifier;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Checks the values of batches whose metadata is sound.
///
/// Buffers may share bytes, and blocks of a file messages. So at most [ValueVerifier#mostBytes] are
/// checked; fields of later batches are counted as not checked.
final class ValueCheck {
    /// Where a batch of a dictionary is.
    private record Place(int message, long bodyAt) {}

    /// A batch of a file whose dictionaries are behind it.
    private record Waiting(int message, MemorySegment memory, long at, long length) {}

    private final List<String> columns;
    // Null if nothing is decompressed.
    private final Decompressor decompressor;
    private final DecompressedBuffers buffers;
    private final Limits limits;
    private final Findings findings;
    private final BatchCursor cursor = new BatchCursor();
    private final RecordBatch batch = new RecordBatch();
    private final DictionaryBatch dictionary = new DictionaryBatch();

    // Of the current schema, which stays bound; null if there is none, or it is not sound.
    private Schema schema;
    private ArrowSchema model;
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

    ValueCheck(CheckOptions options, Limits limits, Findings findings) {
        columns = options.columns();
        decompressor = options.decompressor();
        buffers =
                decompressor == null
                        ? null
                        : new DecompressedBuffers(decompressor, options.decompressedBytes());
        this.limits = limits;
        this.findings = findings;
    }

    /// {@return number of fields of batches that were not checked}
    long unchecked() {
        return unchecked;
    }

    /// Begins the messages of a footer.
    void footer(MemorySegment memory, long at, long length) {
        Schema found = new Schema();
        begin(new Footer().wrap(memory, at, length).schema(found) ? found : null, true);
    }

    private void begin(Schema found, boolean inFile) {
        finish();
        places.clear();
        schema = found;
        model = found == null ? null : Models.orNull(found, limits);
        isFile = inFile;
        verifier = null;
        layout = null;
    }

    /// Checks the values of a message.
    ///
    /// @param number index of the message
    /// @param at offset of its metadata in the memory, which is the complete input
    /// @param isSound whether the metadata has no errors
    void message(
            Message message,
            int number,
            MemorySegment memory,
            long at,
            long length,
            boolean isSound) {
        index = number;
        bodyAt = at + length;
        bytesLeft = bytesLeft < 0 ? ValueVerifier.mostBytes(memory.byteSize(), false) : bytesLeft;
        Schema found = new Schema();
        if (message.header(found)) {
            if (!isFile) {
                new Message().wrap(memory, at, length).header(found); // stays bound
                begin(isSound ? found : null, false);
            }
            return;
        }
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
        } catch (LayoutException _) {
            unchecked += batch.nodesCount(); // reported as a fault of the metadata
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
            findings.add(e.rule(), index, null, bodyAt, e.details());
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
            return;
        }
        if (isDictionary) {
            bytesLeft -= bytes; // is read later, together with others
            define(message, body);
            return;
        }
        verifier.collect(cursor, dictionaries, this::add, findings.room());
        end();
    }

    private void compressed(long inputBytes) {
        boolean isKnown = decompressor != null && decompressor.knows(cursor.codec());
        if (isKnown && !hasDecompressed) {
            hasDecompressed = true;
            bytesLeft += ValueVerifier.mostBytes(inputBytes, true);
        } else if (!isKnown && !hasNote) {
            hasNote = true;
            findings.add(
                    ValueRules.NOT_DECOMPRESSED,
                    index,
                    null,
                    bodyAt,
                    "codec=" + CompressionType.NAMES.name(cursor.codec()));
        }
    }

    private void end() {
        unchecked += verifier.unchecked();
        // Each dictionary is looked up.
        long work = verifier.bytesRead() + (long) Long.BYTES * layout.dictionaryCount();
        bytesLeft = Math.max(0, bytesLeft - work);
    }

    /// Checks batches that are before their dictionaries, and dictionaries that no record batch
    /// follows.
    void finish() {
        isEnd = true;
        for (Waiting each : waiting) {
            Message message = new Message().wrap(each.memory, each.at, each.length);
            message(message, each.message, each.memory, each.at, each.length, true);
        }
        waiting.clear();
        isEnd = false;
        if (verifier != null) {
            verifier.collectDictionaries(dictionaries, this::add, findings.room());
            end();
        }
    }

    /// Adds the batch of a dictionary, whose values are checked with the next record batch. One that
    /// cannot be read is not defined: indices into it are not checked.
    private void define(Message message, MemorySegment body) {
        List<Place> known = places.computeIfAbsent(dictionary.id(), _ -> new ArrayList<>());
        if (!dictionary.isDelta() && !known.isEmpty()) {
            finish(); // the values that are replaced now
        }
        try {
            boolean isLost = dictionary.isDelta() && dictionaries.values(dictionary.id()) == null;
            if (isReadable() && !isLost) {
                // The verifier decompresses again what it checks.
                dictionaries.add(message, body, buffers);
                if (buffers != null) {
                    buffers.release();
                }
                if (!dictionary.isDelta()) {
                    known.clear();
                }
                known.add(new Place(index, bodyAt));
                return;
            }
        } catch (LayoutException e) {
            findings.add(e.rule(), index, null, bodyAt, e.details());
        }
        dictionaries.remove(dictionary.id()); // the values before are not those of later batches
        unchecked += batch.nodesCount();
    }

    private boolean isReadable() {
        boolean isReadable = layout.endianness() == Endianness.LITTLE;
        for (int field = 0; field < cursor.layout().fieldCount() && isReadable; field++) {
            for (int i = 0; i < cursor.bufferCount(field); i++) {
                isReadable &=
                        !cursor.isCompressed(field, i)
                                || decompressor != null && decompressor.knows(cursor.codec());
            }
        }
        return isReadable;
    }

    private void add(Fault found) {
        ValueFault fault = (ValueFault) found;
        int number = fault.dictionaryBatch();
        Place place =
                number == ValueFault.NO_DICTIONARY
                        ? new Place(index, bodyAt)
                        : places.get(fault.dictionaryId()).get(number);
        findings.add(fault, place.message, place.bodyAt + fault.position());
    }
}
