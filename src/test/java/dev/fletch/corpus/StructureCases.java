// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import java.util.List;
import java.util.stream.Stream;

/// Inputs with a damaged flatbuffer.
final class StructureCases {
    private StructureCases() {}

    static List<CorpusCase> all() {
        return Stream.of(
                        FlatbufferOffsetCases.all(),
                        TableCases.all(),
                        LimitCases.all(),
                        InlineCases.all(),
                        StringCases.all(),
                        VectorCases.all())
                .flatMap(List::stream)
                .toList();
    }
}
