// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import dev.fletch.Rule;
import dev.fletch.command.Cli;
import dev.fletch.command.JsonTree;

import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Runs of `annotate`, which says of a damaged word what it should be; `verify` says what follows
/// from the word. It also finds a byte or a message by its number.
final class AnnotateCalls {
    private static final String INPUT =
            "stream <int32:Int(bitWidth=32 is_signed=1)> | batch 2 [2] [- i32(1 2)]";

    private AnnotateCalls() {}

    static void addTo(CorpusCalls calls) {
        calls.add(
                "fletch annotate | stream with 4 in place of a batch's continuation word",
                () -> onlyAnnotated(" => @start(1) i32(4)"));
        calls.add(
                "fletch annotate | stream with a batch whose metadata length is 8",
                () -> onlyAnnotated(" => @start(1)+4 i32(8)"));
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

    /// The rule that `annotate` names and `verify` does not; null if there are others, too.
    private static Rule onlyAnnotated(String edit) {
        byte[] input = CaseFile.input(INPUT + edit);
        Set<String> only = codes(input, "annotate");
        only.removeAll(codes(input, "verify"));
        return Rule.all().stream()
                .filter(each -> only.equals(Set.of(each.id())))
                .findFirst()
                .orElse(null);
    }

    private static Set<String> codes(byte[] input, String command) {
        Cli.Run run = Cli.runWithInput(input, command, "--json", "-");
        Object faults = JsonTree.object(run.json().getFirst()).get("faults");
        return JsonTree.array(faults).stream()
                .map(each -> (String) JsonTree.object(each).get("code"))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
