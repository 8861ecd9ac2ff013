// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.format.internal;

import static dev.fletch.MeaningRule.DELTA_WITHOUT_DICTIONARY;
import static dev.fletch.MeaningRule.DICTIONARY_LATE;
import static dev.fletch.MeaningRule.DICTIONARY_REPLACED;
import static dev.fletch.MeaningRule.DICTIONARY_UNDEFINED;
import static dev.fletch.MeaningRule.UNUSED_DICTIONARY;

import dev.fletch.Fault;
import dev.fletch.FaultSink;
import dev.fletch.FletchException;
import dev.fletch.Limits;
import dev.fletch.Rule;
import dev.fletch.format.Block;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Footer;
import dev.fletch.format.Schema;

import java.util.Arrays;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;

/// Which dictionaries of a schema are defined, and the rules of their batches. Lookups and checks
/// allocate nothing; each check returns whether to continue.
///
/// A reader of some columns has only their dictionaries, and passes the batches of others. But not
/// one of a dictionary that no field has, at any level: its id may be damaged, and values of a
/// dictionary that it replaces or extends would be others.
///
/// A batch that is no delta defines its dictionary, and in a stream replaces an earlier one. A
/// delta follows its dictionary; in a file, in the order of the footer's blocks.
public final class DictionaryOrder {
    /// Returned for a dictionary that no field of the schema uses.
    public static final int NONE = -1;

    /// No batch of this kind yet.
    private static final int NEVER = Integer.MAX_VALUE;

    private final FaultSink sink;

    // Ascending.
    private long[] ids = {};
    // The first block that defines each dictionary, and the first that extends it; 0 in a stream.
    private int[] defined = {};
    private int[] extended = {};
    private int undefined;
    private boolean hasGaps;
    private LongPredicate others = _ -> false;

    public DictionaryOrder(FaultSink sink) {
        this.sink = sink;
    }

    /// Sets the dictionaries of columns that are not read.
    ///
    /// @param ofOthers whether a field of the schema has a dictionary, for ids that are not among
    ///     those of [#begin]
    /// @return this
    public DictionaryOrder beside(LongPredicate ofOthers) {
        others = ofOthers;
        return this;
    }

    /// The ids of the dictionaries of a schema, which are looked up when the first one is needed.
    ///
    /// @param schema stays bound until then
    /// @param limits of its fields: see [SchemaSize]
    public static LongPredicate of(Schema schema, Limits limits) {
        LongPredicate[] all = new LongPredicate[1];
        return id -> {
            if (all[0] == null) {
                all[0] = of(ids(schema, limits));
            }
            return all[0].test(id);
        };
    }

    /// Whether an id is one of these.
    public static LongPredicate of(long... ids) {
        long[] sorted = LongStream.of(ids).sorted().toArray();
        return id -> Arrays.binarySearch(sorted, id) >= 0;
    }

    /// {@return the ids of all dictionaries of a schema, nested ones included, once for each field}
    ///
    /// @throws FletchException if fields are shared too often
    public static long[] ids(Schema schema, Limits limits) {
        SchemaSize size = new SchemaSize(limits);
        size.begin(schema.bufferLength());
        FieldWalk walk = new FieldWalk().wrap(schema);
        LongStream.Builder ids = LongStream.builder();
        while (walk.next()) {
            if (!size.addField(0)) {
                throw size.tooLarge(walk.field());
            }
            if (walk.isDictionaryEncoded()) {
                ids.add(walk.dictionaryId());
            }
        }
        return ids.build().toArray();
    }

    /// Starts before the first batch.
    ///
    /// @param all ids of the dictionaries of the columns that are read, in any order, each any
    ///     number of times
    /// @return this
    public DictionaryOrder begin(long... all) {
        ids = Arrays.stream(all).sorted().distinct().toArray();
        defined = new int[ids.length];
        extended = new int[ids.length];
        Arrays.fill(defined, NEVER);
        Arrays.fill(extended, NEVER);
        undefined = ids.length;
        hasGaps = false;
        return this;
    }

    /// {@return the index of a dictionary, by its ascending id; [#NONE] if no field uses it}
    public int find(long id) {
        int index = Arrays.binarySearch(ids, id);
        return index < 0 ? NONE : index;
    }

    /// {@return the id of a dictionary}
    public long id(int index) {
        return ids[index];
    }

    /// Records that a batch could not be read: it may have defined any dictionary.
    public void skip() {
        hasGaps = true;
    }

    public boolean hasGaps() {
        return hasGaps;
    }

