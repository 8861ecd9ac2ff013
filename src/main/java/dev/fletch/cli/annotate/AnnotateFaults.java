// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.annotate;

import dev.fletch.Rule;
import dev.fletch.Rule.Level;
import dev.fletch.cli.io.InputBytes;
import dev.fletch.cli.text.Base64Text;
import dev.fletch.cli.verify.Finding;
import dev.fletch.cli.verify.Findings;
import dev.fletch.cli.verify.ForwardBytes;
import dev.fletch.cli.verify.FrameCheck;
import dev.fletch.cli.verify.InputCheck;
import dev.fletch.cli.verify.InputRules;
import dev.fletch.cli.verify.MessageCheck;
import dev.fletch.flatbuf.StructureRules;
import dev.fletch.flatbuf.VerifierOptions;
import dev.fletch.format.Verifier;
import dev.fletch.semantics.SemanticOptions;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/// What is wrong with an input, by where it is: all that `fletch verify` tells, and what a walk
/// comes upon behind a place where a verifier stops.
final class AnnotateFaults {
    private final TreeMap<Long, List<Finding>> byOffset = new TreeMap<>();
    // Where the input is no base64; null if it is, or was not to be.
    private Finding base64;
    // Where verifiers have found something wrong with a flatbuffer.
    private final Set<Long> broken = new HashSet<>();
    private int count;

    /// Looks at all of an input.
    static AnnotateFaults of(AnnotateInput input) throws IOException {
        AnnotateFaults faults = new AnnotateFaults();
        faults.base64(input.base64());
        MemorySegment memory = input.memory();
        switch (input.form()) {
            case FILE, STREAM, UNKNOWN ->
                    new InputCheck(VerifierOptions.ARROW_CPP, SemanticOptions.DEFAULT, faults::add)
                            .run(InputBytes.of(memory));
            case MESSAGE -> {
                Findings findings = new Findings(faults::addOfMessage);
                FrameCheck frame = new FrameCheck(check(findings), findings);
                ForwardBytes bytes = ForwardBytes.of(memory, 0, memory.byteSize());
                frame.metadata(bytes, 0);
                if (bytes.offset() < memory.byteSize()) { // the body may be elsewhere
                    frame.body(bytes);
                }
            }
            case FLATBUFFER -> faults.flatbuffer(memory, input.root());
        }
        return faults;
    }

    private static MessageCheck check(Findings findings) {
        MessageCheck check =
                new MessageCheck(VerifierOptions.ARROW_CPP, SemanticOptions.DEFAULT, findings);
        check.beginStream();
        return check;
    }

    /// A message alone is aligned to nothing.
    private void addOfMessage(Finding finding) {
        if (finding.rule() != InputRules.METADATA_UNALIGNED) {
            add(finding);
        }
    }

    private void base64(Base64Text text) {
        if (text != null && text.faultAt() >= 0) {
            String where = "character=" + text.faultAt();
            Findings findings =
                    new Findings(
                            finding -> {
                                base64 = finding;
                                add(finding);
                            });
            findings.add(InputRules.NOT_BASE64, Finding.NO_MESSAGE, null, text.faultByte(), where);
        }
    }

    private void flatbuffer(MemorySegment memory, Verifier.Root root) {
        Findings findings = new Findings(this::add);
        long size = memory.byteSize();
        if (size > VerifierOptions.ARROW_CPP.maxSize()) {
            Rule code = StructureRules.BUFFER_TOO_LARGE;
            add(structure(code, 0, size, null, Finding.NO_MESSAGE));
            return;
        }
        MessageCheck check = check(findings);
        switch (root) {
            case MESSAGE -> check.message(memory, 0, (int) size, 0, 0);
            case FOOTER -> check.footer(memory, 0, (int) size);
            default ->
                    new Verifier()
                            .findFaults(
                                    root,
                                    memory,
                                    0,
                                    size,
                                    fault ->
                                            findings.add(
                                                    fault, Finding.NO_MESSAGE, fault.position()),
                                    findings.room());
        }
    }

    private static Finding structure(Rule code, long at, long value, String path, int message) {
        return new Finding(code, message, path, at, code.description() + ": value=" + value);
    }

    /// Adds what a walk has found, unless a verifier has told what is wrong there.
    ///
    /// @param message index of the message that it is in, or [Finding#NO_MESSAGE]
    void add(Rule code, long at, long value, String path, int message) {
        if (!broken.contains(at) && count < Findings.MAX_SHOWN) {
            add(structure(code, at, value, path.isEmpty() ? null : path, message));
        }
    }

    /// Adds what is wrong with a word of a frame, unless a verifier has told what is wrong there.
    ///
    /// @param message index of the message, or [Finding#NO_MESSAGE]
    /// @param details values, as `name=value`; empty if there is none
    void add(Rule fault, long at, int message, String details) {
        if (in(at, at + Integer.BYTES).isEmpty()) {
            new Findings(this::add).add(fault, message, null, at, details);
        }
    }

    private void add(Finding finding) {
        count++;
        if (finding.rule().level() == Level.STRUCTURE) {
            broken.add(finding.offset());
        }
        byOffset.computeIfAbsent(finding.offset(), _ -> new ArrayList<>(1)).add(finding);
    }

    int count() {
        return count;
    }

    /// The faults at bytes, in the order of their offsets.
    ///
    /// @param to first offset behind them
    List<Finding> in(long from, long to) {
        Long first = byOffset.ceilingKey(from);
        return first == null || first >= to ? List.of() : flat(byOffset.subMap(from, to).values());
    }

    /// All faults in the order of their offsets, but for base64 that is damaged, which comes first:
    /// lengths and offsets in front of it may lead to what it has spoilt.
    List<Finding> all() {
        List<Finding> all = new ArrayList<>(flat(byOffset.values()));
        if (base64 != null) {
            all.remove(base64);
            all.addFirst(base64);
        }
        return all;
    }

    private static List<Finding> flat(Collection<List<Finding>> lists) {
        return lists.stream().flatMap(List::stream).toList();
    }
}
