// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cli.verify;

import dev.fletch.Fault;
import dev.fletch.Rule;
import dev.fletch.format.FormatRules;
import dev.fletch.ipc.SupportedVersions;

import java.util.function.Consumer;

/// Takes what is found in one input, from whoever finds it, and passes it on at once.
///
/// Memory and output are bounded: behind [#MAX_TOLD] faults of one input it tells that there are
/// more, and nothing else.
public final class Findings {
    /// How many faults of one input are told.
    public static final int MAX_TOLD = 100_000;

    private final Consumer<Finding> taker;
    private long count;

    public Findings(Consumer<Finding> taker) {
        this.taker = taker;
    }

    long count() {
        return count;
    }

    public void add(Finding finding) {
        count++;
        if (count <= MAX_TOLD) {
            taker.accept(finding);
        } else if (count == MAX_TOLD + 1) {
            taker.accept(
                    new Finding(
                            InputRules.MORE_FAULTS,
                            Finding.NO_MESSAGE,
                            null,
                            finding.offset(),
                            withDetails(
                                    InputRules.MORE_FAULTS.description(), "shown=" + MAX_TOLD)));
        }
    }

    /// How many more are told.
    public int room() {
        return (int) Math.max(0, MAX_TOLD - count);
    }

    /// @param message its index, or [Finding#NO_MESSAGE]
    /// @param details values, as `name=value`; empty if there is none
    public void add(Rule rule, int message, String path, long offset, String details) {
        add(new Finding(rule, message, path, offset, withDetails(rule.description(), details)));
    }

    /// A fault that a verifier has found.
    ///
    /// @param message its index; [Finding#NO_MESSAGE] for a footer
    /// @param offset of the fault in the input
    public void add(Fault fault, int message, long offset) {
        String path = fault.path();
        String column = fault.column();
        String details = "value=" + fault.value() + (column == null ? "" : ", column=" + column);
        add(fault.rule(), message, path.isEmpty() ? null : path, offset, details);
    }

    /// A message of a version that is not read.
    ///
    /// @param message its index
    /// @param offset of the version in the input
    void unsupported(int version, int message, long offset) {
        String details = "version=" + SupportedVersions.name(version) + ", supported=V4 and V5";
        add(FormatRules.UNSUPPORTED_VERSION, message, "version", offset, details);
    }

    /// Faults that are there and are not told one by one, as there is no room.
    ///
    /// @param offset of what they are in
    void more(long offset) {
        add(InputRules.MORE_FAULTS, Finding.NO_MESSAGE, null, offset, "");
    }

    private static String withDetails(String text, String details) {
        return details.isEmpty() ? text : text + ": " + details;
    }
}
