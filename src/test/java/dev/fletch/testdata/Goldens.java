// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The golden files of the Arrow project, which lie beside the repository in `../shared/data`. A
/// clone alone does not have them: what needs them is skipped there.
public final class Goldens {
    /// The folders by the version that wrote them, oldest first.
    public static final List<String> FOLDERS =
            List.of(
                    "0.14.1",
                    "0.17.1",
                    "1.0.0-littleendian",
                    "2.0.0-compression",
                    "4.0.0-shareddict");

    private static final String DATA = "../shared/data";

    private Goldens() {}

    /// The folder that holds `pom.xml`: where Maven says it is, or the nearest one upward from the
    /// working directory.
    public static Path repositoryRoot() {
        Path start = Path.of(System.getProperty("basedir", "")).toAbsolutePath();
        for (Path folder = start; folder != null; folder = folder.getParent()) {
            if (Files.isRegularFile(folder.resolve("pom.xml"))) {
                return folder.normalize();
            }
        }
        throw new IllegalStateException("no pom.xml here or above: start=" + start);
    }

    /// Tells whether the files are there.
    public static boolean present() {
        return Files.isDirectory(data().resolve("golden"));
    }

    /// Skips the calling test, with the reason, where the files are absent.
    public static void assumePresent() {
        folder("golden");
    }

    /// Returns every file and stream of all folders, by folder and name. Skips the calling test
    /// where they are absent, so that it never passes on an empty list.
    public static List<Path> all() {
        assumePresent();
        List<Path> found = new ArrayList<>();
        for (String folder : FOLDERS) {
            try (Stream<Path> files = Files.list(data().resolve("golden").resolve(folder))) {
                files.filter(file -> isFile(file) || isStream(file)).sorted().forEach(found::add);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return List.copyOf(found);
    }

    /// Returns every fifth file or stream of [#all]; in the long run all.
    public static List<Path> sample() {
        List<Path> all = all();
        int step = CaseCount.of(5, 1);
        return IntStream.iterate(0, i -> i < all.size(), i -> i + step).mapToObj(all::get).toList();
    }

    /// Returns [#all] as the arguments of a parameterized test. Where they are absent, that is the
    /// missing folder alone, and the test skips itself by [#read] or [#assumePresent]: a source
    /// that skips would leave no trace of the test in the report.
    public static List<Path> parameters() {
        return present() ? all() : List.of(data().resolve("golden"));
    }

    /// Returns the schema message of a version that does not exist yet. Skips the calling test
    /// where it is absent.
    public static Path forwardCompatibility() {
        assumePresent();
        return data().resolve("forward-compatibility").resolve("schema_v6.arrow");
    }

    /// Tells whether the name is that of a golden in the file format.
    public static boolean isFile(Path golden) {
        return golden.toString().endsWith(".arrow_file");
    }

    /// Tells whether the name is that of a golden in the stream format.
    public static boolean isStream(Path golden) {
        return golden.toString().endsWith(".stream");
    }

    /// Returns folder and name, such as `0.14.1/generated_map.stream`: for messages.
    public static String title(Path golden) {
        return golden.getParent().getFileName() + "/" + golden.getFileName();
    }

    /// Returns the content of a golden. Skips the calling test where they are absent.
    public static byte[] read(Path golden) {
        assumePresent();
        try {
            return Files.readAllBytes(golden);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Path data() {
        return repositoryRoot().resolve(DATA).normalize();
    }

    /// Returns one of the folders beside the goldens. Skips the calling test where it is absent.
    static Path folder(String name) {
        Path folder = data().resolve(name);
        assumeTrue(
                Files.isDirectory(folder),
                () -> "the folder " + DATA + "/" + name + " is not beside this clone; skipped");
        return folder;
    }
}
