// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.scan.internal;

import dev.fletch.Checks;
import dev.fletch.Fault;
import dev.fletch.FaultSink;
import dev.fletch.FletchException;
import dev.fletch.MeaningRule;
import dev.fletch.batch.BatchCursor;
import dev.fletch.format.Buffer;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.FieldNode;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.internal.BatchCounts;
import dev.fletch.format.internal.BufferRange;
import dev.fletch.format.internal.DictionaryOrder;
import dev.fletch.format.internal.FaultPlace;
import dev.fletch.format.internal.SchemaCheck;
import dev.fletch.input.Input;
import dev.fletch.input.InputFaults;
import dev.fletch.input.SchemaErrors;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.internal.FrameCheck;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Binds the batches of an input to its schema, and checks the numbers that commands show or add
/// up.
public final class BatchBinding {
    /// Takes the current message.
    @FunctionalInterface
    public interface Step {
        /// @throws FletchException if the message cannot be used
        void message() throws IOException;

        /// Receives that the current message is left out.
        default void leftOut() {}
    }

    /// Bound to the current batch.
    final RecordBatch batch = new RecordBatch();

    /// Bound to the current dictionary batch.
    final DictionaryBatch dictionary = new DictionaryBatch();

    /// Bound to the current batch if [#fields] is not null.
    final BatchCursor cursor = new BatchCursor();

    private final Input input;
    private final boolean isNamed;
    private final boolean readsLengths;
    private final EncapsulatedMessage frame;
    private final Schema schema = new Schema();
    private final Buffer buffer = new Buffer();
    private final FieldNode node = new FieldNode();
    private final BatchCounts counts;
    private final BufferRange ranges;
    private final BufferRange allRanges;

    /// The layout of the schema; null before the schema.
    MapPlan plan;

    /// The fields of the current batch; null if it has none, or no schema is known.
    MapPlan.Fields fields;

    private boolean isFooterBound;
    private final FaultSink errors;

    // The first error of the schema; null if there is none.
    private Fault schemaError;

    /// @param isNamed whether [#plan] needs the paths and types of fields; then a fault of the
    ///     schema ends the messages
    /// @param readsLengths whether to read the uncompressed lengths of buffers from bodies
    public BatchBinding(Input input, boolean isNamed, boolean readsLengths) {
        this.input = input;
        this.isNamed = isNamed;
        this.readsLengths = readsLengths;
        this.frame = input.frame();
        errors = FaultSink.throwing(fault -> FletchException.inInput(invalid(fault)));
        counts = new BatchCounts(errors);
        ranges = new BufferRange(errors, false);
        allRanges = new BufferRange(errors, true);
    }

    /// Moves through the messages of the input, and passes those without faults to a step. Others
    /// are left out.
    ///
    /// @throws FletchException for a fault of the schema
    public void each(Step step) throws IOException {
        while (input.next()) {
            input.checkLeadingSchema();
            boolean mayLeaveOut = !isNamed;
            try {
                schema();
                mayLeaveOut = true;
                bind(readsLengths ? frame.bodySlice() : MemorySegment.NULL);
                step.message();
            } catch (FletchException e) {
                if (!mayLeaveOut) {
                    throw e;
                }
                input.leaveOut(InputFaults.required(e, input));
                step.leftOut();
            }
        }
    }

    /// Binds the footer's schema. Throws a [FletchException] if there is none, or it is too large.
    void footer() throws IOException {
        isFooterBound = true;
        plan(input.schema());
    }

    private void plan(Schema bound) {
        try {
            schemaError = errorOf(bound);
            plan = new MapPlan(bound, input.metadataLength(), input.limits(), isNamed);
        } catch (FletchException e) {
            if (e.rule() == MeaningRule.SCHEMA_TOO_LARGE || schemaError == null) {
                throw FletchException.inInput(InputFaults.required(e, input));
            }
            throw FletchException.inInput(schemaError);
        }
    }

    /// The first error of a schema; null if there is none. Batches of an invalid schema may be
    /// sound.
    private Fault errorOf(Schema bound) {
        FaultSink throwing =
                FaultSink.throwing(
                        fault -> FletchException.inInput(SchemaErrors.placed(fault, input, bound)));
        try {
            new SchemaCheck(new FaultPlace(throwing), Checks.DEFAULT.withLimits(input.limits()))
                    .check(bound);
            return null;
        } catch (FletchException e) {
            if (!e.isInInput()) {
                throw e; // the schema cannot be checked
            }
            return e.fault();
        }
    }

