// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify.messages;

import dev.fletch.FaultSink;
import dev.fletch.UnreadableFileException;
import dev.fletch.ValueRule;
import dev.fletch.WorkMonitor;
import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BatchLayout;
import dev.fletch.batch.DecompressedBuffers;
import dev.fletch.batch.Dictionaries;
import dev.fletch.batch.DictionaryValues;
import dev.fletch.format.Schema;
import dev.fletch.ipc.internal.Work;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Verifies the values in the bodies of batches: what readers otherwise trust, or check one by one.
///
/// ```java
/// var verifier = new ValueVerifier(schema, layout);
/// verifier.verify(cursor.bind(layout, message).body(body), dictionaries, faults);
/// ```
///
/// **What is checked**: [ValueRule]. Offsets, sizes and run ends also of nulls, as readers follow
/// them without a look at the validity bits; all other values only if they are not null. Values of
/// a child are checked whether or not those of its parent are null. What passes can be read
/// completely by [dev.fletch.batch.ColumnValues].
///
/// **What is not checked**: fields of which a buffer is compressed, if nothing decompresses it or
/// its memory is not enough; big-endian bodies; indices into dictionaries that are not defined: see
/// [#unchecked]. Extension types beyond their storage, except for the shapes of
/// `arrow.variable_shape_tensor`, which need `jackson-core` if the type has metadata.
///
/// **Before**: the metadata must be verified. A batch with too few nodes or buffers, or a buffer
/// outside the body, is refused when the cursor is bound, or reported with the rule of the
/// [dev.fletch.FletchException] that reading would throw.
///
/// **Work** is proportional to the bytes of the buffers, which are read at most three times:
/// [#bytesRead] says how much it was. When a dictionary is defined or replaced, the indices into it
/// inside of others are read again only if one of them is wrong. [WorkMonitor#worked] is called for
/// each block of 16 KiB, and may stop it.
///
/// **Allocation.** None after the first batches, except for decompression, faults, more variadic
/// buffers than before, and buffers of a [dev.fletch.batch.ReceivedBody] that span pieces.
///
/// **Threads.** Belongs to one thread at a time.
public final class ValueVerifier {
    /// Receives the fields of a batch that could not be checked: see [#unchecked].
    @FunctionalInterface
    public interface Unchecked {
        /// Receives a field.
        ///
        /// @param layout of the record batch, or of a dictionary
        /// @param field its number there
        /// @param reason such as `big-endian`
        void field(BatchLayout layout, int field, String reason);
    }

    /// The reason for indices into a dictionary that is not defined.
    public static final String UNDEFINED = "dictionary is not defined";

    /// What was verified of a dictionary.
    private static final class Verified {
        private final long id;
        private final ValuePlan plan;
        // Of its values, by field; null for other fields.
        private final Indices[] indices;
        // Into this dictionary, in the values of others.
        private final List<Indices> users = new ArrayList<>();
        // Null if it was not defined.
        private DictionaryValues values;
        private int batches;

        private Verified(long id, ValuePlan plan) {
            this.id = id;
            this.plan = plan;
            indices = new Indices[plan.kinds.length];
        }

        private ValueFault.Batch batch(int batch) {
            return new ValueFault.Batch(plan.layout, id, batch);
        }
    }

    /// Indices into a dictionary in a field of the values of another one.
    private static final class Indices {
        private final Verified of;
        private final int field;
        // -1 if there is none.
        private long greatest = -1;
        // Number of batches whose indices were checked.
        private int batches;
        private boolean isOpen;

        private Indices(Verified verified, int field) {
            this.of = verified;
            this.field = field;
        }

        private long dictionary() {
            return of.plan.layout.dictionaryId(field);
        }
    }

    private final ValuePlan columns;
    private final WorkMonitor monitor;
    private final ValueCheck check;

    // By their ids, in the order of the layout.
    private final Map<Long, Verified> dictionaries = new LinkedHashMap<>();
    // Those that were verified last, and as they were after so many changes.
    private Dictionaries verified;
    private long changes;
    // To check with the next record batch.
    private final List<Indices> open = new ArrayList<>();

    /// Creates a verifier that no monitor watches, and that decompresses nothing.
    ///
    /// @param schema of the batches; it is not needed later
    /// @param layout of the schema, or of chosen fields: only these are checked
    /// @throws dev.fletch.FletchException if the type of a field is unknown
    public ValueVerifier(Schema schema, BatchLayout layout) {
        this(schema, layout, WorkMonitor.NONE, null);
    }

