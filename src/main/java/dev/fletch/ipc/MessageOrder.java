// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.ipc;

import dev.fletch.FaultSink;
import dev.fletch.FletchException;
import dev.fletch.MeaningRule;
import dev.fletch.StructureRule;
import dev.fletch.batch.BatchLayout;
import dev.fletch.batch.Columns;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.format.SparseTensor;
import dev.fletch.format.Tensor;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.internal.DictionaryOrder;
import dev.fletch.format.internal.SchemaSize;
import dev.fletch.ipc.internal.DictionaryNeeds;

/// Checks the order of written messages: one schema, then batches. Each dictionary is in the
/// schema, a delta follows its dictionary, and a file defines each dictionary once. Alternatively a
/// stream has only tensors. In a stream, a dictionary comes before the first record batch with
/// values from it, also through other dictionaries, so it may follow others.
final class MessageOrder {
    private static final int NONE = -1;

    private final boolean isFile;
    private final DictionaryBatch dictionary = new DictionaryBatch();
    private final RecordBatch batch = new RecordBatch();

    // Kind of the first message; NONE if none was written.
    private int first = NONE;
    // Of the schema that was checked last.
    private final DictionaryOrder dictionaries =
            new DictionaryOrder(
                    FaultSink.throwing(
                            fault ->
                                    outOfOrder(
                                            "dictionary",
                                            fault.rule().description(),
                                            fault.found())));
    private final DictionaryNeeds needs = new DictionaryNeeds(dictionaries);
    private boolean checksNeeds;
    boolean mayMissDictionaries;

    MessageOrder(boolean isFile) {
        this.isFile = isFile;
    }

    boolean isEmpty() {
        return first == NONE;
    }

    /// Checks whether a message may come next, and throws the exceptions of [MessageEncoder].
    /// Changes nothing before [#written].
    void check(Message message) {
        int kind = message.headerType();
        switch (kind) {
            case MessageHeader.SCHEMA -> {
                requireOrder(first == NONE, kind, "a schema must be the first message");
                Schema schema = new Schema();
                requireHeader(message.header(schema), kind);
                SchemaSize.check(schema, SchemaSize.OF_WRITERS);
                long[] ids = DictionaryOrder.ids(schema, SchemaSize.OF_WRITERS);
                dictionaries.begin(ids);
                boolean isComplete = isFile || ids.length == 0 || mayMissDictionaries;
                BatchLayout layout = isComplete ? null : layout(schema, message.version());
                checksNeeds = layout != null;
                if (checksNeeds) {
                    needs.begin(layout);
                }
            }
            case MessageHeader.DICTIONARY_BATCH -> {
                requireSchema(kind);
                requireHeader(message.header(dictionary), kind);
                checkDictionary();
            }
            case MessageHeader.RECORD_BATCH -> {
                requireSchema(kind);
                requireHeader(message.header(batch), kind);
                if (checksNeeds) {
                    needs.check(batch);
                }
            }
            case MessageHeader.TENSOR, MessageHeader.SPARSE_TENSOR -> {
                requireOrder(!isFile, kind, "a file cannot contain tensors");
                requireOrder(
                        first != MessageHeader.SCHEMA, kind, "a tensor cannot follow a schema");
                requireHeader(
                        kind == MessageHeader.TENSOR
                                ? message.header(new Tensor())
                                : message.header(new SparseTensor()),
                        kind);
            }
            default ->
                    throw new IllegalArgumentException(
                            "unknown message kind: kind=" + MessageHeader.NAMES.name(kind));
        }
    }

    /// Records that the last checked message was written.
    void written(int kind) {
        if (first == NONE) {
            first = kind;
        }
        if (kind == MessageHeader.DICTIONARY_BATCH) {
            dictionaries.add(dictionary, 0);
            if (checksNeeds) {
                needs.add(dictionary);
            }
        }
    }

    private static BatchLayout layout(Schema schema, int version) {
        try {
            return BatchLayout.compile(schema, version, SchemaSize.OF_WRITERS, Columns.all());
        } catch (FletchException e) {
            if (e.rule() == StructureRule.MALFORMED || e.rule() == MeaningRule.SCHEMA_TOO_LARGE) {
                throw e;
            }
            return null; // a fault of the schema, which a writer does not check
        }
    }

    private void checkDictionary() {
        long id = dictionary.id();
        if (!dictionary.data(batch)) {
            throw new IllegalArgumentException("dictionary batch has no data: dictionaryId=" + id);
        }
        dictionaries.needs(dictionary);
        dictionaries.next(dictionary, isFile, true);
    }

    private void requireSchema(int kind) {
        requireOrder(first != NONE, kind, "the first message must be a schema");
        requireOrder(first == MessageHeader.SCHEMA, kind, "the stream contains tensors");
    }

    private static void requireOrder(boolean isRight, int kind, String why) {
        if (!isRight) {
            throw outOfOrder("message", why, "kind=" + MessageHeader.NAMES.name(kind));
        }
    }

    private static IllegalStateException outOfOrder(String what, String why, String details) {
        return new IllegalStateException(what + " is out of order: " + why + ", " + details);
    }

    private static void requireHeader(boolean found, int kind) {
        if (!found) {
            throw new IllegalArgumentException(
                    "message has no header: kind=" + MessageHeader.NAMES.name(kind));
        }
    }
}
