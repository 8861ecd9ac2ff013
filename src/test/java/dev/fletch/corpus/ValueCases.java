// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import java.util.List;
import java.util.stream.Stream;

/// Inputs with a wrong value in a body.
final class ValueCases {
    private ValueCases() {}

    static List<CorpusCase> all() {
        return Stream.of(
                        OffsetCases.all(),
                        ViewCases.all(),
                        TextCases.all(),
                        RunCases.all(),
                        UnionCases.all(),
                        DictionaryValueCases.all(),
                        NullCountCases.all(),
                        ScalarCases.all(),
                        NestedCases.all(),
                        UncheckedCases.all())
                .flatMap(List::stream)
                .toList();
    }
}
