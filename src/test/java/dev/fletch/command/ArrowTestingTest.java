// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fletch.FletchException;
import dev.fletch.batch.Columns;
import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.Goldens;
import dev.fletch.vectors.VectorOptions;
import dev.fletch.vectors.VectorReader;

import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// The files of apache/arrow-testing, of which `-Dfletch.arrowtesting=FOLDER` names a clone: those
/// that fuzzing has found in Arrow C++, and the golden files of all versions.
class ArrowTestingTest {
    private static final String PROPERTY = "fletch.arrowtesting";
    private static final long MOST_BYTES = 1L << 30;

    private static final List<List<String>> COMMANDS =
            List.of(
                    List.of("verify", "--strict", "--values"),
                    List.of("verify", "--values", "--json"),
                    List.of("ls", "--json"),
                    List.of("map"),
                    List.of("annotate"),
                    List.of("columns"),
                    List.of("schema", "--json"),
                    List.of("count", "--json"));

    private static final List<String> SALVAGE =
            List.of("convert", "--force", "--salvage", "--values");

    private static Path data;

    @TempDir Path folder;

    @BeforeAll
    static void findTheClone() {
        String named = System.getProperty(PROPERTY);
        assumeTrue(named != null, "no clone of apache/arrow-testing (" + PROPERTY + "); skipped");
        data = Path.of(named).resolve("data");
        assertTrue(Files.isDirectory(data), "no folder: " + data);
    }

    private static List<Path> files(String... folders) throws IOException {
        List<Path> files = new ArrayList<>();
        for (String each : folders) {
            try (Stream<Path> all = Files.walk(data.resolve(each))) {
                all.filter(Files::isRegularFile)
                        .filter(file -> !file.toString().matches(".*\\.(md|gz)"))
                        .forEach(files::add);
            }
        }
        return files;
    }

    private static boolean isGolden(Path file) {
        return Goldens.isFile(file) || Goldens.isStream(file);
    }

    @Test
    void filesThatFuzzingFoundCrashNoCommandAndNoVectors() throws IOException {
        List<Path> files =
                files(
                        "arrow-ipc-file",
                        "arrow-ipc-stream",
                        "arrow-ipc-tensor-stream",
                        "forward-compatibility");
        files.removeIf(ArrowTestingTest::isGolden);
        int sound = 0;
        int read = 0;
        for (Path file : files) {
            for (List<String> command : COMMANDS) {
                assertClear(command, file.toString());
            }
            assertClear(SALVAGE, file.toString(), folder.resolve("out").toString());
            boolean isSound = Cli.run("verify", "--values", file.toString()).status() == 0;
            sound += isSound ? 1 : 0;
            read += isRead(file) ? 1 : 0;
        }
        CaseCount.report("fuzzed files: %d, sound %d, read %d", files.size(), sound, read);
        assertTrue(files.size() >= 130, "files: " + files.size());
    }

    private static void assertClear(List<String> command, String... files) {
        List<String> call = new ArrayList<>(command);
        call.addAll(List.of(files));
        Cli.Run run = Cli.run(call.toArray(String[]::new));
        String said = call + ": " + run.status() + ": " + run.err();
        assertTrue(run.status() <= 1, said);
        assertTrue(!run.err().contains("Exception") && !run.err().contains("internal"), said);
    }

    /// Reads each value as a file and as a stream; other exceptions than of wrong input fail.
    private static boolean isRead(Path file) {
        boolean isRead = false;
        for (boolean isFile : new boolean[] {true, false}) {
            try (RootAllocator allocator = new RootAllocator(MOST_BYTES);
                    VectorReader vectors =
                            isFile
                                    ? VectorReader.open(
                                            file, allocator, Columns.all(), VectorOptions.DEFAULT)
                                    : VectorReader.open(
                                            Files.newInputStream(file),
                                            allocator,
                                            Columns.all(),
                                            VectorOptions.DEFAULT)) {
                while (vectors.loadNext()) {
                    for (FieldVector vector : vectors.root().getFieldVectors()) {
                        for (int i = 0; i < vector.getValueCount(); i++) {
                            vector.getObject(i);
                        }
                    }
                }
                isRead = true;
            } catch (FletchException | IOException e) {
                assertTrue(!e.getMessage().isBlank(), file.toString());
            }
        }
        return isRead;
    }

    @Test
    void goldenFilesPassWithTheirValues() throws IOException {
        List<Path> files = files("arrow-ipc-stream");
        files.removeIf(each -> !isGolden(each));
        for (Path file : files) {
            Cli.Run run = Cli.run("verify", "--values", file.toString());
            assertEquals(0, run.status(), run.err() + run.out());
        }
        CaseCount.report("golden files: %d", files.size());
        assertTrue(files.size() >= 180, "files: " + files.size());
    }
}
