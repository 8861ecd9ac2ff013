// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.verify;

import dev.fletch.cli.io.InputBytes;
import dev.fletch.flatbuf.VerifierOptions;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.ArrowFormatException;
import dev.fletch.semantics.SemanticOptions;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/// Looks at all of one input, whatever it is, and counts what is in there.
public final class InputCheck {
    private final Findings findings;
    private final MessageCheck check;
    private ArrowContainer container;
    // What to tell of an input that is neither file nor stream.
    private Finding unknown;
    private int messages;

    public InputCheck(VerifierOptions options, SemanticOptions meant, Consumer<Finding> taker) {
        this.findings = new Findings(taker);
        this.check = new MessageCheck(options, meant, findings);
    }

    public void run(InputBytes bytes) throws IOException {
        if (isStream(bytes.leading())) {
            MemorySegment memory = bytes.memory();
            ForwardBytes all =
                    bytes.isPipe()
                            ? ForwardBytes.of(bytes.pipe())
                            : ForwardBytes.of(memory, 0, memory.byteSize());
            messages = new StreamCheck(all, check, findings).run(true);
        } else {
            bytes.keep(); // the footer comes last, or the magic that makes it a file
            file(bytes.memory());
        }
    }

    /// @param memory what begins as no stream: a file, also if only its other end says so
    private void file(MemorySegment memory) throws IOException {
        if (container == null && FileCheck.endsAsAFile(memory)) {
            container = ArrowContainer.FILE;
        }
        if (container == null) {
            findings.add(unknown);
        } else {
            messages = new FileCheck(memory, check, findings).run();
        }
    }

    /// Looks at how the input begins.
    private boolean isStream(byte[] leading) {
        try {
            container = ArrowContainer.detect(leading, leading.length);
        } catch (ArrowFormatException e) {
            unknown = new Finding(e.rule(), Finding.NO_MESSAGE, null, e.offset(), e.reason());
        }
        return container == ArrowContainer.STREAM;
    }

    boolean isOk() {
        return findings.count() == 0;
    }

    /// Null if the input is neither a file nor a stream.
    ArrowContainer container() {
        return container;
    }

    public int messages() {
        return messages;
    }

    int dictionaryBatches() {
        return check.dictionaryBatches();
    }

    int recordBatches() {
        return check.recordBatches();
    }

    /// How many bytes of metadata were verified: a measure of the work.
    long bytesVerified() {
        return check.bytesVerified();
    }

    /// What the last schema says of the bodies.
    int endianness() {
        return check.endianness();
    }
}
