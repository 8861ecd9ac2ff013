// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.check.internal;

import dev.fletch.Fault;
import dev.fletch.Rule;
import dev.fletch.Rule.Severity;
import dev.fletch.check.ContainerRules;
import dev.fletch.check.ContainerVerifier;
import dev.fletch.check.Finding;
import dev.fletch.values.walk.MessageValues;
import dev.fletch.wire.FaultText;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/// Counts the findings of one input by rule and passes each to a consumer at once.
///
/// Memory and output are bounded: after [ContainerVerifier#MAX_FINDINGS] findings it passes on only
/// one more, that there are more faults.
public final class Findings implements MessageValues.Sink {
    private static final int MAX_SHOWN = ContainerVerifier.MAX_FINDINGS;

    private final Consumer<Finding> sink;
    private final Map<Rule, Integer> counts = new HashMap<>();
    private long count;
    // The rule under which the next error is reported; null to report errors unchanged.
    private Rule replacement;
    private boolean isReplaced;

    Findings(Consumer<Finding> sink) {
        this.sink = sink;
    }

    /// Begins or ends a part of the input that readers do not need. Only its first error is
    /// reported, under another rule.
    ///
    /// @param rule the other rule; null to end the part
    void replaceErrors(Rule rule) {
        replacement = rule;
        isReplaced = false;
    }

    public int count(Severity severity) {
        return counts.keySet().stream()
                .filter(each -> each.severity() == severity)
                .mapToInt(counts::get)
                .reduce(0, Math::addExact);
    }

    /// The broken rules.
    public Set<Rule> rules() {
        return counts.keySet();
    }

    void add(Finding finding) {
        if (replacement == null || finding.rule().severity() != Severity.ERROR) {
            pass(finding);
        } else if (!isReplaced) {
            isReplaced = true;
            String text = finding.rule().id() + ": " + finding.text();
            add(replacement, finding.message(), finding.path(), finding.offset(), text);
        }
    }

    private void pass(Finding finding) {
        counts.merge(finding.rule(), 1, Math::addExact);
        count++;
        if (count <= MAX_SHOWN) {
            sink.accept(finding);
        } else if (count == MAX_SHOWN + 1) {
            counts.merge(ContainerRules.MORE_FAULTS, 1, Math::addExact);
            sink.accept(
                    Finding.of(
                            ContainerRules.MORE_FAULTS,
                            Finding.NO_MESSAGE,
                            null,
                            finding.offset(),
                            "shown=" + MAX_SHOWN));
        }
    }

    /// The number of findings that can still be passed on, and one more, which says so.
    @Override
    public int room() {
        return 1 + (int) Math.max(0, MAX_SHOWN - count);
    }

    /// Adds a finding outside messages.
    void add(Rule rule, long offset, String details) {
        add(rule, Finding.NO_MESSAGE, null, offset, details);
    }

    /// Adds a finding: see [Finding#of].
    @Override
    public void add(Rule rule, int message, String path, long offset, String details) {
        add(Finding.of(rule, message, path, offset, details));
    }

    /// Adds a fault of a verifier.
    ///
    /// @param message index of the message; [Finding#NO_MESSAGE] for a footer
    /// @param offset of the fault in the input
    void add(Fault fault, int message, long offset) {
        String path = fault.path();
        String values = FaultText.values(fault.details(), fault.column());
        add(fault.rule(), message, path.isEmpty() ? null : path, offset, values);
    }
}
