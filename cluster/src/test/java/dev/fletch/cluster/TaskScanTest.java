// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// What tasks do, without a cluster.
@Timeout(60)
class TaskScanTest {
    @TempDir Path folder;

    private List<FileName> listed(String... lines) throws IOException {
        Path list = Files.write(folder.resolve("names.txt"), List.of(lines));
        try (Stream<FileName> names = new NameSource(list.toString(), true).names()) {
            return names.toList();
        }
    }

    private static List<FileLine> scanned(List<FileName> names) {
        List<FileLine> lines = new ArrayList<>();
        TaskScan scan = new TaskScan(false, lines::add, _ -> {});
        names.forEach(scan::add);
        return lines;
    }

    @Test
    void blanksAndByteOrderMarksAreNoPartOfNames() throws IOException {
        String path = folder.resolve("a b.arrow").toString();
        assertEquals(
                List.of("https://example.org/x?sig=1", path, path, path),
                listed(
                                "\uFEFFhttps://example.org/x?sig=1",
                                "",
                                " \t",
                                path + " \r",
                                "\ta b.arrow ",
                                path)
                        .stream()
                        .map(FileName::name)
                        .toList());
    }

    @Test
    void pathsAreNormalized() throws IOException {
        String up = "../" + folder.getFileName() + "/t.arrow";
        List<FileName> names = listed("t.arrow", "./t.arrow", up, "a/../t.arrow");
        assertEquals(1, names.stream().distinct().count(), names::toString);
        assertEquals(folder.resolve("t.arrow").toString(), names.getFirst().name());
    }

    @Test
    void namesLikeLinksShowNoSecret() throws IOException {
        List<FileName> names =
                listed(
                        "\"https://example.org/q?sig=secret\"",
                        "'https://user:secret@example.org/q'",
                        "https:example.org/q?sig=secret",
                        "https:/example.org/q?sig=se cret",
                        "x https://example.org/q?sig=a secret",
                        "a/b/http://example.org/q#secret");
        List<FileLine> lines = scanned(names);
        assertEquals(names.size(), lines.size());
        for (FileLine each : lines) {
            assertTrue(each.isFaulty(), each.json());
            assertTrue(each.json().contains("example.org/q"), each.json());
            assertFalse(each.json().contains("cret"), each.json());
        }
    }

    @Test
    void devicesAreFaults() throws IOException {
        Path missing = folder.resolve("missing");
        List<FileLine> lines = scanned(listed("/dev/zero", missing.toString()));
        assertTrue(lines.get(0).json().contains("not a regular file"), lines.toString());
        assertTrue(lines.get(1).json().contains("no such file"), lines.toString());
    }

    @Test
    void nameThatComesTwiceHasAFailureOnlyIfBothHave() {
        FileName sound = new FileName("a", null);
        FileName first = new FileName("a", "1");
        FileName second = new FileName("a", "2");
        for (FileName failed : List.of(first, second)) {
            assertEquals(sound, sound.or(failed));
            assertEquals(sound, failed.or(sound));
        }
        assertEquals(first, first.or(second));
        assertEquals(first, second.or(first));
    }
}
