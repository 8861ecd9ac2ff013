// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.fletch.testdata.ArrowCase;
import dev.fletch.testdata.Goldens;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.file.Path;
import java.util.List;

/// What real writers have written means something, by every preset.
class MeaningAcceptsTest {
    private static final List<MeaningOptions> PRESETS =
            List.of(MeaningOptions.DEFAULT, MeaningOptions.STRICT, MeaningOptions.ARROW_CPP);

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.Goldens#parameters")
    void goldens(Path golden) {
        byte[] bytes = Goldens.read(golden);
        for (MeaningOptions options : PRESETS) {
            if (Goldens.isFile(golden)) {
                assertEquals(List.of(), MeaningRun.file(bytes, options));
            } else {
                assertEquals(List.of(), MeaningRun.stream(bytes, options));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("dev.fletch.testdata.ArrowVectorFiles#cases")
    void arrowVector(ArrowCase each) {
        for (MeaningOptions options : PRESETS) {
            assertEquals(List.of(), MeaningRun.stream(each.stream(), options));
            if (each.hasFile()) {
                assertEquals(List.of(), MeaningRun.file(each.file(), options));
            }
        }
    }
}
