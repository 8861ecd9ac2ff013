// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;

/// Inputs after public bug reports, in `../shared/data`. Tests that need them are skipped in a
/// clone alone.
public final class Reports {
    private Reports() {}

    /// Returns the folder of the inputs. Skips the calling test if it is absent.
    public static Path folder() {
        Path folder = Goldens.data().resolve("reports");
        assumeTrue(
                Files.isDirectory(folder),
                "no inputs of reports: the folder ../shared/data/reports is not beside this clone;"
                        + " skipped");
        return folder;
    }
}