    /// Creates a verifier of batches that may be compressed.
    ///
    /// @param monitor watches the work, and can stop it
    /// @param buffers has the decompressed buffers of one field at a time. Null if compressed
    ///     buffers are not checked, or come from the source of the cursor
    /// @throws dev.fletch.FletchException if the type of a field is unknown
    public ValueVerifier(
            Schema schema, BatchLayout layout, WorkMonitor monitor, DecompressedBuffers buffers) {
        check = new ValueCheck(buffers);
        this.monitor = Objects.requireNonNull(monitor, "monitor");
        columns = ValuePlan.of(schema, layout.requireKnown());
        Map<Long, ValuePlan> plans = ValuePlan.dictionaries(schema, layout);
        for (int i = 0; i < layout.dictionaryCount(); i++) {
            long id = layout.dictionary(i);
            dictionaries.put(id, new Verified(id, plans.get(id)));
        }
        for (Verified each : dictionaries.values()) {
            for (int field = 0; field < each.indices.length; field++) {
                if (each.plan.kinds[field] == ValuePlan.Kind.INDICES) {
                    each.indices[field] = new Indices(each, field);
                    dictionaries
                            .get(each.plan.layout.dictionaryId(field))
                            .users
                            .add(each.indices[field]);
                }
            }
        }
    }

    /// Sets who receives the fields that later calls cannot check.
    ///
    /// @param sink null for none
    /// @return this
    public ValueVerifier onUnchecked(Unchecked sink) {
        check.onUnchecked(sink);
        return this;
    }

    // ---- batches

    /// Verifies a record batch, and the dictionaries, as far as they are new.
    ///
    /// @param cursor bound with the layout of this verifier, and to the body
    /// @param dictionaries of the stream or file; may be null if no field is dictionary-encoded
    /// @param sink receives the faults, as [ValueFault]; when it is full, the call ends
    /// @return whether there was none
    /// @throws IllegalArgumentException if the cursor is bound with another layout
    public boolean verify(BatchCursor cursor, Dictionaries dictionaries, FaultSink sink) {
        Objects.requireNonNull(cursor, "cursor");
        return run(columns, cursor, null, dictionaries, sink);
    }

    /// Verifies the values of a dictionary batch alone, such as before it is added to the
    /// dictionaries: [#verify] verifies them anyway. Without indices into other dictionaries.
    ///
    /// @param cursor bound with the layout of the dictionary, and to the body
    /// @param sink see [#verify]
    /// @return whether there was none
    /// @throws IllegalArgumentException if the cursor is bound with another layout, or no field has
    ///     the dictionary
    public boolean verifyDictionary(long id, BatchCursor cursor, FaultSink sink) {
        return run(require(id).plan, Objects.requireNonNull(cursor, "cursor"), null, null, sink);
    }

    /// Verifies a dictionary, as far as it is new, such as after a batch of it was added. Without
    /// indices into other dictionaries, which may be defined or replaced until the next record
    /// batch: [#verify] checks them.
    ///
    /// @param sink see [#verify]
    /// @return whether there was none
    /// @throws IllegalArgumentException if no field has the dictionary
    public boolean verifyDictionary(long id, Dictionaries dictionaries, FaultSink sink) {
        Objects.requireNonNull(dictionaries, "dictionaries");
        return run(null, null, require(id), dictionaries, sink);
    }

    /// Verifies the dictionaries, as far as they are new, without a record batch; such as at the
    /// end of a stream. See [#verify].
    public boolean verifyDictionaries(Dictionaries dictionaries, FaultSink sink) {
        return run(columns, null, null, dictionaries, sink);
    }

    /// {@return number of bytes that the last call has read, some more than once}
    public long bytesRead() {
        return check.bytesRead();
    }

    /// {@return number of fields that the last call could not check, because a buffer is
    /// compressed, numbers are big-endian, or the dictionary is not defined: see [#onUnchecked]}
    public int unchecked() {
        return check.unchecked();
    }

    // ---- the work

    private Verified require(long id) {
        Verified dictionary = dictionaries.get(id);
        if (dictionary == null) {
            throw new IllegalArgumentException("no field has the dictionary: dictionary=" + id);
        }
        return dictionary;
    }

    /// @param plan of the batch; null to verify only a dictionary
    /// @param cursor null to verify only dictionaries
    /// @param one the only dictionary to verify; null for all
    private boolean run(
            ValuePlan plan, BatchCursor cursor, Verified one, Dictionaries all, FaultSink sink) {
        if (cursor != null
                && cursor.layout() != plan.layout.forVersion(cursor.layout().version())) {
            throw new IllegalArgumentException("cursor is bound with another layout");
        }
        check.start(Objects.requireNonNull(sink, "sink"));
        try {
            // A lambda would be an object for each batch.
            return monitor == WorkMonitor.NONE
                    ? verify(plan, cursor, one, all)
                    : Work.watched(monitor, () -> verify(plan, cursor, one, all));
        } catch (InternalError e) {
            throw UnreadableFileException.of(e);
        }
    }

