// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;

/// Files of other implementations, and what their producers say of them, in `../shared/data`. Tests
/// that need them are skipped in a clone alone.
public final class Producers {
    private Producers() {}

    /// Returns the folder of the files, with `truth.json`. Skips the calling test if it is absent.
    public static Path folder() {
        Path folder = Goldens.data().resolve("producers");
        assumeTrue(
                Files.isDirectory(folder),
                "no files of other producers: the folder ../shared/data/producers is not beside"
                        + " this clone; skipped");
        return folder;
    }
}