    /// Binds the schema of the footer or, without a footer, of the current message. Ignores other
    /// messages. Throws a [FletchException] if a schema message has no schema, or it is too large.
    void schema() throws IOException {
        if (input.hasFooter() && !isFooterBound) {
            footer();
        }
        if (input.message.headerType() != MessageHeader.SCHEMA || input.hasFooter()) {
            return;
        }
        requireHeader(input.message.header(schema));
        plan(schema);
    }

    /// Binds the batch of the current message, if it has one.
    ///
    /// @param body the body, for the uncompressed lengths of buffers; [MemorySegment#NULL] to read
    ///     none
    /// @throws FletchException if the batch is invalid or does not fit the schema
    void bind(MemorySegment body) {
        fields = null;
        int kind = input.message.headerType();
        if (kind == MessageHeader.RECORD_BATCH) {
            requireHeader(input.message.header(batch));
            fields = plan == null ? null : plan.columns();
        } else if (kind == MessageHeader.DICTIONARY_BATCH) {
            requireHeader(input.message.header(dictionary));
            BatchCounts.data(dictionary, batch, errors);
            fields = plan == null ? null : plan.dictionary(dictionary.id());
            if (plan != null && fields == null) {
                errors.accept(DictionaryOrder.unused(dictionary));
            }
        } else {
            return;
        }
        counts.rows(batch);
        if (fields != null) {
            try {
                bindCursor(body);
            } catch (FletchException e) {
                throw FletchException.inInput(reason(placed(e)));
            }
        }
    }

    /// What the cursor has thrown, with its place in the input.
    Fault placed(FletchException e) {
        return InputFaults.ofMessage(e, frame, input.index());
    }

    private void bindCursor(MemorySegment body) {
        try {
            cursor.bind(fields.layouts().of(input.message.version()), batch).body(body);
        } catch (FletchException e) {
            throw FletchException.inInput(placed(e));
        }
        requireInside();
        requireCounts();
    }

    /// Why the first batch does not fit its schema: the error of the schema, if that is invalid.
    /// Later batches keep their own.
    private Fault reason(Fault found) {
        Fault error = schemaError == null ? found : schemaError;
        schemaError = null;
        return error;
    }

    private void requireHeader(boolean isThere) {
        if (!isThere) {
            FrameCheck.unexpected(input.message, errors);
        }
    }

    /// An empty buffer may have any offset, if its end in the input is below 2^63.
    private void requireInside() {
        long body = frame.bodyLength();
        for (int i = 0; i < batch.buffersCount(); i++) {
            batch.buffers(i, buffer);
            boolean isFar = buffer.offset() > Long.MAX_VALUE - frame.bodyOffset();
            (isFar ? allRanges : ranges).check(buffer, body, "buffers", i);
        }
    }

    private void requireCounts() {
        int columns = fields.layout().columnCount();
        for (int i = 0; i < columns; i++) {
            int field = fields.layout().columnField(i);
            if (field < fields.placeable()) {
                counts.length(batch.nodes(field, node), field);
                counts.columnLength(node, field, batch.length());
            }
        }
        for (int field = 0; field < fields.placeable(); field++) {
            counts.length(batch.nodes(field, node), field);
            counts.nullCount(node, field, fields.layout().isAllNull(field));
        }
    }

    private Fault invalid(Fault fault) {
        boolean isNode = fault.path().startsWith("nodes");
        boolean isBuffer = fault.path().startsWith("buffers");
        int field = isNode ? fault.index() : isBuffer ? fieldOf(fault.index()) : -1;
        String column = field < 0 ? "" : "column=" + fields.layout().pathString(field) + ", ";
        return InputFaults.placed(fault, frame, input.index()).because(column + fault.found());
    }

    /// The field that a buffer belongs to; -1 if there is none.
    private int fieldOf(int buffer) {
        int buffers = 0;
        for (int field = 0; field < fields.placeable(); field++) {
            buffers += cursor.bufferCount(field);
            if (buffer < buffers) {
                return field;
            }
        }
        return -1;
    }
}
