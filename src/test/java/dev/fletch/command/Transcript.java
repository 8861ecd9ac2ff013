// SPDX-FileCopyrightText: The Fletch authors
// SPDX-License-Identifier: Apache-2.0
package dev.fletch.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.fletch.testdata.CaseCount;
import dev.fletch.testdata.Goldens;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A reviewed text of statements, each with the output that it has. A line begins a statement;
/// lines that begin with a space continue it; those that begin with `>`, `!` or `=` are its output.
/// A line that begins with `#` is a comment. `## title` begins a section: a test of its own, that
/// shares nothing with the others, and runs in the long run only if the title says so.
/// `-Dfletch.golden.write=true` writes the outputs again; what statements themselves demand is
/// checked all the same. A statement cannot be skipped: one that aborts is an error.
public final class Transcript {
    private static final Path FOLDER =
            Goldens.repositoryRoot().resolve("src/test/resources/golden");

    private static final boolean WRITES = Boolean.getBoolean("fletch.golden.write");

    /// What no command prints.
    private static final Pattern UNEXPECTED =
            Pattern.compile("^[>!] (\\s+at [\\w.$]+\\(|.*internal error|Exception in thread)");

    /// The end of the title of a section that runs with `-Pfull` only.
    private static final String LONG = " (long run)";

    private Transcript() {}

    /// Runs the statements of a section.
    public interface Session extends AutoCloseable {
        /// @return the lines of output, each with its mark
        List<String> run(String statement) throws Exception;

        @Override
        default void close() throws IOException {}
    }

    /// The transcripts in a folder.
    public static List<String> names(String folder) throws IOException {
        try (Stream<Path> files = Files.list(FOLDER.resolve(folder))) {
            return files.map(each -> folder + "/" + each.getFileName()).sorted().toList();
        }
    }

    /// Runs a transcript and compares the outputs with its own, or writes them.
    ///
    /// @param sessions makes one for each section
    /// @return how many statements were run
    public static int check(String name, Supplier<Session> sessions) throws IOException {
        Path file = FOLDER.resolve(name);
        StringBuilder all = new StringBuilder();
        int count = 0;
        for (String section : Files.readString(file).split("(?m)^(?=## )")) {
            if (section.lines().findFirst().orElse("").endsWith(LONG) && !CaseCount.isFull()) {
                all.append(section);
                continue;
            }
            List<String> found = new ArrayList<>();
            try (Session session = sessions.get()) {
                for (String statement : statements(section)) {
                    found.add(statement);
                    if (!statement.isBlank() && !statement.startsWith("#")) {
                        found.addAll(output(statement, session));
                        count++;
                    }
                }
            }
            String text = String.join("\n", found) + "\n";
            all.append(text);
            if (!WRITES) {
                assertEquals(section, text, name);
            }
        }
        if (WRITES) {
            Files.writeString(file, all.toString());
        }
        return count;
    }

    private static List<String> output(String statement, Session session) {
        try {
            List<String> lines = session.run(statement.replaceAll("\n +", " "));
            for (String each : lines) {
                assertFalse(UNEXPECTED.matcher(each).find(), each);
            }
            return lines;
        } catch (Exception | AssertionError e) {
            throw new IllegalStateException("in the statement: " + statement, e);
        }
    }

    private static List<String> statements(String section) {
        List<String> all = new ArrayList<>();
        for (String line : section.split("\n", -1)) {
            if (line.startsWith(" ")) {
                all.add(all.removeLast() + "\n" + line);
            } else if (line.isEmpty() || ">!=".indexOf(line.charAt(0)) < 0) {
                all.add(line);
            }
        }
        return all.subList(0, all.size() - 1); // behind the last line break is nothing
    }
}