    private boolean verify(ValuePlan plan, BatchCursor cursor, Verified one, Dictionaries all) {
        if (one != null) {
            verified = all == verified ? verified : null;
            define(one, all);
        } else if (plan == columns && all != null) {
            dictionaries(all);
        }
        if (cursor != null) {
            check.begin(plan.batch, cursor, plan, all);
            try {
                for (int field = 0; field < plan.kinds.length && !check.hasEnded(); field++) {
                    check.field(field, plan == columns, true);
                }
            } finally {
                check.end();
            }
        }
        return !check.hasFaults();
    }

    // ---- dictionaries

    /// Verifies the new batches of all dictionaries, then indices from their values into others.
    private void dictionaries(Dictionaries all) {
        if (all != verified || all.changes() != changes) {
            check.work((long) Long.BYTES * dictionaries.size());
            for (Verified each : dictionaries.values()) {
                define(each, all);
                if (check.hasEnded()) {
                    return;
                }
            }
            verified = all;
            changes = all.changes();
        }
        if (open.isEmpty()) {
            return;
        }
        int done = 0;
        try {
            while (done < open.size() && !check.hasEnded()) {
                Indices next = open.get(done);
                indices(next, all);
                next.isOpen = check.hasEnded();
                done += next.isOpen ? 0 : 1;
            }
        } finally {
            open.subList(0, done).clear();
        }
    }

    /// Verifies the new batches of a dictionary, without indices into others.
    private void define(Verified dictionary, Dictionaries all) {
        DictionaryValues values = all.values(dictionary.id);
        int count = values == null ? 0 : values.batchCount();
        boolean isReplaced = values != dictionary.values;
        boolean isNew = isReplaced || dictionary.batches < count;
        if (isReplaced) {
            dictionary.values = values;
            dictionary.batches = 0;
            for (Indices each : dictionary.indices) {
                if (each != null) {
                    each.greatest = -1;
                    each.batches = 0;
                }
            }
            check.work(dictionary.users.size());
            for (Indices each : dictionary.users) {
                each.batches = 0;
                open(each);
            }
        }
        while (dictionary.batches < count) {
            batch(dictionary, dictionary.batches);
            if (check.hasEnded()) {
                return;
            }
            dictionary.batches++;
        }
        if (isNew && all == verified && all.changes() == changes + 1) {
            changes++; // no other one has changed
        }
    }

    /// {@return whether a dictionary has an index that another one, as it is now, does not have. It
    /// may be sound with the next record batch: until then, the other may be defined, extended or
    /// replaced}
    public boolean hasWrongIndices(Dictionaries all) {
        while (!open.isEmpty()) {
            Indices last = open.getLast();
            DictionaryValues values = all.values(last.dictionary());
            if (last.greatest >= (values == null ? 0 : values.length())) {
                return true;
            }
            last.isOpen = false; // until the other is replaced
            last.batches = last.of.batches;
            open.removeLast();
        }
        return false;
    }

    private void open(Indices indices) {
        if (!indices.isOpen) {
            indices.isOpen = true;
            open.add(indices);
        }
    }

    private void batch(Verified dictionary, int batch) {
        ValuePlan plan = dictionary.plan;
        check.begin(dictionary.batch(batch), dictionary.values.batch(batch), plan, null);
        try {
            for (int field = 0; field < plan.kinds.length && !check.hasEnded(); field++) {
                check.field(field, false, true);
                Indices indices = dictionary.indices[field];
                if (indices != null) {
                    indices.greatest = Math.max(indices.greatest, check.greatestIndex());
                    open(indices);
                }
            }
        } finally {
            check.end();
        }
    }

    /// Checks indices, without reading them if the greatest one is sound.
    private void indices(Indices indices, Dictionaries all) {
        check.work(Long.BYTES);
        Verified verified = indices.of;
        DictionaryValues values = all.values(indices.dictionary());
        long length = values == null ? 0 : values.length();
        while (indices.greatest >= length && indices.batches < verified.batches) {
            int batch = indices.batches;
            check.begin(verified.batch(batch), verified.values.batch(batch), verified.plan, all);
            try {
                check.field(indices.field, true, false);
            } finally {
                check.end();
            }
            if (check.hasEnded()) {
                return;
            }
            indices.batches++;
        }
        indices.batches = verified.batches;
    }
}
