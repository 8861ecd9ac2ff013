// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static dev.fletch.testdata.HandmadeInput.ints;
import static dev.fletch.verify.messages.Meant.INT32;
import static dev.fletch.verify.messages.Meant.schema;

import dev.fletch.FileRule;
import dev.fletch.FrameRule;
import dev.fletch.Rule;
import dev.fletch.command.Cli;
import dev.fletch.command.JsonTree;
import dev.fletch.corpus.CorpusCalls.Call;
import dev.fletch.testdata.HandmadeInput;
import dev.fletch.testdata.HandmadeInput.Batch;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Runs of `annotate`, which says of a damaged word what it should be; `verify` says what follows
/// from the word. It also finds a byte or a message by its number.
final class AnnotateCalls {
    private AnnotateCalls() {}

    static List<Call> all() {
        return List.of(
                new Call(
                        FrameRule.NO_CONTINUATION,
                        "fletch annotate",
                        "stream with 4 in place of a batch's continuation word",
                        () -> onlyAnnotated(0, Integer.BYTES)),
                new Call(
                        FrameRule.METADATA_LENGTH_WRONG,
                        "fletch annotate",
                        "stream with a batch whose metadata length is 8",
                        () -> onlyAnnotated(Integer.BYTES, 8)),
                new Call(
                        FileRule.NO_SUCH_BYTE,
                        "fletch annotate",
                        "--at behind the end of a stream",
                        () -> refused("--at", "100000")),
                new Call(
                        FileRule.NO_SUCH_MESSAGE,
                        "fletch annotate",
                        "--message behind the last one of a stream",
                        () -> refused("--message", "100000")));
    }

    /// The rule that `annotate` names on standard error.
    private static Rule refused(String option, String number) {
        byte[] input = new HandmadeInput(schema(INT32)).batch(numbers()).stream();
        String said = Cli.runAloneWithInput(input, "annotate", option, number, "-").err();
        return Rule.all().stream()
                .filter(each -> said.contains(": " + each.description() + ": "))
                .findFirst()
                .orElse(null);
    }

    /// The rule that `annotate` names and `verify` does not; null if there are others, too.
    ///
    /// @param at offset of a word in the message of the batch
    private static Rule onlyAnnotated(int at, int value) {
        byte[] before = new HandmadeInput(schema(INT32)).marker().stream();
        byte[] input = new HandmadeInput(schema(INT32)).batch(numbers()).stream();
        ByteBuffer.wrap(input).order(ByteOrder.LITTLE_ENDIAN).putInt(before.length + at, value);
        Set<String> only = codes(input, "annotate");
        only.removeAll(codes(input, "verify"));
        return Rule.all().stream()
                .filter(each -> only.equals(Set.of(each.id())))
                .findFirst()
                .orElse(null);
    }

    private static Batch numbers() {
        return new Batch(2).node(2, 0, new byte[0], ints(1, 2));
    }

    private static Set<String> codes(byte[] input, String command) {
        Cli.Run run = Cli.runAloneWithInput(input, command, "--json", "-");
        Object faults = JsonTree.object(run.json().getFirst()).get("faults");
        return JsonTree.array(faults).stream()
                .map(each -> (String) JsonTree.object(each).get("code"))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
