// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import java.nio.file.Path;

/// Inputs after public bug reports, in `../shared/data`. Tests that need them are skipped in a
/// clone alone.
public final class Reports {
    private Reports() {}

    /// Returns the folder of the inputs. Skips the calling test if it is absent.
    public static Path folder() {
        return Goldens.folder("reports");
    }
}
