// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.convert.internal;

import dev.fletch.Fault;
import dev.fletch.Rule.Severity;
import dev.fletch.WorkMonitor;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Message;
import dev.fletch.layout.BatchCursor;
import dev.fletch.layout.BatchLayout;
import dev.fletch.layout.DecompressedBuffers;
import dev.fletch.layout.Decompressor;
import dev.fletch.layout.Dictionaries;
import dev.fletch.layout.LayoutException;
import dev.fletch.model.ArrowSchema;
import dev.fletch.values.ValueFault;
import dev.fletch.values.ValueVerifier;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Finds the first error in the values of each message, by the rules of `fletch verify --values`.
///
/// A batch whose dictionary has an error has one, too. After a delta with an error, so have later deltas
/// of the dictionary: their values would have other indices.
final class ValueErrors {
    private static final int MOST_FAULTS = 1_000;

    private final BatchLayout layout;
    private final Dictionaries dictionaries;
    private final ValueVerifier verifier;
    private final DecompressedBuffers buffers;
    private final long most;
    private long done;
    private long unchecked;
    private final BatchCursor cursor = new BatchCursor();
    private final DictionaryBatch dictionary = new DictionaryBatch();
    private final Set<Long> broken = new HashSet<>();
    // Offsets of the messages of each dictionary.
    private final Map<Long, List<Long>> places = new HashMap<>();
    private final Set<Long> wrong = new HashSet<>();
    private String found;

    /// @param of the schema of the messages
    /// @param chosen the fields to check
    /// @param inputBytes size of the input
    ValueErrors(
            ArrowSchema of,
            BatchLayout chosen,
            Decompressor decompressor,
            long mostMemory,
            long inputBytes) {
        layout = chosen;
        dictionaries = new Dictionaries(chosen);
        boolean decompresses = decompressor != null;
        buffers = decompresses ? new DecompressedBuffers(decompressor, mostMemory) : null;
        verifier = new ValueVerifier(of, chosen, WorkMonitor.NONE, buffers);
        most = ValueVerifier.mostBytes(inputBytes, decompresses);
    }

    /// {@return number of fields that could not be checked}
    long unchecked() {
        return unchecked;
    }

    /// {@return offsets of dictionary batches whose errors were found with a later batch}
    Set<Long> wrongDictionaries() {
        return wrong;
    }

    /// {@return the first error in the values of the next message; null if there is none}
    ///
    /// @param at offset of the message
    String error(long at, Message message, MemorySegment body) {
        found = null;
        boolean isDictionary = message.header(dictionary);
        BatchLayout of = isDictionary ? layout.dictionaryLayout(dictionary.id()) : layout;
        if (of == null) {
            return null; // no chosen field needs it
        }
        try {
            cursor.bind(of, message, body);
            done += ValueVerifier.bytes(cursor);
            if (done < 0 || done > most) {
                done = Long.MAX_VALUE;
                unchecked += of.fieldCount();
                if (isDictionary) {
                    dictionaries.remove(dictionary.id());
                }
            } else if (isDictionary) {
                dictionary(at, message, body);
            } else {
                batch();
            }
        } catch (LayoutException e) {
            found = found == null ? e.getMessage() : found;
        }
        return found;
    }

    private void dictionary(long at, Message message, MemorySegment body) {
        long id = dictionary.id();
        if (dictionary.isDelta() && broken.contains(id)) {
            found = "delta of a dictionary that is left out: id=" + id;
            return;
        }
        broken.add(id);
        verifier.collectDictionary(id, cursor, this::add, MOST_FAULTS);
        if (found != null) {
            return;
        }
        List<Long> own = places.computeIfAbsent(id, _ -> new ArrayList<>());
        if (!dictionary.isDelta()) {
            own.clear();
        }
        own.add(at);
        boolean isLost = dictionary.isDelta() && dictionaries.values(id) == null;
        if (verifier.unchecked() != 0 || isLost) {
            dictionaries.remove(id); // indices into it are not checked
        } else {
            dictionaries.add(message, body, buffers);
            if (buffers != null) {
                buffers.release(); // the verifier decompresses again what it checks
            }
        }
        broken.remove(id);
    }

    private void batch() {
        for (int i = 0; i < layout.dictionaryCount(); i++) {
            long id = layout.dictionary(i);
            if (broken.contains(id)) {
                found = "values are those of a dictionary that is left out: id=" + id;
                return;
            }
        }
        verifier.collect(cursor, dictionaries, this::add, MOST_FAULTS);
        unchecked += verifier.unchecked();
    }

    private void add(Fault fault) {
        if (found != null || fault.rule().severity() != Severity.ERROR) {
            return;
        }
        ValueFault value = (ValueFault) fault;
        String column = fault.column() == null ? "" : ", column=" + fault.column();
        found =
                "values are invalid: "
                        + fault.rule().id()
                        + ": "
                        + fault.rule().description()
                        + ": "
                        + fault.details()
                        + column;
        if (value.dictionaryBatch() != ValueFault.NO_DICTIONARY) {
            long id = value.dictionaryId();
            found += ", dictionary=" + id;
            broken.add(id);
            wrong.addAll(places.getOrDefault(id, List.of()));
        }
    }
}
