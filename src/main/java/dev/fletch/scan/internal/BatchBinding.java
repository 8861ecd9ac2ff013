// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.scan.internal;

import dev.fletch.Checks;
import dev.fletch.Fault;
import dev.fletch.FaultSink;
import dev.fletch.FletchException;
import dev.fletch.MeaningRule;
import dev.fletch.batch.BatchCursor;
import dev.fletch.batch.BatchLayout;
import dev.fletch.format.DictionaryBatch;
import dev.fletch.format.Message;
import dev.fletch.format.RecordBatch;
import dev.fletch.format.Schema;
import dev.fletch.format.ids.MessageHeader;
import dev.fletch.format.internal.BatchCounts;
import dev.fletch.input.DetectedInput.Form;
import dev.fletch.input.Input;
import dev.fletch.input.InputFaults;
import dev.fletch.input.SchemaErrors;
import dev.fletch.ipc.EncapsulatedMessage;
import dev.fletch.ipc.internal.ContainerPart;
import dev.fletch.ipc.internal.FrameCheck;
import dev.fletch.verify.messages.SemanticVerifier;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;

/// Binds the batches of an input to its schema, after their metadata was verified: commands show
/// and add up only numbers that are sound.
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
    private final SemanticVerifier meaning;

    /// The layout of the schema; null before the schema.
    MapPlan plan;

    /// The fields of the current batch; null if it has none, or no schema is known.
    MapPlan.Fields fields;

    private boolean isFooterBound;

    // Number of damaged parts before the current message.
    private long damages;

    // The fields that are read; null for all.
    private BitSet needed;

    // The first error of an invalid schema; null if there is none.
    private Fault schemaError;

    // The first error of what is verified; null if there is none.
    private Fault error;

    // The first fault of each dictionary that is not defined.
    private final Map<Long, Fault> undefined = new HashMap<>();

    // Whether they have those of all messages so far.
    private boolean isEnded;

    /// @param isNamed whether [#plan] needs the paths and types of fields; then a fault of the
    ///     schema ends the messages
    /// @param readsLengths whether to read the uncompressed lengths of buffers from bodies
    public BatchBinding(Input input, boolean isNamed, boolean readsLengths) {
        this.input = input;
        this.isNamed = isNamed;
        this.readsLengths = readsLengths;
        this.frame = input.frame();
        meaning = new SemanticVerifier(Checks.DEFAULT.withLimits(input.limits()), new FirstError());
        meaning.beginInOrder(input.form() == Form.FILE); // unless a footer follows
    }

    /// Keeps the first error for which a message is left out.
    private final class FirstError implements FaultSink {
        @Override
        public void accept(Fault fault) {
            boolean isElsewhere =
                    needed != null
                            && fault.field() >= 0
                            && input.message.headerType() == MessageHeader.RECORD_BATCH
                            && !needed.get(fault.field());
            if (fault.rule() == MeaningRule.DICTIONARY_UNDEFINED) {
                undefined.putIfAbsent(
                        fault.value(),
                        input.hasFooter()
                                ? fault.in(Fault.NO_MESSAGE, fault.position())
                                : InputFaults.placed(fault, frame, input.index()));
            } else if (error == null && !isElsewhere && SemanticVerifier.leavesOut(fault.rule())) {
                error = fault;
            }
        }

        @Override
        public boolean isFull() {
            return error != null;
        }
    }

    /// Lets errors in other columns pass.
    ///
    /// @param chosen from the layout of [#plan]
    void need(BatchLayout chosen) {
        needed = new BitSet();
        IntStream.range(0, chosen.fieldCount()).map(chosen::sourceField).forEach(needed::set);
    }

    /// Moves through the messages of the input, and passes those without faults to a step. Others
    /// are left out.
    ///
    /// @throws FletchException for a fault of the schema
    public void each(Step step) throws IOException {
        while (input.next()) {
            take(step);
        }
    }

    /// [#each] for the current message.
    public void take(Step step) throws IOException {
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
            damages = input.damageCount();
            step.leftOut();
        }
    }

    /// Binds the footer's schema. Throws a [FletchException] if there is none, or it is too large.
    void footer() throws IOException {
        isFooterBound = true;
        plan(input.schema());
    }

    private void plan(Schema bound) {
        error = null;
        input.verifySchema(meaning);
        boolean isInvalid = meaning.layout() == null && error != null;
        schemaError = isInvalid ? SchemaErrors.placed(error, input, bound) : null;
        if (isInvalid && schemaError.rule() == MeaningRule.SCHEMA_TOO_LARGE) {
            throw FletchException.inInput(schemaError); // names and types may be too long to make
        }
        try {
            plan =
                    new MapPlan(
                            bound,
                            meaning.layout(),
                            input.metadataLength(),
                            input.limits(),
                            isNamed);
        } catch (FletchException e) {
            if (e.rule() == MeaningRule.SCHEMA_TOO_LARGE || schemaError == null) {
                throw FletchException.inInput(InputFaults.required(e, input));
            }
            throw FletchException.inInput(schemaError);
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
        if (!input.message.header(schema)) {
            FrameCheck.unexpected(input.message, this::raise);
        }
        plan(schema);
    }

    /// Verifies the current message, unless it is a schema message, and binds its batch if it has
    /// one.
    ///
    /// @param body the body, for the uncompressed lengths of buffers; [MemorySegment#NULL] to read
    ///     none
    /// @throws FletchException if the message is invalid or does not fit the schema
    void bind(MemorySegment body) {
        fields = null;
        if (input.message.headerType() == MessageHeader.SCHEMA) {
            return;
        }
        verify(input.message, this::raise);
        if (!BatchCounts.find(input.message, dictionary, batch)) {
            return;
        }
        boolean isRecord = input.message.headerType() == MessageHeader.RECORD_BATCH;
        if (plan != null) {
            fields = isRecord ? plan.columns() : plan.dictionary(dictionary.id());
        }
        if (fields != null) {
            try {
                cursor.bind(fields.layout(), input.message).body(body);
            } catch (FletchException e) {
                throw FletchException.inInput(reason(placed(e)));
            }
        }
    }

    /// Verifies a message of the input.
    ///
    /// @param sink receives the first error for which it is left out
    void verify(Message message, FaultSink sink) {
        error = null;
        isEnded = false;
        if (input.damageCount() > damages) { // which may have been any dictionary
            damages = input.damageCount();
            meaning.skip();
        }
        // The order of a file's messages is that of its blocks.
        meaning.block(message, input.hasFooter() ? 0 : ContainerPart.NO_BLOCK);
        if (error != null) {
            sink.accept(error.because(error.found()));
        }
    }

    private void raise(Fault fault) {
        throw FletchException.inInput(reason(InputFaults.placed(fault, frame, input.index())));
    }

    /// The fault that a dictionary is not defined, as verifying finds it in the messages so far; null
    /// if it does not.
    Fault undefined(long id) {
        if (input.hasFooter() && !isEnded && !undefined.containsKey(id)) {
            isEnded = true;
            meaning.endFile(input.file().footer());
        }
        return undefined.get(id);
    }

    /// The first error of an invalid schema, unless it was the reason why a batch does not fit; null
    /// if there is none.
    Fault schemaError() {
        return schemaError;
    }

    /// What the cursor has thrown, with its place in the input.
    Fault placed(FletchException e) {
        return InputFaults.ofMessage(e, frame, input.index());
    }

    /// Why the first batch does not fit its schema: the error of the schema, if that is invalid.
    /// Later batches keep their own.
    private Fault reason(Fault fault) {
        Fault first = schemaError == null ? fault : schemaError;
        schemaError = null;
        return first;
    }
}
