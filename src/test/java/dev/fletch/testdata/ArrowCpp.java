// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.testdata;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Arrow C++'s reader of files, as arrow-dataset includes it, in a process of its own. The profile
/// `arrow-cpp` of `pom.xml` fetches its jars, as they are large; without them, tests are skipped,
/// unless `-Dfletch.arrow-cpp.required=true`.
public final class ArrowCpp {
    private static final boolean REQUIRED = Boolean.getBoolean("fletch.arrow-cpp.required");

    private ArrowCpp() {}

    /// What Arrow C++ finds in a file.
    ///
    /// @param error what it says if it refuses the file; else null
    /// @param rows rows of the batches
    /// @param valuesHash of all values: see [#hash]
    public record Reading(String error, String rows, int valuesHash) {
        private static Reading of(String line) {
            String[] parts = line.split("\t", -1);
            return parts[0].equals("ok")
                    ? new Reading(null, parts[1], Integer.parseInt(parts[2]))
                    : new Reading(parts[1], "", 0);
        }

        /// The same of arrow-java.
        public static Reading of(ArrowVectorReading reading) {
            return new Reading(
                    null,
                    reading.batchRows().toString(),
                    String.join("", reading.values()).hashCode());
        }
    }

    /// Reads files. Skips the calling test, with the reason, if the jars are absent.
    ///
    /// Now and then, Arrow C++ crashes at any of many files: the rest is then read by another
    /// process. A file at which it crashes twice is an exception.
    public static List<Reading> read(List<Path> files) throws IOException {
        List<Reading> found = new ArrayList<>();
        int crashedAt = -1;
        while (found.size() < files.size()) {
            String errors = read(files.subList(found.size(), files.size()), found);
            if (found.size() < files.size()) {
                if (crashedAt == found.size()) {
                    throw new IOException(files.get(crashedAt) + ": " + errors);
                }
                crashedAt = found.size();
            }
        }
        return found;
    }

    /// Reads files by one process.
    ///
    /// @return its exit status and errors
    private static String read(List<Path> files, List<Reading> into) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("--add-opens=java.base/java.nio=ALL-UNNAMED");
        command.add("--sun-misc-unsafe-memory-access=allow");
        command.add("--enable-native-access=ALL-UNNAMED");
        command.add("-XX:TieredStopAtLevel=1");
        command.add("-XX:ErrorFile=/dev/null");
        command.addAll(List.of("-cp", jars() + ":" + System.getProperty("java.class.path")));
        Path root = Goldens.repositoryRoot();
        command.add(root.resolve("src/test/arrow-cpp/ArrowCppReader.java").toString());
        Path names = Files.createTempFile("fletch-", ".files");
        Path errors = Files.createTempFile("fletch-", ".errors");
        try {
            Files.write(names, files.stream().map(Path::toString).toList());
            Process process =
                    new ProcessBuilder(command)
                            .redirectInput(names.toFile())
                            .redirectError(Redirect.to(errors.toFile()))
                            .start();
            byte[] output = process.getInputStream().readAllBytes();
            int status = process.waitFor();
            new String(output, StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> line.endsWith("\tend")) // a crash cuts the last one off
                    .map(Reading::of)
                    .forEach(into::add);
            return "status=" + status + "\n" + Files.readString(errors);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while Arrow C++ reads", e);
        } finally {
            Files.delete(names);
            Files.delete(errors);
        }
    }

    private static String jars() throws IOException {
        Path folder = Goldens.repositoryRoot().resolve("target/arrow-cpp");
        if (Files.isDirectory(folder)) {
            try (Stream<Path> jars = Files.list(folder)) {
                return String.join(":", jars.map(Path::toString).sorted().toList());
            }
        }
        String reason =
                "no Arrow C++ in target/arrow-cpp: mvn test -Parrow-cpp fetches it; skipped";
        if (REQUIRED) {
            throw new AssertionError(reason);
        }
        return abort(reason);
    }
}
