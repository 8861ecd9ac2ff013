// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify.internal;

import dev.fletch.Fault;
import dev.fletch.FaultSink;
import dev.fletch.FletchException;
import dev.fletch.MeaningRule;
import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BatchLayout;
import dev.fletch.batch.DecompressedBuffers;
import dev.fletch.batch.Dictionaries;
import dev.fletch.compression.LibraryDecompressor;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.internal.BatchCounts;
import dev.fletch.format.internal.DictionaryMemory;
import dev.fletch.format.internal.DictionaryOrder;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.internal.ContainerPart;
import dev.fletch.verify.internal.BatchValues.Place;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.function.UnaryOperator;

/// Verifies the values of the messages of an input, in order: see [BatchValues].
///
/// In a file, all dictionaries are known before its first batch. Fields that cannot be verified are
/// counted, with a note for each reason.
public final class MessageValues implements FaultSink {
    /// A batch of a file with dictionaries, which are defined first, in the order of the footer.
    ///
    /// @param order of a dictionary; others are last
    private record Waiting(int message, int order, MemorySegment memory, long at, long length) {}

    private static final String LOST = "damage may be a dictionary batch";

    private final UnaryOperator<BatchLayout> choice;
    private final DecompressedBuffers buffers;
    private final ReadOptions options;
    private final FaultSink sink;
    // What the sink has thrown: the batch can be checked.
    private FletchException thrown;
    private final BatchValues values;
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
    // Null if no values can be verified.
    private Dictionaries dictionaries;
    private DictionaryMemory dictionaryMemory;

    private final List<Waiting> waiting = new ArrayList<>();
    // The dictionary blocks of a file that lead to no sound batch: a footer may have many.
    private final BitSet lostBlocks = new BitSet();
    // Whether no batch has to wait.
    private boolean isEnd;

    private int index;
    private long bodyAt;

    /// @param choice chooses the fields to verify; null for all
    public MessageValues(UnaryOperator<BatchLayout> choice, ReadOptions options, FaultSink sink) {
        this.choice = choice;
        this.options = options;
        this.sink = sink;
        buffers = LibraryDecompressor.buffers(options);
        values = new BatchValues(options, buffers, this::place, this);
    }

    private Place place() {
        long body = bodyAt;
        return new Place(index, LongUnaryOperator.identity(), position -> body + position);
    }

    /// Number of fields of batches that were not verified.
    public long unchecked() {
        return values.unchecked().count();
    }

    /// Ends the messages before, and begins those of a schema.
    ///
    /// @param bound stays bound; null if there is none
    /// @param isSound whether it has no errors: else no values are verified
    /// @param inFile whether dictionaries may be behind the batches that need them, and are not
    ///     replaced
    public void begin(Schema bound, boolean isSound, boolean inFile) {
        finish();
        schema = bound;
        obstacle = bound == null ? "no schema" : isSound ? null : "schema has errors";
        isFile = inFile;
        layout = null;
        dictionaries = null;
        dictionaryMemory = new DictionaryMemory(options.decompressedBytes());
    }

    /// Verifies the values of a batch, or keeps a dictionary.
    ///
    /// @param number index of the message
    /// @param block number among the blocks of its kind in a file
    /// @param position offset of its metadata in the memory, which is the complete input
    /// @param isSound whether the metadata has no errors
    public void message(
            Message message,
            int number,
            int block,
            MemorySegment memory,
            long position,
            long length,
            boolean isSound) {
        index = number;
        bodyAt = position + length;
        values.limit(memory.byteSize(), 1);
        if (!BatchCounts.find(message, dictionary, batch)) {
            return;
        }
        boolean isDictionary = message.headerType() == MessageHeader.DICTIONARY_BATCH;
        prepare();
        long size = message.bodyLength();
        if (obstacle != null) {
            leaveOut(obstacle, isDictionary, block);
        } else if (!isSound) {
            leaveOut("message has errors", isDictionary, block);
        } else if (size < 0 || size > memory.byteSize() - bodyAt) {
            leaveOut("body is incomplete", isDictionary, block);
        } else if (isFile && !isEnd && layout.dictionaryCount() > 0) {
            int order = isDictionary ? block : Integer.MAX_VALUE;
            waiting.add(new Waiting(number, order, memory, position, length));
        } else {
            try {
                if (!isDictionary) {
                    cursor.bind(layout, message).body(memory, bodyAt, size);
                    values.batch(cursor, memory, bodyAt, size);
                } else if (layout.dictionaryLayout(dictionary.id()) != null) {
                    dictionaryMemory.keep(dictionary, length, 0);
                    // What is checked is decompressed again.
                    values.define(message, memory, bodyAt, size, null, buffers::bytes);
                    buffers.release();
                } // else no chosen field needs it
            } catch (FletchException e) {
                if (e == thrown) {
                    throw e;
                }
                addUnlessSound(e);
                leaveOut(e.rule().description(), isDictionary, block);
            }
        }
    }

