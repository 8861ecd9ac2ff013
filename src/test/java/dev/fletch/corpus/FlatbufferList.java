// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import dev.fletch.Rule;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Collects cases of flatbuffers with an edit.
final class FlatbufferList {
    final List<CorpusCase> cases = new ArrayList<>();

    void add(
            FlatbufferBase base,
            Rule rule,
            String name,
            String what,
            Consumer<EditedFlatbuffer> broken) {
        add(base, rule, name, what, _ -> {}, broken);
    }

    /// @param both edit of the sound twin, too: it brings the flatbuffer to the rule's limit
    void add(
            FlatbufferBase base,
            Rule rule,
            String name,
            String what,
            Consumer<EditedFlatbuffer> both,
            Consumer<EditedFlatbuffer> broken) {
        cases.add(base.toCase(CorpusCase.of(rule, name, what), both, broken));
    }
}
