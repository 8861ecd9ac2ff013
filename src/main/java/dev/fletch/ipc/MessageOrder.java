// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.FieldWalk;
import dev.fletch.format.Message;
import dev.fletch.format.MessageHeader;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.format.SparseTensor;
import dev.fletch.format.Tensor;

import java.util.Arrays;
import java.util.Locale;

/// Checks which message may come next: the schema first and once, then batches; no dictionary that the
/// schema does not have, no delta before its dictionary, and in a file no dictionary twice. Or else only
/// tensors, in a stream. A dictionary may come after batches that use it: a column without values may have
/// its dictionary later.
final class MessageOrder {
    /// Levels of fields: as many as the encoders write.
    private static final int MAX_DEPTH = 1024;

    /// The fewest bytes of a field, unless it shares them.
    private static final int LEAST_FIELD_BYTES = 8;

    private static final int NOTHING = -1;

    private final boolean isFile;
    private final DictionaryBatch dictionary = new DictionaryBatch();
    private final RecordBatch batch = new RecordBatch();

    // Kind of the first message; NOTHING before it.
    private int first = NOTHING;
    // Ids of the schema's dictionaries in ascending order, and which were written.
    private long[] ids = {};
    private boolean[] written = {};
    // Index of the dictionary that was checked last; NOTHING if the message is none.
    private int current = NOTHING;

    MessageOrder(boolean isFile) {
        this.isFile = isFile;
    }

    boolean isEmpty() {
        return first == NOTHING;
    }

    /// Checks whether a message may come next. Changes nothing before [#written].
    ///
    /// @throws IllegalStateException if it may not
    /// @throws IllegalArgumentException if it is of no known kind, or has no header
    void check(Message message, int metadataBytes) {
        final int kind = message.headerType();
        current = NOTHING;
        switch (kind) {
            case MessageHeader.SCHEMA -> checkSchema(message, metadataBytes);
            case MessageHeader.DICTIONARY_BATCH -> checkDictionary(message);
            case MessageHeader.RECORD_BATCH -> {
                checkAfterSchema(kind);
                requireHeader(message.header(batch), kind);
            }
            case MessageHeader.TENSOR, MessageHeader.SPARSE_TENSOR -> {
                checkTensor(kind);
                requireHeader(
                        kind == MessageHeader.TENSOR
                                ? message.header(new Tensor())
                                : message.header(new SparseTensor()),
                        kind);
            }
            default ->
                    throw new IllegalArgumentException(
                            "message is of no known kind: kind=" + MessageHeader.NAMES.name(kind));
        }
    }

    /// Notes that the message that was checked last was written.
    void written(int kind) {
        if (first == NOTHING) {
            first = kind;
        }
        if (current != NOTHING) {
            written[current] = true;
        }
    }

    private void checkSchema(Message message, int metadataBytes) {
        if (first != NOTHING) {
            throw misplaced(MessageHeader.SCHEMA, "only the first message can be one");
        }
        final Schema schema = new Schema();
        requireHeader(message.header(schema), MessageHeader.SCHEMA);
        ids = dictionaries(schema, metadataBytes / LEAST_FIELD_BYTES);
        written = new boolean[ids.length];
    }

    private void checkAfterSchema(int kind) {
        if (first != MessageHeader.SCHEMA) {
            throw misplaced(
                    kind, first == NOTHING ? "a schema has to be first" : "these are tensors");
        }
    }

    private void checkDictionary(Message message) {
        checkAfterSchema(MessageHeader.DICTIONARY_BATCH);
        requireHeader(message.header(dictionary), MessageHeader.DICTIONARY_BATCH);
        if (!dictionary.data(batch)) {
            throw new IllegalArgumentException(
                    "dictionary batch has no data: dictionaryId=" + dictionary.id());
        }
        final long id = dictionary.id();
        final int found = Arrays.binarySearch(ids, id);
        if (found < 0) {
            throw misplaced(id, "the schema has no such dictionary");
        }
        if (dictionary.isDelta() && !written[found]) {
            throw misplaced(id, "a delta needs a dictionary before it");
        }
        if (isFile && !dictionary.isDelta() && written[found]) {
            throw misplaced(id, "a file has a dictionary once");
        }
        current = found;
    }

    private void checkTensor(int kind) {
        if (isFile) {
            throw misplaced(kind, "a file holds no tensors");
        }
        if (first == MessageHeader.SCHEMA) {
            throw misplaced(kind, "tensors do not follow a schema");
        }
    }

    private static void requireHeader(boolean found, int kind) {
        if (!found) {
            throw new IllegalArgumentException(
                    "message has no header: kind=" + MessageHeader.NAMES.name(kind));
        }
    }

    private static IllegalStateException misplaced(int kind, String why) {
        return new IllegalStateException(
                String.format(
                        Locale.ROOT,
                        "message is out of order: %s, kind=%s",
                        why,
                        MessageHeader.NAMES.name(kind)));
    }

    private static IllegalStateException misplaced(long id, String why) {
        return new IllegalStateException(
                String.format(
                        Locale.ROOT, "dictionary is out of order: %s, dictionaryId=%d", why, id));
    }

    /// Finds the ids of all dictionaries, those of dictionaries' values included, in ascending order.
    ///
    /// @param maxFields how many fields the bytes can hold, unless fields are shared
    private static long[] dictionaries(Schema schema, int maxFields) {
        final FieldWalk walk = new FieldWalk().wrap(schema);
        long[] found = new long[4];
        int count = 0;
        for (int fields = 1; walk.next(); fields++) {
            if (fields > maxFields || walk.depth() >= MAX_DEPTH) {
                throw new IllegalArgumentException(
                        "too many fields for the schema's bytes, or too deep: fields="
                                + fields
                                + ", depth="
                                + walk.depth());
            }
            if (walk.isDictionaryEncoded()) {
                found = count == found.length ? Arrays.copyOf(found, 2 * count) : found;
                found[count++] = walk.dictionaryId();
            }
        }
        return Arrays.stream(found, 0, count).sorted().distinct().toArray();
    }
}
