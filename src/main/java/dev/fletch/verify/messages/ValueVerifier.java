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

import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

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
/// **Work** is proportional to the bytes of the buffers, which are read at most three times. When a
/// dictionary is defined or replaced, the indices into it inside of others are read again:
/// [#bytesRead] says how much it was. [WorkMonitor#worked] is called for each block of 16 KiB, and
/// may stop it.
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

    private final ValuePlan columns;
    private final Map<Long, ValuePlan> dictionaryPlans;
    private final WorkMonitor monitor;
    private final ValueCheck check;

    // Of each dictionary: its values and number of batches that were verified last.
    private final DictionaryValues[] seen;
    private final int[] seenBatches;
    // Ids of those that have other values since.
    private final Set<Long> changed = new HashSet<>();

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
        dictionaryPlans = ValuePlan.dictionaries(schema, layout);
        seen = new DictionaryValues[layout.dictionaryCount()];
        seenBatches = new int[seen.length];
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
        return run(columns, Objects.requireNonNull(cursor, "cursor"), dictionaries, sink);
    }

    /// Verifies the values of a dictionary batch alone, such as before it is added to the
    /// dictionaries: [#verify] verifies them anyway. Without indices into other dictionaries,
    /// which may be defined later.
    ///
    /// @param cursor bound with the layout of the dictionary, and to the body
    /// @param sink see [#verify]
    /// @return whether there was none
    /// @throws IllegalArgumentException if the cursor is bound with another layout, or no field has
    ///     the dictionary
    public boolean verifyDictionary(long id, BatchCursor cursor, FaultSink sink) {
        return run(plan(id), Objects.requireNonNull(cursor, "cursor"), null, sink);
    }

    /// Verifies the dictionaries, as far as they are new, without a record batch; such as at the
    /// end of a stream. See [#verify].
    public boolean verifyDictionaries(Dictionaries dictionaries, FaultSink sink) {
        return run(columns, null, dictionaries, sink);
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

    private ValuePlan plan(long id) {
        ValuePlan plan = dictionaryPlans.get(id);
        if (plan == null) {
            throw new IllegalArgumentException("no field has the dictionary: dictionary=" + id);
        }
        return plan;
    }

    /// @param cursor null to verify only the dictionaries
    private boolean run(
            ValuePlan plan, BatchCursor cursor, Dictionaries dictionaries, FaultSink sink) {
        if (cursor != null && cursor.layout() != plan.layout) {
            throw new IllegalArgumentException("cursor is bound with another layout");
        }
        check.start(Objects.requireNonNull(sink, "sink"));
        try {
            // A lambda would be an object for each batch.
            return monitor == WorkMonitor.NONE
                    ? batch(plan, cursor, dictionaries)
                    : Work.watched(monitor, () -> batch(plan, cursor, dictionaries));
        } catch (InternalError e) {
            throw UnreadableFileException.of(e);
        }
    }

    private boolean batch(ValuePlan plan, BatchCursor cursor, Dictionaries dictionaries) {
        if (plan == columns && dictionaries != null) {
            dictionaries(dictionaries);
        }
        if (cursor != null) {
            fields(plan.batch, plan, cursor, dictionaries, plan == columns, true);
        }
        return !check.hasFaults();
    }

    /// Verifies the new batches of all dictionaries. If one was defined or replaced, also the
    /// indices into it in all batches.
    private void dictionaries(Dictionaries all) {
        changed.clear();
        for (int i = 0; i < seen.length; i++) {
            long id = columns.layout.dictionary(i);
            if (all.values(id) != seen[i]) {
                changed.add(id);
            }
        }
        for (int i = 0; i < seen.length && !check.hasEnded(); i++) {
            long id = columns.layout.dictionary(i);
            ValuePlan plan = dictionaryPlans.get(id);
            DictionaryValues values = all.values(id);
            int known = values == seen[i] ? seenBatches[i] : 0;
            int from = plan.hasIndices && !changed.isEmpty() ? 0 : known;
            int count = values == null ? 0 : values.batchCount();
            for (int batch = from; batch < count && !check.hasEnded(); batch++) {
                var place = new ValueFault.Batch(plan.layout, id, batch);
                fields(place, plan, values.batch(batch), all, true, batch >= known);
            }
            seen[i] = values;
            seenBatches[i] = count;
        }
        if (check.hasEnded()) {
            Arrays.fill(seen, null); // others may have indices into what was new
        }
    }

    private void fields(
            ValueFault.Batch place,
            ValuePlan plan,
            BatchCursor cursor,
            Dictionaries dictionaries,
            boolean indices,
            boolean others) {
        check.begin(place, cursor, plan, dictionaries);
        try {
            for (int field = 0; field < plan.kinds.length && !check.hasEnded(); field++) {
                if (others || changed.contains(plan.layout.dictionaryId(field))) {
                    check.field(field, indices, others);
                }
            }
        } finally {
            check.end();
        }
    }
}
