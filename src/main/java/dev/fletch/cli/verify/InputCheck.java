// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.verify;

import dev.fletch.Rule.Severity;
import dev.fletch.cli.io.InputBytes;
import dev.fletch.flatbuf.VerifierOptions;
import dev.fletch.ipc.ArrowContainer;
import dev.fletch.ipc.ArrowFormatException;
import dev.fletch.semantics.SemanticOptions;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/// Checks one input, a file or a stream, and counts its messages.
public final class InputCheck {
    private final Findings findings;
    private final MessageCheck check;
    private ArrowContainer container;
    // For an input that is neither file nor stream.
    private Finding unknown;
    private int messages;

    public InputCheck(VerifierOptions options, SemanticOptions semantic, Consumer<Finding> sink) {
        this.findings = new Findings(sink);
        this.check = new MessageCheck(options, semantic, findings);
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

    /// @param memory does not begin as a stream; is a file if one of its ends says so
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

    /// Detects the container by the first bytes.
    private boolean isStream(byte[] leading) {
        try {
            container = ArrowContainer.detect(MemorySegment.ofArray(leading));
        } catch (ArrowFormatException e) {
            unknown = new Finding(e.rule(), Finding.NO_MESSAGE, null, e.offset(), e.reason());
        }
        return container == ArrowContainer.STREAM;
    }

    /// Whether there are no errors.
    boolean isOk() {
        return findings.count(Severity.ERROR) == 0;
    }

    /// What was found.
    Findings findings() {
        return findings;
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

    /// The byte order of the bodies.
    int endianness() {
        return check.endianness();
    }
}
