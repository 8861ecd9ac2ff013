// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify.internal;

import dev.fletch.FaultSink;
import dev.fletch.FletchException;
import dev.fletch.Rule.Severity;
import dev.fletch.format.Verifier;
import dev.fletch.input.DetectedInput;
import dev.fletch.input.DetectedInput.Form;
import dev.fletch.input.InputBytes;
import dev.fletch.input.Need;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.ipc.internal.FrameCheck;
import dev.fletch.ipc.internal.MessageBytes;
import dev.fletch.verify.CheckReport;
import dev.fletch.wire.Base64Text;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Checks one input and counts its messages.
public final class InputCheck {
    private final Faults faults;
    private final MessageCheck check;
    // Null if the form of the input is unknown.
    private Form form;
    private int messages;
    private boolean searches = true;

    public InputCheck(ReadOptions options, FaultSink sink) {
        this(options, List.of(), sink);
    }

    /// @param columns paths of the fields whose values are checked, with their children: see
    ///     [dev.fletch.batch.BatchLayout#field]; empty for all
    public InputCheck(ReadOptions options, List<String> columns, FaultSink sink) {
        this.faults = new Faults(sink);
        this.check = new MessageCheck(options, columns, faults);
    }

    /// What to read of a remote input.
    public static Need need(ReadOptions options) {
        return options.checks(ReadOptions.Level.VALUES) ? Need.ALL : Need.ALL_BUT_BODIES;
    }

    /// Skips checks of bodies, which are not in the input's memory, and the search for messages
    /// after damage.
    public void leaveOutBodies() {
        check.leaveOutBodies();
        searches = false;
    }

    /// Remembers where messages are, for [#messageIn].
    public void recordMessages() {
        check.recordMessages();
    }

    /// Index of the first message or damage that begins in a range; [dev.fletch.Fault#NO_MESSAGE]
    /// if there is none.
    ///
    /// @param last last offset of the range
    public int messageIn(long first, long last) {
        return check.messageIn(first, last);
    }

    /// Detects the form of an input and checks it.
    public void run(InputBytes bytes) throws IOException {
        if (!bytes.hasPrefixes()) {
            check.leaveOutBodies();
        }
        searches &= bytes.isSearchable();
        DetectedInput input;
        try {
            input = DetectedInput.of(bytes);
        } catch (FletchException e) {
            faults.accept(e.fault());
            return;
        }
        text(input);
        run(input, bytes);
    }

    /// Checks the text of an input in base64.
    public void text(DetectedInput input) {
        Base64Text text = input.base64();
        if (text != null) {
            FrameCheck.base64(text, text.faultByte(), text.faultAt(), faults);
        }
    }

    /// Checks an input of a known form.
    ///
    /// @param pipe a stream that is not in memory; otherwise unused
    public void run(DetectedInput input, InputBytes pipe) throws IOException {
        MemorySegment memory = input.memory();
        form = input.form();
        switch (form) {
            case STREAM -> {
                MessageBytes all =
                        memory == null
                                ? MessageBytes.of(pipe.pipe(), pipe::keepRest)
                                : MessageBytes.of(memory, 0, memory.byteSize());
                if (check.checksValues()) {
                    all.stored(); // bodies of dictionaries are read again
                }
                messages = new StreamCheck(all, check, faults, searches, false).run(0);
            }
            case FILE -> messages = new FileCheck(memory, check, faults, searches).run();
            case MESSAGE -> message(memory);
            case FLATBUFFER -> flatbuffer(memory, input.root());
            case UNKNOWN -> throw new IllegalArgumentException("unknown form of input");
        }
        check.endValues();
    }

    /// Checks a single message, whose body may be absent, and which need not be aligned.
    private void message(MemorySegment memory) throws IOException {
        MessageBytes bytes = MessageBytes.of(memory, 0, memory.byteSize());
        CheckedFrame frame = new CheckedFrame(check, faults, false);
        check.beginStream(false);
        frame.open(bytes, 0, 0);
        if (frame.hasBody() && bytes.offset() < memory.byteSize()) {
            frame.skipBody(bytes);
        }
        messages = 1;
    }

    private void flatbuffer(MemorySegment memory, Verifier.Root root) throws IOException {
        long size = memory.byteSize();
        check.beginStream(false);
        if (size > Integer.MAX_VALUE) {
            check.flatbuffer(root, memory, size); // which is too large
            return;
        }
        switch (root) {
            case MESSAGE -> {
                MessageBytes bytes = MessageBytes.of(memory, 0, size);
                check.message(bytes, bytes.take((int) size), 0, 0);
                messages = 1;
            }
            case FOOTER -> check.footer(memory, 0, (int) size);
            default -> check.flatbuffer(root, memory, size);
        }
    }

    public Faults faults() {
        return faults;
    }

    /// How much of a damaged file or stream is complete; empty if it is not damaged: its errors are
    /// those of values, or of dictionaries that are not defined.
    public String complete() {
        return faults.ownErrors() == 0 ? "" : check.completeBatches().text(check.expectedBatches());
    }

    public CheckReport report() {
        return new CheckReport(
                form == null ? null : form.id(),
                messages,
                check.dictionaryBatches(),
                check.recordBatches(),
                check.completeBatches().count(),
                check.completeBatches().rows(),
                check.expectedBatches(),
                check.endianness(),
                check.uncheckedFields(),
                faults.count(Severity.ERROR),
                faults.count(Severity.DEVIATION),
                faults.count(Severity.NOTE));
    }
}
