// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.remote;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.remote.internal.RangeOptions;
import dev.fletch.testdata.ArrowCase;
import dev.fletch.testdata.ArrowVectorFiles;
import dev.fletch.testdata.Goldens;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Files that are read by ranges show what they show in memory.
class RangedFileAgreesTest {
    /// Smaller than any footer, so that all is requested in its own step.
    private static final RangeOptions LITTLE =
            SmallRanges.OF
                    .endBytes(64)
                    .mergeBytes(0)
                    .requestBytes(100)
                    .maxHeaderBytes(500)
                    .options();

    @Test
    void rangedReadsOfGeneratedFilesAgree() throws IOException {
        int buffers = 0;
        for (ArrowCase each : ArrowVectorFiles.cases()) {
            if (!each.hasFile()) {
                continue;
            }
            byte[] file = each.file();
            buffers += SameFile.check(file, new CountingSource(file), RangeOptions.DEFAULT);
            if (file.length < 50_000) {
                SameFile.check(file, new CountingSource(file), LITTLE);
            }
        }
        System.out.println("Ranged files, generated: buffers=" + buffers);
        assertTrue(buffers > 1_000);
    }

    @Test
    void rangedReadsOfGoldensAgree() throws IOException {
        int files = 0;
        int buffers = 0;
        for (Path path : Goldens.all()) {
            if (!path.toString().endsWith("file")) {
                continue;
            }
            byte[] file = Files.readAllBytes(path);
            files++;
            buffers += SameFile.check(file, RangeSource.open(path), RangeOptions.DEFAULT);
            SameFile.check(file, new CountingSource(file), SmallRanges.OF.endBytes(200).options());
        }
        System.out.println("Ranged files, golden: files=" + files + ", buffers=" + buffers);
        assertTrue(files > 30 && buffers > 1_000);
    }
}
