// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.annotate;

import dev.fletch.Rule;
import dev.fletch.Rule.Severity;
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
import java.util.List;
import java.util.TreeMap;

/// The faults of an input by offset: those of `fletch verify`, and those of words of frames that a walk
/// has repaired.
final class AnnotateFaults {
    private final TreeMap<Long, List<Finding>> byOffset = new TreeMap<>();
    // Where the input is damaged base64; else null.
    private Finding base64;
    private int count;

    /// Verifies all of an input.
    static AnnotateFaults of(AnnotateInput input) throws IOException {
        AnnotateFaults faults = new AnnotateFaults();
        Base64Text text = input.base64();
        if (text != null && text.faultAt() >= 0) {
            String details = "character=" + text.faultAt();
            faults.add(InputRules.NOT_BASE64, text.faultByte(), Finding.NO_MESSAGE, details);
            faults.base64 = faults.all().getFirst();
        }
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

    /// A message alone need not be aligned.
    private void addOfMessage(Finding finding) {
        if (finding.rule() != InputRules.METADATA_UNALIGNED) {
            add(finding);
        }
    }

    private void flatbuffer(MemorySegment memory, Verifier.Root root) {
        Findings findings = new Findings(this::add);
        long size = memory.byteSize();
        if (size > VerifierOptions.ARROW_CPP.maxSize()) {
            add(StructureRules.BUFFER_TOO_LARGE, 0, Finding.NO_MESSAGE, "value=" + size);
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

    /// Adds a fault.
    ///
    /// @param message index of the message, or [Finding#NO_MESSAGE]
    /// @param details values, as `name=value`; empty if there is none
    void add(Rule fault, long at, int message, String details) {
        new Findings(this::add).add(fault, message, null, at, details);
    }

    private void add(Finding finding) {
        count++;
        byOffset.computeIfAbsent(finding.offset(), _ -> new ArrayList<>(1)).add(finding);
    }

    int count() {
        return count;
    }

    /// Whether one of them is an error, not a deviation or a note.
    boolean hasErrors() {
        return byOffset.values().stream()
                .flatMap(List::stream)
                .anyMatch(each -> each.rule().severity() == Severity.ERROR);
    }

    /// The faults at bytes, in the order of their offsets.
    ///
    /// @param to first offset behind them
    List<Finding> in(long from, long to) {
        Long first = byOffset.ceilingKey(from);
        return first == null || first >= to ? List.of() : flat(byOffset.subMap(from, to).values());
    }

    /// All faults in the order of their offsets, but damaged base64 comes first: it may have changed
    /// lengths and offsets in front of it.
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
