// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import static dev.fletch.semantics.Meant.UTF8;
import static dev.fletch.semantics.Meant.schema;
import static dev.fletch.testdata.HandmadeInput.ints;
import static dev.fletch.testdata.HandmadeInput.text;

import dev.fletch.testdata.HandmadeInput;
import dev.fletch.testdata.HandmadeInput.Batch;
import dev.fletch.values.ValueRules;

import java.util.ArrayList;
import java.util.List;

/// Inputs with a wrong value in a body.
final class ValueCases {
    private static final byte[] NONE = {};

    private final List<CorpusCase> cases = new ArrayList<>();

    static List<CorpusCase> all() {
        ValueCases made = new ValueCases();
        made.offsets();
        return made.cases;
    }

    private void offsets() {
        cases.add(
                CorpusCase.of(
                                ValueRules.OFFSET_ORDER,
                                "offsets-descend-utf8",
                                "the third offset is smaller than the second")
                        .layout("utf8")
                        .file(texts(0, 2, 3), texts(0, 3, 2)));
    }

    /// A column of two texts.
    private static HandmadeInput texts(int... offsets) {
        Batch batch = new Batch(2).node(2, 0, NONE, ints(offsets), text("abc"));
        return new HandmadeInput(schema(UTF8)).batch(batch);
    }
}
