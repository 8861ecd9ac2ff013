// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import dev.fletch.Rule;

import java.util.ArrayList;
import java.util.List;

/// Collects cases of values.
final class ValueList {
    final List<CorpusCase> cases = new ArrayList<>();

    /// Adds a case in the form that its sound twin decides.
    void add(
            Rule rule,
            String name,
            String layout,
            String what,
            Column sound,
            Column broken,
            Rule... implied) {
        add(Form.of(sound), rule, name, layout, what, sound, broken, implied);
    }

    void add(
            Form form,
            Rule rule,
            String name,
            String layout,
            String what,
            Column sound,
            Column broken,
            Rule... implied) {
        CorpusCase.Draft draft =
                CorpusCase.of(rule, name + form.suffix, what).layout(layout).implies(implied);
        byte[] without = form.bytes(sound, sound);
        byte[] with = form.bytes(sound, broken);
        cases.add(form.isFile() ? draft.file(without, with) : draft.stream(without, with));
    }
}