    /// Records that a message could not be read. That of a stream may have changed any dictionary.
    /// In a file, most damage is no dictionary.
    ///
    /// @param order of a dictionary batch of a file, which comes before deltas
    void skip(int order) {
        if (isFile && order != ContainerPart.NO_BLOCK) {
            lostBlocks.set(order);
        } else if (dictionaries != null && !isFile) {
            values.loseAll(LOST);
        }
    }

    /// Counts the fields of a batch as not verified. Nor are indices into its dictionary.
    private void leaveOut(String reason, boolean isDictionary, int block) {
        if (layout == null) {
            values.unchecked().add(reason, batch.nodesCount());
            return;
        }
        BatchLayout of = isDictionary ? layout.dictionaryLayout(dictionary.id()) : layout;
        if (of != null) {
            values.unchecked().add(reason, of);
        } else if (isFile) {
            skip(block); // its id may be wrong
        }
        if (isDictionary && dictionaries != null) {
            values.lose(dictionary.id(), reason);
        }
    }

    /// Compiles the layout, once.
    private void prepare() {
        if (schema == null) {
            return;
        }
        try {
            layout = BatchLayout.compile(schema, options.limits());
            layout = choice == null ? layout : choice.apply(layout);
            layout.requireKnown();
            if (obstacle == null) {
                Dictionaries empty = new Dictionaries(layout, isFile);
                values.begin(schema, layout, choice == null, empty, isFile);
                dictionaries = empty;
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

    /// Verifies the batches of a file with dictionaries, and dictionaries that no record batch
    /// follows; then passes the notes.
    public void finish() {
        isEnd = true;
        waiting.sort(Comparator.comparingInt(Waiting::order));
        int passed = 0;
        for (Waiting each : waiting) {
            int lost = lostBlocks.nextSetBit(passed);
            if (lost >= 0 && lost < each.order) {
                values.loseDelta(LOST);
            }
            passed = Math.max(0, each.order); // those without block have none
            Message message = new Message().wrap(each.memory, each.at, each.length);
            message(message, each.message, each.order, each.memory, each.at, each.length, true);
        }
        waiting.clear();
        lostBlocks.clear();
        isEnd = false;
        if (choice != null) {
            prepare(); // without batches, too, an unknown column is a fault
        }
        if (dictionaries != null) {
            values.verifyDictionaries();
        }
        values.unchecked().report(sink);
    }

    @Override
    public boolean isFull() {
        return sink.isFull();
    }

    /// Not for batches that are only not checked, because they need too much memory or dictionaries
    /// before them are wrong, which the verifier of the meaning has reported.
    private void addUnlessSound(FletchException e) {
        if (!DictionaryOrder.isOfOrder(e.rule()) && e.rule() != MeaningRule.TOO_MUCH_MEMORY) {
            add(e);
        }
    }

    private void add(FletchException e) {
        long offset = e.offset() == FletchException.NO_OFFSET ? bodyAt : e.offset();
        sink.accept(Fault.of(e.rule(), 0, 0).because(e.fault().details()).in(index, offset));
    }

    @Override
    public void accept(Fault fault) {
        try {
            sink.accept(fault);
        } catch (FletchException e) {
            thrown = e;
            throw e;
        }
    }
}
