// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.corpus;

import java.util.ArrayList;
import java.util.List;

/// Inputs with a damaged container.
final class FileCases {
    private final List<CorpusCase> cases = new ArrayList<>();

    static List<CorpusCase> all() {
        return new FileCases().cases;
    }
}
