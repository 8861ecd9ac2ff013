// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.verify.internal;

import dev.fletch.Fault;
import dev.fletch.FaultSink;
import dev.fletch.FileRule;
import dev.fletch.Rule;
import dev.fletch.Rule.Severity;
import dev.fletch.ValueRule;
import dev.fletch.flatbuf.internal.LimitedFaults;
import dev.fletch.verify.CheckReport;
import dev.fletch.verify.messages.SemanticVerifier;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/// Counts the faults of one input by rule and passes each to a consumer at once.
///
/// Memory and output are bounded: after [CheckReport#MAX_FAULTS] faults it passes on only
/// one more, that there are more faults.
public final class Faults extends LimitedFaults {
    private static final int MAX_SHOWN = CheckReport.MAX_FAULTS;

    private final FaultSink sink;
    private final Map<Rule, Integer> counts = new HashMap<>();
    private long ownErrors;
    // The rule under which the next error is reported; null to report errors unchanged.
    private Rule replacement;
    private boolean isReplaced;

    Faults(FaultSink sink) {
        this.sink = sink;
        collect(sink, MAX_SHOWN);
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

    /// Number of errors that a message has in itself: without those of values, and of dictionaries
    /// that are not where its columns need them.
    long ownErrors() {
        return ownErrors;
    }

    /// The broken rules.
    public Set<Rule> rules() {
        return counts.keySet();
    }

    /// Adds a fault whose position is an offset in the input.
    @Override
    public void accept(Fault fault) {
        if (replacement == null || fault.rule().severity() != Severity.ERROR) {
            pass(fault);
        } else if (!isReplaced) {
            isReplaced = true;
            String text = fault.rule().id() + ": " + fault.text();
            pass(
                    Fault.of(replacement, fault.position(), fault.value())
                            .at(fault.path())
                            .because(text)
                            .inMessage(fault.message()));
        }
    }

    private void pass(Fault fault) {
        Rule rule = fault.rule();
        counts.merge(rule, 1, Math::addExact);
        boolean isOwn = !(rule instanceof ValueRule) && SemanticVerifier.leavesOut(rule);
        ownErrors += isOwn ? 1 : 0;
        super.accept(fault);
        if (count() == MAX_SHOWN + 1) {
            counts.merge(FileRule.MORE_FAULTS, 1, Math::addExact);
            sink.accept(
                    Fault.of(FileRule.MORE_FAULTS, fault.position(), MAX_SHOWN)
                            .because("shown=" + MAX_SHOWN));
        }
    }

    /// The number of faults that can still be passed on, and one more, which says so.
    int room() {
        return 1 + (int) Math.max(0, MAX_SHOWN - count());
    }

    /// Adds a fault outside messages.
    void add(Rule rule, long offset, String details) {
        accept(Fault.of(rule, offset, 0).because(details));
    }

    /// Adds a fault of a message.
    void add(Rule rule, int message, long offset, String details) {
        add(rule, message, "", offset, details);
    }

    /// Adds a fault of a field.
    ///
    /// @param message [Fault#NO_MESSAGE] for a footer
    void add(Rule rule, int message, String path, long offset, String details) {
        accept(Fault.of(rule, offset, 0).at(path).because(details).in(message, offset));
    }
}
