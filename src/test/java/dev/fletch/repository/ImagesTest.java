// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.repository;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.FletchProcess;
import dev.fletch.testdata.Processes;

import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import javax.imageio.ImageIO;

/// The script `docs/images/make` still makes the images of README.
@Order(1) // takes long
@Timeout(180)
class ImagesTest {
    private static final Path IMAGES = Repository.root().resolve("docs/images");

    @TempDir Path folder;

    @Test
    void imagesOfReadmeAreSmallAndDrawn() throws IOException {
        for (String name : List.of("map.png", "annotate.png")) {
            assertTrue(Files.size(IMAGES.resolve(name)) < 500_000, name);
            assertDrawn(IMAGES.resolve(name));
        }
    }

    /// Fonts differ from machine to machine, so the pages are compared by their text, and of the
    /// images the size.
    @Test
    void theScriptMakesTheImagesOfTheReadme() throws Exception {
        CaseCount.assumeFull();
        assumeTrue(
                Stream.of("chromium", "chromium-browser", "google-chrome")
                        .anyMatch(Processes::isPresent),
                "no Chromium here (Debian: chromium); skipped");
        Path command = folder.resolve("fletch");
        Files.writeString(command, "#!/bin/sh\nexec " + FletchProcess.quoted() + " \"$@\"\n");
        assertTrue(command.toFile().setExecutable(true));
        Path made = Files.createDirectory(folder.resolve("made"));
        ProcessBuilder script =
                new ProcessBuilder(IMAGES.resolve("make").toString(), made.toString());
        script.environment().put("FLETCH", command.toString());
        Processes.printed(script);
        assertDrawn(made.resolve("map.png"));
        assertDrawn(made.resolve("annotate.png"));
        assertEquals(
                Files.readString(IMAGES.resolve("pages.sha256")),
                Files.readString(made.resolve("pages.sha256")),
                "the pages have changed: run docs/images/make");
    }

    /// A page has dozens of colours; an empty one has one or two.
    private static void assertDrawn(Path file) throws IOException {
        BufferedImage image = ImageIO.read(file.toFile());
        assertEquals(1860, image.getWidth());
        assertEquals(1080, image.getHeight());
        int[] all = image.getRGB(0, 0, 1860, 1080, null, 0, 1860);
        long colours = IntStream.of(all).distinct().count();
        assertTrue(colours > 20, file + ": " + colours + " colours");
    }
}
