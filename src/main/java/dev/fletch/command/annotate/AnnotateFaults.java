// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.annotate;

import dev.fletch.Fault;
import dev.fletch.FileRule;
import dev.fletch.Rule.Severity;
import dev.fletch.input.DetectedInput;
import dev.fletch.input.DetectedInput.Form;
import dev.fletch.input.InputBytes;
import dev.fletch.ipc.ReadOptions;
import dev.fletch.verify.internal.InputCheck;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/// The faults of an input by offset: those of `fletch verify`.
final class AnnotateFaults {
    private final TreeMap<Long, List<Fault>> byOffset = new TreeMap<>();
    private final InputCheck check = new InputCheck(ReadOptions.VERIFY, this::add);
    // Has the numbers of the messages: the same, if it has recognized the input.
    private InputCheck numbers = check;

    /// Verifies all of an input.
    ///
    /// @param hasBodies whether the memory contains the bodies
    static AnnotateFaults of(DetectedInput input, boolean hasBodies) throws IOException {
        AnnotateFaults faults = new AnnotateFaults();
        InputCheck check = faults.check;
        check.recordMessages();
        check.text(input);
        if (!hasBodies) {
            check.leaveOutBodies();
        }
        if (input.form() == Form.MESSAGE || input.form() == Form.FLATBUFFER) {
            check.run(input, null);
        } else {
            check.run(InputBytes.of(input.memory())); // detects the form again, which may differ
        }
        if (check.report().container() == null && input.form() == Form.STREAM) {
            faults.numbers = new InputCheck(ReadOptions.VERIFY, _ -> {});
            faults.numbers.recordMessages();
            faults.numbers.run(input, null);
        }
        return faults;
    }

    /// Index of the first message or damage that begins in a range, as in `fletch ls`;
    /// [Fault#NO_MESSAGE] if readers count none.
    ///
    /// @param last last offset of the range
    int messageIn(long first, long last) {
        return numbers.messageIn(first, last);
    }

    /// The check that found the faults.
    InputCheck check() {
        return check;
    }

    private void add(Fault fault) {
        byOffset.computeIfAbsent(fault.position(), _ -> new ArrayList<>(1)).add(fault);
    }

    /// Whether a fault is an error, not a deviation or a note.
    boolean hasErrors() {
        return all().stream().anyMatch(each -> each.rule().severity() == Severity.ERROR);
    }

    /// The faults of a range, in the order of their offsets.
    ///
    /// @param to end of the range, exclusive
    List<Fault> in(long from, long to) {
        List<Fault> faults = new ArrayList<>();
        byOffset.subMap(from, to).values().forEach(faults::addAll);
        return faults;
    }

    /// All faults in the order of their offsets, but damaged base64 first: it may affect all
    /// lengths and offsets.
    List<Fault> all() {
        List<Fault> all = in(0, Long.MAX_VALUE);
        all.sort(Comparator.comparing(each -> each.rule() != FileRule.NOT_BASE64));
        return all;
    }
}
