// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.check;

import dev.fletch.Fault;
import dev.fletch.Rule;
import dev.fletch.Rule.Severity;
import dev.fletch.format.FormatRules;
import dev.fletch.ipc.SupportedVersions;

import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/// Counts the findings of one input by severity and passes each to a consumer at once.
///
/// Memory and output are bounded: after [#MAX_SHOWN] findings it passes on only one more, that there are
/// more faults.
public final class Findings {
    /// The maximum number of findings passed on for one input.
    public static final int MAX_SHOWN = 100_000;

    private final Consumer<Finding> sink;
    private final Map<Severity, Set<Rule>> rules = new EnumMap<>(Severity.class);
    private final Map<Severity, Integer> counts = new EnumMap<>(Severity.class);
    private long count;
    // The rule under which the next error is reported; null to report errors unchanged.
    private Rule replacement;
    private boolean isReplaced;

    public Findings(Consumer<Finding> sink) {
        this.sink = sink;
    }

    /// Begins or ends a part of the input that readers do not need. Only its first error is reported,
    /// under another rule.
    ///
    /// @param rule the other rule; null to end the part
    void replaceErrors(Rule rule) {
        replacement = rule;
        isReplaced = false;
    }

    public long count() {
        return count;
    }

    public int count(Severity severity) {
        return counts.getOrDefault(severity, 0);
    }

    /// Whether there is a finding of a severity whose rule is not allowed.
    public boolean has(Severity severity, Set<Rule> allowed) {
        return !allowed.containsAll(rules.getOrDefault(severity, Set.of()));
    }

    public void add(Finding finding) {
        if (replacement == null || finding.rule().severity() != Severity.ERROR) {
            pass(finding);
        } else if (!isReplaced) {
            isReplaced = true;
            String text = replacement.description() + ": " + finding.rule().id() + ": ";
            pass(
                    new Finding(
                            replacement,
                            finding.message(),
                            finding.path(),
                            finding.offset(),
                            text + finding.text()));
        }
    }

    private void pass(Finding finding) {
        Severity severity = finding.rule().severity();
        rules.computeIfAbsent(severity, _ -> new HashSet<>()).add(finding.rule());
        counts.merge(severity, 1, Math::addExact);
        count++;
        if (count <= MAX_SHOWN) {
            sink.accept(finding);
        } else if (count == MAX_SHOWN + 1) {
            more(finding.offset());
        }
    }

    /// The number of findings that can still be passed on.
    public int room() {
        return (int) Math.max(0, MAX_SHOWN - count);
    }

    /// Adds a finding outside messages.
    public void add(Rule rule, long offset, String details) {
        add(rule, Finding.NO_MESSAGE, null, offset, details);
    }

    /// Adds a finding.
    ///
    /// @param message index of the message, or [Finding#NO_MESSAGE]
    /// @param details values as `name=value`; may be empty
    public void add(Rule rule, int message, String path, long offset, String details) {
        String text = rule.description();
        add(
                new Finding(
                        rule,
                        message,
                        path,
                        offset,
                        details.isEmpty() ? text : text + ": " + details));
    }

    /// Adds a fault of a verifier.
    ///
    /// @param message index of the message; [Finding#NO_MESSAGE] for a footer
    /// @param offset of the fault in the input
    public void add(Fault fault, int message, long offset) {
        String path = fault.path();
        String column = fault.column();
        String details = fault.details() + (column == null ? "" : ", column=" + column);
        add(fault.rule(), message, path.isEmpty() ? null : path, offset, details);
    }

    /// Adds a message with an unsupported version.
    ///
    /// @param message index of the message
    /// @param offset offset of the version in the input
    void unsupported(int version, int message, long offset) {
        String details = "version=" + SupportedVersions.name(version) + ", supported=V4 and V5";
        add(FormatRules.UNSUPPORTED_VERSION, message, "version", offset, details);
    }

    /// Adds the finding that there are more faults than shown.
    ///
    /// @param offset offset of the first finding not shown
    void more(long offset) {
        String text = InputRules.MORE_FAULTS.description() + ": shown=" + MAX_SHOWN;
        Finding more = new Finding(InputRules.MORE_FAULTS, Finding.NO_MESSAGE, null, offset, text);
        counts.merge(Severity.ERROR, 1, Math::addExact);
        rules.computeIfAbsent(Severity.ERROR, _ -> new HashSet<>()).add(more.rule());
        count = Math.max(count, MAX_SHOWN) + 1;
        sink.accept(more);
    }
}
