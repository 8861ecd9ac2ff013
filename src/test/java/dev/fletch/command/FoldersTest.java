// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fletch.command.Cli.Run;
import dev.fletch.ipc.Frames;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.Processes;
import dev.fletch.testdata.TradesSample;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Folders with many links, of thousands of files, and with what cannot be read. Others are in
/// `golden/commands/folders.txt`.
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "links and names are those of POSIX")
@Timeout(120)
class FoldersTest {
    private static final byte[] STREAM =
            Frames.join(Frames.emptySchema(), Frames.recordBatch(7, 0), Frames.END);

    @TempDir Path temporary;
    private Path folder;

    @BeforeEach
    void makeFolder() throws IOException {
        folder = Files.createDirectory(temporary.resolve("set"));
    }

    private void write(String name, byte[] bytes) throws IOException {
        Path path = folder.resolve(name);
        Files.createDirectories(path.getParent());
        Files.write(path, bytes);
    }

    /// The files of a run, below the folder.
    private List<String> shown(Run run) {
        return run.json().stream()
                .map(each -> JsonTree.object(each).get("file").toString())
                .map(each -> each.replace(folder + "/", ""))
                .toList();
    }

    private Run count() {
        return Cli.run("count", "--json", "-r", folder.toString());
    }

    /// Two links at each of 40 levels are a million times a million ways to the last one.
    @Test
    void folderReachedByManyLinksIsReadOnce() throws IOException {
        Path at = folder;
        for (int i = 0; i < 40; i++) {
            Path next = Files.createDirectory(temporary.resolve("level" + i));
            Files.createSymbolicLink(at.resolve("left"), next);
            Files.createSymbolicLink(at.resolve("right"), next);
            at = next;
        }
        Files.write(at.resolve("x.arrow"), STREAM);
        assertEquals(List.of("left/".repeat(40) + "x.arrow"), shown(count()));
    }

    /// Reading one would wait for a writer.
    @Test
    void pipesInAFolderAreLeftOut() throws Exception {
        Processes.pipe(folder.resolve("p.arrow"));
        write("q.arrow", STREAM);
        assertEquals(List.of("q.arrow"), shown(count()));
    }

    @Test
    void folderThatCannotBeReadIsAFailure() throws IOException {
        write("a.arrow", STREAM);
        write("b/x.arrow", STREAM);
        write("c.arrow", STREAM);
        Path locked = folder.resolve("b");
        assumeTrue(
                locked.toFile().setReadable(false) && !Files.isReadable(locked),
                "this user may read everything");
        Run run = count();
        assertTrue(locked.toFile().setReadable(true));
        assertEquals("fletch: " + locked + ": permission denied\n", run.err());
        assertEquals(2, run.status());
        assertEquals(List.of("a.arrow", "b", "c.arrow"), shown(run));
    }

    @Test
    void damagedFilesAmongThousandsAreReportedAndSkipped() throws IOException {
        byte[] trades = Files.readAllBytes(TradesSample.path("trades.stream"));
        byte[] extensions =
                Files.readAllBytes(
                        TradesSample.path("trades.stream").resolveSibling("extensions.arrows"));
        byte[][] contents = {STREAM, extensions, new byte[] {1, 2, 3, 4, 5, 6, 7, 8}};
        int count = CaseCount.of(1_000, 10_000);
        int rows = 0;
        for (int i = 0; i < count; i++) {
            boolean isBroken = i == 711 || i == count - 2;
            byte[] content = isBroken ? contents[2] : i % 500 == 499 ? trades : contents[i % 2];
            rows += isBroken ? 0 : content == trades ? 800 : content == STREAM ? 7 : 0;
            write("%02d/%05d.arrow".formatted(i / 100, i), content);
        }
        Run run = Cli.run("count", "-r", folder.toString());
        assertEquals(1, run.status());
        assertEquals(2, run.err().lines().count(), run.err());
        assertTrue(run.err().startsWith("fletch: " + folder + "/07/00711.arrow: offset 0: "));
        assertEquals(count, run.lines().size());
        assertTrue(run.lines().getLast().strip().startsWith(rows + " "), run.lines().getLast());
        assertTrue(run.lines().get(1).endsWith("/00/00000.arrow"), run.lines().get(1));
        String last = "/%02d/%05d.arrow".formatted((count - 1) / 100, count - 1);
        assertTrue(run.lines().get(count - 2).endsWith(last), run.lines().get(count - 2));
    }
}
