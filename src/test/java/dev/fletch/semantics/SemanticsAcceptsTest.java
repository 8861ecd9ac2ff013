// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.semantics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.fletch.testdata.ArrowCase;
import dev.fletch.testdata.Goldens;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.file.Path;
import java.util.List;

/// What real writers have written means something, by every preset.
class SemanticsAcceptsTest {
    private static final List<SemanticOptions> PRESETS =
            List.of(SemanticOptions.DEFAULT, SemanticOptions.STRICT, SemanticOptions.ARROW_CPP);

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Goldens#parameters")
    void goldensAreAccepted(Path golden) {
        byte[] bytes = Goldens.read(golden);
        for (SemanticOptions options : PRESETS) {
            List<String> found =
                    Goldens.isFile(golden)
                            ? SemanticRun.file(bytes, options)
                            : SemanticRun.stream(bytes, options);
            assertEquals(List.of(), found);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.ArrowVectorFiles#cases")
    void filesOfArrowVectorAreAccepted(ArrowCase each) {
        for (SemanticOptions options : PRESETS) {
            assertEquals(List.of(), SemanticRun.stream(each.stream(), options));
            if (each.hasFile()) {
                assertEquals(List.of(), SemanticRun.file(each.file(), options));
            }
        }
    }
}