    /// {@return whether a batch has defined a dictionary, as far as all could be read}
    public boolean isDefined(int index) {
        return hasGaps || defined[index] != NEVER;
    }

    /// {@return whether a batch has defined a dictionary of the schema}
    public boolean defines(long id) {
        int index = find(id);
        return index != NONE && defined[index] != NEVER;
    }

    /// {@return whether batches have defined all dictionaries, as far as all could be read}
    public boolean areAllDefined() {
        return hasGaps || undefined == 0;
    }

    // ---- rules

    /// {@return whether a rule is about the dictionaries before a message, which is right alone}
    public static boolean isOfOrder(Rule rule) {
        return rule == DELTA_WITHOUT_DICTIONARY
                || rule == DICTIONARY_REPLACED
                || rule == DICTIONARY_UNDEFINED
                || rule == DICTIONARY_LATE;
    }

    /// {@return whether a column that is read needs the dictionary of a batch} Reports that no field
    /// of the schema has it.
    public boolean needs(DictionaryBatch batch) {
        boolean isNeeded = find(batch.id()) != NONE;
        if (!isNeeded && !others.test(batch.id())) {
            sink.accept(fault(UNUSED_DICTIONARY, batch, DictionaryBatch.ID_SLOT));
        }
        return isNeeded;
    }

    /// {@return the fault that a batch defines a dictionary of a file again}
    ///
    /// @param position of the id
    public static Fault replaced(long position, long id) {
        return Fault.of(DICTIONARY_REPLACED, position, id).at("id").with("dictionary", id);
    }

    /// Checks whether a batch of a used dictionary may come next. Records nothing.
    ///
    /// @param isFile whether each dictionary is defined once
    /// @param isOrdered whether batches come in their order; if not, [#end] checks the deltas
    public boolean next(DictionaryBatch batch, boolean isFile, boolean isOrdered) {
        int index = find(batch.id());
        if (batch.isDelta()) {
            return !isOrdered
                    || isDefined(index)
                    || sink.add(
                            fault(DELTA_WITHOUT_DICTIONARY, batch, DictionaryBatch.IS_DELTA_SLOT));
        }
        return !isFile
                || defined[index] == NEVER
                || sink.add(replaced(batch.position(DictionaryBatch.ID_SLOT), batch.id()));
    }

    private static Fault fault(Rule rule, DictionaryBatch batch, int slot) {
        String part = slot == DictionaryBatch.ID_SLOT ? "id" : "isDelta";
        long id = batch.id();
        Fault fault = Fault.of(rule, batch.position(slot), id).at(part);
        return fault.with("dictionary", id);
    }

    /// Records a batch.
    ///
    /// @param block in a file, its index among the footer's dictionary blocks; else 0
    public void add(DictionaryBatch batch, int block) {
        int[] blocks = batch.isDelta() ? extended : defined;
        int index = find(batch.id());
        undefined -= blocks == defined && defined[index] == NEVER ? 1 : 0;
        blocks[index] = Math.min(blocks[index], block);
    }

    /// Checks, after all blocks, that no delta of a dictionary is listed before its definition.
    public boolean end(Footer footer, int index) {
        int block = extended[index];
        return block >= footer.dictionariesCount()
                || block >= defined[index]
                || sink.add(early(footer, block, ids[index]));
    }

    /// {@return the fault of a file's dictionary batch, as [#end] finds it: of a delta before its
    /// dictionary, the message is right, the order of the blocks is wrong; null for others}
    ///
    /// @param block index of the batch's block among the footer's dictionary blocks
    public static Fault early(Fault found, Footer footer, int block) {
        return found.rule() == DELTA_WITHOUT_DICTIONARY
                ? early(footer, block, found.value())
                : null;
    }

    private static Fault early(Footer footer, int block, long id) {
        long position = footer.dictionaries(block, new Block()).position();
        return Fault.of(DELTA_WITHOUT_DICTIONARY, position, id)
                .at("dictionaries", block, "")
                .with("dictionary", id);
    }

    /// Reports a value from a dictionary that is not defined.
    ///
    /// @param neededBy the same dictionary, or one whose values need it
    /// @param position of the faulty part
    /// @param path of the faulty part
    public boolean undefined(long id, long neededBy, long position, String path) {
        Fault fault = Fault.of(DICTIONARY_UNDEFINED, position, id).at(path).with("dictionary", id);
        return sink.add(neededBy == id ? fault : fault.with("neededBy", neededBy));
    }
}
