// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import dev.fletch.Rule;
import dev.fletch.command.Cli;

/// Runs of `annotate`, which finds a byte or a message by its number.
final class AnnotateCalls {
    private static final String INPUT =
            "stream <int32:Int(bitWidth=32 is_signed=1)> | batch 2 [2] [- i32(1 2)]";

    private AnnotateCalls() {}

    static void addTo(CorpusCalls calls) {
        calls.add(
                "fletch annotate | --at behind the end of a stream",
                () -> refused("--at", "100000"));
        calls.add(
                "fletch annotate | --message behind the last one of a stream",
                () -> refused("--message", "100000"));
    }

    /// The rule that `annotate` names on standard error.
    private static Rule refused(String option, String number) {
        byte[] input = CaseFile.input(INPUT);
        String said = Cli.runWithInput(input, "annotate", option, number, "-").err();
        return Rule.all().stream()
                .filter(each -> said.contains(": " + each.description() + ": "))
                .findFirst()
                .orElse(null);
    }
}
