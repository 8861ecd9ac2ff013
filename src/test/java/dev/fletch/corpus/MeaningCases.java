// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import java.util.ArrayList;
import java.util.List;

/// Inputs with metadata that has no meaning.
final class MeaningCases {
    private final List<CorpusCase> cases = new ArrayList<>();

    static List<CorpusCase> all() {
        return new MeaningCases().cases;
    }
}
