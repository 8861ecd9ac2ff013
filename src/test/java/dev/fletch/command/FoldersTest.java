// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fletch.command.Cli.Run;
import dev.fletch.ipc.Frames;
import dev.fletch.testdata.CaseCount;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Folders as inputs: which files are taken, in which order, and that links end.
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

    private Path write(String name, byte[] bytes) throws IOException {
        Path path = folder.resolve(name);
        Files.createDirectories(path.getParent());
        return Files.write(path, bytes);
    }

    private Path write(String name) throws IOException {
        return write(name, STREAM);
    }

    /// The files of a run, below the folder.
    private List<String> shown(Run run) {
        return run.json().stream()
                .map(each -> JsonTree.object(each).get("file").toString())
                .map(each -> each.replace(folder + "/", ""))
                .toList();
    }

    private Run count(String... inputs) {
        List<String> call = new ArrayList<>(List.of("count", "--json", "-r"));
        call.addAll(List.of(inputs));
        return Cli.run(call.toArray(String[]::new));
    }

    @Test
    void filesWithTheUsualEndingsAreTaken() throws IOException {
        List<String> named =
                List.of(
                        "E.ARROW",
                        "a.arrow",
                        "b.arrows",
                        "c.feather",
                        "d.ipc",
                        "f.stream",
                        "g.arrow_stream",
                        "h.arrow_file",
                        "i.b.Stream");
        for (String each : named) {
            write(each);
        }
        for (String each : List.of("_SUCCESS", "_metadata", "x.parquet", "x.arrow.crc", "arrow")) {
            write(each);
        }
        for (String each : List.of(".a.arrow", ".git/a.arrow", ".arrow")) {
            write(each);
        }
        Run run = count(folder.toString());
        assertEquals("", run.err());
        assertEquals(0, run.status());
        assertEquals(named, shown(run));
    }

    /// The order is that of the whole paths as texts, so also where a folder's name is the
    /// beginning of a file's.
    @Test
    void filesAreOrderedByPath() throws IOException {
        Random random = new Random(3);
        List<String> all = new ArrayList<>();
        String[] parts = {"a", "a.arrow", "a-b", "a b", "b", "B", "a\nc", "\u00e4"};
        for (int i = 0; i < 200; i++) {
            StringBuilder name = new StringBuilder();
            for (int depth = random.nextInt(4); depth > 0; depth--) {
                name.append(parts[random.nextInt(parts.length)]).append("/");
            }
            name.append(parts[random.nextInt(parts.length)]).append(".ipc");
            if (!all.contains(name.toString())) {
                write(name.toString());
                all.add(name.toString());
            }
        }
        all.sort(null);
        assertEquals(all, shown(count(folder.toString())));
    }

    @Test
    void namedFilesAreAlwaysTaken() throws IOException {
        String odd = write("odd").toString();
        String hidden = write(".hidden").toString();
        write("sub/a.arrow");
        String sub = folder.resolve("sub").toString();
        assertEquals(
                List.of("odd", "sub/a.arrow", ".hidden"),
                shown(count(odd, sub, hidden, sub + "/")));
    }

    @Test
    void folderNeedsTheOption() throws IOException {
        String file = write("a.arrow").toString();
        Run run = Cli.run("count", "--json", folder.toString(), file);
        assertEquals(
                "fletch: " + folder + ": is a directory; -r reads the files in it\n", run.err());
        assertEquals(2, run.status());
        assertEquals(List.of(folder.toString(), "a.arrow"), shown(run));
    }

    @Test
    void folderWithoutSuchFilesIsAFailure() throws IOException {
        write("sub/x.parquet");
        Path file = Files.write(temporary.resolve("other"), STREAM);
        Run run = count(folder.toString(), file.toString());
        assertEquals(
                "fletch: "
                        + folder
                        + ": folder has no files that end in .arrow, .arrow_file, .feather, .ipc,"
                        + " .arrows, .arrow_stream, .stream\n",
                run.err());
        assertEquals(2, run.status());
        assertEquals(List.of(folder.toString(), file.toString()), shown(run));
    }

    @Test
    void linksThatFormLoopsEnd() throws IOException {
        write("a/b/x.arrow");
        for (String[] each :
                new String[][] {{"a/b/up", "a"}, {"a/self", "a"}, {"root", "."}, {"a/to", "a/b"}}) {
            Path link = folder.resolve(each[0]);
            Files.createSymbolicLink(link, folder.resolve(each[1]));
        }
        Run run = count(folder.toString());
        assertEquals(List.of("a/b/x.arrow"), shown(run));
        assertEquals("", run.err());
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
        Run run = count(folder.toString());
        assertEquals(List.of("left/".repeat(40) + "x.arrow"), shown(run));
    }

    @Test
    void linksAreFollowed() throws IOException {
        Path elsewhere = Files.createDirectory(temporary.resolve("elsewhere"));
        Files.write(elsewhere.resolve("x.arrow"), STREAM);
        Files.createSymbolicLink(folder.resolve("link"), elsewhere);
        Files.createSymbolicLink(folder.resolve("y.arrow"), temporary.resolve("y"));
        Files.write(temporary.resolve("y"), STREAM);
        assertEquals(List.of("link/x.arrow", "y.arrow"), shown(count(folder.toString())));
    }

    /// It would be missed silently otherwise. Other names may be anything.
    @Test
    void danglingLinkWithAnArrowSuffixIsAFailure() throws IOException {
        Files.createSymbolicLink(folder.resolve("a.arrow"), folder.resolve("gone"));
        Files.createSymbolicLink(folder.resolve("other"), folder.resolve("gone"));
        write("b.arrow");
        Run run = count(folder.toString());
        assertEquals("fletch: " + folder + "/a.arrow: no such file\n", run.err());
        assertEquals(2, run.status());
        assertEquals(List.of("a.arrow", "b.arrow"), shown(run));
    }

    /// Reading one would wait for a writer.
    @Test
    void pipesInAFolderAreLeftOut() throws Exception {
        String pipe = folder.resolve("p.arrow").toString();
        assumeTrue(new ProcessBuilder("mkfifo", pipe).start().waitFor() == 0, "needs mkfifo");
        write("q.arrow");
        assertEquals(List.of("q.arrow"), shown(count(folder.toString())));
    }

    @Test
    void folderThatCannotBeReadIsAFailure() throws IOException {
        write("a.arrow");
        write("b/x.arrow");
        write("c.arrow");
        Path locked = folder.resolve("b");
        assumeTrue(
                locked.toFile().setReadable(false) && !Files.isReadable(locked),
                "this user may read everything");
        Run run = count(folder.toString());
        assertTrue(locked.toFile().setReadable(true));
        assertEquals("fletch: " + locked + ": permission denied\n", run.err());
        assertEquals(2, run.status());
        assertEquals(List.of("a.arrow", "b", "c.arrow"), shown(run));
    }

    /// What is shown as its name would be that of another file.
    @Test
    void fileWithANameThatIsNotUtf8IsRefused() throws Exception {
        String script = "cat > \"$1/$(printf 'b\\377d.arrow')\"";
        Process process = new ProcessBuilder("sh", "-c", script, "sh", folder.toString()).start();
        process.getOutputStream().write(STREAM);
        process.getOutputStream().close();
        assumeTrue(process.waitFor() == 0, "this file system takes text only");
        Run run = count(folder.toString());
        assertEquals(2, run.status(), run.err());
        assertTrue(run.err().contains("name has bytes that are not characters"), run.err());
    }

    // ---- more suffixes

    @Test
    void moreSuffixesAreTaken() throws IOException {
        for (String each : List.of("a.idx", "b.IDX", "c.arrow", "d_part", "e.bin", ".f.idx")) {
            write(each);
        }
        List<String> all = List.of("a.idx", "b.IDX", "c.arrow", "d_part");
        String set = folder.toString();
        assertEquals(all, shown(count("--suffix", ".idx,_part", set)));
        assertEquals(all, shown(count("--suffix=.idx", set, "--suffix=_PART")));
        assertEquals(List.of("c.arrow"), shown(count(set)));
        for (String command : Cli.INPUT_COMMANDS) {
            int plain = Cli.run(command, "-r", set).err().length();
            Run more =
                    Cli.run(command, "-r", "--suffix=_part", set, folder.resolve("x").toString());
            assertEquals(2, more.status());
            assertTrue(more.err().length() > plain, more.err());
            assertTrue(Cli.run(command, "--help").out().contains("--suffix"), command);
            assertTrue(Cli.run(command, "--help").out().contains(".arrow_stream"), command);
        }
        write("sub/x");
        Run none = count("--suffix=.idx", folder.resolve("sub").toString());
        assertTrue(none.err().endsWith(" .arrow_stream, .stream, .idx\n"), none.err());
    }

    @Test
    void invalidSuffixesAreRefused() {
        for (String each : List.of("", "a/b", ",.idx")) {
            Run run = count("--suffix=" + each, folder.toString());
            assertEquals(2, run.status());
            assertTrue(run.err().startsWith("fletch: --suffix is not the end of"), run.err());
        }
        Run run = Cli.run("ls", "--suffix", ".idx", folder.toString());
        assertTrue(run.err().startsWith("fletch: --suffix requires --recursive\n"), run.err());
    }

    // ---- each file once

    @Test
    void eachFileIsReadOnceOverAllArguments() throws IOException {
        String x = write("x.arrow").toString();
        write("sub/y.arrow");
        Path link = Files.createSymbolicLink(temporary.resolve("link"), folder);
        Files.createSymbolicLink(folder.resolve("z.arrow"), folder.resolve("sub/y.arrow"));
        String set = folder.toString();
        List<String> all = List.of("sub/y.arrow", "x.arrow");
        for (String[] each :
                new String[][] {
                    {set},
                    {set, x},
                    {set, set},
                    {set, set + "/./x.arrow", set + "/sub/../x.arrow"},
                    {set, link.toString(), link + "/x.arrow"},
                    {set, set + "/sub"},
                    {set, set + "/z.arrow"}
                }) {
            Run run = count(each);
            assertEquals(new Run(0, run.out(), ""), run);
            assertEquals(all, shown(run), List.of(each).toString());
        }
        assertEquals(List.of("x.arrow", "sub/y.arrow"), shown(count(x, set)));
        Run total = Cli.run("count", "-r", set, x);
        assertEquals("14        2  total", total.lines().getLast().strip());
        for (String command : Cli.INPUT_COMMANDS) {
            assertEquals(Cli.run(command, "-r", set), Cli.run(command, "-r", set, x, set));
        }
    }

    /// Names that lead to no file cannot be compared, and a hard link is a file of its own.
    @Test
    void hardLinksAndMissingFilesAreReadAsOftenAsNamed() throws IOException {
        String x = write("x.arrow").toString();
        Files.createLink(folder.resolve("y.arrow"), Path.of(x));
        assertEquals(List.of("x.arrow", "y.arrow"), shown(count(folder.toString())));
        String missing = folder.resolve("missing").toString();
        assertEquals(2, count(missing, missing).err().lines().count());
        // Without -r each argument is an input.
        assertEquals(List.of("x.arrow", "x.arrow"), shown(Cli.run("count", "--json", x, x)));
        Run total = Cli.run("count", x, x);
        assertEquals("14        2  total", total.lines().getLast().strip());
    }

    @Test
    void headingsAndTotalDoNotDependOnTheNumberOfFiles() throws IOException {
        String file = write("only one.arrow").toString();
        assertTrue(Cli.run("ls", "-r", folder.toString()).out().startsWith(file + ":\n"));
        assertEquals(3, Cli.run("count", "-r", folder.toString()).lines().size());
    }

    @Test
    void optionsThatShowOneInputRefuseFolders() {
        String page = folder.resolve("page").toString();
        for (String each : List.of("map", "annotate")) {
            Run run = Cli.run(each, "-r", "--html", page, folder.toString());
            assertEquals(2, run.status());
            assertTrue(run.err().startsWith("fletch: --html takes only one input\n"), run.err());
        }
        Run run = Cli.run("json", "-r", "--to-arrow", folder.toString(), page);
        assertTrue(run.err().startsWith("fletch: --to-arrow and --recursive cannot be combined"));
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
