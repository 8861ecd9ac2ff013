// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.remote;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.remote.internal.RangeOptions;
import dev.fletch.testdata.OracleListing;
import dev.fletch.testdata.RealInput;

import org.junit.jupiter.api.Test;

import java.io.IOException;

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
    void rangedReadsAgree() throws IOException {
        int files = 0;
        int buffers = 0;
        for (RealInput each : RealInput.all()) {
            byte[] file = each.bytes();
            if (!OracleListing.isFile(file)) {
                continue;
            }
            files++;
            buffers += SameFile.check(file, new CountingSource(file), RangeOptions.DEFAULT);
            SameFile.check(file, new CountingSource(file), SmallRanges.OF.endBytes(200).options());
            if (file.length < 50_000) {
                SameFile.check(file, new CountingSource(file), LITTLE);
            }
        }
        System.out.println("Ranged files: files=" + files + ", buffers=" + buffers);
        assertTrue(files > 30 && buffers > 1_000);
    }
}
