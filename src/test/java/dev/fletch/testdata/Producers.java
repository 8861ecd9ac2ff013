// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// Files of other implementations, and what their producers say of them, in `../shared/data`. Tests
/// that need them are skipped in a clone alone.
public final class Producers {
    private Producers() {}

    /// Returns the folder of the files, with `truth.json`. Skips the calling test if it is absent.
    public static Path folder() {
        return Goldens.folder("producers");
    }

    /// Returns the Arrow files and streams, for a parameterized test; its folder's name if they are
    /// absent.
    public static List<Path> parameters() {
        if (!Goldens.present()) {
            return List.of(Goldens.data().resolve("producers"));
        }
        try (Stream<Path> all = Files.list(folder())) {
            return all.filter(each -> each.toString().contains(".arrow")).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
