// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command.annotate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.fletch.command.Cli;
import dev.fletch.command.JsonTree;
import dev.fletch.command.map.MapPageTest;
import dev.fletch.ipc.Frames;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;

/// What `fletch annotate --html` writes. What the page does is in `golden/pages/annotate.txt`.
class AnnotatePageTest {
    @TempDir Path folder;

    @Test
    void pageIsAtMostTenTimesItsMetadata() throws Exception {
        Path input = folder.resolve("wide");
        Files.write(input, MapPageTest.wide(400, 20));
        String page = Cli.run("annotate", "--html", "-", input.toString()).out();
        var totals = JsonTree.object(Cli.run("map", "--json", input.toString()).json().getFirst());
        long metadata = (Long) JsonTree.object(totals.get("totals")).get("metadata");
        assertTrue(page.length() < 10 * metadata, page.length() + " " + metadata);
    }

    @Test
    void inputIsNeverOverwritten() throws Exception {
        Path input = Files.write(folder.resolve("input"), Frames.emptySchema());
        Cli.Run run = Cli.run("annotate", "--html", input.toString(), input.toString());
        assertEquals(2, run.status());
        assertEquals("fletch: " + input + ": page would overwrite the input\n", run.err());
        Cli.Run page = Cli.run("annotate", "--html", "-", input.toString());
        assertTrue(page.out().startsWith("<!DOCTYPE html>") && page.out().endsWith("</html>\n"));
        assertTrue(!page.out().matches("(?s).*(src=|href=|url\\(|@import|https?://).*"));
        assertTrue(!page.out().matches("(?s).*@(STYLE|SCRIPT|HASH|DATA|BODY|NAME)@.*"));
    }
}
