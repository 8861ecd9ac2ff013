// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import java.util.List;
import java.util.stream.Stream;

/// Inputs with a damaged container.
final class FileCases {
    private FileCases() {}

    static List<CorpusCase> all() {
        return Stream.of(
                        MagicCases.all(),
                        BlockCases.all(),
                        SchemaMessageCases.all(),
                        StreamEndCases.all(),
                        ForeignCases.all())
                .flatMap(List::stream)
                .toList();
    }
}
