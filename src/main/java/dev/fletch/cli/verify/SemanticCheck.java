// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.verify;

import dev.fletch.Fault;
import dev.fletch.Rule;
import dev.fletch.format.Footer;
import dev.fletch.format.FormatRules;
import dev.fletch.format.Message;
import dev.fletch.semantics.SemanticOptions;
import dev.fletch.semantics.SemanticRules;
import dev.fletch.semantics.SemanticVerifier;

import java.lang.foreign.MemorySegment;
import java.util.Set;

/// Tells what is wrong with the meaning of sound messages and footers, one after the other.
public final class SemanticCheck {
    /// The checks of frames and of the order of messages report these, also for damaged messages.
    private static final Set<Rule> CHECKED_ELSEWHERE =
            Set.of(
                    SemanticRules.HEADER_KIND,
                    FormatRules.NEGATIVE_BODY_LENGTH,
                    FormatRules.BODY_UNALIGNED,
                    FormatRules.SCHEMA_WITH_BODY);

    private static final int NO_PLACE = -1;

    private final Findings findings;
    private final SemanticVerifier verifier;

    // Of a file's block, its place among those of its kind; negative in a stream.
    private int place = NO_PLACE;

    // Of what is looked at.
    private Message message;
    private int index;
    private long shift;

    SemanticCheck(SemanticOptions options, Findings findings) {
        this.findings = findings;
        this.verifier = new SemanticVerifier(options);
        verifier.collect(this::tell, Findings.MAX_TOLD);
    }

    /// Begins a stream, or what is looked at like one.
    public void beginStream() {
        verifier.beginStream();
        place = NO_PLACE;
    }

    /// Begins a file whose footer cannot be read, but for its blocks.
    void beginFile() {
        verifier.beginFile();
    }

    /// Tells of the next message that it is that of a block.
    ///
    /// @param number place of the block among those of its kind; 0 for the leading schema
    void beginBlock(int number) {
        place = number;
    }

    /// Looks into a message.
    ///
    /// @param number its index
    /// @param inputOffset offset in the input of its memory's position 0
    /// @param memory what has its body, if that is to be looked at; null if not
    /// @param bodyOffset where in there the body begins
    void message(
            Message sound, int number, long inputOffset, MemorySegment memory, long bodyOffset) {
        message = sound;
        index = number;
        shift = inputOffset;
        boolean hasBody = memory != null && sound.bodyLength() <= memory.byteSize() - bodyOffset;
        int kind = sound.headerType(); // whether it is right is told elsewhere
        if (place == NO_PLACE && hasBody) {
            verifier.message(sound, memory, bodyOffset);
        } else if (place == NO_PLACE) {
            verifier.message(sound);
        } else if (hasBody) {
            verifier.block(sound, kind, place, memory, bodyOffset);
        } else {
            verifier.block(sound, kind, place);
        }
    }

    /// Tells that there is a message that cannot be looked into.
    void skip() {
        verifier.skip();
    }

    /// Looks into a footer, and begins its file.
    public void footer(Footer sound) {
        beginFooter();
        verifier.footer(sound);
    }

    /// Looks, after all blocks, into what the footer and they mean together.
    ///
    /// @param dictionaryBatches how many could be read
    void end(Footer sound, int dictionaryBatches) {
        if (dictionaryBatches == sound.dictionariesCount()) { // another may define anything
            beginFooter();
            verifier.endFile(sound);
        }
    }

    private void beginFooter() {
        message = null;
        index = Finding.NO_MESSAGE;
        shift = 0;
    }

    private void tell(Fault fault) {
        long offset = fault.position() + shift;
        if (fault.rule() == FormatRules.UNSUPPORTED_VERSION && message != null) {
            findings.unsupported(message.version(), index, offset);
        } else if (!CHECKED_ELSEWHERE.contains(fault.rule())) {
            findings.add(fault, index, offset);
        }
    }
}
