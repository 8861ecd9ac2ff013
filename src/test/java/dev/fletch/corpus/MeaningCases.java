// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import java.util.List;
import java.util.stream.Stream;

/// Inputs with metadata that has no meaning.
final class MeaningCases {
    private MeaningCases() {}

    static List<CorpusCase> all() {
        return Stream.of(
                        SchemaCases.all(),
                        TypeCases.all(),
                        ChildrenCases.all(),
                        BatchCases.all(),
                        NodeCases.all(),
                        BufferCases.all(),
                        SizeCases.all(),
                        DataSizeCases.all(),
                        DictionaryCases.all(),
                        TensorCases.all(),
                        SparseTensorCases.all(),
                        SeveralFaultsCases.all())
                .flatMap(List::stream)
                .toList();
    }
}
