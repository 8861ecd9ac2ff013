// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import dev.fletch.FletchException;
import dev.fletch.Rule;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/// Calls that raise the rules which no input breaks under `verify`: with a limit, an option, a use
/// that does not suit the input, or another command. `corpus/calls.txt` has the rule of each.
final class CorpusCalls {
    private static final Path TABLE = Corpus.FOLDER.resolve("calls.txt");

    /// Makes a call.
    interface Action {
        /// {@return the rule that it raises, or null}
        Rule rule() throws Exception;
    }

    /// A call that throws.
    interface Failing {
        void run() throws Exception;
    }

    private final Map<String, Action> actions = new LinkedHashMap<>();

    /// The calls by their rows without the code: class and method, and the limits, options and
    /// input that matter.
    static Map<String, Action> all() {
        CorpusCalls calls = new CorpusCalls();
        ReadingCalls.addTo(calls);
        LayoutCalls.addTo(calls);
        VectorCalls.addTo(calls);
        WritingCalls.addTo(calls);
        AnnotateCalls.addTo(calls);
        return calls.actions;
    }

    /// The rows of the table and their codes.
    static Map<String, String> table() {
        try {
            return Files.readAllLines(TABLE).stream()
                    .filter(each -> !each.startsWith("#"))
                    .map(each -> each.split(" \\| ", 2))
                    .collect(Collectors.toMap(each -> each[1], each -> each[0]));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Set<String> codes() {
        return Set.copyOf(table().values());
    }

    void add(String row, Action action) {
        actions.put(row, action);
    }

    /// Adds a call that throws an exception with the rule.
    void throwing(String row, Failing failing) {
        add(row, () -> thrown(failing));
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
}
