// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import dev.fletch.FletchException;
import dev.fletch.Rule;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Calls that raise the rules which no input breaks under `verify`: with a limit, an option, a use
/// that does not suit the input, or another command.
final class CorpusCalls {
    private CorpusCalls() {}

    /// Makes a call.
    interface Action {
        /// @return the rule that is broken
        Rule rule() throws Exception;
    }

    /// @param rule what the call raises
    /// @param call class and method
    /// @param options limits, options and input that matter
    record Call(Rule rule, String call, String options, Action action) {
        /// The row in the table of calls.
        String line() {
            return rule.id() + " | " + call + " | " + options;
        }
    }

    /// A call that throws.
    interface Failing {
        void run() throws Exception;
    }

    /// A row whose call throws an exception with the rule.
    static Call throwing(Rule rule, String call, String options, Failing failing) {
        return new Call(rule, call, options, () -> thrown(failing));
    }

    /// The rule of the exception that a call throws; null if it throws none.
    private static Rule thrown(Failing failing) throws Exception {
        try {
            failing.run();
            return null;
        } catch (FletchException e) {
            return e.rule();
        }
    }

    static List<Call> all() {
        return Stream.of(
                        ReadingCalls.all(),
                        LayoutCalls.all(),
                        VectorCalls.all(),
                        WritingCalls.all(),
                        AnnotateCalls.all())
                .flatMap(List::stream)
                .toList();
    }

    static Set<String> codes() {
        return all().stream().map(each -> each.rule().id()).collect(Collectors.toSet());
    }
}
