// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import dev.fletch.Rule;
import dev.fletch.testdata.RulePage;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Calls that raise the rules which no input breaks by itself: with a limit, an option, or a use
/// that does not suit the input.
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
    record Call(Rule rule, String call, String options, Action action) {}

    static List<Call> all() {
        return List.of();
    }

    static Set<String> codes() {
        return all().stream().map(each -> each.rule().id()).collect(Collectors.toSet());
    }

    /// All rules of the page of faults.
    static Stream<Rule> rules() {
        return RulePage.declared().values().stream().flatMap(List::stream);
    }
}
